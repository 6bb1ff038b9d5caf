"""Inverting conditions: poses of an object at which they hold (thesis 3.4, 5.7.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..base.errors import NotInvertibleError, ParameterError, not_found
from ..world.geometry import Box, bounding_box, pose
from ..world.objects import Array, ObjectModel
from ..world.perception import PerceptualModel
from ..world.symmetry import symmetry_of

BATCH = 64  # poses drawn at a time
ROUNDS = 40  # batches drawn from a space before giving up
EMPTY = 4  # batches without room for any yaw, after which a space counts as empty
HEADROOM = 0.5  # [m] of height sampled where nothing bounds it from above
THIN = 1e-6  # [m] a range thinner than this counts as this thick when spaces are weighed against each other


UP = ("x", "-x", "y", "-y", "z", "-z")
"""Axes of an object that may be up."""


def standing_on(up: str) -> Array:
    """X_SO: (4, 4) the orientation, nearest to none, in which an axis of an object is up.

    Raises:
        ParameterError: It is no axis.
    """
    if up not in UP:
        raise ParameterError(not_found("axis", up, UP))
    sign, axis = (-1.0 if up[0] == "-" else 1.0), "xyz".index(up[-1])
    turns = {0: (0.0, -sign * np.pi / 2, 0.0), 1: (sign * np.pi / 2, 0.0, 0.0), 2: ((1 - sign) * np.pi / 2, 0.0, 0.0)}
    return pose(rpy=turns[axis]).round(12)


@dataclass(frozen=True, eq=False)
class Upright:
    """An object that stands - its z up, unless another axis is to be - at several yaws, its origin not placed yet."""

    model: ObjectModel
    """The object."""
    R: Array
    """(m, 3, 3) Its orientations."""
    lower: Array
    """(m, 3) [m] Lower corner of its bounding box, from its origin, in the world's axes."""
    upper: Array
    """(m, 3) [m] Upper corner."""
    X_SO: Array
    """(4, 4) The object at yaw 0: how it stands."""

    @classmethod
    def turned(cls, model: ObjectModel, yaw: Array, up: str = "z") -> Upright:
        """The object with one of its axes up, turned to yaws (m,) [rad]."""
        X = np.tile(np.eye(4), (len(yaw), 1, 1))
        X[:, 0, 0] = X[:, 1, 1] = np.cos(yaw)
        X[:, 1, 0] = np.sin(yaw)
        X[:, 0, 1] = -X[:, 1, 0]
        X_SO = standing_on(up)
        X = X @ X_SO
        return cls(model, X[:, :3, :3], *bounding_box(model.shapes, X), X_SO)

    def rectangle(self) -> Array:
        """(4, 2) [m] Corners of the box at yaw 0, seen from above, counterclockwise."""
        lower, upper = bounding_box(self.model.shapes, self.X_SO)
        return np.array([lower[:2], [upper[0], lower[1]], upper[:2], [lower[0], upper[1]]])

    def at_yaws(self, points: Array) -> Array:
        """(m, k, 2) [m] Points (k, 2) of the object at yaw 0, seen from above, from the origin, in the world's axes."""
        turns = (self.R @ self.X_SO[:3, :3].T)[:, :2, :2]
        turned: Array = points @ np.swapaxes(turns, 1, 2)
        return turned

    def corners(self) -> Array:
        """(m, 4, 2) [m] The corners of the rectangle from the origin, in the world's axes."""
        return self.at_yaws(self.rectangle())

    def pieces(self) -> list[Box]:
        """Lower and upper corners, (m, 3) [m] each, of the boxes of the solid shapes, from the origin."""
        X = np.tile(np.eye(4), (len(self.R), 1, 1))
        X[:, :3, :3] = self.R
        return [bounding_box([shape], X) for shape in self.model.shapes if shape.collides]


Bounds = Callable[[Upright], tuple[Array, Array]]
"""Lower and upper corner, (m, 3) [m] or (3,) each, of where the origin may be at each yaw."""
Rule = Callable[[Upright, Array], NDArray[np.bool_]]
"""(m,) Whether origins (m, 3) will do."""


@dataclass(frozen=True, eq=False)
class Space:
    """Where a condition proposes to put an object: a set of upright poses that holds all that satisfy it."""

    subject: str
    """Id of the object."""
    pieces: tuple[tuple[Bounds, ...], ...]
    """The space is the union of the pieces; each piece is what all of its bounds have in common."""
    rules: tuple[Rule, ...] = ()
    """What a proposed pose has to keep to besides."""
    yaws: tuple[float, ...] = ()
    """[rad] Tried last, where hardly any other will do: those at which it just fits."""
    way: Callable[[float], Array] | None = None
    """From a share, 0 to 1, to X_WO (4, 4), of a part, which goes along its joint only; pieces do not count."""
    up: str = "z"
    """Which of the object's axes is up."""

    def __and__(self, other: Space) -> Space:
        pieces = tuple(first + second for first in self.pieces for second in other.pieces)
        up = other.up if self.up == "z" else self.up
        return Space(self.subject, pieces, self.rules + other.rules, self.yaws + other.yaws, self.way or other.way, up)


