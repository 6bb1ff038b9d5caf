"""Trajectories within the limits of velocity and acceleration, by toppra (Pham and Pham 2018)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any

import numpy as np
import toppra
import toppra.algorithm
import toppra.constraint

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

logging.getLogger("toppra").setLevel(logging.ERROR)

COARSE = 0.08  # [m] of displacement between the points through which the spline goes
FINE = 0.02  # [m] the same, for a spline that keeps closer to the path
HEADROOM = 0.85  # of the limits is planned with; the rest is for the feedback that corrects on the way


@dataclass(frozen=True, eq=False)
class Leg:
    """One motion from rest to rest."""

    spline: Any
    """From time [s] to (k,) positions; None when nothing moves."""
    duration: float
    """[s] At the limits."""
    start: Array
    """(k,) Where it begins."""


@dataclass(frozen=True, eq=False)
class TimedPath:
    """Legs one after the other, played at a common speed that is at most that of the limits."""

    indices: Indices
    """(k,) The joints that it moves."""
    legs: tuple[Leg, ...]
    """In order."""
    speed: float
    """[-] 1 at the limits, less when a longer duration was asked for."""

    @property
    def duration(self) -> float:
        """[s] How long it takes."""
        return sum(leg.duration for leg in self.legs) / self.speed

    def starts(self, leg: int) -> float:
        """[s] When a leg begins."""
        return sum(item.duration for item in self.legs[:leg]) / self.speed

    def sample(self, time: float) -> tuple[Array, Array, Array]:
        """(k,), (k,), (k,) position, velocity and acceleration at ``time`` [s], clipped to the ends."""
        scaled = time * self.speed
        for number, leg in enumerate(self.legs):
            if scaled <= leg.duration or number == len(self.legs) - 1:
                break
            scaled -= leg.duration
        zero = np.zeros(len(self.indices))
        if leg.spline is None:
            return leg.start.copy(), zero, zero
        local = float(np.clip(scaled, 0.0, leg.duration))
        if local != scaled:
            return np.asarray(leg.spline(local)), zero, zero
        return (
            np.asarray(leg.spline(local)),
            np.asarray(leg.spline(local, 1)) * self.speed,
            np.asarray(leg.spline(local, 2)) * self.speed**2,
        )


def time_parameterise(
    paths: list[Array],
    indices: Indices,
    velocity: Array,
    acceleration: Array,
    displacement: Array,
    duration: float,
    spacing: float = COARSE,
) -> TimedPath | Failure:
    """Put times to paths, each a leg from rest to rest.

    Args:
        paths: (m, k) [m, rad] Waypoints of each leg; each begins where the one before ends.
        indices: (k,) Which joints they are.
        velocity: (k,) [m/s, rad/s] Limits.
        acceleration: (k,) [m/s^2, rad/s^2] Limits.
        displacement: (k,) [m/rad] Weights by which the path is cut into spline points.
        duration: [s] Minimum of the whole; but where nothing is to move it takes no time.
        spacing: [m] Of displacement between the spline points.

    Returns:
        The trajectory, or a failure when toppra finds no times.
    """
    legs = []
    for path in paths:
        leg = _leg(path, velocity * HEADROOM, acceleration * HEADROOM, displacement, spacing)
        if leg is None:
            return Failure(FailureKind.JOINT_LIMIT, "trajectory", "no times within the limits were found for the path")
        legs.append(leg)
    fastest = sum(leg.duration for leg in legs)
    return TimedPath(indices, tuple(legs), min(1.0, fastest / duration) if duration > 0 and fastest > 0 else 1.0)


def _leg(path: Array, velocity: Array, acceleration: Array, displacement: Array, spacing: float) -> Leg | None:
    points = resample(path, displacement, spacing)
    if len(points) < 2:
        return Leg(None, 0.0, np.array(path[0]))
    lengths = np.linalg.norm(np.diff(points, axis=0) * displacement, axis=1)
    knots = np.concatenate([[0.0], np.cumsum(lengths)])
    knots /= knots[-1]
    geometric = toppra.SplineInterpolator(knots, points, bc_type="not-a-knot")
    limits = [
        toppra.constraint.JointVelocityConstraint(np.column_stack([-velocity, velocity])),
        toppra.constraint.JointAccelerationConstraint(np.column_stack([-acceleration, acceleration])),
    ]
    grid = np.linspace(0.0, 1.0, max(60, min(600, 4 * len(points))))
    solver = toppra.algorithm.TOPPRA(limits, geometric, gridpoints=grid, parametrizer="ParametrizeConstAccel")
    timed = solver.compute_trajectory(0.0, 0.0)
    if timed is None:
        return None
    return Leg(timed, float(timed.duration), np.array(path[0]))


def resample(path: Array, displacement: Array, spacing: float) -> Array:
    """(m, k) Points on a polyline, its corners among them, no further apart than ``spacing`` [m] of displacement."""
    points = [path[0]]
    for start, end in zip(path[:-1], path[1:], strict=True):
        length = float(np.linalg.norm((end - start) * displacement))
        if length < 1e-9:
            continue
        pieces = max(1, int(np.ceil(length / spacing)))
        points += [start + (end - start) * k / pieces for k in range(1, pieces + 1)]
    return np.array(points)

