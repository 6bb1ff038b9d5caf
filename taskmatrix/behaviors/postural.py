"""Take a named posture (thesis 4.3.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.errors import NotFoundError
from taskmatrix.core.failure import Failure, FailureKind
from taskmatrix.core.parameter import Parameter
from taskmatrix.core.skillset import Job, Plan


class Postural(TaskBehavior):
    """Drive the joints of a posture to their positions without collision.

    Where the limb of the posture is taken and the one on the other side is free, the posture is mirrored to it.
    """

    posture = Parameter(str, doc="name of the posture in the robot's data")
    duration = Parameter(float, default=2.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")

    def required_chains(self) -> Sequence[str] | Failure:
        """The chains of the posture's joints, or of their mirror images."""
        skills = self.context.skills
        try:
            posture = skills.posture(self.posture)
        except NotFoundError as error:
            return self.fail(FailureKind.NOT_ABLE, str(error))
        chains = self._chains_of(posture)
        self._goal: Mapping[int, float] = posture
        if all(self.context.arbiter.owner(chain) is None for chain in chains):
            return chains
        mirrored = skills.mirrored(posture)
        if mirrored is not None:
            others = self._chains_of(mirrored)
            if all(self.context.arbiter.owner(chain) is None for chain in others):
                self._goal = mirrored
                return others
        return chains  # and be told who has them

    def plan(self) -> Job | Failure | None:
        """Plan to the posture."""
        seed = int(self.random.integers(2**31))
        return self.context.skills.plan_to_configuration(self._goal, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Follow it."""
        self._plan = plan

    def step(self) -> Failure | bool:
        """Follow the plan."""
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        trajectory, time = self._plan.trajectory, self.elapsed + self.context.dt
        self.command(trajectory.indices, *trajectory.sample(time))
        return self.elapsed >= trajectory.duration

    def _chains_of(self, posture: Mapping[int, float]) -> list[str]:
        skills = self.context.skills
        return [chain for chain in skills.chains if set(skills.joints(chain).tolist()) & set(posture)]
