"""Inverse kinematics in compiled code: descents from the start and from random configurations until one arrives."""

from __future__ import annotations

import math

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from ..jit.compiled import compiled, inlined
from .chain import Joints
from .descent import LEVER, Goals, Work, descend, refine, workspace
from .serial import Folded, copy, difference, fold, forward

DRAWN = 4  # random configurations of which the nearest begins a descent
HALF_WINDOW_TURN = math.pi  # [rad] around the start in which a coordinate is drawn whose range is wider
HALF_WINDOW_SLIDE = 1.0  # [m] likewise

FOUND, NOT_FOUND, START_NOT_FINITE, TARGET_NOT_FINITE, NOT_A_ROTATION = 1, 0, -1, -2, -3
_GOLDEN, _MIX_1, _MIX_2 = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_S30, _S27, _S31, _S11 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(11)


@inlined
def uniform(seed: int, counter: int) -> float:
    """A number in [0, 1) that is a function of seed and counter (SplitMix64, Steele and others 2014)."""
    z = np.uint64(seed) + _GOLDEN * np.uint64(counter + 1)
    z = (z ^ (z >> _S30)) * _MIX_1
    z = (z ^ (z >> _S27)) * _MIX_2
    return float((z ^ (z >> _S31)) >> _S11) * 2.0**-53


@compiled
def draw(chain: Folded, middle: Array, seed: int, counter: int, x: Array) -> None:
    """A random configuration into x (m,), denser towards the limits, where solutions are hard to come by."""
    m, lower, upper, slides, columns = len(x), chain.lower, chain.upper, chain.slides, chain.columns
    for k in range(m):
        half = HALF_WINDOW_SLIDE
        for j in range(chain.size):
            if columns[j] == k and not slides[j]:
                half = HALF_WINDOW_TURN
        low, high, share = lower[k], upper[k], uniform(seed, counter * m + k)
        if high - low > 2.0 * half:
            low, high = max(low, middle[k] - half), min(high, middle[k] + half)
        else:
            share = 0.5 - 0.5 * math.cos(math.pi * share)
        x[k] = low + share * (high - low)


@inlined
def weigh(error: Array) -> float:
    """[m^2] The square of an error (6,), with angles weighted."""
    distance = error[0] ** 2 + error[1] ** 2 + error[2] ** 2
    return float(distance + LEVER**2 * (error[3] ** 2 + error[4] ** 2 + error[5] ** 2))


@compiled
def draw_near(
    chain: Folded, goals: Goals, target: Array, middle: Array, seed: int, attempt: int, work: Work, x: Array
) -> None:
    """Of a few random configurations, the one with the frame nearest to a target (12,) into x (m,)."""
    smallest = np.inf
    for i in range(DRAWN):
        draw(chain, middle, seed, attempt * DRAWN + i, work.x)
        forward(chain, work.x, work.axes, work.T)
        difference(work.T, target, goals.turned, work.error)
        square = weigh(work.error)
        if square < smallest:
            smallest = square
            copy(work.x, x)


@compiled
def nearest_first(chain: Folded, goals: Goals, x: Array, work: Work) -> Indices:
    """(t,) The targets in the order of their distance from the frame at x (m,)."""
    count = len(goals.targets)
    order, away = np.empty(count, np.intp), np.empty(count)
    forward(chain, x, work.axes, work.T)
    for t in range(count):
        difference(work.T, goals.targets[t], goals.turned, work.error)
        square, place = weigh(work.error), t
        while place > 0 and away[place - 1] > square:
            away[place], order[place] = away[place - 1], order[place - 1]
            place -= 1
        away[place], order[place] = square, t
    return order


@compiled
def trouble(goals: Goals, start: Array) -> int:
    """What is wrong with the numbers that a user gave; zero if nothing is."""
    for value in start:
        if not math.isfinite(value):
            return START_NOT_FINITE
    for t in range(len(goals.targets)):
        T = goals.targets[t]
        for value in T:
            if not math.isfinite(value):
                return TARGET_NOT_FINITE
        for i in range(3 if goals.turned else 0):
            for j in range(3):
                dot = T[i] * T[j] + T[4 + i] * T[4 + j] + T[8 + i] * T[8 + j]
                if abs(dot - (1.0 if i == j else 0.0)) > 1e-5:
                    return NOT_A_ROTATION
        minor0, minor1, minor2 = T[5] * T[10] - T[6] * T[9], T[4] * T[10] - T[6] * T[8], T[4] * T[9] - T[5] * T[8]
        if goals.turned and T[0] * minor0 - T[1] * minor1 + T[2] * minor2 < 0.0:  # a mirror image
            return NOT_A_ROTATION
    return 0


