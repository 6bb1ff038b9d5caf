"""A descent of inverse kinematics in compiled code: damped least squares within the limits.

A step minimises the weighted error of the pose and the damped motion (Nakamura and Hanafusa 1986), with the damping
proportional to the error as Sugihara (2011) has it. Coordinates that would leave their limits are put on them and the
rest is solved again, so a step is never cut off by clipping.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from taskmatrix.core.world.objects import Array

from ..jit.compiled import compiled, inlined
from .serial import Folded, copy, difference, forward, jacobian

LEVER = 0.15  # [m/rad] by which an angle counts beside a distance
DAMPING = 0.1  # [-] by the square of the error
MOST_DAMPING = 0.1  # [m^2] far away
LEAST_DAMPING = 1e-9  # [m^2]
USELESS_DAMPING = 1e3  # [m^2] with which nothing moves any more
LARGEST_TURN = 1.3  # [rad] of one step
PROGRESS = 0.95  # what must be left of the squared error at most for a step to count
PULL = 0.3  # of the way to the reference is wished for in one step
SETTLED = 4  # steps on the target that bring the reference no nearer


class Goals(NamedTuple):
    """What is asked for."""

    targets: Array
    """(t, 12) First three rows of each pose."""
    turned: bool
    """Whether the orientation counts."""
    reference: Array
    """(m,) [rad] or [m] Empty for none."""
    distance: float
    """[m] Tolerance."""
    angle: float
    """[rad] Tolerance."""


class Work(NamedTuple):
    """Memory of a descent."""

    axes: Array
    """(k, 6) Axis of each joint and a point on it, in the world."""
    T: Array
    """(12,) Pose of the frame."""
    J: Array
    """(m, 6) Jacobian, transposed."""
    M: Array
    """(6, 6) The normal matrix, then its factors."""
    error: Array
    """(6,) Position and rotation still to go."""
    y: Array
    """(6,) Right side, then solution, of the normal equations."""
    desired: Array
    """(m,) Step towards the reference."""
    step: Array
    """(m,)"""
    shares: Array
    """(m,) The weights of the coordinates, zero where a limit holds one."""
    x: Array
    """(m,) Where the descent is."""


@compiled
def workspace(k: int, m: int) -> Work:
    """Memory for a chain of k joints and m coordinates."""
    axes, T, J, M = np.empty((k, 6)), np.empty(12), np.empty((m, 6)), np.empty((6, 6))
    return Work(axes, T, J, M, np.empty(6), np.empty(6), np.empty(m), np.empty(m), np.empty(m), np.empty(m))


@inlined
def fill_normal(J: Array, shares: Array, damping: float, M: Array) -> None:
    """The lower half of the sum of shares[k] J[k] J[k]' with damping on the diagonal into M (6, 6).

    Written out, because the compiler then keeps the sums in registers; a fourth of the time of the loops.
    """
    a00 = a10 = a11 = a20 = a21 = a22 = 0.0
    b00 = b01 = b02 = b10 = b11 = b12 = b20 = b21 = b22 = 0.0
    c00 = c10 = c11 = c20 = c21 = c22 = 0.0
    for k in range(len(shares)):
        share, v0, v1, v2, w0, w1, w2 = shares[k], J[k, 0], J[k, 1], J[k, 2], J[k, 3], J[k, 4], J[k, 5]
        s0, s1, s2, t0, t1 = share * v0, share * v1, share * v2, share * w0, share * w1
        a00, a10, a11 = a00 + s0 * v0, a10 + s0 * v1, a11 + s1 * v1
        a20, a21, a22 = a20 + s0 * v2, a21 + s1 * v2, a22 + s2 * v2
        b00, b01, b02 = b00 + s0 * w0, b01 + s1 * w0, b02 + s2 * w0
        b10, b11, b12 = b10 + s0 * w1, b11 + s1 * w1, b12 + s2 * w1
        b20, b21, b22 = b20 + s0 * w2, b21 + s1 * w2, b22 + s2 * w2
        c00, c10, c11 = c00 + t0 * w0, c10 + t0 * w1, c11 + t1 * w1
        c20, c21, c22 = c20 + t0 * w2, c21 + t1 * w2, c22 + share * w2 * w2
    M[0, 0], M[1, 0], M[1, 1], M[2, 0], M[2, 1], M[2, 2] = a00 + damping, a10, a11 + damping, a20, a21, a22 + damping
    M[3, 0], M[3, 1], M[3, 2], M[4, 0], M[4, 1], M[4, 2] = b00, b01, b02, b10, b11, b12
    M[5, 0], M[5, 1], M[5, 2] = b20, b21, b22
    M[3, 3], M[4, 3], M[4, 4], M[5, 3], M[5, 4], M[5, 5] = c00 + damping, c10, c11 + damping, c20, c21, c22 + damping


@inlined
def solve_normal(M: Array, y: Array) -> None:
    """Replace y (6,) by the solution of M x = y; M (6, 6) is positive, its lower half given, and overwritten (LDL')."""
    for k in range(6):
        inverse = 1.0 / max(M[k, k], 1e-14)
        for i in range(k + 1, 6):
            factor = M[i, k] * inverse
            y[i] -= factor * y[k]
            for j in range(k + 1, i + 1):
                M[i, j] -= factor * M[j, k]
        for i in range(k + 1, 6):
            M[i, k] *= inverse
        M[k, k] = inverse
    for i in range(5, -1, -1):
        s = y[i] * M[i, i]
        for k in range(i + 1, 6):
            s -= M[k, i] * y[k]
        y[i] = s


@inlined
def take_step(chain: Folded, work: Work, damping: float, pulled: bool) -> None:
    """Move work.x by the step that solves work.error best, within the limits."""
    m, x, J, lower, upper = len(chain.lower), work.x, work.J, chain.lower, chain.upper
    desired, step, shares, error, y, M = work.desired, work.step, work.shares, work.error, work.y, work.M
    weights, slides, columns, ratios = chain.weights, chain.slides, chain.columns, chain.ratios
    for k in range(m):
        slope = 0.0
        for i in range(6):
            slope += J[k, i] * error[i]
        stuck = (x[k] <= lower[k] and slope < 0.0) or (x[k] >= upper[k] and slope > 0.0)
        step[k] = desired[k]
        shares[k] = 0.0 if stuck and not pulled else weights[k]  # a first guess of the limits that hold the step
    for _ in range(m):
        copy(error, y)
        for k in range(m):
            if step[k] != 0.0:
                for i in range(6):
                    y[i] -= J[k, i] * step[k]
        fill_normal(J, shares, damping, M)
        solve_normal(M, y)
        outside = False
        for k in range(m):
            if shares[k] > 0.0:
                along = 0.0
                for i in range(6):
                    along += J[k, i] * y[i]
                step[k] = desired[k] + shares[k] * along
                if not lower[k] <= x[k] + step[k] <= upper[k]:
                    step[k] = min(max(step[k], lower[k] - x[k]), upper[k] - x[k])
                    shares[k] = 0.0
                    outside = True
        if not outside:
            break
        for k in range(m):
            if shares[k] > 0.0:
                step[k] = desired[k]
    largest = 0.0
    for j in range(chain.size):
        if not slides[j]:
            largest = max(largest, abs(step[columns[j]] * ratios[j]))
    share = 1.0 if largest <= LARGEST_TURN else LARGEST_TURN / largest
    for k in range(m):
        x[k] = min(max(x[k] + share * step[k], lower[k]), upper[k])


@inlined
def evaluate(chain: Folded, goals: Goals, target: Array, work: Work) -> tuple[bool, float]:
    """Whether work.x is on a target (12,), and the squared error [m^2]; the error itself into work.error."""
    T, error = work.T, work.error
    forward(chain, work.x, work.axes, T)
    distance, angle = difference(T, target, goals.turned, error)
    square = 0.0
    for i in range(6):
        error[i] *= 1.0 if i < 3 else LEVER
        square += error[i] ** 2
    return distance < goals.distance and angle < goals.angle, square


@compiled
def descend(
    chain: Folded, goals: Goals, target: Array, iterations: int, patience: int, early: bool, work: Work, best: Array
) -> tuple[bool, int, float]:
    """Descend from best (m,), and leave there the best that was found.

    With a reference, it is pulled there from the beginning (``early``) or, which arrives where little space is left,
    once it has reached the target.

    Returns:
        Whether it is on the target, steps taken, and the squared error [m^2] that is left if it is not.
    """
    x, desired, reference = work.x, work.desired, goals.reference
    pulled = len(reference) > 0
    copy(best, x)
    found, least, stalled, taken = False, np.inf, 0, 0
    for iteration in range(iterations + 1):
        taken = iteration
        reached, square = evaluate(chain, goals, target, work)
        measure = square
        if reached and pulled:  # from now on what counts is the reference
            measure = 0.0
            for k in range(len(x)):
                measure += (x[k] - reference[k]) ** 2
        first = reached and not found
        counts = reached or not found
        stalled = 0 if first or (counts and measure < PROGRESS * least) else stalled + 1
        if first or (counts and measure < least):
            least = measure
            copy(x, best)
        found = found or reached
        if (found and not pulled) or stalled > (SETTLED if found else patience) or iteration == iterations:
            break
        pulling = pulled and (found or early)
        for k in range(len(x)):
            desired[k] = PULL * (reference[k] - x[k]) if pulling else 0.0
        jacobian(chain, work.axes, work.T, LEVER if goals.turned else 0.0, work.J)
        take_step(chain, work, min(DAMPING * square, MOST_DAMPING) + LEAST_DAMPING, pulling)
    return found, taken, least


@compiled
def refine(
    chain: Folded, goals: Goals, target: Array, iterations: int, work: Work, best: Array
) -> tuple[bool, int, float]:
    """Bring best (m,) as near to a target (12,) as it gets from there.

    By Levenberg and Marquardt: the damping grows until a step helps, where a descent would be given up.

    Returns:
        As :func:`descend`.
    """
    x, desired, damping, taken = work.x, work.desired, MOST_DAMPING, 0
    copy(best, x)
    reached, least = evaluate(chain, goals, target, work)
    while not reached and taken < iterations and damping < USELESS_DAMPING:
        for k in range(len(x)):
            desired[k] = 0.0
        jacobian(chain, work.axes, work.T, LEVER if goals.turned else 0.0, work.J)
        take_step(chain, work, damping, False)
        reached, square = evaluate(chain, goals, target, work)
        if square < least:
            least, damping = square, max(damping / 4.0, LEAST_DAMPING)
            copy(x, best)
        else:
            damping *= 8.0
            copy(best, x)
            reached, least = evaluate(chain, goals, target, work)
        taken += 1
    return reached, taken, least
