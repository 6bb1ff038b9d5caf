"""How fast a curve can be passed, in compiled code: by reachability analysis (Pham and Pham 2018, TOPP-RA).

Along a curve q(s), with x the square of the speed ds/dt and u the acceleration of s, a joint's velocity is
``q' sqrt(x)`` and its acceleration ``q'' x + q' u``. Between the points of a grid u is constant, and x linear in s.
Backwards over the grid: the largest x from which the end can be reached. Then forwards: the largest u with which the
next point is not passed faster than that.

Where limits are left between the points of the grid, less of them is used for those steps, and all is done once more.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from taskmatrix.core.world.objects import Array

from ..jit.compiled import bare, compiled

FEWEST = 60  # steps of the grid over a curve
EACH = 4  # of them, at least, over every piece
PASSES = 4  # at most; then the whole is slowed down
NEARLY = 1.001  # times too fast is not worth another pass
ROUNDS = 20  # of the search for the largest x; two or three suffice
FLAT = 1e-6  # of what x makes of an acceleration; if u makes no more, it is left out


class Course(NamedTuple):
    """A curve of cubics, and when it is where; from rest to rest."""

    knots: Array
    """(m,) [m] Lengths at which the pieces meet."""
    pieces: Array
    """(m - 1, 4, k) Coefficients, of rising order."""
    grid: Array
    """(g,) [m] Lengths between which the acceleration along the curve is constant; as many on every piece."""
    times: Array
    """(g,) [s] When it is there."""
    speeds: Array
    """(g,) [m/s] How fast."""


@compiled
def topp_ra(knots: Array, pieces: Array, velocity: Array, acceleration: Array, headroom: float, full: float) -> Course:
    """Pass a curve in the shortest time with limits (k,); the last time is not finite if there is none.

    Args:
        knots: (m,) [m]
        pieces: (m - 1, 4, k) With continuous slopes.
        velocity: [m/s, rad/s]
        acceleration: [m/s^2, rad/s^2]
        headroom: Of the limits is planned with.
        full: Of the limits is never exceeded, at no instant.
    """
    cuts = max(EACH, math.ceil(FEWEST / len(pieces)))
    size = len(pieces) * cuts
    grid, x, share = np.empty(size + 1), np.empty(size + 1), np.full(size, headroom)
    rows = np.empty((size, 2 * len(velocity), 2))
    for i in range(size):
        p = i // cuts
        grid[i] = knots[p] + (knots[p + 1] - knots[p]) * (i % cuts) / cuts
    grid[size], slower = knots[-1], 1.0
    for _ in range(PASSES):
        for i in range(size):
            p, step = i // cuts, grid[i + 1] - grid[i]
            x[i] = constrain(pieces, p, grid[i] - knots[p], step, velocity, acceleration, share[i], rows, i)
        x[size] = 0.0
        for i in range(size - 1, -1, -1):
            step = grid[i + 1] - grid[i]
            x[i] = worthwhile(rows, i, step, largest(rows, i, step, x[i], x[i + 1]), x[i + 1])
        x[0], slower = 0.0, 1.0
        for i in range(size):
            p, step = i // cuts, grid[i + 1] - grid[i]
            w, r = above(rows, i, step, x[i], x[i + 1])
            x[i + 1] = max(0.0, min(x[i] + 2.0 * step * (w - r * x[i]), x[i + 1]))
            most = demand(pieces, p, grid[i] - knots[p], step, x[i], x[i + 1], velocity, acceleration, full)
            slower = max(slower, math.sqrt(most))
            share[i] /= max(1.0, most)
        if slower < NEARLY:
            break
    times, speeds = np.zeros(size + 1), np.zeros(size + 1)
    for i in range(size):
        speeds[i + 1] = math.sqrt(x[i + 1]) / slower
        times[i + 1] = times[i] + 2.0 * (grid[i + 1] - grid[i]) / (speeds[i] + speeds[i + 1])
    return Course(knots, pieces, grid, times, speeds)


@compiled
def follow(course: Course, times: Array, rate: float, q: Array, v: Array, a: Array) -> None:
    """Positions, velocities and accelerations (t, k) at times (t,) [s] into q, v and a; at rest before and after.

    Args:
        course: What is passed.
        times: From its start; it is quick if they rise.
        rate: [-] Of its own time to this one.
        q: Written to.
        v: Written to.
        a: Written to.
    """
    knots, pieces, grid, own, speeds = course
    size = len(grid) - 1
    cuts, i = size // len(pieces), 0
    for n in range(len(times)):
        time = min(max(times[n] * rate, 0.0), own[size])
        if time < own[i]:
            i = 0
        while i < size - 1 and time > own[i + 1]:
            i += 1
        p, step, since = i // cuts, grid[i + 1] - grid[i], time - own[i]
        u = 0.5 * (speeds[i + 1] - speeds[i]) * (speeds[i + 1] + speeds[i]) / step
        speed = speeds[i] + u * since
        s = grid[i] - knots[p] + min(max((speeds[i] + 0.5 * u * since) * since, 0.0), step)
        moving = rate if 0.0 <= times[n] * rate <= own[size] else 0.0
        for j in range(pieces.shape[2]):
            d, c, b, e = pieces[p, 0, j], pieces[p, 1, j], pieces[p, 2, j], pieces[p, 3, j]
            slope, bend = c + s * (2.0 * b + 3.0 * s * e), 2.0 * b + 6.0 * s * e
            q[n, j] = d + s * (c + s * (b + s * e))
            v[n, j] = moving * slope * speed
            a[n, j] = moving * moving * (bend * speed * speed + slope * u)


@bare
def constrain(
    pieces: Array,
    p: int,
    begin: float,
    step: float,
    velocity: Array,
    acceleration: Array,
    headroom: float,
    rows: Array,
    i: int,
) -> float:
    """The largest x that the velocities allow at the begin of step i, and what accelerations ask of it at both ends.

    Each (w, r) of rows[i] says that u + r x is between -w and w.
    """
    cap = np.inf
    for j in range(len(velocity)):
        c, b, a, limit = pieces[p, 1, j], pieces[p, 2, j], pieces[p, 3, j], headroom * acceleration[j]
        for end in range(2):
            s = begin + end * step
            slope, bend = c + s * (2.0 * b + 3.0 * s * a), 2.0 * b + 6.0 * s * a
            if end == 0 and slope != 0.0:
                fastest = headroom * velocity[j] / slope
                cap = min(cap, fastest * fastest)
            by_u = slope + 2.0 * step * bend * end  # because there x is x + 2 step u
            w, r = np.inf, 0.0
            if abs(by_u) > FLAT * abs(bend) * step:
                w, r = limit / abs(by_u), bend / by_u
            elif bend != 0.0:
                cap = min(cap, limit / abs(bend))
            rows[i, 2 * j + end, 0], rows[i, 2 * j + end, 1] = w, r
    return cap


@bare
def above(rows: Array, i: int, step: float, x: float, to: float) -> tuple[float, float]:
    """The line (w, r) with the least w - r x: the largest u with which x is at most ``to`` after step i."""
    w, r = 0.5 * to / step, 0.5 / step
    for row in range(rows.shape[1]):
        if rows[i, row, 0] - rows[i, row, 1] * x < w - r * x:
            w, r = rows[i, row, 0], rows[i, row, 1]
    return w, r


@bare
def below(rows: Array, i: int, step: float, x: float) -> tuple[float, float]:
    """The line (w, r) with the greatest -w - r x: the smallest u with which x is not negative after step i."""
    w, r = 0.0, 0.5 / step
    for row in range(rows.shape[1]):
        if rows[i, row, 0] + rows[i, row, 1] * x < w + r * x:
            w, r = rows[i, row, 0], rows[i, row, 1]
    return w, r


@bare
def largest(rows: Array, i: int, step: float, x: float, to: float) -> float:
    """The largest square of the speed, at most x, from which one in [0, to] can be reached over step i.

    Newton's method on what is between the largest and the smallest u, a concave function of x with straight pieces:
    each round goes to where the two lines meet.
    """
    for _ in range(ROUNDS):
        high_w, high_r = above(rows, i, step, x, to)
        low_w, low_r = below(rows, i, step, x)
        if high_w - high_r * x >= -low_w - low_r * x or high_r <= low_r:
            break
        meeting = (high_w + low_w) / (high_r - low_r)
        if meeting >= x:
            break
        x = meeting
    return x


@bare
def worthwhile(rows: Array, i: int, step: float, x: float, to: float) -> float:
    """The square of the speed, at most x, below which not three times is gained after step i what is lost before it.

    Where a joint turns round, the largest x may only be left by braking hard, which a little less x need not.
    """
    even = 2.0 / step  # the slope of a line along which x + 2 step u rises by three times what x falls
    right_w, right_r = above(rows, i, step, x, to)
    if right_r <= even:
        return x
    left_w, left_r = above(rows, i, step, 0.0, to)
    if left_r > even:
        return x
    for _ in range(ROUNDS):
        x = (right_w - left_w) / (right_r - left_r)
        w, r = above(rows, i, step, x, to)
        if even < r < right_r:
            right_w, right_r = w, r
        elif left_r < r <= even:
            left_w, left_r = w, r
        else:
            break
    return x


@bare
def demand(
    pieces: Array,
    p: int,
    begin: float,
    step: float,
    x: float,
    to: float,
    velocity: Array,
    acceleration: Array,
    full: float,
) -> float:
    """By how much x would have to be divided for a step to keep the limits at every instant; less than 1 if it does.

    Over a step the acceleration of a joint is quadratic in the length. It is largest at the ends or at the vertex, and
    the velocity where it is zero.
    """
    most, u = 0.0, 0.5 * (to - x) / step
    for j in range(len(velocity)):
        c, b, a = pieces[p, 1, j], pieces[p, 2, j], pieces[p, 3, j]
        slope, bend = c + begin * (2.0 * b + 3.0 * begin * a), 2.0 * b + 6.0 * begin * a
        a0, a1, a2 = bend * x + slope * u, 6.0 * a * x + 3.0 * bend * u, 15.0 * a * u
        last = a0 + step * (a1 + step * a2)
        hardest, low, high = max(abs(a0), abs(last)), min(a0, last), max(a0, last)
        vertex = -0.5 * a1 / a2 if a2 != 0.0 else -1.0
        if 0.0 < vertex < step:
            value = a0 + vertex * (a1 + vertex * a2)
            hardest, low, high = max(hardest, abs(value)), min(low, value), max(high, value)
        fastest = max(abs(slope) * math.sqrt(x), abs(slope + step * (bend + 3.0 * step * a)) * math.sqrt(to))
        if low < 0.0 < high:
            root = -0.5 * (a1 + math.copysign(math.sqrt(max(0.0, a1 * a1 - 4.0 * a0 * a2)), a1))
            for s in (root / a2 if a2 != 0.0 else -1.0, a0 / root if root != 0.0 else -1.0):
                if 0.0 < s < step:
                    there = math.sqrt(max(0.0, x + 2.0 * s * u))
                    fastest = max(fastest, abs(slope + s * (bend + 3.0 * s * a)) * there)
        if fastest > 0.0:
            most = max(most, (fastest / (full * velocity[j])) ** 2)
        if hardest > 0.0:
            most = max(most, hardest / (full * acceleration[j]))
    return most
