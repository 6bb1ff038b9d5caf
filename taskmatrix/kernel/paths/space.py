"""Some joints of a robot as a space to plan in, and whether a straight line in it is free."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array

from ..collision.edges import Bits, edge
from ..collision.poses import place, use
from ..collision.scene import BLOCKS, LEVELS, Scene, Work
from ..collision.separation import unsure
from ..jit.compiled import bare, bare_inlined, inlined
from ..jit.simd import ALL, Floats, load, store
from ..jit.simd import LANES as L

FREE, BLOCKED, ASK = 1, 0, -1  # of a line; the last where the exact shapes have to tell
NONE = -1
RECENT = 8  # pairs that are remembered
END = 1 << (L - 1)


class Space(NamedTuple):
    """Joints to plan for, in the order of the planner's configurations."""

    lower: Array
    """(k,) [rad, m] Where to look for a path."""
    upper: Array
    """(k,)"""
    weights: Array
    """(k,) [m/rad, m/m] How far the robot moves with each joint: distances are in metres."""
    frames: NDArray[np.int64]
    """(e,) That move with one of the joints."""
    joints: NDArray[np.int64]
    """(e,) With which."""
    factors: Array
    """(e,) By how much."""
    still: Array
    """(f,) [rad, m] Values of the frames with all these joints at zero."""
    active: Bits
    """(p,) Pairs to check."""
    pairs: NDArray[np.int64]
    """(m,) Numbers of those that can come near each other within the limits."""
    bodies: NDArray[np.int64]
    """(b,) Their bodies."""
    rough: Bits
    """(p,) Pairs that may be apart although what stands for them is not: in doubt, the exact shapes have to tell."""
    recent: NDArray[np.int64]
    """(RECENT,) Pairs that blocked a line not long ago, the last one first; NONE where there are fewer."""
    blocked: NDArray[np.int64]
    """(p,) How many lines each pair blocked."""
    where: Array
    """(1,) How far along the line the first of them was found, from 0 to 1."""
    base: NDArray[np.int64]
    """(3,) Which joints are x, y and yaw of a base that only turns and rolls; (0,) where there is none."""
    start: Floats
    """(f,) Scratch."""
    change: Floats
    """(f,) Scratch."""


@bare
def look(scene: Scene, work: Work, space: Space, a: Array, b: Array) -> int:
    """Whether the straight line from ``a`` (k,), which is free, to ``b`` (k,) is free.

    Most lines that are not free are blocked by a pair that blocked another just before, or at their end. How often
    sixteen configurations were looked at is in ``work.counts``.
    """
    for i in range(len(space.still)):
        space.start[i] = space.still[i]
        space.change[i] = 0.0
    for e in range(len(space.frames)):
        i, j = space.frames[e], space.joints[e]
        space.start[i] += space.factors[e] * a[j]
        space.change[i] += space.factors[e] * (b[j] - a[j])
    for k in range(L):
        work.times[k] = (k + 1) / L
    t = load(work.times, 0)
    for i in range(1, len(space.still)):
        store(work.values, i * L, t * space.change[i] + space.start[i])
    pair, lane = blocking(scene, work, space)
    space.where[0] = work.times[lane]
    work.counts[BLOCKS] = 1
    if pair == NONE and edge(scene, work, space.pairs, space.start, space.change, True):
        pair = int(work.doubts[0, 0])
        space.where[0] = work.doubts[0, 1]
    if pair == NONE:
        return FREE
    put_first(space.recent, pair)
    if space.rough[pair]:
        return ASK
    space.blocked[pair] += 1
    return BLOCKED


@bare
def blocking(scene: Scene, work: Work, space: Space) -> tuple[int, int]:
    """A pair that may be in contact in some lane, and the lane; NONE if none is found.

    Pairs that blocked something not long ago are looked at in all lanes, then all pairs in the last one.
    """
    work.used_frames[:] = False
    work.used_bodies[:] = False
    for pair in space.recent:
        if pair != NONE:
            use(scene, work, scene.pairs[pair, 0])
            use(scene, work, scene.pairs[pair, 1])
    place(scene, work)
    for n in range(RECENT + space.pairs.shape[0]):
        mask = END
        pair = space.recent[n] if n < RECENT else space.pairs[n - RECENT]
        if n == RECENT:
            for body in space.bodies:
                use(scene, work, body)
            place(scene, work)
        if pair == NONE or not space.active[pair]:
            continue
        need = scene.margins[pair, 0]
        if n < RECENT and need >= scene.margins[pair, 1]:  # between the ends of a line a pair may be that much nearer
            need -= scene.margins[pair, 1]
            mask = ALL
        mask = unsure(scene, work, pair, mask, need, need, LEVELS - 1, True)
        for k in range(L):
            if mask >> k & 1:
                return pair, k
    return NONE, 0


@bare_inlined
def put_first(recent: NDArray[np.int64], pair: int) -> None:
    """Move a pair to the front, or add it there."""
    last = 0
    while last < len(recent) - 1 and recent[last] != pair:
        last += 1
    for k in range(last, 0, -1):
        recent[k] = recent[k - 1]
    recent[0] = pair


@inlined
def gap(space: Space, a: Array, b: Array) -> float:
    """[m] Distance between two configurations (k,)."""
    square = 0.0
    for j in range(len(a)):
        d = space.weights[j] * (a[j] - b[j])
        square += d * d
    return math.sqrt(square)
