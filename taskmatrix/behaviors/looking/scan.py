"""Let the view wander over the surroundings (thesis 4.3.6)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.requirement import Requirement, TurnsView
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array

from ..common.pursuit import Pursuit

POINTS = 16  # of a sweep at which the head is turned to its place in the figure
EASE = 1.5  # times as long as at full speed the head has from one to the next, at least: in between it is faster
MISSED = 0.02  # [rad] by which a figure that leans with the trunk has to be nearer to its points than a level one
FAR = 5.0  # [m] how far off these are
REST = 1e-3  # [rad/s]
SHARE = 0.6  # of what a joint was to sweep, at least
TINY = 0.1  # [rad] that a joint was to sweep are not asked for


class Scan(TaskBehavior):
    """Move the head from side to side and up and down, periodically, as far as its limits let it.

    The view runs through a figure of eight: once from side to side in a period, and twice up and down; or, to leave
    nothing out, from side to side and back as often as ``sweeps`` says, in rows: up by every second and down by the
    others. With a bent trunk the figure stays level where the head turns that far; else it is bent as well. Recurrent:
    it goes on for ``duration`` or ``periods``, or until it is told to quit, and says in every control step whether the
    head moves on. It stops before it would touch anything and goes on when the way is free again; it fails where that
    leaves less than 60 % of what a joint was to sweep. A period that is too short for the limits of the head is
    stretched, and the event ``motion`` says so; by the end 60 % of what the asked period would have swept is due.
    """

    needs = ("head",)

    duration = Parameter(float, default=None, minimum=0.0, doc="[s] how long; unless given, until it is told to quit")
    periods = Parameter(int, default=None, minimum=1, doc="how often through the figure; no matter unless given")
    period = Parameter(float, default=6.0, minimum=0.1, doc="[s] from one side to the other and back")
    width = Parameter(float, default=1.0, minimum=0.0, maximum=2.5, doc="[rad] to each side")
    up = Parameter(float, default=0.2, minimum=-1.5, maximum=1.5, doc="[rad] highest direction, above the horizon")
    down = Parameter(float, default=0.6, minimum=-1.5, maximum=1.5, doc="[rad] lowest direction, below the horizon")
    sweeps = Parameter(int, default=None, minimum=1, doc="from side to side in a period; a lying eight unless given")

    def requirements(self) -> Sequence[Requirement]:
        """Require a head that turns the view."""
        return [TurnsView()]

    def required_chains(self) -> Sequence[str]:
        """Require the head."""
        return ["head"]

    def plan(self) -> None:
        """Turn the figure into a motion of the head."""
        skills = self.context.skills
        self._joints = skills.joints("head")
        _, _, velocity, acceleration = (limit[self._joints] for limit in skills.limits())
        figure = self._figure(velocity)
        shortest = figure.shortest(velocity, acceleration)
        self._asked, self._wander = figure.lasting(self.period), figure.lasting(max(self.period, shortest))
        facts = {"period": self._wander.duration, "stretched": self.period < shortest}
        self.context.events.emit("motion", self.path, **facts)
        self._first = self._wander.nearest(skills.position()[self._joints], velocity)[0]
        self._pursuit = Pursuit(velocity, acceleration, self.context.dt)
        long = np.inf if self.periods is None else self.periods * self._wander.duration
        self._until = long if self.duration is None else min(long, self.duration)
        nothing = np.full((2, len(self._joints)), np.inf)
        self._due, self._swept = nothing.copy(), nothing.copy()  # (2, k) [rad] least of q and of -q
        self._contact: Contact | None = None

    def step(self) -> Failure | bool:
        """Move the view on along the figure that it draws."""
        last = self.context.arbiter.last[self._joints]
        over = self.elapsed >= self._until
        lower, upper, *_ = (limit[self._joints] for limit in self.context.skills.limits())
        target = np.clip(self._wander.sample(self._first + self.elapsed)[0], lower, upper)
        step = self._pursuit.brake() if over else self._pursuit.step(target - last)
        contact = self.context.skills.imminent_contact(self._joints, last + step, 0.0) if np.any(step) else None
        blocked = self.context.arbiter.blocked(self.path)
        if contact is None and blocked is None:
            self.command(self._joints, last + step, step / self.context.dt)
        else:
            self._pursuit.stop()
            self._contact = contact or self._contact
        here = self.context.skills.position()[self._joints]
        hurry = self._asked.duration / self._wander.duration
        due = np.clip(self._asked.sample(hurry * self._first + self.elapsed)[0], lower, upper)
        self._due = np.minimum(self._due, [due, -due])
        self._swept = np.minimum(self._swept, [here, -here])
        facts = {"pair": contact.pair} if contact else {}
        self.goal(contact is None and blocked is None, **facts)
        return over and float(np.max(np.abs(self._pursuit.speed), initial=0.0)) < REST

    def achieved(self) -> Failure | bool:
        """Whether the head swept its share."""
        due, swept = 0.0 - self._due.sum(axis=0), 0.0 - self._swept.sum(axis=0)
        share = np.where(due > TINY, swept / np.maximum(due, TINY), 1.0)
        least = int(share.argmin())
        if share[least] >= SHARE:
            return True
        joint = self.context.skills.joint_name(int(self._joints[least]))
        message = f"{joint} swept only {share[least]:.0%} of what it was to"
        facts: dict[str, Any] = {"joint": joint, "swept": float(swept[least]), "due": float(due[least])}
        if self._contact is None:
            if self._until < self._wander.duration:
                message += f": once through the figure takes {self._wander.duration:.1f} s"
            return self.fail(FailureKind.TRACKING, message, **facts)
        first, second = self._contact.pair
        message += f": {first} and {second} would have come into contact"
        return self.fail(FailureKind.COLLISION, message, pair=self._contact.pair, **facts)

    def _figure(self, velocity: Array) -> Motion:
        """The figure as a motion of the head.

        It lasts longer than a period where joints with velocity limits (k,) take longer from point to point: a head
        that does not turn that far may have to go a long way from where it is nearest to one to the same of the next.
        """
        level, lean = np.eye(3), self._lean()
        knots, missed = self._knots(level)
        if not np.allclose(lean, level):
            leaning, missed_leaning = self._knots(lean)
            knots = leaning if missed_leaning < missed - MISSED else knots
        needed = EASE * np.max(np.abs(np.diff(knots, axis=0)) / velocity, axis=1)
        times = np.cumsum([0.0, *np.maximum(self.period / len(needed), needed)]).tolist()
        rows = knots.T.tolist()
        tracks = {int(joint): list(zip(times, row, strict=True)) for joint, row in zip(self._joints, rows, strict=True)}
        return Motion.through(self.name, tracks, periodic=True)

    def _knots(self, R: Array) -> tuple[Array, float]:
        """(m + 1, k) The head's way through the figure turned by R (3, 3), and by how much [rad] it misses its points.

        Directions are relative to where the base faces.
        """
        skills = self.context.skills
        q = skills.position()
        yaw, eyes = q[2], skills.view_position(q)
        track, missed, points = [], [], POINTS * (self.sweeps or 1)
        for angle in np.linspace(0.0, 4 * np.pi, 2 * points, endpoint=False):
            across = np.sin((self.sweeps or 1) * angle)
            along = np.sin(2 * angle) if self.sweeps is None else _row(angle, self.sweeps)
            height = (self.up - self.down) / 2 + (self.up + self.down) / 2 * along
            way = R @ _direction(yaw + self.width * across, height)
            q = skills.inverse_kinematics_of_view(eyes + FAR * way, ["head"], q)
            track.append(q[self._joints])
            missed.append(angle_between(skills.view(q)[:, 0], way))
        track = track[points:]  # a head with more joints than directions has come to its way around by then
        return np.array([*track, track[0]]), float(np.mean(missed[points:]))

    def _lean(self) -> Array:
        """(3, 3) By how much what carries the head is turned, compared with a straight trunk."""
        skills = self.context.skills
        if "torso" not in skills.chains:
            return np.eye(3)
        head, torso = self._joints, skills.joints("torso")
        lower, upper, *_ = skills.limits()
        bent = skills.position()
        bent[head] = np.clip(0.0, lower[head], upper[head])
        straight = bent.copy()
        straight[torso] = np.clip(0.0, lower[torso], upper[torso])
        lean: Array = skills.view(bent) @ skills.view(straight).T
        return lean


def _row(angle: float, sweeps: int) -> float:
    """Height from -1 to 1 in rows across: every second one on the way up, the others on the way down."""
    count = 2 * sweeps
    order = [*range(0, count, 2), *range(count - 1, 0, -2)]
    done = angle * sweeps / np.pi + 0.5  # rows, each from one side to the other
    number, share = int(done), done % 1.0
    other = order[(number + (1 if share > 0.5 else -1)) % count]
    leaving = max(0.0, 2 * abs(share - 0.5) - 0.5)  # up to a half where it turns
    here = order[number % count]
    return float(2 * (here + (other - here) * leaving) / (count - 1) - 1)


def _direction(azimuth: float, elevation: float) -> Array:
    """(3,) Unit vector in a direction given by azimuth and elevation [rad]."""
    level = np.cos(elevation)
    return np.array([level * np.cos(azimuth), level * np.sin(azimuth), np.sin(elevation)])