@compiled
def search(
    joints: Joints,
    goals: Goals,
    start: Array,
    seed: int,
    first: int,
    attempts: int,
    iterations: int,
    patience: int,
    refinements: int,
) -> tuple[int, Array, int, int, int, float, float]:
    """Descend from the start (n,) to each goal, then from random configurations to one after the other.

    Args:
        joints: The chain.
        goals: Any of them will do.
        start: Joints that do not move stay as here.
        seed: Of the random configurations.
        first: Attempts before this one are left out: they were made.
        attempts: Descents at most.
        iterations: Steps of a descent at most.
        patience: Steps without progress before a descent is given up.
        refinements: Steps at the end at most, to find the nearest if none arrived.

    Returns:
        Status, the nearest configuration (n,), attempts and steps made, which target; distance [m], angle [rad] left.
    """
    q, status = start.copy(), trouble(goals, start)
    if status:
        return status, q, 0, 0, 0, np.inf, np.inf
    chain = fold(joints, start)
    m, count = len(joints.indices), len(goals.targets)
    work = workspace(chain.size, m)
    origin, x, nearest = np.empty(m), np.empty(m), np.empty(m)
    for k in range(m):
        origin[k] = min(max(start[joints.indices[k]], chain.lower[k]), chain.upper[k])
    copy(origin, nearest)
    order = nearest_first(chain, goals, origin, work)
    if not m:  # nothing can move
        iterations, refinements, attempts = 0, 0, min(attempts, count)
    least, steps, which, attempt = np.inf, 0, order[0], first
    while status == NOT_FOUND and attempt < attempts:
        t = order[attempt % count]
        copy(origin, x)
        if attempt >= count:
            draw_near(chain, goals, goals.targets[t], origin, seed, attempt, work, x)
        found, taken, square = descend(chain, goals, goals.targets[t], iterations, patience, attempt < count, work, x)
        attempt += 1
        steps += taken
        if found or square < least:
            least, which = square, t
            copy(x, nearest)
        status = FOUND if found else NOT_FOUND
    if status == NOT_FOUND:
        found, taken, square = refine(chain, goals, goals.targets[which], refinements, work, nearest)
        steps += taken
        status = FOUND if found else NOT_FOUND
    forward(chain, nearest, work.axes, work.T)
    distance, angle = difference(work.T, goals.targets[which], goals.turned, work.error)
    for k in range(m):
        back = nearest[k] - round((nearest[k] - origin[k]) / (2.0 * math.pi)) * 2.0 * math.pi
        whole = joints.turns[k] and chain.lower[k] <= back <= chain.upper[k]
        q[joints.indices[k]] = back if whole else nearest[k]  # whole turns away from the start lead nowhere
    return status, q, attempt, steps, which, distance, angle


@compiled
def search_each(
    joints: Joints,
    goals: Goals,
    starts: Array,
    seed: int,
    first: int,
    attempts: int,
    iterations: int,
    patience: int,
    refinements: int,
    largest: float,
) -> tuple[Array, Array, Indices]:
    """Search for every target by itself, from its start (b, n), or with first = 1 only from random configurations.

    Or, if ``largest`` is not zero, one after the other, each from where the one before ended, until one is not found or
    a coordinate has to move by as much or more at once: that one counts as not found, and so do those after it.

    Returns:
        (b, n) the nearest configurations; (b, 2) distance [m] and angle [rad] left; (b, 3) status, attempts and steps.
    """
    count = len(goals.targets)
    q, left, made = np.empty((count, starts.shape[1])), np.empty((count, 2)), np.zeros((count, 3), np.intp)
    for t in range(count):
        alone = Goals(goals.targets[t : t + 1], goals.turned, goals.reference, goals.distance, goals.angle)
        start = q[t - 1] if largest > 0.0 and t > 0 else starts[t]
        status, q_t, tries, steps, _, distance, angle = search(
            joints, alone, start, seed + t, first, first + attempts, iterations, patience, refinements
        )
        copy(q_t, q[t])
        left[t, 0], left[t, 1] = distance, angle
        made[t, 0], made[t, 1], made[t, 2] = status, tries - first, steps
        if largest > 0.0:
            for i in range(len(q_t)):
                if abs(q_t[i] - start[i]) >= largest:
                    made[t, 0] = NOT_FOUND
            if made[t, 0] != FOUND:
                break
    return q, left, made
