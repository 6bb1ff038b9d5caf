"""From where an object can be put into another, straight."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.geometry import Box, bounding_box, inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept

CLEAR = 0.02  # [m] between the two where the way begins
TOUCH = 0.0005  # [m] that boxes may overlap and count as apart
ALIGNED = 0.4  # [-] of the hand's z along the way
LONGEST = 0.35  # [m] of a way: what is deeper inside is carried freely up to there


def ways_in(container: Percept, thing: Percept, X_WO: Array) -> list[tuple[Array, float]]:
    """Directions (3,) in the world, and lengths [m], along which a thing comes to ``X_WO`` (4, 4) from outside.

    From above, from below or from a side of the container: those on which its own solid shapes, as their boxes, leave
    room for the box of the thing. The shortest come first.
    """
    X_CO = inverse(container.X_WO) @ X_WO
    lower, upper = bounding_box(thing.model.shapes, X_CO)
    shapes = [bounding_box([shape], np.eye(4)) for shape in container.model.shapes if shape.collides]
    low, high = np.min([box[0] for box in shapes], axis=0), np.max([box[1] for box in shapes], axis=0)
    found = []
    for axis in range(3):
        for sense in (-1.0, 1.0):  # in which it goes in
            length = CLEAR + float(high[axis] - lower[axis] if sense < 0.0 else upper[axis] - low[axis])
            begin = np.zeros(3)
            begin[axis] = -sense * length
            swept = np.minimum(lower, lower + begin), np.maximum(upper, upper + begin)
            if not any(_overlap(swept, box) for box in shapes):
                direction = np.zeros(3)
                direction[axis] = sense
                found.append((container.X_WO[:3, :3] @ direction, min(length, LONGEST)))
    return sorted(found, key=lambda way: way[1])


def fits(direction: Array, X_WH: Array) -> bool:
    """Whether a hand at ``X_WH`` (4, 4) comes first on a way in that direction (3,), and its arm after it."""
    return float(X_WH[:3, 2] @ direction) >= ALIGNED


def _overlap(first: Box, second: Box) -> bool:
    return bool(np.all((first[0] < second[1] - TOUCH) & (first[1] > second[0] + TOUCH)))
