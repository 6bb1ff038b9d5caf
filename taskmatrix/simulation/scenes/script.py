"""What happens to an object by itself: how it moves, when it appears and disappears."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.files import FURTHEST, shortened
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.objects import Array

from .object_motion import FigureEight, ObjectMotion, Roll, Route, Walk

KEYS = ("motion", "appears", "disappears")
_MOTIONS = {
    "roll": ("waypoints", "speed", "repeat"),
    "walk": ("waypoints", "speed", "repeat"),
    "figure_eight": ("size", "period", "yaw"),
}


@dataclass(frozen=True, eq=False)
class Script:
    """What happens to an object as long as nobody touches it; a function of time."""

    motion: ObjectMotion | None = None
    """How it moves; None for what stays where it is."""
    appears: float = 0.0
    """[s] When it begins to be there and to move."""
    disappears: float = math.inf
    """[s] When it is gone."""

    def present(self, time: float) -> bool:
        """Whether it is there at a time [s]."""
        return self.appears - 1e-9 <= time < self.disappears - 1e-9

    def pose(self, time: float, X_WO: Array, R_WT: Array) -> Array:
        """(4, 4) Where it is at a time [s].

        Args:
            time: [s]
            X_WO: (4, 4) Where it started.
            R_WT: (3, 3) Axes of what it stands on; the identity for the floor.
        """
        if self.motion is None:
            return X_WO
        displacement, turn = self.motion.at(max(time - self.appears, 0.0))
        X = X_WO.copy()
        X[:3, :3] = R_WT @ turn @ R_WT.T @ X_WO[:3, :3]
        X[:3, 3] += R_WT @ displacement
        return X

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]."""
        return self.motion.travelled(max(time - self.appears, 0.0)) if self.motion is not None else 0.0


def read_script(entry: Table, position: Array, grow: float, radius: float) -> tuple[Script | None, float]:
    """Read what an entry of a world file says of time.

    Args:
        entry: Of an object; keys :data:`KEYS`.
        position: (2,) [m] Where it starts, as scaled.
        grow: Factor on its waypoints and sizes: the scale of what it stands on.
        radius: [m] Half its height, for rolling.

    Returns:
        The script, None if there is nothing to it, and the heading [rad] with which it starts.

    Raises:
        WorldError: A key is missing, unknown, or has a value that is not allowed.
    """
    appears = entry.get("appears", float, 0.0)
    disappears = entry.positive("disappears") if "disappears" in entry.data else math.inf
    if appears < 0.0:
        raise entry.error("appears", f"must not be negative, got {appears}")
    if disappears <= appears:
        raise entry.error("disappears", f"must be after it appears, at {appears} s; got {disappears}")
    motion, heading = None, 0.0
    if "motion" in entry.data:
        motion, heading = _motion(entry.table("motion"), position, grow, radius)
    elif not appears and math.isinf(disappears):
        return None, 0.0
    return Script(motion, appears, disappears), heading


def _motion(table: Table, position: Array, grow: float, radius: float) -> tuple[ObjectMotion, float]:
    kind = table.choice("kind", _MOTIONS, "kind of motion")
    table.only("kind", *_MOTIONS[kind])
    if kind == "figure_eight":
        length, width = (grow * side for side in table.numbers("size", 2))
        if min(length, width) <= 0.0:
            raise table.error("size", "must be above zero")
        eight = FigureEight((length, width), table.positive("period"), math.radians(table.get("yaw", float, 0.0)))
        return eight, eight.heading(0.0)
    route = Route(_waypoints(table, position, grow), table.positive("speed"), table.get("repeat", bool, False))
    if kind == "roll":
        return Roll(route, radius), 0.0
    walk = Walk(route)
    return walk, walk.heading(0.0)


def _waypoints(table: Table, position: Array, grow: float) -> Array:
    rows = table.get("waypoints", list)
    if not rows:
        raise table.error("waypoints", "one or more are needed, each [x, y]")
    points = [np.zeros(2)]
    for index, row in enumerate(rows):
        points.append(grow * np.array(_pair(table, index, row)) - position)
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    if steps.min() < 1e-6:
        raise table.error(f"waypoints[{int(steps.argmin())}]", "is where it already is")
    return np.array(points)


def _pair(table: Table, index: int, row: object) -> tuple[float, float]:
    problem: TaskMatrixError = table.error(
        f"waypoints[{index}]", f"expected [x, y], each at most {FURTHEST:g} m, got {shortened(repr(row))}"
    )
    if not isinstance(row, list) or len(row) != 2:
        raise problem
    if not all(isinstance(value, (int, float)) and abs(value) <= FURTHEST for value in row):
        raise problem
    return float(row[0]), float(row[1])
