"""Bases that turn on the spot or roll along their heading, in compiled code: their way from one place to another.

The local planner of the thesis (5.5.3): turn to face the new place, roll there, turn to the new heading. All other
joints move evenly over the whole of it. Each phase is a straight line in configuration space, and looked at as such.
"""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.world.objects import Array

from ..ik.serial import copy
from ..jit.compiled import compiled, inlined
from .space import Space

HERE = 1e-9  # [m] nearer than this is the same place
ALIGNED = 1e-6  # [rad] a heading this near needs no turn
BACKWARDS = 3.0  # times as long a way counts that is rolled backwards
TIE = 1e-6  # [m] ways that cost the same but for this are told apart by a rule, not by how numbers are rounded
CORNERS = 4  # of a way, its ends among them


@inlined
def heading(space: Space, a: Array, b: Array, sense: float) -> tuple[float, float]:
    """[rad] At which yaw to roll from a (k,) to b (k,), and [m] what that costs the base; infinite if there is none.

    Of ways that cost the same one that is rolled forwards is taken, and of several the one with the least yaw.

    Args:
        space: Where the base is.
        a: Where it is.
        b: Where it goes.
        sense: 1, or -1 if the way is to be gone from b to a.
    """
    i, j, k = space.base[0], space.base[1], space.base[2]
    dx, dy = b[i] - a[i], b[j] - a[j]
    length, turn, roll = math.sqrt(dx * dx + dy * dy), space.weights[k], space.weights[i]
    if length < HERE:
        return b[k], turn * abs(b[k] - a[k])
    best, least, forwards = b[k], math.inf, False
    ahead = math.atan2(sense * dy, sense * dx)
    for half_turns in range(-4, 5):
        yaw = ahead + half_turns * math.pi
        if space.lower[k] <= yaw <= space.upper[k]:
            facing = half_turns % 2 == 0
            dear = 1.0 if facing else BACKWARDS
            cost = turn * (abs(yaw - a[k]) + abs(b[k] - yaw)) + dear * roll * length
            if cost < least - TIE or (cost < least + TIE and facing and not forwards):
                best, least, forwards = yaw, cost, facing
    return best, least


@inlined
def corner(space: Space, a: Array, b: Array, sense: float, x: Array) -> bool:
    """Into x (k,) the next corner of the way from a (k,) to b (k,); False if there is no way."""
    i, j, k = space.base[0], space.base[1], space.base[2]
    yaw, cost = heading(space, a, b, sense)
    if not cost < math.inf:
        return False
    dx, dy = b[i] - a[i], b[j] - a[j]
    length = math.sqrt(dx * dx + dy * dy)
    first, last = abs(yaw - a[k]), abs(b[k] - yaw)
    turns = first > ALIGNED and length >= HERE
    rolls = not turns and length >= HERE and last > ALIGNED
    share = 1.0
    if turns:
        share = space.weights[k] * first / (space.weights[k] * (first + last) + space.weights[i] * length)
    if rolls:
        share = space.weights[i] * length / (space.weights[i] * length + space.weights[k] * last)
    for c in range(len(x)):
        x[c] = a[c] + share * (b[c] - a[c]) if share < 1.0 else b[c]
    if turns:
        x[i], x[j], x[k] = a[i], a[j], yaw
    if rolls:
        x[i], x[j], x[k] = b[i], b[j], a[k]
    return True


@compiled
def way(space: Space, a: Array, b: Array) -> Array:
    """(m, k) The corners of the way from a (k,) to b (k,), both among them; a alone if there is no way."""
    if len(space.base) == 0:
        line = np.empty((2, len(a)))
        copy(a, line[0])
        copy(b, line[1])
        return line
    corners = np.empty((CORNERS, len(a)))
    copy(a, corners[0])
    for m in range(1, CORNERS):
        if not corner(space, corners[m - 1], b, 1.0, corners[m]):
            break
        there = True
        for c in range(len(b)):
            there = there and corners[m, c] == b[c]
        if there:
            return corners[: m + 1]
    return corners[:1]
