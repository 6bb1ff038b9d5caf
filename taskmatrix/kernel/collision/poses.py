"""Forward kinematics of sixteen configurations at once."""

from __future__ import annotations

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Floats, Lanes, load, nearest_integer, store
from .scene import FRAME, PRISMATIC, REVOLUTE, Scene, Work


@bare_inlined
def sine_and_cosine(x: Lanes) -> tuple[Lanes, Lanes]:
    """Of angles [rad] in lanes, by polynomials of half the angle; off by less than 3e-7."""
    x = x - nearest_integer(x * 0.15915494309) * 6.28318530718
    h = x * 0.5
    z = h * h
    s = h * (z * (z * (z * (z * 2.7525562e-6 + -1.9840874e-4) + 8.3333310e-3) + -0.16666667) + 1.0)
    c = z * (z * (z * (z * (z * -2.6051615e-7 + 2.4760495e-5) + -1.3888378e-3) + 4.1666638e-2) + -0.5) + 1.0
    return s * c * 2.0, s * s * -2.0 + 1.0


@bare
def place(scene: Scene, work: Work) -> None:
    """Poses of the frames, and centres of the bodies, that are used, at the positions in ``work.values``."""
    poses, placement = work.poses, scene.placement
    for i in range(1, scene.parent.shape[0]):
        if not work.used_frames[i]:
            continue
        above, here = scene.parent[i] * 12 * L, i * 12 * L
        sine = cosine = slide = load(work.values, i * L)
        if scene.kind[i] == REVOLUTE:
            sine, cosine = sine_and_cosine(slide)
        for r in range(3):
            a, b, c = load(poses, above + r * L), load(poses, above + (3 + r) * L), load(poses, above + (6 + r) * L)
            x = a * placement[i, 0] + b * placement[i, 1] + c * placement[i, 2]
            y = a * placement[i, 3] + b * placement[i, 4] + c * placement[i, 5]
            z = a * placement[i, 6] + b * placement[i, 7] + c * placement[i, 8]
            p = load(poses, above + (9 + r) * L) + a * placement[i, 9] + b * placement[i, 10] + c * placement[i, 11]
            if scene.kind[i] == REVOLUTE:
                x, y = x * cosine + y * sine, y * cosine - x * sine
            elif scene.kind[i] == PRISMATIC:
                p = p + z * slide
            store(poses, here + r * L, x)
            store(poses, here + (3 + r) * L, y)
            store(poses, here + (6 + r) * L, z)
            store(poses, here + (9 + r) * L, p)
    for body in range(scene.bodies.shape[0]):
        if work.used_bodies[body]:
            locate(poses, scene.bodies[body, FRAME], scene.sizes, body, work.centres)


@bare_inlined
def locate(poses: Floats, frame: int, points: Floats, index: int, places: Floats) -> None:
    """Place in the world of a point, given in a frame by the first columns of ``points[index]``, in lanes."""
    at = frame * 12 * L
    x, y, z = points[index, 0], points[index, 1], points[index, 2]
    for r in range(3):
        value = load(poses, at + (9 + r) * L) + load(poses, at + r * L) * x
        value = value + load(poses, at + (3 + r) * L) * y + load(poses, at + (6 + r) * L) * z
        store(places, (index * 3 + r) * L, value)


@bare_inlined
def use(scene: Scene, work: Work, body: int) -> None:
    """Have a body placed, and the frames that carry it."""
    if work.used_bodies[body]:
        return
    work.used_bodies[body] = True
    frame = scene.bodies[body, FRAME]
    while frame != 0 and not work.used_frames[frame]:
        work.used_frames[frame] = True
        frame = scene.parent[frame]
