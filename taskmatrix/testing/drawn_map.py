"""A map of space as a picture: seen from above, and cut at heights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN, Occupancy

if TYPE_CHECKING:
    from PIL.Image import Image

WHITE, DARK = np.array([250.0, 250.0, 246.0]), np.array([92.0, 98.0, 138.0])  # free, unknown
LOW, HIGH = np.array([252.0, 203.0, 118.0]), np.array([165.0, 32.0, 62.0])  # occupied, near the floor and far above it
LINE, DOT = np.array([20.0, 130.0, 90.0]), 3  # the way of a robot, and half the width of its end [pixels]
GAP = 6  # [pixels] between pictures

Pixels = NDArray[np.uint8]


def from_above(
    occupancy: Occupancy, low: Sequence[float], high: Sequence[float], path: Array | None = None, scale: int = 2
) -> Image:
    """A map seen from above: what is occupied by its height, else the darker the more of the column is unknown.

    Args:
        occupancy: The map.
        low: (3,) [m] Lower corner of what is drawn; x goes to the right and y up.
        high: (3,) [m] Upper corner.
        path: (m, 2) [m] A way to draw on it.
        scale: Pixels for a cell.
    """
    _, states = occupancy.window(np.array(low), np.array(high))
    unknown = (states == UNKNOWN).mean(axis=2)[..., None]
    pixels = WHITE + (DARK - WHITE) * unknown
    occupied = states == OCCUPIED
    top = (occupied * np.arange(1, states.shape[2] + 1)).max(axis=2)
    share = (top / states.shape[2])[..., None]
    pixels = np.where(top[..., None] > 0, LOW + (HIGH - LOW) * share, pixels)
    return _picture(pixels, occupancy, low, path, scale)


def slices(
    occupancy: Occupancy,
    low: Sequence[float],
    high: Sequence[float],
    heights: Sequence[float],
    path: Array | None = None,
    scale: int = 2,
) -> Image:
    """A map cut at heights [m], side by side; the rest is as for :func:`from_above`."""
    from PIL import Image as Images  # noqa: PLC0415 - pictures are made now and then, and it takes a moment to load

    cut = []
    for height in heights:
        layer = np.array([*low[:2], height]), np.array([*high[:2], height + occupancy.resolution / 2])
        states = occupancy.window(*layer)[1][:, :, 0]
        colors = np.empty((*states.shape, 3))
        for state, color in ((FREE, WHITE), (UNKNOWN, DARK), (OCCUPIED, HIGH)):
            colors[states == state] = color
        cut.append(np.asarray(_picture(colors, occupancy, low, path, scale)))
    blank = np.full((cut[0].shape[0], GAP, 3), 255, dtype=np.uint8)
    return Images.fromarray(np.hstack([part for picture in cut for part in (blank, picture)][1:]))


def _picture(colors: Array, occupancy: Occupancy, low: Sequence[float], path: Array | None, scale: int) -> Image:
    """Colors (x, y, 3) of cells as a picture, with a way on it."""
    from PIL import Image as Images  # noqa: PLC0415 - as above

    pixels = colors.round().astype(np.uint8).repeat(scale, axis=0).repeat(scale, axis=1)
    if path is not None and len(path):
        steps = np.linalg.norm(np.diff(path, axis=0), axis=1) if len(path) > 1 else np.zeros(0)
        along = np.concatenate([[0.0], np.cumsum(steps)])
        fine = np.linspace(0.0, along[-1], max(2, int(along[-1] / occupancy.resolution * scale * 2)))
        line = np.stack([np.interp(fine, along, path[:, axis]) for axis in range(2)], axis=1)
        _dots(pixels, (line - np.array(low[:2])) / occupancy.resolution * scale, 1)
        _dots(pixels, (path[-1:] - np.array(low[:2])) / occupancy.resolution * scale, DOT)
    return Images.fromarray(np.ascontiguousarray(pixels.transpose(1, 0, 2)[::-1]))


def _dots(pixels: Pixels, places: Array, half: int) -> None:
    """Squares of a color at places (k, 2) [pixels]."""
    for x, y in places.astype(int):
        pixels[max(x - half, 0) : max(x + half, 0), max(y - half, 0) : max(y + half, 0)] = LINE
