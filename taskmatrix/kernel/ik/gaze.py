"""Turning the view towards a point, in compiled code (thesis 4.3.5, figure 4.10)."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.world.objects import Array

from ..jit.compiled import compiled, inlined
from .chain import Flags, Joints
from .serial import Folded, copy, fold, forward

FACED = 1e-4  # [rad] from the point is near enough
LEAST_DAMPING = 1e-4  # [-] of the first attempt from a configuration; ten times that of the next
STUCK = 1e3  # [-] with this much damping no step is worth making
LARGEST_STEP = 0.5  # [rad or m] of one iteration


@compiled
def turn_each(
    joints: Joints, Q: Array, point: Array, others: Array, iterations: int, short: float, following: bool
) -> Array:
    """Turn joints of configurations Q (b, n) until the view points at a point, see :func:`turn`; Q is written to.

    Args:
        joints: The chain to the view.
        Q: (b, n) Where everything is.
        point: (3,) [m] In the world.
        others: (s, m) Where further descents begin; a coordinate that is no number stays where it is.
        iterations: Of the first descent.
        short: [rad] A view this far off has not reached its point.
        following: Whether each begins where the one before it has left the joints.

    Returns:
        (b,) [rad] What is left of the angles.
    """
    m = len(joints.indices)
    starts, best, left = np.empty((len(others) + 1, m)), np.empty(m), np.empty(len(Q))
    for b in range(len(Q)):
        for k in range(m):
            i = joints.indices[k]
            here = Q[b - 1, i] if following and b > 0 else Q[b, i]
            best[k] = starts[0, k] = here
            for s in range(len(others)):
                starts[s + 1, k] = here if math.isnan(others[s, k]) else others[s, k]
        left[b] = turn(joints, Q[b], point, starts, iterations, short, best)
        for k in range(m):
            Q[b, joints.indices[k]] = best[k]
    return left


@compiled
def turn(joints: Joints, q: Array, point: Array, starts: Array, iterations: int, short: float, best: Array) -> float:
    """Turn joints until the view's x axis points at a point, or as near to it as their limits let it.

    Levenberg-Marquardt on the direction, from where they are and, as long as that ends short of the point, from other
    starts with a third of the iterations.

    Args:
        joints: The chain to the view.
        q: (n,) Where everything is.
        point: (3,) [m] In the world.
        starts: (s, m) Where to begin, one after the other.
        iterations: Of the first descent.
        short: [rad] A view this far off has not reached its point.
        best: (m,) Written to.

    Returns:
        [rad] What is left of the angle.
    """
    chain = fold(joints, q)
    m = len(chain.lower)
    axes, T, J = np.empty((chain.size, 6)), np.empty(12), np.empty((m, 3))
    x, trial, step, free = np.empty(m), np.empty(m), np.empty(m), np.empty(m, np.bool_)
    M, wanted = np.empty((3, 4)), np.empty(3)
    least = 10.0
    for start in range(len(starts)):
        if least < short:
            break
        for k in range(m):
            x[k] = starts[start, k]
        forward(chain, x, axes, T)
        error = angle_to(T, point)
        damping = 0.0
        for _ in range(iterations if start == 0 else iterations // 3):
            if error < FACED or damping > STUCK:
                break
            if damping == 0.0:
                forward(chain, x, axes, T)
                slopes(chain, axes, T, point, error, J, wanted)
                damping = LEAST_DAMPING
            limited(chain, x, J, wanted, damping, M, free, step)
            for k in range(m):
                trial[k] = min(max(x[k] + step[k], chain.lower[k]), chain.upper[k])
            forward(chain, trial, axes, T)
            there = angle_to(T, point)
            if there < error - 1e-7:
                copy(trial, x)
                error, damping = there, 0.0
            else:
                damping *= 10.0
        if error < least - (short if start else 0.0):
            least = error
            copy(x, best)
    return least


@inlined
def angle_to(T: Array, point: Array) -> float:
    """[rad] Between the x axis of a pose (12,) and the direction from it to a point (3,)."""
    r0, r1, r2 = point[0] - T[3], point[1] - T[7], point[2] - T[11]
    c0, c1, c2 = T[4] * r2 - T[8] * r1, T[8] * r0 - T[0] * r2, T[0] * r1 - T[4] * r0
    return math.atan2(math.sqrt(c0 * c0 + c1 * c1 + c2 * c2), T[0] * r0 + T[4] * r1 + T[8] * r2)


@inlined
def slopes(chain: Folded, axes: Array, T: Array, point: Array, error: float, J: Array, wanted: Array) -> None:
    """How the view's direction should turn in the world into wanted (3,), and how it does with joints into J (m, 3).

    Relative to the direction to the point, which changes where the view itself moves.
    """
    d0, d1, d2 = T[0], T[4], T[8]
    r0, r1, r2 = point[0] - T[3], point[1] - T[7], point[2] - T[11]
    distance = max(math.sqrt(r0 * r0 + r1 * r1 + r2 * r2), 1e-6)
    u0, u1, u2 = r0 / distance, r1 / distance, r2 / distance
    along = u0 * d0 + u1 * d1 + u2 * d2
    t0, t1, t2 = u0 - along * d0, u1 - along * d1, u2 - along * d2
    size = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    if size < 1e-3 and along < 0.0:  # right behind: any side will do
        t0, t1, t2, size = T[1], T[5], T[9], 1.0
    scale = error / max(size, 1e-12)
    wanted[0], wanted[1], wanted[2] = t0 * scale, t1 * scale, t2 * scale
    for k in range(len(J)):
        J[k, 0] = J[k, 1] = J[k, 2] = 0.0
    for j in range(chain.size):
        k, ratio = chain.columns[j], chain.ratios[j]
        a0, a1, a2 = ratio * axes[j, 0], ratio * axes[j, 1], ratio * axes[j, 2]
        v0, v1, v2 = a0, a1, a2  # of the view's origin
        w0 = w1 = w2 = 0.0  # of its direction
        if not chain.slides[j]:
            s0, s1, s2 = T[3] - axes[j, 3], T[7] - axes[j, 4], T[11] - axes[j, 5]
            v0, v1, v2 = a1 * s2 - a2 * s1, a2 * s0 - a0 * s2, a0 * s1 - a1 * s0
            w0, w1, w2 = a1 * d2 - a2 * d1, a2 * d0 - a0 * d2, a0 * d1 - a1 * d0
        off = v0 * d0 + v1 * d1 + v2 * d2
        J[k, 0] += w0 + (v0 - off * d0) / distance
        J[k, 1] += w1 + (v1 - off * d1) / distance
        J[k, 2] += w2 + (v2 - off * d2) / distance


@inlined
def limited(
    chain: Folded, x: Array, J: Array, wanted: Array, damping: float, M: Array, free: Flags, step: Array
) -> None:
    """The damped step (m,) of the joints that can make it; one at a limit that would leave it stays."""
    m = len(x)
    for k in range(m):
        free[k] = True
    for _ in range(m + 1):
        for i in range(3):
            for j in range(3):
                M[i, j] = damping if i == j else 0.0
                for k in range(m):
                    if free[k]:
                        M[i, j] += J[k, i] * J[k, j]
            M[i, 3] = wanted[i]
        for p in range(3):  # Gauss; M is positive
            for i in range(p + 1, 3):
                factor = M[i, p] / M[p, p]
                for j in range(p, 4):
                    M[i, j] -= factor * M[p, j]
        y2 = M[2, 3] / M[2, 2]
        y1 = (M[1, 3] - M[1, 2] * y2) / M[1, 1]
        y0 = (M[0, 3] - M[0, 1] * y1 - M[0, 2] * y2) / M[0, 0]
        blocked = False
        for k in range(m):
            step[k] = J[k, 0] * y0 + J[k, 1] * y1 + J[k, 2] * y2 if free[k] else 0.0
        for k in range(m):
            if free[k] and (
                (x[k] >= chain.upper[k] - 1e-9 and step[k] > 0.0) or (x[k] <= chain.lower[k] + 1e-9 and step[k] < 0.0)
            ):
                free[k] = False
                blocked = True
        if not blocked:
            break
    for k in range(m):
        step[k] = min(max(step[k], -LARGEST_STEP), LARGEST_STEP)
