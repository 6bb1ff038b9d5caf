"""Following a plan that is made anew where it will not do any more."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from taskmatrix.core.base.failure import Failure
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.patience import Patience
from taskmatrix.core.robot.plans import Job
from taskmatrix.core.world.perception import Percept
from taskmatrix.core.world.symmetry import apart, symmetry_of

from .tolerances import WORLD_CHANGED

REPLANS = 4  # plans made anew in one run
REPLAN_TIMEOUT = 3.0  # [s] to wait for the world to change where planning anew fails
PAUSE = 1.0  # [s] before it is tried once more, however much moves somewhere


class Replanning(TaskBehavior):
    """Base of behaviors that stop and plan anew, a few times, where the way is blocked or the goal has moved.

    Where there is no plan any more the robot waits a little: what came into the way may go away again. Control loops
    call :meth:`replan` with the reason, and :meth:`replanning` in every step before anything else: while it gives an
    answer, there is no plan to follow. A new plan goes to :meth:`planned`, as the first one does.
    """

    @abstractmethod
    def submit(self) -> Job | Failure:
        """Start to plan from where the robot is."""

    def settled(self) -> Failure | bool:
        """Whether a plan would still do when it is made; False to wait for that, and a failure not to wait any more."""
        return True

    def plan(self) -> Job | Failure | None:
        """Plan for the first time."""
        self._cause: Failure | None = None  # why there is no plan to follow
        self._again: Job | None = None
        self._rechecking = False
        self._vain: _Vain | None = None
        self._replans = 0
        self._patience = Patience(self.context, self.path)
        return self.submit()

    def replan(self, cause: Failure) -> Failure | bool:
        """Stop where the robot is and plan from there; for ``step`` to return."""
        self._cause, self._again, self._vain = cause, None, None
        self._replans += not self._patience.waits_for(cause)
        if self._replans > REPLANS:
            return self.fail(cause.kind, f"{cause.message}, also after planning anew {REPLANS} times", cause.cause)
        self.context.events.emit("replan", self.path, cause=cause)
        return self._submit(cause)

    def replanning(self) -> Failure | bool | None:
        """What ``step`` is to return while there is no plan; None when there is one."""
        cause, job = self._cause, self._again
        if cause is None:
            return None
        if self._vain is not None:
            return self._wait_for_change(cause, self._vain)
        if job is None:
            return self._submit(cause)
        if not job.done():
            self.stay()
            return False
        plan = job.result()
        if isinstance(plan, Failure):
            if self._rechecking:
                return self.replan(self.fail(plan.root.kind, "the world changed again", plan))
            return self._in_vain(cause, plan)
        if not self._rechecking:
            self._rechecking = True
            self._again = self.context.skills.recheck(plan)
            if self._again is not None:
                return False
        self._cause = self._again = None
        self.tell_plan(plan)
        return self.planned(plan) or False

    def _submit(self, cause: Failure) -> Failure | bool:
        """Plan, once the robot stands and all is calm."""
        settled = not self._patience.lasts() and not self.context.arbiter.moving(self.path) and self.settled()
        if settled is not True:
            self.stay()
            return settled
        self._rechecking = False
        job = self.submit()
        if isinstance(job, Failure):
            return self._in_vain(cause, job)
        self._again = job
        return False

    def _in_vain(self, cause: Failure, failure: Failure) -> Failure | bool:
        """Tell why planning anew failed and what made it necessary, now or after waiting."""
        if self._patience.waits_for(failure):
            self._again = None
            return False
        words = f"{cause.message}, and planning anew failed"
        why = self.fail(failure.root.kind, words, failure, **cause.root.facts)
        if self._replans >= REPLANS:
            return why
        self._vain = _Vain(why, dict(self.context.perception.percepts), self.elapsed)
        return False

    def _wait_for_change(self, cause: Failure, vain: _Vain) -> Failure | bool:
        self.stay()
        waited = self.elapsed - vain.since
        if waited < PAUSE:
            return False
        if not _same(vain.percepts, self.context.perception.percepts):
            return self.replan(cause)
        return vain.failure if waited >= REPLAN_TIMEOUT else False


@dataclass(frozen=True, eq=False)
class _Vain:
    """A plan that could not be made."""

    failure: Failure
    percepts: Mapping[str, Percept]
    """By id, what was perceived then."""
    since: float
    """[s]"""


def _same(first: Mapping[str, Percept], second: Mapping[str, Percept]) -> bool:
    """Whether there are the same things at the same places; a ball that spins there is."""
    return first.keys() == second.keys() and all(_at_its_place(seen, second[id]) for id, seen in first.items())


def _at_its_place(before: Percept, now: Percept) -> bool:
    return before.X_WO is now.X_WO or max(apart(symmetry_of(now.model.shapes), before.X_WO, now.X_WO)) <= WORLD_CHANGED
