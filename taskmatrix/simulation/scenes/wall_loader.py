"""Walls from world files: a line on the floor, with openings."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from taskmatrix.core.base.files import FURTHEST
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape

THICKNESS = 0.10  # [m]
HEIGHT = 2.40  # [m] unless a wall says another
_COLOR = (0.97, 0.95, 0.90)
_JAMB, _JAMB_COLOR = 0.04, (0.55, 0.42, 0.30, 1.0)  # [m] the lining of an opening, which is only seen
_LEAST = 0.05  # [m] shorter pieces of a wall are left out


def read_wall(entry: Table) -> list[tuple[ObjectModel, Array]]:
    """Read a ``[[wall]]``: straight pieces from one point to another with openings between them.

    Returns:
        The pieces, one object each with one box, and where their middles are: (4, 4).

    Raises:
        WorldError: A key is missing, unknown, or has a value that is not allowed.
    """
    entry.only("id", "from", "to", "openings", "height", "color")
    start, end = (np.array(entry.numbers(key, 2, None, FURTHEST)) for key in ("from", "to"))
    length = float(np.linalg.norm(end - start))
    if length < _LEAST:
        raise entry.error("to", f"must be {_LEAST} m or more from the start")
    height = entry.positive("height") if "height" in entry.data else HEIGHT
    r, g, b = entry.numbers("color", 3, _COLOR)
    openings = _openings(entry, length)
    ends = [0.0, *(edge for opening in openings for edge in opening), length]
    yaw = float(np.arctan2(*(end - start)[::-1]))
    pieces: list[tuple[ObjectModel, Array]] = []
    for low, high in list(pairwise(ends))[::2]:
        if high - low < _LEAST:
            continue
        name = f"{entry.get('id', str)}_{len(pieces) + 1}" if openings else entry.get("id", str)
        shapes = [_box(high - low, THICKNESS, height, 0.0, (r, g, b, 1.0), True)]
        for edge, side in ((low, -1), (high, 1)):
            if 0.0 < edge < length:
                x = side * (high - low) / 2
                shapes.append(_box(_JAMB, THICKNESS + 0.03, height + 0.01, x - side * 0.008, _JAMB_COLOR, False))
        middle = start + (end - start) * (low + high) / 2 / length
        X_WO = pose((*middle, 0.0), (0.0, 0.0, yaw))
        pieces.append((ObjectModel(name, "obstacle/wall", tuple(shapes), description="a wall"), X_WO))
    return pieces


def _openings(entry: Table, length: float) -> list[tuple[float, float]]:
    found: list[tuple[float, float]] = []
    last = 0.0
    for table in entry.tables("openings"):
        at, width = table.only("at", "width").get("at", float), table.positive("width")
        opening = (at - width / 2, at + width / 2)
        if opening[0] < last or opening[1] > length:
            raise table.error("at", f"an opening {width} m wide there is not between {last:.2f} and {length:.2f} m")
        found.append(opening)
        last = opening[1]
    return found


def _box(
    length: float, thickness: float, height: float, x: float, color: tuple[float, float, float, float], solid: bool
) -> Shape:
    return Shape("box", (length, thickness, height), pose((x, 0.0, height / 2)), color, collides=solid)
