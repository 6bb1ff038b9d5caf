"""Whether two convex hulls are certainly apart, in sixteen configurations at once.

They are if they are along some direction. Hulls of a few swept points decide where they can, then the convex hulls
themselves.
"""

from __future__ import annotations

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Floats, Lanes, below, greatest, least, load, root, splat, store, where_below
from .bounds import towards
from .gjk import Doubles, separation
from .scene import FIRST, FRAME, LEVELS, ROUNDING, SEARCHES, SWEPT, Scene, Work

STEPS = 6  # of the search in all lanes
FEW = 2  # lanes
SURE = 1e-4  # [m] hulls further apart than this do not overlap


@bare
def unsure_hulls(
    scene: Scene, work: Work, a: int, b: int, mask: int, need: float, touching: float, finest: int, one: bool
) -> int:
    """Lanes of a mask in which the convex hulls of two bodies are not certainly further apart than ``need`` [m].

    Exact hulls are asked where few lanes are left, with ``finest`` above 0, or where it is not certain that the bodies
    are further apart than ``touching`` [m]. ``work.separation`` then has how far apart they are at least. With ``one``
    it will do to know of one lane in which they touch.
    """
    frame_a, frame_b = scene.bodies[a, FRAME], scene.bodies[b, FRAME]
    v = towards(scene, work, a, b)
    if not are_few(mask):
        mask, apart, v = lean(
            work.poses,
            scene.points,
            frame_a,
            scene.bodies[a, FIRST],
            scene.bodies[a, FIRST + 1],
            frame_b,
            scene.bodies[b, FIRST],
            scene.bodies[b, FIRST + 1],
            scene.sizes[a, SWEPT] + scene.sizes[b, SWEPT] + ROUNDING,
            STEPS,
            mask,
            splat(need),
            v,
        )
        if mask == 0:
            return mask
        if finest == 0 and below(apart, splat(touching + SURE)) & mask == 0:
            store(work.separation, 0, apart)
            return mask
    aim(work, v)
    return searched(
        scene,
        work,
        frame_a,
        scene.bodies[a, FIRST + 1],
        scene.bodies[a, FIRST + 2],
        frame_b,
        scene.bodies[b, FIRST + 1],
        scene.bodies[b, FIRST + 2],
        scene.sizes[a, SWEPT + 1] + scene.sizes[b, SWEPT + 1] + ROUNDING,
        mask,
        need,
        touching,
        finest >= LEVELS,
        one,
    )


@bare_inlined
def are_few(mask: int) -> bool:
    """Whether so few lanes are left that they are better looked at one by one."""
    for _ in range(FEW):
        mask &= mask - 1
    return mask == 0


@bare_inlined
def aim(work: Work, v: tuple[Lanes, Lanes, Lanes]) -> None:
    """Let a search begin at points v of the difference of two hulls; separations are not known yet."""
    store(work.aims, 0, v[0])
    store(work.aims, L, v[1])
    store(work.aims, 2 * L, v[2])
    store(work.separation, 0, splat(-1e30))


@bare_inlined
def lean(
    poses: Floats,
    points: Floats,
    frame_a: int,
    first_a: int,
    last_a: int,
    frame_b: int,
    first_b: int,
    last_b: int,
    swept: float,
    steps: int,
    mask: int,
    needed: Lanes,
    v: tuple[Lanes, Lanes, Lanes],
) -> tuple[int, Lanes, tuple[Lanes, Lanes, Lanes]]:
    """Lanes of a mask in which no direction is found in a few steps along which two hulls are far enough apart.

    Each lane has its own direction, and takes Frank and Wolfe's steps to the nearest point v of the difference of the
    hulls. Returns also how far apart they were found to be at least, and v.
    """
    vx, vy, vz = v
    ox, oy, oz = vx, vy, vz
    furthest = splat(-1e30)
    for _ in range(steps):
        scale = splat(-1.0) / root(vx * vx + vy * vy + vz * vz + 1e-20)
        x, y, z = vx * scale, vy * scale, vz * scale
        wx, wy, wz = splat(0.0), splat(0.0), splat(0.0)
        for side in range(2):
            first, last = (first_a, last_a) if side == 0 else (first_b, last_b)
            sign = 1.0 if side == 0 else -1.0
            at = (frame_a if side == 0 else frame_b) * 12 * L
            ux, uy, uz = load(poses, at), load(poses, at + L), load(poses, at + 2 * L)
            vx_, vy_, vz_ = load(poses, at + 3 * L), load(poses, at + 4 * L), load(poses, at + 5 * L)
            wx_, wy_, wz_ = load(poses, at + 6 * L), load(poses, at + 7 * L), load(poses, at + 8 * L)
            p = (ux * x + uy * y + uz * z) * sign
            q = (vx_ * x + vy_ * y + vz_ * z) * sign
            r = (wx_ * x + wy_ * y + wz_ * z) * sign
            best, px, py, pz = splat(-1e30), splat(0.0), splat(0.0), splat(0.0)
            for k in range(first, last):
                along = p * points[k, 0] + q * points[k, 1] + r * points[k, 2]
                px = where_below(best, along, splat(points[k, 0]), px)
                py = where_below(best, along, splat(points[k, 1]), py)
                pz = where_below(best, along, splat(points[k, 2]), pz)
                best = greatest(best, along)
            wx = wx + (ux * px + vx_ * py + wx_ * pz + load(poses, at + 9 * L)) * sign
            wy = wy + (uy * px + vy_ * py + wy_ * pz + load(poses, at + 10 * L)) * sign
            wz = wz + (uz * px + vz_ * py + wz_ * pz + load(poses, at + 11 * L)) * sign
        apart = (wx * x + wy * y + wz * z) * -1.0 - swept
        furthest = greatest(furthest, apart)
        mask &= below(apart, needed)
        if mask == 0:
            break
        vx, vy, vz = nearer(vx, vy, vz, wx, wy, wz, ox, oy, oz)
        ox, oy, oz = wx, wy, wz
    return mask, furthest, (vx, vy, vz)


