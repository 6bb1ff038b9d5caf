"""Whether two bodies of which one or both are trees are certainly apart, in sixteen configurations at once."""

from __future__ import annotations

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Lanes, below, least, load, magnitude, splat, store, where_below
from .bounds import centre
from .hulls import SURE, aim, are_few, lean, searched
from .scene import CENTRE, CORNERS, FIRST, FRAME, HALF, LEVELS, ROUNDING, SWEPT, TREE, Scene, Work

STEPS = (5, 4)  # of the search in all lanes, at each level of a hull
WHOLE = -1  # instead of a node: the body is no tree
BOX = 3  # column of ``nodes`` where half the size begins
OFFSET, SIZE_OF, APART = 9, 12, 21  # of ``work.relative``, after the rotation
PARALLEL = 1e-6  # added to magnitudes: axes that are nearly parallel tell nothing


@bare
def unsure_trees(
    scene: Scene, work: Work, a: int, b: int, mask: int, need: float, touching: float, finest: int, one: bool
) -> int:
    """Lanes of a mask in which two bodies are not certainly further apart than ``need`` [m], by their parts.

    What is clear of a box is not compared with what is in it. Where parts are nearer than ``need``, the others are
    only looked at for whether the bodies touch, and with ``one`` no more once they do in any lane. With ``finest``
    beyond the last level, ``work.separation`` is how far apart the nearest parts are. See
    :func:`~taskmatrix.kernel.collision.hulls.unsure_hulls` for the rest.
    """
    exactly = finest >= LEVELS
    needed, touched = splat(need), splat(touching + SURE)
    stack, top = work.stack, 1
    stack[0, 0], stack[0, 1], stack[0, 2] = root_of(scene, a), root_of(scene, b), mask
    relate(scene, work, a, b)
    apart, left, settled = splat(1e30), 0, 0
    while top > 0:
        top -= 1
        node_a, node_b, lanes = stack[top, 0], stack[top, 1], stack[top, 2] & ~settled
        if lanes == 0:
            continue
        within = least(apart, needed) if exactly else where_below(apart, needed, least(touched, needed), needed)
        lanes = close(scene, work, a, b, node_a, node_b, lanes, within)
        if lanes == 0:
            continue
        part_a, part_b = is_part(scene, node_a), is_part(scene, node_b)
        if part_a and part_b:
            lanes = unsure_parts(scene, work, a, b, node_a, node_b, lanes, need, touching, finest, one)
            if lanes:
                left |= lanes
                for k in range(L):
                    if lanes >> k & 1 == 0:
                        work.separation[k] = 1e30
                apart = least(apart, load(work.separation, 0))
                if not exactly:
                    settled = left & below(apart, touched)
                if settled == mask or (one and settled):
                    break
        elif part_b or (not part_a and scene.nodes[node_a, 6] > scene.nodes[node_b, 6]):
            child, other = by_distance(scene, work, a, b, node_a, node_b, lanes)
            stack[top, 0], stack[top, 1], stack[top, 2] = other, node_b, lanes
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = child, node_b, lanes
            top += 2
        else:
            child, other = by_distance(scene, work, b, a, node_b, node_a, lanes)
            stack[top, 0], stack[top, 1], stack[top, 2] = node_a, other, lanes
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = node_a, child, lanes
            top += 2
    store(work.separation, 0, apart)
    return left


@bare_inlined
def root_of(scene: Scene, body: int) -> int:
    """The first node of a body's tree."""
    return scene.bodies[body, TREE] if scene.bodies[body, CORNERS] else WHOLE


@bare_inlined
def is_part(scene: Scene, node: int) -> bool:
    """Whether a node has nothing below it."""
    return node == WHOLE or scene.after[node] == node + 1


@bare
def by_distance(scene: Scene, work: Work, a: int, b: int, node_a: int, node_b: int, lanes: int) -> tuple[int, int]:
    """The halves of a node of body a, the one that is nearer to a node of body b in one of the lanes first."""
    k = 0
    while lanes >> k & 1 == 0:
        k += 1
    one, other = node_a + 1, scene.after[node_a + 1]
    ax, ay, az = point(scene, work, a, one, k)
    bx, by, bz = point(scene, work, a, other, k)
    x, y, z = point(scene, work, b, node_b, k)
    ax, ay, az, bx, by, bz = ax - x, ay - y, az - z, bx - x, by - y, bz - z
    if ax * ax + ay * ay + az * az <= bx * bx + by * by + bz * bz:
        return one, other
    return other, one


