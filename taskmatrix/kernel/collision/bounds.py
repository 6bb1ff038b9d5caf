"""The balls and boxes around bodies: where they are apart, the bodies are."""

from __future__ import annotations

from ..jit.compiled import bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Floats, Lanes, below, greatest, load, splat
from .scene import BALL, FRAME, HALF, Scene, Work


@bare_inlined
def near(scene: Scene, work: Work, a: int, b: int, need: Lanes) -> int:
    """Lanes in which two bodies may be nearer than ``need`` [m], by the balls and boxes around them."""
    x, y, z = offset(work, a, b)
    both = need + (scene.sizes[a, BALL] + scene.sizes[b, BALL])
    mask = below(x * x + y * y + z * z, both * both)
    if mask:
        u, v, w = off_box(work.poses, scene.bodies[b, FRAME], scene.sizes, b, HALF, x, y, z)
        within = need + scene.sizes[a, BALL]
        mask &= below(u * u + v * v + w * w, within * within)
    if mask:
        u, v, w = off_box(work.poses, scene.bodies[a, FRAME], scene.sizes, a, HALF, x, y, z)
        within = need + scene.sizes[b, BALL]
        mask &= below(u * u + v * v + w * w, within * within)
    return mask


@bare_inlined
def offset(work: Work, a: int, b: int) -> tuple[Lanes, Lanes, Lanes]:
    """From the centre of body b to that of a."""
    ax, ay, az = centre(work, a)
    bx, by, bz = centre(work, b)
    return ax - bx, ay - by, az - bz


@bare_inlined
def centre(work: Work, body: int) -> tuple[Lanes, Lanes, Lanes]:
    """The centre of a body."""
    i = body * 3 * L
    return load(work.centres, i), load(work.centres, i + L), load(work.centres, i + 2 * L)


@bare_inlined
def off_box(
    poses: Floats, frame: int, halves: Floats, index: int, column: int, x: Lanes, y: Lanes, z: Lanes
) -> tuple[Lanes, Lanes, Lanes]:
    """From the nearest point of a box to a point x, y and z off its centre, along the axes of the box's frame."""
    at = frame * 12 * L
    u = x * load(poses, at) + y * load(poses, at + L) + z * load(poses, at + 2 * L)
    v = x * load(poses, at + 3 * L) + y * load(poses, at + 4 * L) + z * load(poses, at + 5 * L)
    w = x * load(poses, at + 6 * L) + y * load(poses, at + 7 * L) + z * load(poses, at + 8 * L)
    return (
        beyond(u, halves[index, column]),
        beyond(v, halves[index, column + 1]),
        beyond(w, halves[index, column + 2]),
    )


@bare_inlined
def beyond(along: Lanes, half: float) -> Lanes:
    """How far a coordinate is outside of an interval around zero."""
    zero = splat(0.0)
    return greatest(along - half, zero) - greatest(along * -1.0 - half, zero)


@bare_inlined
def towards(scene: Scene, work: Work, a: int, b: int) -> tuple[Lanes, Lanes, Lanes]:
    """From the nearest point of the box of body b to the centre of a; from nearly its centre if that is within."""
    x, y, z = offset(work, a, b)
    frame = scene.bodies[b, FRAME]
    u, v, w = off_box(work.poses, frame, scene.sizes, b, HALF, x, y, z)
    at = frame * 12 * L
    poses, small = work.poses, 1e-3
    return (
        x * small + load(poses, at) * u + load(poses, at + 3 * L) * v + load(poses, at + 6 * L) * w,
        y * small + load(poses, at + L) * u + load(poses, at + 4 * L) * v + load(poses, at + 7 * L) * w,
        z * small + load(poses, at + 2 * L) * u + load(poses, at + 5 * L) * v + load(poses, at + 8 * L) * w,
    )
