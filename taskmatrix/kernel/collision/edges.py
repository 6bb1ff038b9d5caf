"""Certified edges: a straight line between two configurations is free all along, not at samples.

A body cannot come nearer to another in a piece of the edge than their distance in its middle, less how far they move
relative to each other in half of it (conservative advancement). Sixteen pieces are looked at in one go; those in which
a pair is not certain are cut in four and looked at again, with that pair only. The last of the sixteen has the end in
its middle, which so is looked at as a configuration of its own.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import ALL, Floats, below, load, number, splat, store
from ..jit.simd import LANES as L
from .bounds import centre
from .broad_phase import near_pairs
from .hulls import SURE
from .poses import place, use
from .scene import BALL, BLOCKS, DOUBTS, FRAME, LEVELS, SIZES, Scene, Work
from .separation import unsure

HALF_PIECE = 1 / (2 * L - 1)  # of the edge
HALF = 0.5 + 2 * HALF_PIECE  # of the edge, from its middle to the end of the last piece and a little further
CUT = 4  # pieces that a piece in doubt is cut into
COARSE = 0.01  # [m] motion in half a piece above which hulls of few points will do
DEEPEST = 14  # times that pieces are cut

Bits = NDArray[np.bool_]
Numbers = NDArray[np.int64]


@bare
def whole_edge(scene: Scene, work: Work, active: Bits, start: Floats, change: Floats, first: bool) -> int:
    """What is left in doubt on an edge: of all active pairs (p,); see :func:`edge`."""
    move(scene, work, change)
    for i in range(1, scene.reach.shape[1]):
        store(work.values, i * L, splat(start[i] + 0.5 * change[i]))
    count = near_pairs(scene, work, active, 0.0, 1, HALF)
    return edge(scene, work, work.near[:count], start, change, first)


@bare
def edge(scene: Scene, work: Work, pairs: Numbers, start: Floats, change: Floats, first: bool) -> int:
    """What is left in doubt on an edge; where nothing is, it is free.

    Args:
        scene: Robot and world.
        work: Memory for it.
        pairs: (k,) Numbers of the pairs to check.
        start: (f,) [rad, m] By frame.
        change: (f,) [rad, m] By frame, from start to end.
        first: Whether the first doubt will do.

    Returns:
        How many doubts are in ``work.doubts``, and how many more would be.
    """
    move(scene, work, change)
    count = begin(scene, work, pairs)
    work.counts[:] = 0
    half, depth, pieces = HALF_PIECE, 0, 1
    while pieces:
        now, following = depth % 2, 0
        work.offsets[1 - now, 0] = 0
        for group in range(0, pieces, L // CUT):
            if depth > 0:
                count = cut(scene, work, now, pieces, group, half)
            t = load(work.times, 0)
            for i in range(1, scene.parent.shape[0]):
                if work.used_frames[i]:
                    store(work.values, i * L, t * change[i] + start[i])
            place(scene, work)
            work.counts[BLOCKS] += 1
            count = examine(scene, work, count, half, depth, first)
            if first and work.counts[DOUBTS]:
                return 1
            following = pass_on(work, 1 - now, following, count, half)
        pieces = following
        half /= CUT
        depth += 1
    return int(work.counts[DOUBTS])


@bare
def move(scene: Scene, work: Work, change: Floats) -> None:
    """How far [m] each body moves at most relative to each frame that carries it, to ``work.moves``."""
    for body in range(scene.bodies.shape[0]):
        total = 0.0
        i = scene.bodies[body, FRAME]
        if i >= scene.reach.shape[1]:
            i = scene.parent[i]  # a loose body keeps its place on what carries it
        work.moves[body, i] = 0.0
        while i != 0:
            total += abs(change[i]) * scene.reach[body, i]
            i = scene.parent[i]
            work.moves[body, i] = total


@bare
def begin(scene: Scene, work: Work, pairs: Numbers) -> int:
    """Queue pairs for sixteen pieces of the whole edge; one that keeps its distance for one piece."""
    work.used_frames[:] = False
    work.used_bodies[:] = False
    count = 0
    for pair in pairs:
        a, b, carrier = scene.pairs[pair, 0], scene.pairs[pair, 1], scene.carriers[pair]
        work.rates[pair] = work.moves[a, carrier] + work.moves[b, carrier]
        work.masks[pair] = ALL if work.rates[pair] > 0 else 1
        use(scene, work, a)
        use(scene, work, b)
        work.queue[count] = pair
        count += 1
    for k in range(L):
        work.times[k] = (2 * k + 1) * HALF_PIECE
    return count


@bare
def cut(scene: Scene, work: Work, now: int, pieces: int, group: int, half: float) -> int:
    """Cut four pieces, from number ``group`` on, in four each, and queue the pairs that are in doubt in them."""
    work.used_frames[:] = False
    work.used_bodies[:] = False
    count = 0
    for slot in range(L // CUT):
        piece = min(group + slot, pieces - 1)
        before_end = 0
        for c in range(CUT):
            middle = work.middles[now, piece] + (2 * c + 1 - CUT) * half
            work.times[CUT * slot + c] = middle
            before_end |= int(middle < 1.0) << c
        if piece != group + slot:
            continue
        for entry in range(work.offsets[now, piece], work.offsets[now, piece + 1]):
            pair = work.left[now, entry]
            if work.masks[pair] == 0:
                work.queue[count] = pair
                count += 1
                use(scene, work, scene.pairs[pair, 0])
                use(scene, work, scene.pairs[pair, 1])
            work.masks[pair] |= before_end << (CUT * slot)
    return count


@bare
def examine(scene: Scene, work: Work, count: int, half: float, depth: int, first: bool) -> int:
    """Look at the pairs in the queue, in the lanes of their masks; what has to be cut again is left in both."""
    kept = 0
    for entry in range(count):
        pair = work.queue[entry]
        mask = work.masks[pair]
        work.masks[pair] = 0
        least = scene.margins[pair, 0]
        motion = work.rates[pair] * half - scene.margins[pair, 1]
        need = least + max(motion, 0.0)
        finest = 0 if motion > COARSE else LEVELS - 1
        mask = unsure(scene, work, pair, mask, need, least, finest, first)
        again = 0
        for k in range(L):
            if mask >> k & 1:
                if motion > 0 and depth < DEEPEST and work.separation[k] > least + SURE:
                    again |= 1 << k
                else:
                    doubt(work, pair, work.times[k], half if work.rates[pair] > 0 else 0.0)
        if again:
            work.masks[pair] = again
            work.queue[kept] = pair
            kept += 1
        if first and work.counts[DOUBTS]:
            for other in range(entry + 1, count):
                work.masks[work.queue[other]] = 0
            for other in range(kept):
                work.masks[work.queue[other]] = 0
            return 0
    return kept


@bare
def pass_on(work: Work, to: int, following: int, count: int, half: float) -> int:
    """Add the lanes of the queue to the pieces that are to be cut next; returns how many these are now."""
    for k in range(L):
        place_for = following < work.middles.shape[1]
        end = work.offsets[to, following] if place_for else 0
        begun = end
        for entry in range(count):
            pair = work.queue[entry]
            if work.masks[pair] >> k & 1:
                if place_for and end < work.left.shape[1]:
                    work.left[to, end] = pair
                    end += 1
                else:
                    doubt(work, pair, work.times[k], half)
        if end > begun:
            work.middles[to, following] = work.times[k]
            following += 1
            work.offsets[to, following] = end
    for entry in range(count):
        work.masks[work.queue[entry]] = 0
    return following


@bare_inlined
def doubt(work: Work, pair: int, place: float, half: float) -> None:
    """Note a pair and where it is in doubt."""
    count = work.counts[DOUBTS]
    if count < work.doubts.shape[0]:
        work.doubts[count, 0] = pair
        work.doubts[count, 1] = place
        work.doubts[count, 2] = half
    work.counts[DOUBTS] = count + 1


@bare
def states(scene: Scene, work: Work, active: Bits, more: float, lanes: int, first: bool, finest: int) -> int:
    """What is left in doubt in up to sixteen configurations.

    Args:
        scene: Robot and world.
        work: Memory for it, with the positions in ``values``.
        active: (p,) Pairs to check.
        more: [m] That margins are wider.
        lanes: Bits of the lanes that count.
        first: Whether the first doubt in each lane will do: one deep inside something has a dozen, and each is dear.
        finest: See :func:`~taskmatrix.kernel.collision.separation.unsure`.

    Returns:
        How many doubts are in ``work.doubts`` (pair and lane), and how many more would be.
    """
    near = near_pairs(scene, work, active, more, lanes, 0.0)
    work.counts[:] = 0
    work.counts[BLOCKS] = 1
    last_a = last_b = -1
    ax = ay = az = bx = by = bz = splat(0.0)
    for entry in range(near):
        pair = work.near[entry]
        a, b, need = scene.pairs[pair, 0], scene.pairs[pair, 1], scene.margins[pair, 0] + more
        if a != last_a:
            last_a, ax, ay, az = a, *centre(work, a)
        if b != last_b:
            last_b, bx, by, bz = b, *centre(work, b)
        x, y, z = ax - bx, ay - by, az - bz
        both = need + number(scene.sizes, a * SIZES + BALL) + number(scene.sizes, b * SIZES + BALL)
        if below(x * x + y * y + z * z, splat(both * both)) & lanes == 0:
            continue
        mask = unsure(scene, work, pair, lanes, need, need, finest, False)
        for k in range(L):
            if mask >> k & 1:
                doubt(work, pair, k, 0.0)
        if first:
            lanes &= ~mask
            if lanes == 0:
                break
    return int(work.counts[DOUBTS])


@bare
def batch(
    scene: Scene,
    work: Work,
    active: Bits,
    Q: NDArray[np.float64],
    coordinates: NDArray[np.intp],
    first: bool,
    found: NDArray[np.int64],
) -> int:
    """What is left in doubt in many configurations.

    Args:
        scene: Robot and world.
        work: Memory for it.
        active: (p,) Pairs to check.
        Q: (m, nq) [rad, m] Positions.
        coordinates: (j,) Where in them those of frames 1, 2, ... are.
        first: Whether the first doubt in each will do.
        found: (k, 2) For what is found: state and pair, in no order.

    Returns:
        How many are in ``found``, and how many more would be.
    """
    count, size = 0, Q.shape[0]
    for begin in range(0, size, L):
        lanes = min(L, size - begin)
        for j in range(coordinates.shape[0]):
            for k in range(L):
                work.values[(j + 1) * L + k] = Q[begin + min(k, lanes - 1), coordinates[j]]
        doubts = states(scene, work, active, 0.0, (1 << lanes) - 1, first, LEVELS - 1)
        for doubt in range(doubts):
            if count < found.shape[0] and doubt < work.doubts.shape[0]:
                found[count, 0] = begin + int(work.doubts[doubt, 1])
                found[count, 1] = int(work.doubts[doubt, 0])
            count += 1
    return count
