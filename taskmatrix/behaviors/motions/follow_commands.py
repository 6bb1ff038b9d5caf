"""Let somebody command joints who knows nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from taskmatrix.core.base.errors import ParameterError, not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.requirement import HasChain, Requirement
from taskmatrix.core.remote.remote_joint_commands import ServedJointCommands
from taskmatrix.core.robot.joint_commands import CommandSource, JointFeedback, JointTarget

from ..common.pursuit import Pursuit

LAPSES = 0.5  # [s] after which a velocity is not obeyed any more that nobody has told again
ARRIVED = 1e-6  # [rad, m] from its target a joint is put there


class FollowCommands(TaskBehavior):
    """Move joints as somebody else says, within the limits of position, velocity and acceleration.

    Positions or velocities of joints come from ``source``, or from another process by ``at``, at any rate; each is a
    transaction. Where a filter holds the robot or takes it back, the targets of before and those that come meanwhile
    are given up, and the source is told why; the next one is followed again.

    Args:
        source: Asked in every control step: a function that takes a
            :class:`~taskmatrix.core.robot.joint_commands.JointFeedback` and returns a
            :class:`~taskmatrix.core.robot.joint_commands.JointTarget` or None, or a
            :class:`~taskmatrix.core.robot.joint_commands.JointCommands`, into which any thread puts targets.
        name: Name in messages and displays.
        **parameters: As declared.

    Raises:
        ParameterError: The source cannot be called, or a parameter is wrong.
    """

    chains = Parameter(str, default="", doc="names of the chains, with commas; all but base and legs unless given")
    at = Parameter(str, default="", doc="name at which targets of other processes arrive, by the session's transport")
    duration = Parameter(float, default=None, minimum=0.0, doc="[s] how long; until the source ends unless given")

    vetoes = Output(int, doc="how often the robot was held or taken back")

    def __init__(
        self, source: CommandSource | None = None, *positional: NoReturn, name: str | None = None, **parameters: Any
    ) -> None:
        if source is not None and not callable(source):
            raise ParameterError(f"the source of joint commands is a function or a JointCommands, not {source!r}")
        super().__init__(*positional, name=name, **parameters)
        self._given = source

    def requirements(self) -> Sequence[Requirement]:
        """Require the chains that are named."""
        return [HasChain(chain) for chain in self._named()]

    def required_chains(self) -> Sequence[str] | Failure:
        """The chains that are named, or all but base and legs."""
        skills = self.context.skills
        if "base" in self._named() and not skills.holonomic:
            return self.fail(FailureKind.NOT_ABLE, "the base only turns and rolls, and takes no joint commands")
        legs = {"base", *(chain for foot in skills.feet for chain in skills.chains_of_foot(foot))}
        return self._named() or [chain for chain in skills.chains if chain not in legs]

    def plan(self) -> Failure | None:
        """Begin at rest, with nobody's target."""
        skills = self.context.skills
        self._joints = np.unique(skills.joints(*self.context.arbiter.granted(self.path)))
        names = [skills.joint_name(joint) for joint in self._joints.tolist()]
        self._numbers = {joint: number for number, joint in enumerate(names)}
        lower, upper, velocity, acceleration = (limit[self._joints] for limit in skills.limits())
        self._lower, self._upper = lower, upper
        self._pursuit = Pursuit(velocity, acceleration, self.context.dt)
        self._refused: Failure | None = None
        self._count = 0
        self._forget()
        if self._given is not None:
            self._source: CommandSource = self._given
            return None
        if not self.at or self.context.transport is None:
            message = "nobody commands it: give it a source, or a name 'at' in a session with a transport"
            return self.fail(FailureKind.PARAMETER, message)
        self._served = ServedJointCommands(self.context.transport, self.at)
        self._source = self._served
        return None

    def step(self) -> Failure | bool:
        """Ask for a target, and move the joints on."""
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            self._count += self._refused is None
            self._refused = blocked
            self._forget()
        try:
            target = self._source(self._feedback())
        except StopIteration:
            return True
        if target is not None and blocked is None:
            wrong = self._take(target)
            if wrong is not None:
                return wrong
        self._move()
        return self.duration is not None and self.elapsed + self.context.dt / 2 >= self.duration

    def achieved(self) -> bool:
        """Tell how often the robot was held or taken back."""
        self.publish(vetoes=self._count)
        return True

    def finish(self) -> None:
        """Listen no more."""
        if self._given is None and hasattr(self, "_served"):
            self._served.close()

    def _named(self) -> list[str]:
        return [chain for chain in (part.strip() for part in self.chains.split(",")) if chain]

    def _forget(self) -> None:
        """Have all joints stay where they are."""
        self._pursuit.stop()
        count = len(self._joints)
        self._wanted = self.context.arbiter.last[self._joints]
        self._fastest = np.full(count, np.inf)  # [m/s, rad/s]
        self._lapse = np.full(count, np.inf)  # [s] when a velocity is not obeyed any more

    def _feedback(self) -> JointFeedback:
        skills, joints = self.context.skills, self._joints
        moving = bool(self._pursuit.speed.any())
        q, v = skills.position()[joints], skills.velocity()[joints]
        return JointFeedback(self.context.clock.now(), tuple(self._numbers), q, v, moving, self._refused)

    def _take(self, target: object) -> Failure | None:
        """Follow a target from now on; why not, where it is none."""
        if not isinstance(target, JointTarget):
            return self.fail(FailureKind.PARAMETER, f"the source returned {target!r}, which is no JointTarget")
        for joint in (*target.positions, *target.velocities):
            if joint not in self._numbers:
                return self.fail(FailureKind.PARAMETER, not_found("joint", joint, self._numbers))
        for joint, q in target.positions.items():
            k = self._numbers[joint]
            self._wanted[k] = min(max(q, self._lower[k]), self._upper[k])
            self._fastest[k] = self._lapse[k] = np.inf
        for joint, v in target.velocities.items():
            k = self._numbers[joint]
            self._wanted[k] = self._upper[k] if v > 0.0 else self._lower[k]
            self._fastest[k], self._lapse[k] = abs(v), self.context.clock.now() + LAPSES
        self._refused = None
        self.context.arbiter.commit()
        return None

    def _move(self) -> None:
        """Command this step of the joints."""
        dt, q = self.context.dt, self.context.arbiter.last[self._joints]
        self._fastest[self._lapse < self.context.clock.now()] = 0.0
        step = self._pursuit.step(self._wanted - q, self._fastest * dt)
        there = (np.abs(self._wanted - q) < ARRIVED) & (np.abs(self._pursuit.speed) * dt < ARRIVED)
        self._pursuit.speed[there] = 0.0
        speed = self._pursuit.speed
        self.command(self._joints, np.where(there, self._wanted, q + step), speed.copy())
