"""Getting into a motion from anywhere while it plays: dynamic movement primitives (Ijspeert et al. 2002, 2013).

The primitive's *canonical system* is a phase that runs through the motion: a rhythmic one for a periodic motion, a
discrete one, which ends, for another. Its *transformation system* is a critically damped spring that a forcing term
drives along the motion ``m``::

    y'' = alpha (beta (g - y) - y') + f,    beta = alpha / 4

Usually kernels approximate ``f`` from a demonstration. Here the motion is known as a function, and so is the forcing
term that reproduces it, ``f = m'' - alpha (beta (g - m) - m')``. Put in, the goal ``g`` cancels, and the deviation from
the motion ``e = y - m`` obeys ``e'' + alpha e' + alpha beta e = 0``, whatever the phase does. Its solution is closed
(with ``rate = alpha / 2``), so that nothing is integrated, and limits can be checked before anything moves::

    e(t) = (e(0) + (e'(0) + rate e(0)) t) exp(-rate t)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ..base.failure import Failure, FailureKind
from ..world.objects import Array
from .joint_motion import Motion
from .plans import Indices

FASTEST = 12.5  # [1/s] rate of the transformation system: alpha = 25 of Ijspeert et al. 2013
SLOWEST = 0.8  # [1/s]
SLOWER = 0.85  # from one rate to the next
WAITS = (0.0, 0.5, 1.0)  # of the time to settle: how long the phase waits (phase stopping) where limits ask for it
SETTLED = 1e-3  # of the deviation is left when it counts as settled
SETTLING = 9.234  # (1 + x) exp(-x) = SETTLED
FULL = 0.98  # of the limits is never exceeded
SHORTEST_RAMP = 0.25  # [s] in which the phase gets up to its speed
LONGEST_RAMP = 10.0  # [s]
INSTANT = 0.005  # [s] between the instants at which limits are checked


class Limits(NamedTuple):
    """Limits of some joints, (k,) each."""

    lower: Array
    """[m, rad]"""
    upper: Array
    """[m, rad]"""
    velocity: Array
    """[m/s, rad/s]"""
    acceleration: Array
    """[m/s^2, rad/s^2]"""


@dataclass(frozen=True, eq=False)
class Phase:
    """The canonical system: how a motion's time passes. It starts and stops softly, by smooth steps of its speed."""

    begin: float
    """[s] Of the motion, where it starts."""
    wait: float
    """[s] Until it does."""
    ramp: float
    """[s] In which it gets up to its speed, and in which it stops; 0 for a motion that is at rest at its ends."""
    duration: float
    """[s] From the start of the first ramp to the end of the second."""
    speed: float = 1.0
    """[-] At which the motion's time passes between the ramps."""

    def sample(self, time: Array) -> tuple[Array, Array, Array]:
        """The motion's time [s], its speed and its acceleration at times [s] of any shape."""
        t = np.clip(time - self.wait, 0.0, self.duration)
        if self.ramp == 0.0:
            moving = (time >= self.wait) & (time <= self.wait + self.duration)
            return self.begin + t * self.speed, np.where(moving, self.speed, 0.0), np.zeros_like(t)
        up, down = (np.clip(x / self.ramp, 0.0, 1.0) for x in (t, self.duration - t))
        gone, left = (self.ramp * (x**3 - x**4 / 2) for x in (up, down))  # the integral of 3 x^2 - 2 x^3
        cruise = np.clip(t - self.ramp, 0.0, self.duration - 2 * self.ramp)
        passed = gone + cruise + self.ramp / 2 - left
        speed = _smooth_step(up) * _smooth_step(down)  # one of them is 1
        change = 6 * (up * (1 - up) - down * (1 - down)) / self.ramp
        return self.begin + self.speed * passed, self.speed * speed, self.speed * change