@bare_inlined
def point(scene: Scene, work: Work, body: int, node: int, k: int) -> tuple[float, float, float]:
    """The centre of a node's box, or of the body, in one lane."""
    poses, i = work.poses, body * 3 * L + k
    if node == WHOLE:
        return work.centres[i], work.centres[i + L], work.centres[i + 2 * L]
    at = scene.bodies[body, FRAME] * 12 * L + k
    x, y, z = scene.nodes[node, 0], scene.nodes[node, 1], scene.nodes[node, 2]
    return (
        poses[at + 9 * L] + poses[at] * x + poses[at + 3 * L] * y + poses[at + 6 * L] * z,
        poses[at + 10 * L] + poses[at + L] * x + poses[at + 4 * L] * y + poses[at + 7 * L] * z,
        poses[at + 11 * L] + poses[at + 2 * L] * x + poses[at + 5 * L] * y + poses[at + 8 * L] * z,
    )


@bare_inlined
def middle(scene: Scene, work: Work, body: int, node: int) -> tuple[Lanes, Lanes, Lanes]:
    """The centre of a node's box, or of the body."""
    if node == WHOLE:
        return centre(work, body)
    poses, at = work.poses, scene.bodies[body, FRAME] * 12 * L
    x, y, z = scene.nodes[node, 0], scene.nodes[node, 1], scene.nodes[node, 2]
    u = load(poses, at + 9 * L) + load(poses, at) * x + load(poses, at + 3 * L) * y + load(poses, at + 6 * L) * z
    v = load(poses, at + 10 * L) + load(poses, at + L) * x + load(poses, at + 4 * L) * y + load(poses, at + 7 * L) * z
    w = load(poses, at + 11 * L) + load(poses, at + 2 * L) * x + load(poses, at + 5 * L) * y
    return u, v, w + load(poses, at + 8 * L) * z


@bare
def relate(scene: Scene, work: Work, a: int, b: int) -> None:
    """The pose of body b's frame in that of body a, and the magnitudes of its rotation, to ``work.relative``."""
    poses, relative = work.poses, work.relative
    at, bt = scene.bodies[a, FRAME] * 12 * L, scene.bodies[b, FRAME] * 12 * L
    x, y, z = (
        load(poses, bt + 9 * L) - load(poses, at + 9 * L),
        load(poses, bt + 10 * L) - load(poses, at + 10 * L),
        load(poses, bt + 11 * L) - load(poses, at + 11 * L),
    )
    for i in range(3):
        k = at + 3 * i * L
        ax, ay, az = load(poses, k), load(poses, k + L), load(poses, k + 2 * L)
        store(relative, (OFFSET + i) * L, ax * x + ay * y + az * z)
        for j in range(3):
            m = bt + 3 * j * L
            turned = ax * load(poses, m) + ay * load(poses, m + L) + az * load(poses, m + 2 * L)
            store(relative, (3 * i + j) * L, turned)
            store(relative, (SIZE_OF + 3 * i + j) * L, magnitude(turned) + PARALLEL)


