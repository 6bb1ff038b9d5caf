"""Which objects are near which bodies of the robot: a tree of boxes over what stands about.

A check so costs what is near, and not what there is. What is nearer to a body than the widest margin is among the
leaves of the tree that touch the box around it; only their pairs are looked at, in the order that all pairs have.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import number
from .poses import place, use
from .scene import BALL, CENTRE, FRAME, HALF, ROUNDING, Scene, Work

Bits = NDArray[np.bool_]


@bare
def near_pairs(scene: Scene, work: Work, active: Bits, more: float, lanes: int, share: float) -> int:
    """Active pairs that may be nearer than their margins in some lane, to ``work.near``, in rising order.

    These are all but pairs of a moving body with an object that is far from it. Their bodies are placed.

    Args:
        scene: Robot and world.
        work: Memory for it, with the positions in ``values``.
        active: (p,) Pairs to check.
        more: [m] That margins are wider.
        lanes: Bits of the lanes that count.
        share: Of ``work.moves`` that bodies may be away from where they are placed.

    Returns:
        How many there are.
    """
    surroundings = scene.surroundings
    work.used_frames[:] = False
    work.used_bodies[:] = False
    for body in surroundings.bodies:
        use(scene, work, body)
    place(scene, work)
    if surroundings.stale[0]:
        refit(scene)
    found = 0
    for row in range(surroundings.moving.shape[0]):
        body = surroundings.moving[row]
        around = scene.sizes[body, BALL] + surroundings.widest[0] + more + share * work.moves[body, 0]
        found = look_around(scene, work, active, lanes, around, row, found)
    sort(work.queue, found)
    work.used_frames[:] = False
    work.used_bodies[:] = False
    count = entry = 0
    for pair in surroundings.other:
        while entry < found and work.queue[entry] < pair:
            count = take(scene, work, work.queue[entry], count)
            entry += 1
        if active[pair]:
            work.near[count] = pair
            count += 1
    while entry < found:
        count = take(scene, work, work.queue[entry], count)
        entry += 1
    place(scene, work)
    return count


@bare
def refit(scene: Scene) -> None:
    """Fit the boxes of the tree to where the objects are now."""
    surroundings = scene.surroundings
    surroundings.stale[0] = False
    nodes, after = surroundings.nodes, surroundings.after
    for node in range(nodes.shape[0] - 1, -1, -1):
        if after[node] == node + 1:
            enclose(scene, surroundings.still[surroundings.part[node]], node)
            continue
        one, other = node + 1, after[node + 1]
        for k in range(3):
            low = min(nodes[one, k] - nodes[one, 3 + k], nodes[other, k] - nodes[other, 3 + k])
            high = max(nodes[one, k] + nodes[one, 3 + k], nodes[other, k] + nodes[other, 3 + k])
            nodes[node, k] = 0.5 * (low + high)
            nodes[node, 3 + k] = 0.5 * (high - low) + ROUNDING


@bare_inlined
def enclose(scene: Scene, body: int, node: int) -> None:
    """Make the box of a leaf the one around a body that stands in the world."""
    frame, nodes = scene.bodies[body, FRAME], scene.surroundings.nodes
    for k in range(3):
        centre, half = scene.placement[frame, 9 + k], ROUNDING
        for column in range(3):
            along = scene.placement[frame, 3 * column + k]
            centre += along * scene.sizes[body, CENTRE + column]
            half += abs(along) * scene.sizes[body, HALF + column]
        nodes[node, k] = centre
        nodes[node, 3 + k] = half


@bare
def look_around(scene: Scene, work: Work, active: Bits, lanes: int, around: float, row: int, found: int) -> int:
    """Add the pairs of a moving body with what is so far ``around`` its centre to those found, in ``work.queue``."""
    surroundings = scene.surroundings
    nodes, after, body = surroundings.nodes, surroundings.after, surroundings.moving[row]
    low_x = low_y = low_z = np.inf
    high_x = high_y = high_z = -np.inf
    for k in range(L):
        if lanes >> k & 1:
            x = number(work.centres, body * 3 * L + k)
            y = number(work.centres, (body * 3 + 1) * L + k)
            z = number(work.centres, (body * 3 + 2) * L + k)
            low_x, low_y, low_z = min(low_x, x), min(low_y, y), min(low_z, z)
            high_x, high_y, high_z = max(high_x, x), max(high_y, y), max(high_z, z)
    node = 0
    while node < nodes.shape[0]:
        if (
            nodes[node, 0] - nodes[node, 3] > high_x + around
            or nodes[node, 0] + nodes[node, 3] < low_x - around
            or nodes[node, 1] - nodes[node, 4] > high_y + around
            or nodes[node, 1] + nodes[node, 4] < low_y - around
            or nodes[node, 2] - nodes[node, 5] > high_z + around
            or nodes[node, 2] + nodes[node, 5] < low_z - around
        ):
            node = after[node]
            continue
        if after[node] == node + 1:
            pair = surroundings.pairs[row, surroundings.part[node]]
            if pair >= 0 and active[pair]:
                work.queue[found] = pair
                found += 1
        node += 1
    return found


@bare_inlined
def sort(numbers: NDArray[np.int64], count: int) -> None:
    """Sort the first numbers, by insertion over gaps that shrink (Shell)."""
    gap = 1
    while 3 * gap < count:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(gap, count):
            value, at = numbers[k], k
            while at >= gap and numbers[at - gap] > value:
                numbers[at] = numbers[at - gap]
                at -= gap
            numbers[at] = value
        gap //= 3


@bare_inlined
def take(scene: Scene, work: Work, pair: int, count: int) -> int:
    """Add a pair to ``work.near``, and have the one of its bodies that stands in the world placed."""
    work.near[count] = pair
    one, other = scene.pairs[pair, 0], scene.pairs[pair, 1]
    if scene.parent[scene.bodies[one, FRAME]] == 0 and scene.bodies[one, FRAME] >= scene.reach.shape[1]:
        use(scene, work, one)
    else:
        use(scene, work, other)
    return count + 1
