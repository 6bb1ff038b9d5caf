"""Grasps of an object's table as one hand can take them: drawn back until the open hand is outside of the object."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.geometry import planar
from taskmatrix.core.world.objects import Array, Grasp, ObjectModel
from taskmatrix.robots import Robot

from .closure import Friction, antipodal
from .floating_hand import FloatingHand
from .surface import Surface

BACK = 0.030  # [m] that a grasp is drawn back along the hand's z at most
STEP = 0.001  # [m]
ROOM = 0.003  # [m] between palm and object: what is off by a little does not push it
SLACK = 0.008  # [m] by which fingers that are about to close on an object are wider apart than it is
CLEAR = 0.010  # [m] beside the object, from where fingers are looked at as they close
TURNED_BACK = 0.008  # [m] likewise of one that is turned: only the tips would hold
SHARES = (0.5, 1.0)  # of a hand's slope by which it is turned
FREE = 6  # joints of an arm that turns its hand as it is asked to
ROLLS = tuple(np.radians(45.0 * np.arange(1, 8)))  # [rad] of a palm that holds whichever way it is turned


def fitted(robot: Robot, hand: str, model: ObjectModel, friction: Friction | None = None) -> tuple[Grasp, ...]:
    """The grasps of an object's table that a hand is wide enough for, each where the open hand is clear of it.

    A table is made for no hand in particular: the palm of a large one, or a long thumb, may be inside the object
    there, or the roots of its fingers meet an edge before their pads meet a side. Such a grasp is drawn back along the
    hand's z until there is a little room, in steps of a millimetre. One that takes more than 3 cm for the open hand, or
    where the fingers would not hold any more, is left out. A hand with a slope takes each grasp turned about its z as
    well, named ``.../sloped/0`` and so on, where it holds and is not drawn back by more than 8 mm. A palm without
    fingers holds whichever way it is turned about its z: on an arm with few joints, which cannot choose that, it takes
    each grasp in steps of 45 degrees, named ``.../rolled/0`` and so on.

    Args:
        robot: The robot.
        hand: Name of one of its hands.
        model: The object.
        friction: Of the fingers on the object.
    """
    found = robot.hands[hand]
    wide_enough = [
        replace(grasp, X_OH=found.around(grasp.X_OH, grasp.width))
        for grasp in model.grasps
        if grasp.width <= found.aperture
    ]
    as_told = len(wide_enough)
    wide_enough += _turned(wide_enough, "sloped", [share * found.slope for share in SHARES if found.slope])
    if found.fingers is None and len(robot.chains[found.arm]) < FREE:
        wide_enough = _different([*wide_enough, *_turned(wide_enough, "rolled", ROLLS)])
        as_told = len(wide_enough)
    if not wide_enough or not any(shape.collides for shape in model.shapes):
        return tuple(wide_enough)
    air = FloatingHand(robot, hand, model)
    X_OH, widths = np.array([grasp.X_OH for grasp in wide_enough]), np.array([grasp.width for grasp in wide_enough])
    back = np.full(len(X_OH), np.inf) if air.affixes else _back(air, X_OH, widths + SLACK)
    rest = np.flatnonzero(np.isinf(back))
    back[rest] = _back(air, X_OH[rest], np.full(len(rest), np.inf))
    kept = back <= np.where(np.arange(len(back)) < as_told, BACK, TURNED_BACK) + STEP / 2
    drawn = np.flatnonzero((back > 0) & kept)
    moved = X_OH.copy()
    moved[drawn, :3, 3] -= back[drawn, None] * X_OH[drawn, :3, 2]
    doubtful = np.flatnonzero(kept & ((back > 0) | (np.arange(len(back)) >= as_told)))
    if not air.affixes and len(doubtful):
        between = moved[:, :3, 3] + np.array(
            [X[:3, :3] @ found.between(width) for X, width in zip(moved, widths.tolist(), strict=True)]
        )
        kept[doubtful] = _holds(
            model, between[doubtful], moved[doubtful, :3, 1], widths[doubtful], friction or Friction()
        )
    where = dict(zip(drawn.tolist(), moved[drawn], strict=True))
    return tuple(
        replace(grasp, X_OH=where[row]) if row in where else grasp for row, grasp in enumerate(wide_enough) if kept[row]
    )


def _turned(grasps: Sequence[Grasp], how: str, angles: Sequence[float]) -> list[Grasp]:
    """Grasps turned about the hand's z by some angles [rad]."""
    turns = enumerate(planar(0.0, 0.0, angle) for angle in angles)
    return [
        replace(grasp, name=f"{grasp.name}/{how}/{k}", X_OH=grasp.X_OH @ turn) for k, turn in turns for grasp in grasps
    ]


def _different(grasps: Sequence[Grasp]) -> list[Grasp]:
    """Grasps without those that have the pose of one before them."""
    return list({tuple(np.round(grasp.X_OH, 6).ravel().tolist()): grasp for grasp in reversed(grasps)}.values())[::-1]


def _back(air: FloatingHand, X_OH: Array, widths: Array) -> Array:
    """(m,) [m] How far back from poses (m, 4, 4) the hand is free of the object; infinite where it is too far.

    Open, and closed to widths (m,) [m], unless they are infinite.
    """
    back = np.full(len(X_OH), np.inf)
    for distance in np.arange(0.0, BACK + STEP / 2, STEP):
        rows = np.flatnonzero(np.isinf(back))
        if not len(rows):
            break
        X = X_OH[rows].copy()
        X[:, :3, 3] += (ROOM - distance) * X[:, :3, 2]
        free = air.fits(X)
        for width in np.unique(widths[rows][np.isfinite(widths[rows])]):
            closed = free & (widths[rows] == width)
            free[closed] = air.fits(X[closed], float(width))
        back[rows[free]] = distance
    return back


def _holds(model: ObjectModel, middle: Array, y: Array, widths: Array, friction: Friction) -> NDArray[np.bool_]:
    """(m,) Whether pads with a middle (m, 3) between them hold by friction, closed along directions y (m, 3)."""
    surface = Surface.of(model)
    reach = (widths / 2 + CLEAR)[:, None]
    points, inward, met = [], [], np.ones(len(middle), dtype=bool)
    for side in (1.0, -1.0):
        origins = middle + side * reach * y
        hits = surface.hits(origins, -side * y)
        lines, first = np.unique(hits.lines, return_index=True)
        found, normals = origins.copy(), np.zeros_like(y)
        found[lines] -= side * hits.distances[first, None] * y[lines]
        normals[lines] = -surface.normals[hits.triangles[first]]
        met &= np.isin(np.arange(len(middle)), lines)
        points.append(found)
        inward.append(normals)
    met &= ((points[0] - points[1]) * y).sum(axis=1) > STEP
    held: NDArray[np.bool_] = met.copy()
    held[met] = antipodal(points[0][met], points[1][met], inward[0][met], inward[1][met], friction)
    return held
