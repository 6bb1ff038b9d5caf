"""Trajectories within the limits of velocity and acceleration (Pham and Pham 2018)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.timing.spline import lengths, resample, through
from taskmatrix.kernel.timing.time_parameterization import Course, follow, topp_ra
from taskmatrix.robots import Robot

from .differential_drive import differential_drive

COARSE = 0.08  # [m] of displacement between the points through which the spline goes
FINE = 0.02  # [m] the same, for a spline that keeps closer to the path
HEADROOM = 0.85  # of the limits is planned with; the rest is for the feedback that corrects on the way
FULL = 0.97  # of the limits is never exceeded, at no instant


@dataclass(frozen=True, eq=False)
class Leg:
    """One motion from rest to rest."""

    course: Course | None
    """Where it goes, and when it is where; None when nothing moves."""
    start: Array
    """(k,) Where it begins."""

    @property
    def duration(self) -> float:
        """[s] At the limits."""
        return 0.0 if self.course is None else float(self.course.times[-1])

    def sample(self, times: Array, speed: float = 1.0) -> tuple[Array, Array, Array]:
        """(t, k) each: positions, velocities, accelerations at times (t,) [s], at rest before and after.

        Args:
            times: [s] Rising.
            speed: [-] 1 at the limits.
        """
        if self.course is None:
            still = np.zeros((len(times), len(self.start)))
            return self.start + still, still, still
        q, v, a = np.empty((3, len(times), len(self.start)))
        follow(self.course, times, speed, q, v, a)
        return q, v, a


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
        return self.starts(len(self.legs))

    def starts(self, leg: int) -> float:
        """[s] When a leg begins."""
        return sum(item.duration for item in self.legs[:leg]) / self.speed

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape, clipped to the ends."""
        given = np.asarray(time, dtype=float)
        times, shape = given.ravel(), (*given.shape, len(self.indices))
        starts = [self.starts(leg) for leg in range(len(self.legs))]
        playing = np.searchsorted(starts[1:], times)
        parts = np.empty((3, len(times), len(self.indices)))
        for number, leg in enumerate(self.legs):
            now = playing == number
            if now.any():
                parts[:, now] = leg.sample(times[now] - starts[number], self.speed)
        q, v, a = parts
        return q.reshape(shape), v.reshape(shape), a.reshape(shape)


def time_parameterise(
    paths: list[Array],
    indices: Indices,
    limits: Limits,
    displacement: Array,
    duration: float,
    spacing: float = COARSE,
    rolling: Indices | None = None,
) -> TimedPath | Failure:
    """Put times to paths, each a leg from rest to rest.

    Args:
        paths: (m, k) [m, rad] Waypoints of each leg; each begins where the one before ends.
        indices: (k,) Which joints they are.
        limits: Of these joints.
        displacement: (k,) [m/rad] Weights by which the path is cut into spline points.
        duration: [s] Minimum of the whole; but where nothing is to move it takes no time.
        spacing: [m] Of displacement between the spline points.
        rolling: (3,) Which of them are x, y and yaw of a base that only turns and rolls: it stops at its corners, and
            the velocity of its x is that along its heading.

    Returns:
        The trajectory, or a failure when there are no times within the limits.

    Raises:
        ParameterError: A path is not finite.
    """
    legs = []
    for path in paths:
        if not np.isfinite(path).all():
            raise ParameterError("a path must consist of finite numbers")
        leg = _leg(np.ascontiguousarray(path, dtype=float), limits, displacement, spacing, rolling)
        if not np.isfinite(leg.duration):
            return Failure(FailureKind.JOINT_LIMIT, "trajectory", "no times within the limits were found for the path")
        legs.append(leg)
    fastest = sum(leg.duration for leg in legs)
    return TimedPath(indices, tuple(legs), min(1.0, fastest / duration) if duration > 0 and fastest > 0 else 1.0)


def _leg(path: Array, limits: Limits, displacement: Array, spacing: float, rolling: Indices | None) -> Leg:
    points = resample(path, displacement, spacing)
    if len(points) < 2:
        return Leg(None, path[-1].copy())
    knots = lengths(points, displacement)
    pieces = through(knots, points, limits.lower, limits.upper)
    found = None if rolling is None else differential_drive(knots, points, pieces, rolling)
    world, along = (pieces, pieces) if found is None else found
    course = topp_ra(knots, along, limits.velocity, limits.acceleration, HEADROOM, FULL)
    return Leg(course._replace(pieces=world), path[0].copy())


@dataclass(frozen=True, eq=False)
class Limits:
    """Limits of some joints."""

    lower: Array
    """(k,) [m, rad]"""
    upper: Array
    """(k,) [m, rad]"""
    velocity: Array
    """(k,) [m/s, rad/s]"""
    acceleration: Array
    """(k,) [m/s^2, rad/s^2]"""

    @classmethod
    def of(cls, robot: Robot, joints: Indices) -> Limits:
        """Those of a robot's joints (k,)."""
        return cls(robot.lower[joints], robot.upper[joints], robot.velocity[joints], robot.acceleration[joints])
