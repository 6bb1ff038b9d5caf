"""Taking a hand away from where it is, as far as there is room."""

from __future__ import annotations

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.core.world.geometry import pose_error

from ..common.limbs import are_free, trunk_of


class Withdrawal(TaskBehavior):
    """Base of behaviors that end with a hand clear of what it, or what it holds, was at.

    Where there is less room the hand goes less far, which is no failure: the event ``retreat`` tells how far it went,
    and what was in the way. Subclasses start to plan with :meth:`plan_withdrawal`, in their ``plan``, and return
    :meth:`withdraw` from their ``step`` when it is time.
    """

    _hands: tuple[str, ...]
    """Which: more than one where they hold one thing."""

    def chains_to_withdraw(self) -> list[str]:
        """Arm and fingers of each hand, and the trunk if it is free."""
        trunk = trunk_of(self.context)
        mine = [chain for hand in self._hands for chain in self.context.skills.chains_of_hand(hand)]
        return [*mine, *(trunk if are_free(self.context, trunk) else ())]

    def plan_withdrawal(self, duration: float, releasing: str | None = None) -> Failure | None:
        """Start to plan, with the chains that this run owns; ``releasing`` as for the skill."""
        skills, chains = self.context.skills, self.context.arbiter.granted(self.path)
        seed = int(self.random.integers(2**31))
        job = skills.plan_to_clear(chains, duration, seed, self.planning_time, releasing)
        self._way: Plan | None = None
        self._planning: Job | None = None if isinstance(job, Failure) else job
        return job if isinstance(job, Failure) else None

    def withdraw(self) -> bool:
        """Go along the planned way as far as it is free; True at its end, for ``step`` to return."""
        blocked = self.context.arbiter.blocked(self.path)
        if self._way is None:
            if self._planning is None or not self._planning.done():
                return False
            self._from, self._since = self.context.skills.forward_kinematics(self._hands[0]), self.elapsed
            plan = self._planning.result()
            if isinstance(plan, Failure):
                return self._tell_retreat(plan)
            self._way, blocked = plan, None
        time = self.elapsed - self._since
        if blocked is not None or time > self._way.duration or not self._way.duration:
            return self._tell_retreat(blocked)
        self.command_along(self._way, time)
        return False

    def finish(self) -> None:
        """Nobody waits for a plan any more."""
        if self._planning is not None:
            self._planning.cancel()

    def _tell_retreat(self, failure: Failure | None) -> bool:
        hand = self._hands[0]
        distance = pose_error(self._from, self.context.skills.forward_kinematics(hand))[0]
        self.context.events.emit("retreat", self.path, hand=hand, distance=distance, failure=failure)
        return True
