"""Finds grasps of an object for a hand: sampled, filtered, ranked and thinned out (Definition 9 of the skill set)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array, Grasp, ObjectModel, Shape
from taskmatrix.robots import Robot

from .candidates import Candidates, affixes, joined, pinches
from .closure import wrench_ball
from .floating_hand import FloatingHand
from .handle import handle
from .settings import GraspSettings
from .surface import Surface
from .thinning import diverse

SAME = 0.010  # [m] between two contacts that count as one
ROUND = 0.002  # [m] to which widths are rounded up where the fingers close: each takes a posture
MOST_CONTACTS = 5  # more of them hardly add to what withstands, and much to the time
WEIGHTS = {"balance": 0.45, "surface": 0.35, "alignment": 0.20}


def find_grasps(
    robot: Robot, hand: str, model: ObjectModel, settings: GraspSettings | None = None
) -> tuple[Grasp, ...]:
    """Find grasps of an object for one hand of a robot, the best first.

    Points of the surface are drawn; a finger on each, the other on the opposite side, or the palm on it. What stays is
    no wider than the hand opens, holds by friction, and can be approached by the opened hand. It is ranked by how near
    the centre of the object it holds, how square and wide the surface is to the pads, and how well hand and object are
    aligned; of the good ones those are taken that are unlike each other, and put in the order of the wrench that their
    contacts withstand.

    An object with a :func:`handle <taskmatrix.skills.grasping.handle.handle>` is held by that, if the hand can.

    Args:
        robot: The robot.
        hand: Name of one of its hands.
        model: The object; its own grasps do not count.
        settings: How to look.

    Returns:
        Grasps ``found/0``, ``found/1``, ...; none if there is nothing that the hand can hold.

    Raises:
        WorldError: A mesh of the object cannot be read.
    """
    settings = settings or GraspSettings()
    if not any(shape.collides for shape in model.shapes):
        return ()
    air, grip = FloatingHand(robot, hand, model), handle(model)
    found = _found(air, _of_handle(model, grip), settings) if grip else ()
    return found or _found(air, Surface.of(model), settings)


def _of_handle(model: ObjectModel, grip: tuple[Shape, ...]) -> Surface:
    """The surface of an object that is held by its handle; of a part, which its joint carries, about that."""
    surface = Surface.of(model, grip)
    return surface if model.joint is None else replace(surface, centre=Surface.of(replace(model, shapes=grip)).centre)


def _found(air: FloatingHand, surface: Surface, settings: GraspSettings) -> tuple[Grasp, ...]:
    """Grasps where points of a surface are drawn, the best first."""
    draw = _sampler(surface, air, settings)
    drawn = draw()
    candidates = drawn.take(_feasible(air, drawn, settings))
    standing = _stands(air, candidates)
    for _ in range(settings.rounds):
        if standing.sum() >= settings.standing * settings.limit:
            break
        drawn = draw()
        more = drawn.take(_stands(air, drawn))
        candidates = joined([candidates, more.take(_feasible(air, more, settings))])
        standing = np.append(standing, np.ones(len(candidates) - len(standing), dtype=bool))
    merits = rank(surface, candidates)
    first = np.flatnonzero(standing)
    chosen = candidates.take(diverse(candidates.X_OH, merits, settings.limit, first, settings.standing))
    order = list(range(len(chosen)))
    if not air.affixes:
        held = [_held(air, surface, chosen, k, settings) for k in order]
        order = sorted((k for k in order if held[k] > 0), key=lambda k: -held[k])
    return tuple(Grasp(f"found/{number}", chosen.X_OH[k], float(chosen.widths[k])) for number, k in enumerate(order))


def rank(surface: Surface, candidates: Candidates) -> Array:
    """(m,) [-] How good candidates are, from 0 to 1."""
    off = np.linalg.norm(candidates.points.mean(axis=1) - surface.centre, axis=1) / surface.size
    aligned = np.abs(candidates.X_OH[:, :3, :3]).max(axis=1).mean(axis=1)  # of each axis of the hand with the nearest
    merits = {
        "balance": 1 - np.minimum(off, 1.0),
        "surface": np.clip(candidates.merits, 0.0, 1.0),
        "alignment": (aligned - np.sqrt(1 / 3)) / (1 - np.sqrt(1 / 3)),
    }
    return np.asarray(sum(WEIGHTS[name] * merit for name, merit in merits.items())) + 1e-3


def _sampler(surface: Surface, air: FloatingHand, settings: GraspSettings) -> Callable[[], Candidates]:
    """What draws as many candidates again each time."""
    random, most = np.random.default_rng(settings.seed), air.hand.aperture
    if air.affixes:
        palm = air.palm()
        return lambda: affixes(surface, palm, most, settings, random)

    def draw() -> Candidates:
        found = pinches(surface, air.least, most - settings.slack, settings, random)
        poses = [air.hand.around(*each) for each in zip(found.X_OH, found.widths.tolist(), strict=True)]
        return replace(found, X_OH=np.array(poses).reshape(-1, 4, 4))

    return draw


def _feasible(air: FloatingHand, candidates: Candidates, settings: GraspSettings) -> NDArray[np.bool_]:
    """(m,) Whether the open hand can approach the object there, and its fingers close on it."""
    free = air.approaches(candidates.X_OH, settings.approach)
    if not air.affixes:
        rows = np.flatnonzero(free)
        free[rows] = _closes(air, candidates.take(rows), 2 * settings.slack)
    return free


def _closes(air: FloatingHand, candidates: Candidates, more: float, standing: bool = False) -> NDArray[np.bool_]:
    """(m,) Whether the hand fits with its fingers ``more`` [m] apart than the object is wide; as for its ``fits``."""
    rounded = np.ceil(candidates.widths / ROUND) * ROUND + more
    free = np.ones(len(candidates), dtype=bool)
    for width in np.unique(rounded):
        rows = np.flatnonzero(rounded == width)
        free[rows] = air.fits(candidates.X_OH[rows], float(width), standing)
    return free


def _stands(air: FloatingHand, candidates: Candidates) -> NDArray[np.bool_]:
    """(m,) Whether the hand is clear of what the object stands on: open, half closed and closed."""
    free = air.fits(candidates.X_OH, standing=True)
    if not air.affixes and len(candidates):
        for more in ((air.hand.aperture - candidates.widths.mean()) / 2, 0.0, -ROUND):
            rows = np.flatnonzero(free)
            free[rows] = _closes(air, candidates.take(rows), float(more), standing=True)
    return free


def _held(air: FloatingHand, surface: Surface, candidates: Candidates, k: int, settings: GraspSettings) -> float:
    """Radius of the wrench ball of a candidate: of all that touches, besides the two points that it was made of."""
    points, inward = list(candidates.points[k]), list(candidates.inward[k])
    others, normals = air.contacts(candidates.X_OH[k], float(candidates.widths[k]))
    while len(others) and len(points) < MOST_CONTACTS:
        apart = np.min([np.linalg.norm(others - point, axis=1) for point in points], axis=0)
        furthest = int(apart.argmax())
        if apart[furthest] < SAME:
            break
        points.append(others[furthest])
        inward.append(normals[furthest])
    return wrench_ball(np.array(points), np.array(inward), surface.centre, surface.size, settings.friction)
