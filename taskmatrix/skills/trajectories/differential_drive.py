"""The base's part of a timed motion where it only turns on the spot and rolls along its heading (thesis 5.5.3).

The other joints pass the corners of a path on a smooth curve. Such a base does not: it stops turning before it rolls.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

STILL = 1e-9  # [m, rad] what is less is no motion
STRAIGHT = 1e-10  # less one, of the cosine between two pieces of one straight line


def columns(robot: Robot, joints: Indices) -> Indices | None:
    """(3,) Where x, y and yaw are among joints (k,), if the base only turns and rolls and may do both; else None."""
    if not robot.rolls or not np.isin(np.arange(3), joints).all():
        return None
    return np.array([np.flatnonzero(joints == index)[0] for index in range(3)], dtype=np.intp)


def differential_drive(knots: Array, points: Array, pieces: Array, base: Indices) -> tuple[Array, Array] | None:
    """Cubics with which the base goes from point to point and stops at its corners; None where it does not roll.

    Args:
        knots: (m,) [m]
        points: (m, k) At the knots; from one to the next the base turns, or rolls along its heading, or stays.
        pieces: (m - 1, 4, k) Coefficients of the other joints.
        base: (3,) Which columns are its x, y and yaw.

    Returns:
        Coefficients (m - 1, 4, k), and the same with how far it has rolled [m] in place of x, and nothing of y.
    """
    places = points[:, base]
    steps = np.diff(places, axis=0)
    far = np.linalg.norm(steps[:, :2], axis=1)
    if not (far > STILL).any():
        return None
    ways = _directions(steps, far)
    world, along = pieces.copy(), pieces.copy()
    world[:, :, base] = along[:, :, base] = 0.0
    ends = [0, *(i for i in range(1, len(ways)) if ways[i - 1] @ ways[i] < 1.0 - STRAIGHT), len(ways)]
    for first, last in pairwise(ends):
        run, leap = slice(first, last), places[last] - places[first]
        world[run, 0, base] = places[first]
        along[run, 0, base[2]] = places[first, 2]
        if not ways[first].any():
            continue
        progress = np.concatenate([[0.0], np.cumsum(np.abs(steps[run] @ ways[first]))])
        cubics = _from_rest(knots[first : last + 1], progress / progress[-1], first > 0, last < len(ways))
        world[run][:, :, base] += cubics[:, :, None] * leap
        along[run, :, base[0]] += cubics * np.linalg.norm(leap[:2])
        along[run, :, base[2]] += cubics * leap[2]
    return world, along


def _directions(steps: Array, far: Array) -> NDArray[np.float64]:
    """(s, 3) Unit vectors: the direction in which it rolls, or the sense in which it turns; zero where it stays."""
    ways = np.zeros_like(steps)
    rolls = far > STILL
    turns = ~rolls & (np.abs(steps[:, 2]) > STILL)
    ways[rolls, :2] = steps[rolls, :2] / far[rolls, None]
    ways[turns, 2] = np.sign(steps[turns, 2])
    return ways


def _from_rest(knots: Array, progress: Array, begins: bool, ends: bool) -> Array:
    """(m - 1, 4) Monotone cubics through rising values (m,), level where they begin or end within a path."""
    h = np.diff(knots)
    chord = np.diff(progress) / h
    slopes = np.concatenate([chord[:1], chord])
    h0, h1 = h[:-1], h[1:]
    slopes[1:-1] = 3.0 * (h0 + h1) / ((h0 + 2.0 * h1) / chord[:-1] + (2.0 * h0 + h1) / chord[1:])
    slopes[0] *= not begins
    slopes[-1] *= not ends
    bend = slopes[:-1] + slopes[1:] - 2.0 * chord
    return np.stack([progress[:-1], slopes[:-1], (chord - slopes[:-1] - bend) / h, bend / h**2], axis=1)
