"""How far apart two convex hulls are, and in which direction (Gilbert, Johnson and Keerthi 1988)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit.compiled import bare, bare_inlined
from ..jit.simd import LANES as L
from ..jit.simd import Floats, below, component, greatest, largest, load, splat, where_below

Doubles = NDArray[np.float64]

ITERATIONS = 24
PRODUCTS = 3  # column of the simplex at which the dot products begin


@bare_inlined
def extreme(points: Floats, first: int, last: int, u: float, v: float, w: float) -> int:
    """Number of the one of points[first:last] that is furthest along a direction; sixteen at once if there are so many.

    For that their coordinates have to be stored one column after the other.
    """
    if last - first < L or points.strides[0] != points.itemsize:
        furthest, found = -1e30, first
        for k in range(first, last):
            along = u * points[k, 0] + v * points[k, 1] + w * points[k, 2]
            if along > furthest:
                furthest, found = along, k
        return found
    size, k = points.shape[0], first
    x, y, z = splat(u), splat(v), splat(w)
    best, at = splat(-1e30), splat(0.0)
    while True:
        alongs = load(points, k) * x + load(points, size + k) * y + load(points, 2 * size + k) * z
        at = where_below(best, alongs, splat(k - first), at)
        best = greatest(best, alongs)
        if k + L >= last:
            break
        k = min(k + L, last - L)
    below_best, chosen = below(best, splat(largest(best))), 0
    while below_best >> chosen & 1:
        chosen += 1
    return first + int(component(at, chosen)) + chosen


@bare_inlined
def support(X: Doubles, points: Floats, first: int, last: int, nx: float, ny: float, nz: float, found: Doubles) -> None:
    """The point furthest along a direction, of points[first:last] placed at X (12,); written to ``found`` (3,)."""
    u = X[0] * nx + X[1] * ny + X[2] * nz
    v = X[3] * nx + X[4] * ny + X[5] * nz
    w = X[6] * nx + X[7] * ny + X[8] * nz
    best = extreme(points, first, last, u, v, w)
    x, y, z = points[best, 0], points[best, 1], points[best, 2]
    for r in range(3):
        found[r] = X[9 + r] + X[r] * x + X[3 + r] * y + X[6 + r] * z


@bare
def separation(
    X_WA: Doubles,
    X_WB: Doubles,
    points: Floats,
    first_a: int,
    last_a: int,
    first_b: int,
    last_b: int,
    wanted: float,
    least: float,
    exactly: bool,
    n: Doubles,
    simplex: Doubles,
    scratch: Doubles,
) -> float:
    """A lower bound [m] of the distance of two hulls, and the direction n (3,) from A to B in which they are.

    Whatever the rounding on the way, the bound is that of the supports along n. It stops when the bound is more than
    ``wanted``; unless ``exactly``, also when it is known to end below that and the bound is more than ``least``, or
    will not be. Negative: they overlap, or nearly. Their distance is at most the length of ``scratch[0]``.
    """
    v, a, b = scratch[0], scratch[1], scratch[2]
    size = 0
    best, bx, by, bz = -1e30, n[0], n[1], n[2]
    for r in range(3):
        v[r] = -n[r]
    for iteration in range(ITERATIONS):
        norm = np.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
        if norm < 1e-9:
            break
        x, y, z = -v[0] / norm, -v[1] / norm, -v[2] / norm
        support(X_WA, points, first_a, last_a, x, y, z, a)
        support(X_WB, points, first_b, last_b, -x, -y, -z, b)
        apart = (b[0] - a[0]) * x + (b[1] - a[1]) * y + (b[2] - a[2]) * z
        if apart > best:
            best, bx, by, bz = apart, x, y, z
            if apart > wanted:
                break
        if iteration > 0:
            if norm - apart < 1e-5 + 1e-3 * norm:
                break
            if not exactly and (norm < least or (norm < wanted and best > least)):
                break
        for r in range(3):
            simplex[size, r] = a[r] - b[r]
        size = nearest(simplex, size + 1, v)
        if size == 0:
            v[:] = 0.0
            break
    n[0], n[1], n[2] = bx, by, bz
    return best


@bare_inlined
def nearest(simplex: Doubles, size: int, v: Doubles) -> int:
    """The point v (3,) of a simplex nearest to the origin; its last point is new.

    Points that v does not rest on are dropped. Returns how many are left; 0 if the origin is inside.
    """
    G = simplex[:, PRODUCTS:]
    n = size - 1
    for i in range(size):
        for j in range(i, size):
            G[i, j] = simplex[i, 0] * simplex[j, 0] + simplex[i, 1] * simplex[j, 1] + simplex[i, 2] * simplex[j, 2]
    best, left, i1, i2, b1, b2 = G[n, n], 1, 0, 0, 0.0, 0.0
    for i in range(n):
        along, length = G[n, n] - G[i, n], G[n, n] - 2 * G[i, n] + G[i, i]
        if 0 < along < length:
            t = along / length
            d = G[n, n] - t * along
            if d < best:
                best, left, i1, b1 = d, 2, i, t
    for i in range(n):
        for j in range(i + 1, n):
            ee = G[i, i] - 2 * G[i, n] + G[n, n]
            gg = G[j, j] - 2 * G[j, n] + G[n, n]
            eg = G[i, j] - G[i, n] - G[j, n] + G[n, n]
            ae, ag = G[n, n] - G[i, n], G[n, n] - G[j, n]
            det = ee * gg - eg * eg
            if det <= 1e-12 * ee * gg:
                continue
            s, t = (ae * gg - ag * eg) / det, (ag * ee - ae * eg) / det
            if s > 0 and t > 0 and s + t < 1:
                d = G[n, n] - s * ae - t * ag
                if d < best:
                    best, left, i1, i2, b1, b2 = d, 3, i, j, s, t
    if size == 4 and encloses(simplex):
        return 0
    for r in range(3):
        last = simplex[n, r]
        if left == 1:
            v[r] = last
        elif left == 2:
            v[r] = b1 * simplex[i1, r] + (1 - b1) * last
            simplex[0, r] = simplex[i1, r]
        else:
            v[r] = b1 * simplex[i1, r] + b2 * simplex[i2, r] + (1 - b1 - b2) * last
            simplex[0, r], simplex[1, r] = simplex[i1, r], simplex[i2, r]
        simplex[left - 1, r] = last
    return left


@bare_inlined
def encloses(Y: Doubles) -> bool:
    """Whether the origin is inside a tetrahedron (4, 3)."""
    ex, ey, ez = Y[0, 0] - Y[3, 0], Y[0, 1] - Y[3, 1], Y[0, 2] - Y[3, 2]
    gx, gy, gz = Y[1, 0] - Y[3, 0], Y[1, 1] - Y[3, 1], Y[1, 2] - Y[3, 2]
    hx, hy, hz = Y[2, 0] - Y[3, 0], Y[2, 1] - Y[3, 1], Y[2, 2] - Y[3, 2]
    det = triple(ex, ey, ez, gx, gy, gz, hx, hy, hz)
    if det == 0:
        return False
    ox, oy, oz = -Y[3, 0], -Y[3, 1], -Y[3, 2]
    s = triple(ox, oy, oz, gx, gy, gz, hx, hy, hz) / det
    t = triple(ox, oy, oz, hx, hy, hz, ex, ey, ez) / det
    u = triple(ox, oy, oz, ex, ey, ez, gx, gy, gz) / det
    return s > 0 and t > 0 and u > 0 and s + t + u < 1


@bare_inlined
def triple(ax: float, ay: float, az: float, bx: float, by: float, bz: float, cx: float, cy: float, cz: float) -> float:
    """Return a . (b x c)."""
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)