@bare
def close(scene: Scene, work: Work, a: int, b: int, node_a: int, node_b: int, mask: int, within: Lanes) -> int:
    """Lanes of a mask in which the boxes of nodes may be nearer than ``within`` [m].

    They are not if they are along one of fifteen axes: those of either, and those across one of each (Gottschalk, Lin
    and Manocha 1996).
    """
    R, n, m = work.relative, node_a, node_b
    of_a, of_b = scene.nodes, scene.nodes
    centre_a, half_a, centre_b, half_b = 0, BOX, 0, BOX
    if n == WHOLE:
        of_a, n, centre_a, half_a = scene.sizes, a, CENTRE, HALF
    if m == WHOLE:
        of_b, m, centre_b, half_b = scene.sizes, b, CENTRE, HALF
    x, y, z = of_b[m, centre_b], of_b[m, centre_b + 1], of_b[m, centre_b + 2]
    for i in range(3):
        k = 3 * i * L
        t = load(R, (OFFSET + i) * L) + load(R, k) * x + load(R, k + L) * y + load(R, k + 2 * L) * z
        t = t - of_a[n, centre_a + i]
        store(R, (APART + i) * L, t)
        k += SIZE_OF * L
        far = (
            load(R, k) * of_b[m, half_b]
            + load(R, k + L) * of_b[m, half_b + 1]
            + load(R, k + 2 * L) * of_b[m, half_b + 2]
        )
        mask &= below(magnitude(t), far + within + of_a[n, half_a + i])
    if mask == 0:
        return mask
    tx, ty, tz = load(R, APART * L), load(R, (APART + 1) * L), load(R, (APART + 2) * L)
    for j in range(3):
        k = j * L
        t = load(R, k) * tx + load(R, k + 3 * L) * ty + load(R, k + 6 * L) * tz
        k += SIZE_OF * L
        far = load(R, k) * of_a[n, half_a] + load(R, k + 3 * L) * of_a[n, half_a + 1]
        far = far + load(R, k + 6 * L) * of_a[n, half_a + 2]
        mask &= below(magnitude(t), far + within + of_b[m, half_b + j])
    if mask == 0:
        return mask
    for i in range(3):
        i1, i2 = (i + 1) % 3, (i + 2) % 3
        t1, t2 = load(R, (APART + i1) * L), load(R, (APART + i2) * L)
        for j in range(3):
            j1, j2 = (j + 1) % 3, (j + 2) % 3
            t = t2 * load(R, (3 * i1 + j) * L) - t1 * load(R, (3 * i2 + j) * L)
            far = load(R, (SIZE_OF + 3 * i2 + j) * L) * of_a[n, half_a + i1]
            far = far + load(R, (SIZE_OF + 3 * i1 + j) * L) * of_a[n, half_a + i2]
            far = far + load(R, (SIZE_OF + 3 * i + j2) * L) * of_b[m, half_b + j1]
            far = far + load(R, (SIZE_OF + 3 * i + j1) * L) * of_b[m, half_b + j2]
            mask &= below(magnitude(t), far + within)
    return mask


@bare_inlined
def corners_of(scene: Scene, body: int, node: int, level: int) -> tuple[int, int, float]:
    """Where the points of a part begin and end, and the radius [m] by which they are swept."""
    if node == WHOLE:
        i = FIRST + level
        return scene.bodies[body, i], scene.bodies[body, i + 1], scene.sizes[body, SWEPT + level]
    first = scene.corners[node]
    return first, first + scene.bodies[body, CORNERS], 0.0


@bare
def unsure_parts(
    scene: Scene,
    work: Work,
    a: int,
    b: int,
    node_a: int,
    node_b: int,
    mask: int,
    need: float,
    touching: float,
    finest: int,
    one: bool,
) -> int:
    """Lanes of a mask in which parts of two bodies, or a part and a body, are not certainly apart."""
    frame_a, frame_b = scene.bodies[a, FRAME], scene.bodies[b, FRAME]
    ax, ay, az = middle(scene, work, a, node_a)
    bx, by, bz = middle(scene, work, b, node_b)
    v, touched = (ax - bx, ay - by, az - bz), splat(touching + SURE)
    for level in range(0 if min(node_a, node_b) == WHOLE else LEVELS - 1, LEVELS):
        if are_few(mask):
            break
        first_a, last_a, swept_a = corners_of(scene, a, node_a, level)
        first_b, last_b, swept_b = corners_of(scene, b, node_b, level)
        mask, apart, v = lean(
            work.poses,
            scene.points,
            frame_a,
            first_a,
            last_a,
            frame_b,
            first_b,
            last_b,
            swept_a + swept_b + ROUNDING,
            STEPS[level],
            mask,
            splat(need),
            v,
        )
        if mask == 0:
            return mask
        if level >= finest and below(apart, touched) & mask == 0:
            store(work.separation, 0, apart)
            return mask
    first_a, last_a, swept_a = corners_of(scene, a, node_a, LEVELS - 1)
    first_b, last_b, swept_b = corners_of(scene, b, node_b, LEVELS - 1)
    aim(work, v)
    return searched(
        scene,
        work,
        frame_a,
        first_a,
        last_a,
        frame_b,
        first_b,
        last_b,
        swept_a + swept_b + ROUNDING,
        mask,
        need,
        touching,
        finest >= LEVELS,
        one,
    )
