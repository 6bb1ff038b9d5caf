"""Trajectories within the limits of velocity and acceleration, by toppra (Pham and Pham 2018)."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import toppra
import toppra.algorithm
import toppra.constraint

from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

from .curve import Curve, Limits

logging.getLogger("toppra").setLevel(logging.ERROR)

COARSE = 0.08  # [m] of displacement between the points through which the spline goes
FINE = 0.02  # [m] the same, for a spline that keeps closer to the path
HEADROOM = 0.85  # of the limits is planned with; the rest is for the feedback that corrects on the way
FULL = 0.97  # of the limits is never exceeded, at no INSTANT
INSTANT = 0.002  # [s] between toppra's grid points its curve may leave the limits, so it is measured this often


@dataclass(frozen=True, eq=False)
class Leg:
    """One motion from rest to rest."""

    spline: Any
    """From toppra's time [s] to (k,) positions; None when nothing moves."""
    pace: float
    """[-] At which toppra's time passes: 1, or less where it left a limit between its grid points."""
    duration: float
    """[s] At this pace."""
    start: Array
    """(k,) Where it begins."""

    def sample(self, time: float) -> tuple[Array, Array, Array]:
        """(k,), (k,), (k,) position, velocity and acceleration at ``time`` [s], at rest before and after."""
        zero = np.zeros(len(self.start))
        if self.spline is None:
            return self.start.copy(), zero, zero
        local = self.pace * float(np.clip(time, 0.0, self.duration))
        q = np.asarray(self.spline(local))
        if not 0.0 <= time <= self.duration:
            return q, zero, zero
        return q, self.pace * np.asarray(self.spline(local, 1)), self.pace**2 * np.asarray(self.spline(local, 2))


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
        q, v, a = leg.sample(scaled)
        return q, v * self.speed, a * self.speed**2


def time_parameterise(
    paths: list[Array],
    indices: Indices,
    limits: Limits,
    displacement: Array,
    duration: float,
    spacing: float = COARSE,
) -> TimedPath | Failure:
    """Put times to paths, each a leg from rest to rest.

    Args:
        paths: (m, k) [m, rad] Waypoints of each leg; each begins where the one before ends.
        indices: (k,) Which joints they are.
        limits: Of these joints.
        displacement: (k,) [m/rad] Weights by which the path is cut into spline points.
        duration: [s] Minimum of the whole; but where nothing is to move it takes no time.
        spacing: [m] Of displacement between the spline points.

    Returns:
        The trajectory, or a failure when toppra finds no times.
    """
    legs = []
    for path in paths:
        leg = _leg(path, limits, displacement, spacing)
        if leg is None:
            return Failure(FailureKind.JOINT_LIMIT, "trajectory", "no times within the limits were found for the path")
        legs.append(leg)
    fastest = sum(leg.duration for leg in legs)
    return TimedPath(indices, tuple(legs), min(1.0, fastest / duration) if duration > 0 and fastest > 0 else 1.0)


def _leg(path: Array, limits: Limits, displacement: Array, spacing: float) -> Leg | None:
    points = resample(path, displacement, spacing)
    if len(points) < 2:
        return Leg(None, 1.0, 0.0, np.array(path[-1]))
    lengths = np.linalg.norm(np.diff(points, axis=0) * displacement, axis=1)
    curve = Curve.through(np.concatenate([[0.0], np.cumsum(lengths)]), points, limits)
    bounds = [
        toppra.constraint.JointVelocityConstraint(np.outer(limits.velocity * HEADROOM, [-1.0, 1.0])),
        toppra.constraint.JointAccelerationConstraint(np.outer(limits.acceleration * HEADROOM, [-1.0, 1.0])),
    ]
    grid = np.linspace(*curve.path_interval, max(60, 4 * len(points)))
    solver = toppra.algorithm.TOPPRA(bounds, curve, gridpoints=grid, parametrizer="ParametrizeConstAccel")
    timed = solver.compute_trajectory(0.0, 0.0)
    if timed is None:
        return None
    duration = float(timed.duration)
    times = np.linspace(0.0, duration, max(200, int(duration / INSTANT)))
    fastest = float(np.max(np.abs(timed(times, 1)) / limits.velocity))
    hardest = float(np.max(np.abs(timed(times, 2)) / limits.acceleration))
    pace = float(min(1.0, FULL / fastest, np.sqrt(FULL / hardest)))
    return Leg(timed, pace, duration / pace, np.array(path[0]))


def resample(path: Array, displacement: Array, spacing: float) -> Array:
    """(m, k) Points on a polyline, its corners among them, no further apart than ``spacing`` [m] of displacement."""
    points = [path[0]]
    for start, end in pairwise(path):
        length = float(np.linalg.norm((end - start) * displacement))
        if length < 1e-9:
            continue
        pieces = max(1, int(np.ceil(length / spacing)))
        points += [start + (end - start) * k / pieces for k in range(1, pieces + 1)]
    return np.array(points)