@bare_inlined
def nearer(
    vx: Lanes, vy: Lanes, vz: Lanes, wx: Lanes, wy: Lanes, wz: Lanes, ox: Lanes, oy: Lanes, oz: Lanes
) -> tuple[Lanes, Lanes, Lanes]:
    """A point of the triangle v, w, o near the origin: the nearest if that is inside, else the nearest of v to w."""
    dx, dy, dz = wx - vx, wy - vy, wz - vz
    ex, ey, ez = ox - vx, oy - vy, oz - vz
    dd = dx * dx + dy * dy + dz * dz + 1e-12
    ee = ex * ex + ey * ey + ez * ez
    de = dx * ex + dy * ey + dz * ez
    vd = (vx * dx + vy * dy + vz * dz) * -1.0
    ve = (vx * ex + vy * ey + vz * ez) * -1.0
    det = dd * ee - de * de
    zero, one = splat(0.0), splat(1.0)
    scale = one / greatest(det, splat(1e-30))
    s, t = (vd * ee - ve * de) * scale, (ve * dd - vd * de) * scale
    line = least(greatest(vd / dd, zero), one)
    inside = least(least(s, t), one - s - t)
    inside = least(inside, det - dd * ee * 1e-5)
    s = where_below(zero, inside, s, line)
    t = where_below(zero, inside, t, zero)
    return vx + s * dx + t * ex, vy + s * dy + t * ey, vz + s * dz + t * ez


@bare_inlined
def extent(poses: Floats, points: Floats, frame: int, first: int, last: int, x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """How far the hull of points of a frame reaches along directions: its support function."""
    at = frame * 12 * L
    u = load(poses, at) * x + load(poses, at + L) * y + load(poses, at + 2 * L) * z
    v = load(poses, at + 3 * L) * x + load(poses, at + 4 * L) * y + load(poses, at + 5 * L) * z
    w = load(poses, at + 6 * L) * x + load(poses, at + 7 * L) * y + load(poses, at + 8 * L) * z
    furthest = splat(-1e30)
    for k in range(first, last):
        furthest = greatest(furthest, u * points[k, 0] + v * points[k, 1] + w * points[k, 2])
    origin = load(poses, at + 9 * L) * x + load(poses, at + 10 * L) * y + load(poses, at + 11 * L) * z
    reach: Lanes = furthest + origin
    return reach


@bare_inlined
def lane(poses: Floats, frame: int, k: int, X: Doubles) -> None:
    """The pose of a frame in one lane, (12,)."""
    for r in range(12):
        X[r] = poses[(frame * 12 + r) * L + k]


@bare
def searched(
    scene: Scene,
    work: Work,
    frame_a: int,
    first_a: int,
    last_a: int,
    frame_b: int,
    first_b: int,
    last_b: int,
    swept: float,
    mask: int,
    need: float,
    touching: float,
    exactly: bool,
    one: bool,
) -> int:
    """Lanes of a mask in which two convex hulls are not further apart than ``need``, one after the other.

    A direction that is found for one lane is tried in all. With ``one``, lanes after the first in which they touch
    stay in the mask unseen; with ``exactly``, ``work.separation`` is exact where they are not further apart.
    """
    X_WA, X_WB, n = work.vectors[3], work.vectors[4], work.vectors[5]
    left, near_lanes = mask, 0
    for k in range(L):
        if left >> k & 1 == 0:
            continue
        lane(work.poses, frame_a, k, X_WA)
        lane(work.poses, frame_b, k, X_WB)
        work.counts[SEARCHES] += 1
        for r in range(3):
            n[r] = -work.aims[r * L + k]
        n[0] += 1e-7  # never zero
        apart = (
            separation(
                X_WA,
                X_WB,
                scene.points,
                first_a,
                last_a,
                first_b,
                last_b,
                need + swept + 1e-5,
                touching + SURE + swept,
                exactly,
                n,
                work.simplex,
                work.vectors,
            )
            - swept
        )
        work.separation[k] = apart
        left &= ~(1 << k)
        if apart <= need:
            near_lanes |= 1 << k
        if one and apart <= touching:
            break
        if left != 0 and apart > touching:
            x, y, z = splat(n[0]), splat(n[1]), splat(n[2])
            there = extent(work.poses, scene.points, frame_b, first_b, last_b, x * -1.0, y * -1.0, z * -1.0)
            gaps = splat(-swept) - there - extent(work.poses, scene.points, frame_a, first_a, last_a, x, y, z)
            left &= below(gaps, splat(need))
            store(work.separation, 0, greatest(gaps, load(work.separation, 0)))
    return left | near_lanes