@dataclass(frozen=True, eq=False)
class MovementPrimitive:
    """A motion and how it is got into; a :class:`~taskmatrix.core.robot.plans.Trajectory`."""

    motion: Motion
    """What is converged to."""
    phase: Phase
    """The canonical system."""
    deviation: Array
    """(k,) [m, rad] From the motion, at the start."""
    drift: Array
    """(k,) [m/s, rad/s] Speed of the deviation at the start."""
    rate: float
    """[1/s] With which it decays."""

    @property
    def indices(self) -> Indices:
        """(k,) The joints that it moves."""
        return self.motion.indices

    @property
    def duration(self) -> float:
        """[s] Until the phase has stopped; a motion that has an end also until the deviation has settled."""
        played = self.phase.wait + self.phase.duration
        return played if self.motion.periodic else max(played, self.settling)

    @property
    def settling(self) -> float:
        """[s] Until next to nothing is left of the deviation."""
        return SETTLING / self.rate if np.any(np.abs(self.deviation) > 1e-6) or np.any(self.drift) else 0.0

    def sample(self, time: float | Array) -> tuple[Array, Array, Array]:
        """(..., k) each: position, velocity and acceleration at times [s] of any shape, at rest after its end."""
        given = np.asarray(time, dtype=float)
        t = np.clip(given, 0.0, self.duration)
        s, ds, dds = (np.asarray(x)[..., None] for x in self.phase.sample(t))
        q, v, a = self.motion.sample(s[..., 0])
        steady = self.drift + self.rate * self.deviation
        decay = np.exp(-self.rate * t)[..., None]
        t = t[..., None]
        e = (self.deviation + steady * t) * decay
        de = (self.drift - self.rate * steady * t) * decay
        dde = self.rate * (self.rate * steady * t - steady - self.drift) * decay
        moving = (given <= self.duration)[..., None]
        return q + e, np.where(moving, v * ds + de, 0.0), np.where(moving, a * ds**2 + v * dds + dde, 0.0)


def converge(
    motion: Motion, begin: float, duration: float, q: Array, v: Array, limits: Limits
) -> MovementPrimitive | Failure:
    """Play a motion from where its joints are.

    The fastest of a series of convergence rates is taken with which all limits hold at all times; where none does, the
    phase waits first.

    Args:
        motion: At the pace at which it is to be played, with
            :meth:`~taskmatrix.core.robot.joint_motion.Motion.shortest` kept.
        begin: [s] Where in a periodic motion to start.
        duration: [s] How long to play a periodic motion; another is played once.
        q: (k,) [m, rad] Where its joints are.
        v: (k,) [m/s, rad/s] How fast they are.
        limits: Of its joints.

    Returns:
        The trajectory, or a failure of kind ``joint_limit`` where none keeps the limits.
    """
    phase = Phase(0.0, 0.0, 0.0, motion.duration)
    if motion.periodic:
        phase = _soft(motion, begin, duration, limits.acceleration)
    deviation = q - motion.sample(phase.begin)[0]
    for wait in WAITS:
        rate = FASTEST
        while rate >= SLOWEST:
            waiting = Phase(phase.begin, wait * SETTLING / rate, phase.ramp, phase.duration, phase.speed)
            found = MovementPrimitive(motion, waiting, deviation, v, rate)
            if _keeps(found, limits):
                return found
            rate *= SLOWER
    message = f"no way into motion '{motion.name}' keeps the limits of the joints"
    return Failure(FailureKind.JOINT_LIMIT, "dmp", message, {"furthest": float(np.max(np.abs(deviation)))})


def _soft(motion: Motion, begin: float, duration: float, acceleration: Array) -> Phase:
    """The phase for a periodic motion, with ramps as short as the limits of acceleration (k,) allow."""
    _, v, a = motion.sample(np.linspace(0.0, motion.duration, 200))
    swing, push = np.max(np.abs(a), axis=0) / acceleration, np.max(np.abs(v), axis=0) / acceleration
    x = np.linspace(0.0, 1.0, 50)[:, None]
    ramp = SHORTEST_RAMP
    while np.max(swing * _smooth_step(x) ** 2 + push * 6 * x * (1 - x) / ramp) > 0.95 and ramp < LONGEST_RAMP:
        ramp *= 1.1
    used = min(ramp, duration / 2)  # too short to get up to its speed: half of it up, half down
    return Phase(begin, 0.0, used, duration, used / ramp)


def _keeps(primitive: MovementPrimitive, limits: Limits) -> bool:
    end = min(primitive.duration, primitive.phase.wait + primitive.settling + 2 * primitive.motion.duration)
    q, v, a = primitive.sample(np.arange(0.0, end + INSTANT, INSTANT))
    lower, upper = np.minimum(limits.lower, q[0]) - 1e-6, np.maximum(limits.upper, q[0]) + 1e-6
    return bool(
        np.all((q >= lower) & (q <= upper))
        and np.all(np.abs(v) <= FULL * limits.velocity)
        and np.all(np.abs(a) <= FULL * limits.acceleration)
    )


def _smooth_step(x: Array) -> Array:
    return x * x * (3.0 - 2.0 * x)
