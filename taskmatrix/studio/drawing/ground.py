"""How floors look: tiles or boards, in the colours of the rooms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from taskmatrix.simulation.scenes.world import Ground

Image32 = NDArray[np.float32]

_FLOOR = (0.86, 0.85, 0.82)
_TILE = 0.5  # [m]
_BOARD = (1.4, 0.14)  # [m]


def floor_colors(points: Image32, distance: Image32, grounds: Sequence[Ground] = ()) -> Image32:
    """Colours of points of the floor.

    Args:
        points: (k, 3) [m] Where.
        distance: (k,) [m] From the camera: joints become wider with it, and fade.
        grounds: What lies on the floor of plain tiles; the later ones on the earlier.

    Returns:
        (k, 3) Red, green and blue in 0..1, without light and shadow.
    """
    x, y = points[:, 0].copy(), points[:, 1].copy()  # each in one piece, which is quicker
    colors: Image32 = np.array(_FLOOR, dtype=np.float32) * _tiles(x, y, distance)[:, None]
    for ground in grounds:
        (x0, y0), (x1, y1) = ground.lower, ground.upper
        inside = (x0 <= x) & (x <= x1) & (y0 <= y) & (y <= y1)
        bright = _PATTERNS[ground.pattern](x[inside], y[inside], distance[inside])
        colors[inside] = np.array(ground.color, dtype=np.float32) * bright[:, None]
    return colors


def _tiles(x: Image32, y: Image32, distance: Image32) -> Image32:
    """(k,) Brightness of square tiles."""
    column, row = x / _TILE, y / _TILE
    to_line = np.minimum(np.abs(column - np.rint(column)), np.abs(row - np.rint(row))) * _TILE
    checker = (np.floor(column) + np.floor(row)) % 2 * 0.025
    brightness: Image32 = 1 - _joint(to_line, distance) - checker.astype(np.float32)
    return brightness


def _boards(x: Image32, y: Image32, distance: Image32) -> Image32:
    """(k,) Brightness of boards along x, each of its own shade, every row displaced."""
    row = np.floor(y / _BOARD[1])
    along = x / _BOARD[0] + (row * 0.37) % 1
    column = np.floor(along)
    shade = (np.sin(row * 12.9898 + column * 78.233) * 43.7585) % 1 * 0.10
    to_line = np.minimum(_to_edge(y / _BOARD[1]) * _BOARD[1], _to_edge(along) * _BOARD[0])
    brightness: Image32 = 1 - _joint(to_line, distance) - shade.astype(np.float32)
    return brightness


def _plain(x: Image32, y: Image32, distance: Image32) -> Image32:
    bright: Image32 = np.ones(x.shape, dtype=np.float32)
    return bright


_PATTERNS = {"tiles": _tiles, "boards": _boards, "plain": _plain}


def _to_edge(value: Image32) -> Image32:
    edge: Image32 = np.abs(value - np.rint(value)).astype(np.float32)
    return edge


def _joint(to_line: Image32, distance: Image32) -> Image32:
    """(k,) How dark a joint is at a distance to_line [m] from its middle."""
    width = 0.004 + 0.0012 * distance
    depth: Image32 = 0.10 * np.clip(1 - distance / 25, 0, 1).astype(np.float32)
    joint: Image32 = depth * np.clip(1.5 - to_line / width, 0, 1).astype(np.float32)
    return joint