def draw(
    space: Space, perception: PerceptualModel, random: np.random.Generator, yaw: float | None, asked: object
) -> Iterator[Array]:
    """Draw poses X_WO (4, 4) from a space, until the bound of the work is reached.

    The solid shapes of the object, each as its bounding box, keep clear of those of all other perceived objects that
    no hand holds, and of the floor at z = 0; not those of a part, which goes where its joint lets it.

    Args:
        space: What is proposed.
        perception: What is known of the world.
        random: Where the choices come from.
        yaw: [rad] Of the object; drawn unless given.
        asked: The condition, for the error.

    Raises:
        NotInvertibleError: The space has no bounds.
    """
    if space.way is not None:
        yield from (space.way(float(share)) for share in random.uniform(size=ROUNDS * BATCH))
        return
    model = perception.object(space.subject).model
    obstacles = _obstacles(perception, space.subject)
    room = False
    for number in range(ROUNDS + 1):
        last = number == ROUNDS
        if (yaw is not None or not space.yaws) if last else (not room and number >= EMPTY):
            continue
        if yaw is not None:
            yaws = np.full(BATCH, yaw)
        else:
            yaws = random.choice(space.yaws, BATCH) if last else random.uniform(-np.pi, np.pi, BATCH)
        upright = Upright.turned(model, yaws, space.up)
        lower, upper, chosen = _chosen(space, upright, random.uniform(size=BATCH))
        if not np.isfinite([lower[chosen], upper[chosen]]).all():
            raise NotInvertibleError(repr(asked), f"nothing bounds where '{space.subject}' may be")
        p_WO = lower + random.uniform(size=(BATCH, 3)) * (upper - lower)
        room = room or bool(chosen.any())
        good = chosen & _clear(upright, p_WO, obstacles)
        for rule in space.rules:
            good &= rule(upright, p_WO)
        for index in np.flatnonzero(good):
            X_WO = np.eye(4)
            X_WO[:3, :3], X_WO[:3, 3] = upright.R[index], p_WO[index]
            if space.up != "z":  # a can that lies may be turned about its axis
                X_WO = X_WO @ symmetry_of(model.shapes).rotations(1, random)[0]
            yield X_WO


def _chosen(space: Space, upright: Upright, fractions: Array) -> tuple[Array, Array, NDArray[np.bool_]]:
    """For each yaw a piece of the space, drawn by volume: (m, 3), (m, 3) its corners, (m,) whether there is one."""
    floor = np.full_like(upright.lower, -np.inf)
    floor[:, 2] = -upright.lower[:, 2]
    pieces = [_common([bounds(upright) for bounds in piece], floor) for piece in space.pieces]
    lower, upper = np.array([piece[0] for piece in pieces]), np.array([piece[1] for piece in pieces])
    upper[..., 2] = np.where(np.isinf(upper[..., 2]), lower[..., 2] + HEADROOM, upper[..., 2])
    exists = np.all(lower <= upper, axis=-1)
    volume = np.where(exists, np.prod(np.maximum(upper - lower, THIN), axis=-1), 0.0)
    total = np.cumsum(volume, axis=0)
    index = (total <= fractions * total[-1]).sum(axis=0).clip(max=len(pieces) - 1)
    yaws = np.arange(len(fractions))
    chosen = exists[index, yaws]
    nowhere = np.zeros(3)
    return (
        np.where(chosen[:, None], lower[index, yaws], nowhere),
        np.where(chosen[:, None], upper[index, yaws], nowhere),
        chosen,
    )


def _common(ranges: list[tuple[Array, Array]], floor: Array) -> tuple[Array, Array]:
    """(m, 3), (m, 3) What ranges have in common above the floor (m, 3)."""
    return (
        np.maximum.reduce([floor, *(np.broadcast_to(lower, floor.shape) for lower, _ in ranges)]),
        np.minimum.reduce([np.full_like(floor, np.inf), *(np.broadcast_to(upper, floor.shape) for _, upper in ranges)]),
    )


def _obstacles(perception: PerceptualModel, subject: str) -> Box:
    """Lower and upper corners, (k, 3) [m] each, of the boxes of everything solid that an object must keep clear of."""
    boxes = [
        bounding_box([shape], percept.X_WO)
        for id, percept in perception.percepts.items()
        if id != subject and percept.held_by is None
        for shape in percept.model.shapes
        if shape.collides
    ]
    return np.array([box[0] for box in boxes]).reshape(-1, 3), np.array([box[1] for box in boxes]).reshape(-1, 3)


def _clear(upright: Upright, p_WO: Array, obstacles: Box) -> NDArray[np.bool_]:
    """(m,) Whether no solid shape's box overlaps an obstacle's."""
    clear = np.ones(len(p_WO), dtype=bool)
    for lower, upper in upright.pieces():
        below, above = (lower + p_WO)[:, None], (upper + p_WO)[:, None]
        overlap = np.all((below < obstacles[1]) & (above > obstacles[0]), axis=-1)
        clear &= ~np.any(overlap, axis=1)
    return clear
