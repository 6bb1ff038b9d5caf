"""Whether two bodies of which one or both are trees are certainly apart, in sixteen configurations at once."""

from __future__ import annotations

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Floats, Lanes, below, least, load, splat, store, where_below
from .bounds import centre, off_box
from .hulls import SURE, aim, are_few, lean, searched
from .scene import BALL, CORNERS, FIRST, FRAME, HALF, LEVELS, ROUNDING, SWEPT, TREE, Scene, Work

STEPS = (6, 5, 4)  # of the search in all lanes, at each level of a hull
WHOLE = -1  # instead of a node: the body is no tree
BOX = 3  # column of ``nodes`` where half the size begins


@bare
def unsure_trees(scene: Scene, work: Work, a: int, b: int, mask: int, need: float, touching: float, finest: int) -> int:
    """Lanes of a mask in which two bodies are not certainly further apart than ``need`` [m], by their parts.

    What is clear of a box is not compared with what is in it. Where parts are nearer than ``need``, the others are
    only looked at for whether the bodies touch. See :func:`~taskmatrix.kernel.collision.hulls.unsure_hulls` for the
    rest; with ``finest`` beyond the last level, ``work.separation`` is how far apart the nearest parts are.
    """
    exactly = finest >= LEVELS
    needed, touched = splat(need), splat(touching + SURE)
    stack, top = work.stack, 1
    stack[0, 0], stack[0, 1], stack[0, 2] = root_of(scene, a), root_of(scene, b), mask
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
            lanes = unsure_parts(scene, work, a, b, node_a, node_b, lanes, need, touching, finest)
            if lanes:
                left |= lanes
                for k in range(L):
                    if lanes >> k & 1 == 0:
                        work.separation[k] = 1e30
                apart = least(apart, load(work.separation, 0))
                if not exactly:
                    settled = left if finest < LEVELS - 1 else left & below(apart, touched)
                if settled == mask:
                    break
        elif part_b or (not part_a and scene.nodes[node_a, 6] > scene.nodes[node_b, 6]):
            stack[top, 0], stack[top, 1], stack[top, 2] = scene.after[node_a + 1], node_b, lanes
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = node_a + 1, node_b, lanes
            top += 2
        else:
            stack[top, 0], stack[top, 1], stack[top, 2] = node_a, scene.after[node_b + 1], lanes
            stack[top + 1, 0], stack[top + 1, 1], stack[top + 1, 2] = node_a, node_b + 1, lanes
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


@bare_inlined
def off_node(
    scene: Scene, work: Work, body: int, node: int, x: Lanes, y: Lanes, z: Lanes
) -> tuple[Lanes, Lanes, Lanes]:
    """From the nearest point of a node's box to a point off its centre: see :func:`.bounds.off_box`."""
    if node == WHOLE:
        return off_box(work.poses, scene.bodies[body, FRAME], scene.sizes, body, HALF, x, y, z)
    return off_box(work.poses, scene.bodies[body, FRAME], scene.nodes, node, BOX, x, y, z)


@bare
def close(
    scene: Scene, work: Work, a: int, b: int, node_a: int, node_b: int, mask: int, within: Lanes
) -> int:
    """Lanes of a mask in which nodes may be nearer than ``within`` [m], by the balls and boxes around them."""
    ax, ay, az = middle(scene, work, a, node_a)
    bx, by, bz = middle(scene, work, b, node_b)
    x, y, z = ax - bx, ay - by, az - bz
    ball_a = scene.sizes[a, BALL] if node_a == WHOLE else scene.nodes[node_a, 6]
    ball_b = scene.sizes[b, BALL] if node_b == WHOLE else scene.nodes[node_b, 6]
    both = within + (ball_a + ball_b)
    mask &= below(x * x + y * y + z * z, both * both)
    if mask:
        u, v, w = off_node(scene, work, b, node_b, x, y, z)
        far = within + ball_a
        mask &= below(u * u + v * v + w * w, far * far)
    if mask:
        u, v, w = off_node(scene, work, a, node_a, x, y, z)
        far = within + ball_b
        mask &= below(u * u + v * v + w * w, far * far)
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
) -> int:
    """Lanes of a mask in which parts of two bodies, or a part and a body, are not certainly apart."""
    frame_a, frame_b = scene.bodies[a, FRAME], scene.bodies[b, FRAME]
    ax, ay, az = middle(scene, work, a, node_a)
    bx, by, bz = middle(scene, work, b, node_b)
    v, touched = (ax - bx, ay - by, az - bz), splat(touching + SURE)
    for level in range(0 if node_a == WHOLE or node_b == WHOLE else LEVELS - 1, LEVELS):
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
    )
