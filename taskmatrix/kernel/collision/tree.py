"""Whether a body is certainly clear of a tree of boxes, in sixteen configurations at once."""

from __future__ import annotations

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Lanes, below, least, load, splat, store
from .bounds import off_box
from .hulls import SURE, aim, lean, searched
from .scene import BALL, FIRST, FRAME, HALF, ROUNDING, SWEPT, TREE, Scene, Work

STEPS = (6, 5, 4)  # of the search in all lanes, at each level


@bare
def unsure_tree(scene: Scene, work: Work, a: int, b: int, mask: int, need: float, touching: float, finest: int) -> int:
    """Lanes of a mask in which a body is not certainly further than ``need`` [m] from a body that is a tree of boxes.

    What a box is clear of is not opened. See :func:`~taskmatrix.kernel.collision.hulls.unsure_hulls` for the rest.
    """
    touched = splat(touching + SURE)
    furthest, left = splat(1e30), 0
    node = scene.bodies[b, TREE]
    while node < scene.bodies[b, TREE + 1]:
        leaf = scene.after[node] == node + 1
        near = close(scene, work, a, b, node, mask, need)
        if near and leaf:
            near = unsure_box(scene, work, a, b, node, near, need, touching, finest)
        if near == 0:
            node = scene.after[node]
            continue
        if leaf:
            left |= near
            for k in range(L):
                if near >> k & 1 == 0:
                    work.separation[k] = 1e30
            furthest = least(furthest, load(work.separation, 0))
            if left == mask and (finest < 2 or below(furthest, touched) & mask == mask):
                break
        node += 1
    store(work.separation, 0, furthest)
    return left


@bare_inlined
def between(scene: Scene, work: Work, a: int, b: int, node: int) -> tuple[Lanes, Lanes, Lanes]:
    """From the centre of a box in the tree of body b to that of body a."""
    poses, i, at = work.poses, a * 3 * L, scene.bodies[b, FRAME] * 12 * L
    x, y, z = scene.nodes[node, 0], scene.nodes[node, 1], scene.nodes[node, 2]
    u = load(poses, at + 9 * L) + load(poses, at) * x + load(poses, at + 3 * L) * y + load(poses, at + 6 * L) * z
    v = load(poses, at + 10 * L) + load(poses, at + L) * x + load(poses, at + 4 * L) * y + load(poses, at + 7 * L) * z
    w = load(poses, at + 11 * L) + load(poses, at + 2 * L) * x + load(poses, at + 5 * L) * y
    w = w + load(poses, at + 8 * L) * z
    return load(work.centres, i) - u, load(work.centres, i + L) - v, load(work.centres, i + 2 * L) - w


@bare_inlined
def close(scene: Scene, work: Work, a: int, b: int, node: int, mask: int, need: float) -> int:
    """Lanes of a mask in which a body may be nearer than ``need`` [m] to a box, by the balls and boxes around them."""
    x, y, z = between(scene, work, a, b, node)
    ball, ball_a = scene.nodes[node, 6], scene.sizes[a, BALL]
    both = splat(need) + (ball_a + ball)
    mask &= below(x * x + y * y + z * z, both * both)
    if mask:
        u, v, w = off_box(work.poses, scene.bodies[b, FRAME], scene.nodes, node, 3, x, y, z)
        within = splat(need) + ball_a
        mask &= below(u * u + v * v + w * w, within * within)
    if mask:
        u, v, w = off_box(work.poses, scene.bodies[a, FRAME], scene.sizes, a, HALF, x, y, z)
        within = splat(need) + ball
        mask &= below(u * u + v * v + w * w, within * within)
    return mask


@bare
def unsure_box(
    scene: Scene,
    work: Work,
    a: int,
    b: int,
    node: int,
    mask: int,
    need: float,
    touching: float,
    finest: int,
) -> int:
    """Lanes of a mask in which the convex hull of a body is not certainly clear of a box."""
    frame_a, frame_b, corner = scene.bodies[a, FRAME], scene.bodies[b, FRAME], scene.corners[node]
    v = between(scene, work, a, b, node)
    apart, touched = splat(-1e30), splat(touching + SURE)
    first, last, swept = 0, 0, 0.0
    for level in range(3):
        first, last = scene.bodies[a, FIRST + level], scene.bodies[a, FIRST + level + 1]
        swept = scene.sizes[a, SWEPT + level] + ROUNDING
        mask, apart, v = lean(
            work.poses,
            scene.points,
            frame_a,
            first,
            last,
            frame_b,
            corner,
            corner + 8,
            swept,
            STEPS[level],
            mask,
            splat(need),
            v,
        )
        if mask == 0 or (level >= finest and below(apart, touched) & mask == 0):
            break
    if mask == 0:
        return mask
    store(work.separation, 0, apart)
    if finest < 2 and below(apart, touched) & mask == 0:
        return mask
    aim(work, v)
    return searched(scene, work, frame_a, first, last, frame_b, corner, corner + 8, swept, mask, need, touching)
