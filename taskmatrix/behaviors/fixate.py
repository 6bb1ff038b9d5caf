"""Keep looking at an object (thesis 4.3.5)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.errors import not_found
from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.geometry import angle_between
from taskmatrix.core.objects import Array
from taskmatrix.core.parameter import Parameter
from taskmatrix.core.requirement import Requirement, TurnsView
from taskmatrix.core.skillset import VIEW, Aim

from .pursuit import Pursuit

FACING = np.deg2rad(1.0)  # [rad] of the object off the viewing direction
PROGRESS = np.deg2rad(0.1)  # [rad] by which the view has to come nearer
PATIENCE = 1.0  # [s] within which it has to


class Fixate(TaskBehavior):
    """Turn the view to an object, moving or not.

    With the base and the head where both are free, with the head alone where the base is taken; where it is shared,
    with the base for what the head cannot do. Stops before it would touch anything. Recurrent, it goes on until it is
    told to quit and says in every control step whether the goal is achieved; otherwise it ends when the object is
    faced, and fails when it cannot be.
    """

    needs = ("head",)

    target = Parameter(str, doc="id of the object to look at")
    recurrent = Parameter(bool, default=False, doc="whether to go on after the goal is achieved")
    max_diff = Parameter(float, default=0.02, minimum=1e-4, maximum=0.1, doc="[rad] furthest a joint turns in a step")

    def requirements(self) -> Sequence[Requirement]:
        """A head."""
        return [TurnsView()]

    def required_chains(self) -> Sequence[str] | Failure:
        """The head, and the base if nobody has it or it is shared."""
        context = self.context
        if self.target not in context.perception:
            return self.fail(FailureKind.UNKNOWN_OBJECT, not_found("object", self.target, context.perception.percepts))
        free = context.arbiter.shares or context.arbiter.owner("base") is None
        self._chains = ["head", "base"] if free else ["head"]
        return self._chains

    def plan(self) -> None:
        """Fixate reacts; it does not plan."""
        self._joints = self.context.skills.joints(*self._chains)
        self._head = np.isin(self._joints, self.context.skills.joints("head"))
        _, _, velocity, acceleration = (limit[self._joints] for limit in self.context.skills.limits())
        self._pursuit = Pursuit(velocity, acceleration, self.context.dt)
        self._least, self._since = np.inf, 0.0

    def step(self) -> Failure | bool:
        """Turn a little further towards the object."""
        context, skills = self.context, self.context.skills
        if self.target not in context.perception:
            return self.fail(FailureKind.LOST_OBJECT, f"'{self.target}' is no longer known")
        point = context.perception.object(self.target).centre
        q = skills.position()
        goal = self._goal(point, q)
        error = self._error(point, q)
        step = self._pursuit.step(goal[self._joints] - context.arbiter.last[self._joints], self.max_diff)
        wanted = context.arbiter.last[self._joints] + step
        contact = skills.collision(self._joints, wanted) if np.any(step) else None
        blocked = context.arbiter.blocked(self.path)
        if contact is None:
            used = self._head | (step != 0.0) if context.arbiter.shares else np.ones(len(step), dtype=bool)
            self.command(self._joints[used], wanted[used], step[used] / context.dt, aim=Aim(VIEW))
        else:
            self._pursuit.stop()
        achieved = error <= FACING
        if self.recurrent:
            facts = {"pair": contact.pair} if contact else {}
            self.goal(achieved, error=error, **facts)
            return False
        self.goal(achieved, error=error)
        if achieved:
            return True
        if contact is not None:
            message = f"turning on would bring {contact.first} and {contact.second} into contact"
            return self.fail(FailureKind.COLLISION, message, pair=contact.pair, error=error)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "turning on is blocked", blocked, error=error)
        if error < self._least - PROGRESS:
            self._least, self._since = error, self.elapsed
        elif self.elapsed - self._since > PATIENCE:
            message = f"the joint limits leave the view {np.rad2deg(error):.1f} deg from the object"
            return self.fail(FailureKind.JOINT_LIMIT, message, error=error)
        return False

    def _goal(self, point: Array, q: Array) -> Array:
        """(n,) Where it faces the point: by the head alone, if the base is shared and the head turns that far."""
        skills = self.context.skills
        if self.context.arbiter.shares:
            goal = skills.inverse_kinematics_of_view(point, ["head"], q)
            if self._error(point, goal) <= FACING:
                return goal
        return skills.inverse_kinematics_of_view(point, self._chains, q)

    def _error(self, point: Array, q: Array) -> float:
        """[rad] Between the viewing direction and the direction to the point."""
        skills = self.context.skills
        return angle_between(skills.view(q)[:, 0], point - skills.view_position(q))
