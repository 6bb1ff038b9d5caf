"""What planning problems are set in: a table, a cabinet, shelves, a wall with an opening, a kitchen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from .rows import Array, Box
from .tree import box

SHIFT: Mapping[str, float] = {"pr2": 0.15, "g1": -0.08}
"""[m] How much farther than others furniture stands from a robot that cannot drive to it."""
RAISE: Mapping[str, float] = {"talos": 0.28, "g1": 0.22}
"""[m] How much higher than the table its arms can reach into a cabinet."""


@dataclass(frozen=True)
class Setting:
    """A robot about to get something in front of it."""

    robot: str
    """Its name."""
    driven: bool
    """Whether its base moves."""
    floor: float
    """[m] Where it stands, from the origin of the world, which is its root."""
    height: float
    """[m] Of a table that suits it, from the same origin."""

    @property
    def size(self) -> float:
        """How large its arms are beside those of a grown-up."""
        return 0.75 if self.robot == "g1" else 1.0

    def front(self, random: np.random.Generator) -> float:
        """[m] Where furniture begins: within reach, or a metre away for one that drives."""
        if self.driven:
            return random.uniform(0.9, 1.2)
        return random.uniform(0.30, 0.40) + SHIFT.get(self.robot, 0.0)


@dataclass(frozen=True)
class Region:
    """Where a hand is wanted: a box of points."""

    low: tuple[float, float, float]
    """[m]."""
    high: tuple[float, float, float]
    """[m]."""

    def draw(self, random: np.random.Generator) -> Array:
        """(3,) A point of it."""
        return np.array([random.uniform(a, b) for a, b in zip(self.low, self.high, strict=True)])


@dataclass(frozen=True)
class Scenery:
    """Boxes, and where the hands are at both ends."""

    boxes: tuple[Box, ...]
    """The world."""
    goal: tuple[Region, ...]
    """A region for each hand."""
    start: tuple[Region, ...] = ()
    """A region for each hand; none: the robot starts in its stance."""


def table(setting: Setting, random: np.random.Generator) -> Scenery:
    """From the stance to over a table with seven things on it, below a board."""
    x, h, boxes = _table(setting, random)
    boxes.append(box("shelf", (0.25, 1.4, 0.03), (x + 0.55, 0, h + 0.45)))
    return Scenery(tuple(boxes), (Region((x + 0.1, -0.1, h + 0.06), (x + 0.45, 0.45, h + 0.35)),))


def cabinet(setting: Setting, random: np.random.Generator) -> Scenery:
    """From the lower slot to the upper slot of a cabinet that stands where the table would, four things in it."""
    x, h, _ = _table(setting, random)
    h += RAISE.get(setting.robot, 0.0)
    gap = random.uniform(0.44, 0.52) if setting.robot == "talos" else random.uniform(0.36, 0.44)
    half, y = random.uniform(0.50, 0.60), 0.15
    boxes = [
        box("table", (0.45, 1.2, 0.03), (x + 0.225, y, h - 0.015)),
        box("top", (0.45, 1.2, 0.03), (x + 0.225, y, h + gap)),
        box("bottom", (0.45, 1.2, 0.03), (x + 0.225, y, h - gap)),
        box("back", (0.03, 1.2, 2 * gap), (x + 0.45, y, h)),
        box("left", (0.45, 0.03, 2 * gap), (x + 0.225, y + half, h)),
        box("right", (0.45, 0.03, 2 * gap), (x + 0.225, y - half, h)),
    ]
    for i in range(4):
        size = random.uniform([0.04, 0.04, 0.08], [0.08, 0.08, 0.22])
        z = (h if i < 2 else h - gap + 0.015) + size[2] / 2 + 0.001
        centre = x + random.uniform(0.06, 0.35), y + random.uniform(-half, half) * 0.8, z
        boxes.append(box(f"clutter{i}", size, centre, random.uniform(-3, 3)))
    lower = Region((x + 0.06, y - 0.25, h - gap + 0.12), (x + 0.25, y + 0.25, h - 0.12))
    upper = Region((x + 0.06, y - 0.25, h + 0.12), (x + 0.25, y + 0.25, h + gap - 0.12))
    return Scenery(tuple(boxes), (upper,), (lower,))


def shelves(setting: Setting, random: np.random.Generator) -> Scenery:
    """From deep in one compartment of a shelf to deep in another one, beside and above or below it."""
    size, x = setting.size, setting.front(random)
    depth, wide, high = (size * v for v in (0.55, random.uniform(0.40, 0.46), random.uniform(0.32, 0.36)))
    y, h = 0.2 * size, setting.height + RAISE.get(setting.robot, 0.0) + random.uniform(-0.05, 0.05)
    middle = x + 0.5 * depth
    boxes = [box(f"board{i}", (depth, 2 * wide, 0.02), (middle, y, h + i * high)) for i in (-1, 0, 1)]
    boxes += [box(f"side{i}", (depth, 0.02, 2 * high), (middle, y + i * wide, h)) for i in (-1, 0, 1)]
    boxes.append(box("back", (0.02, 2 * wide, 2 * high), (x + depth, y, h)))

    def compartment(column: int, level: int) -> Region:
        left, low = y + (column - 1) * wide, h + (level - 1) * high
        near, far = x + 0.12 * size, x + 0.28 * size
        return Region((near, left + 0.1 * size, low + 0.08), (far, left + wide - 0.1 * size, low + high - 0.08))

    column, level = (int(i) for i in random.integers(0, 2, 2))
    return Scenery(tuple(boxes), (compartment(1 - column, 1 - level),), (compartment(column, level),))


def opening(setting: Setting, random: np.random.Generator) -> Scenery:
    """From the stance to both hands through one opening of a wall."""
    size, x = setting.size, setting.front(random) - 0.02
    wide, high = random.uniform(0.46, 0.56) * size, random.uniform(0.32, 0.42) * size
    y, z = random.uniform(-0.05, 0.05), setting.height + RAISE.get(setting.robot, 0.0) + random.uniform(-0.05, 0.1)
    far = 1.0
    boxes = [box(f"wall{i}", (0.03, far, 2 * far), (x, y + i * 0.5 * (wide + far), z)) for i in (-1, 1)]
    boxes += [box(f"sill{i}", (0.03, wide, far), (x, y, z + i * 0.5 * (high + far))) for i in (-1, 1)]
    regions = [
        Region(
            (x + 0.06, min(y + i * 0.05, y + i * 0.35 * wide), z - 0.3 * high),
            (x + 0.22 * size, max(y + i * 0.05, y + i * 0.35 * wide), z + 0.3 * high),
        )
        for i in (1, -1)
    ]
    return Scenery(tuple(boxes), tuple(regions))


def kitchen(setting: Setting, random: np.random.Generator) -> Scenery:
    """From both hands in a niche of the side counter to both hands in a niche of the front one, stools in between."""
    size, h, floor = setting.size, setting.height + random.uniform(-0.03, 0.03), setting.floor
    front, side = random.uniform(0.95, 1.1), -random.uniform(0.95, 1.1)
    at_front, at_side = random.uniform(-0.1, 0.3), random.uniform(-0.2, 0.2)
    wide, high = random.uniform(0.75, 0.90), random.uniform(0.44, 0.50)
    boxes = [
        box("front", (0.6, 3.0, h - floor), (front + 0.3, 0, 0.5 * (h + floor))),
        box("side", (3.0, 0.6, h - floor), (0, side - 0.3, 0.5 * (h + floor))),
        box("front cupboards", (0.35, 3.0, 0.5), (front + 0.425, 0, h + high + 0.25)),
        box("side cupboards", (3.0, 0.35, 0.5), (0, side - 0.425, h + high + 0.25)),
        box("island", (0.5, 2.4, 0.04), (-0.8, random.uniform(-0.3, 0.3), h - 0.02)),
        box("lamp", (0.25, 0.25, 0.2), (random.uniform(0.1, 0.5), random.uniform(0.1, 0.5), h + 0.85 * size)),
    ]
    for i in (-1, 1):
        boxes.append(
            box(f"front panel {i}", (0.6, 0.02, high), (front + 0.3, at_front + i * 0.5 * wide, h + 0.5 * high))
        )
        boxes.append(box(f"side panel {i}", (0.02, 0.6, high), (at_side + i * 0.5 * wide, side - 0.3, h + 0.5 * high)))
    for i in range(1 if setting.robot == "pr2" else 3):  # its base is wide
        centre = random.uniform(-0.4, front - 0.2), random.uniform(-0.5, 0.7), floor + 0.3
        boxes.append(box(f"stool{i}", (0.3, 0.3, 0.6), centre, random.uniform(-3, 3)))
    for i in range(4):
        s = random.uniform([0.04, 0.04, 0.08], [0.07, 0.07, 0.18])
        x, y = random.uniform(0.05, 0.45), random.uniform(-0.4, 0.4) * wide
        place = (front + x, at_front + y) if i % 2 else (at_side + y, side - x)
        boxes.append(box(f"clutter{i}", s, (*place, h + s[2] / 2 + 0.001), random.uniform(-3, 3)))
    near, far, low, top = 0.08 * size, 0.3 * size, h + 0.08, h + high - 0.12
    inner, outer = 0.06, 0.5 * wide - 0.12 * size
    goal = [
        Region((front + near, at_front + a, low), (front + far, at_front + b, top))
        for a, b in ((inner, outer), (-outer, -inner))
    ]
    start = [
        Region((at_side + a, side - far, low), (at_side + b, side - near, top))
        for a, b in ((inner, outer), (-outer, -inner))
    ]
    return Scenery(tuple(boxes), tuple(goal), tuple(start))


SCENERY: Mapping[str, Callable[[Setting, np.random.Generator], Scenery]] = {
    "table": table,
    "cabinet": cabinet,
    "shelves": shelves,
    "opening": opening,
    "kitchen": kitchen,
}
"""The last three are the harder set, which is our own."""


def _table(setting: Setting, random: np.random.Generator) -> tuple[float, float, list[Box]]:
    """Front and height of a table, and the boxes of it and of what stands on it."""
    h = setting.height + random.uniform(-0.05, 0.05)
    x = setting.front(random)
    boxes = [box("table", (0.7, 1.4, 0.04), (x + 0.35, 0, h - 0.02))]
    for i in range(7):
        size = random.uniform([0.05, 0.05, 0.1], [0.12, 0.12, 0.3])
        centre = x + random.uniform(0.08, 0.6), random.uniform(-0.5, 0.6), h + size[2] / 2
        boxes.append(box(f"clutter{i}", size, centre, random.uniform(-3, 3)))
    return x, h, boxes
