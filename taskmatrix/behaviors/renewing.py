"""Following a plan that is made anew where it will not do any more."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

import numpy as np

from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.context import Context
from taskmatrix.core.failure import Failure
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Job

RENEWALS = 4  # plans made anew in one run
MOVED = 0.001  # [m, rad] what is this much elsewhere has moved
PATIENCE = 3.0  # [s] to wait for the world to change where planning anew fails


class Renewing(TaskBehavior):
    """Base of behaviors that stop and plan anew, a few times, where the way is blocked or the goal has moved.

    Where there is no plan any more the robot waits a little: what came into the way may go away again. Control loops
    call :meth:`renew` with the reason, and :meth:`renewing` in every step before anything else: while it gives an
    answer, there is no plan to follow. A new plan goes to :meth:`planned`, as the first one does.
    """

    @abstractmethod
    def submit(self) -> Job | Failure:
        """Start to plan from where the robot is."""

    def plan(self) -> Job | Failure | None:
        """Plan for the first time."""
        self._cause: Failure | None = None
        self._again: Job | None = None
        self._rechecking = False
        self._vain: tuple[Failure, Mapping[str, Array], float] | None = None
        self._renewals = 0
        return self.submit()

    def renew(self, cause: Failure) -> Failure | bool:
        """Stop where the robot is and plan from there; for ``step`` to return."""
        self._cause, self._rechecking = cause, False
        self._renewals += 1
        if self._renewals > RENEWALS:
            return self.fail(cause.kind, f"{cause.message}, also after planning anew {RENEWALS} times", cause.cause)
        self.context.events.emit("renewal", self.path, cause=cause)
        job = self.submit()
        if isinstance(job, Failure):
            return self._in_vain(cause, job)
        self._again = job
        return False

    def renewing(self) -> Failure | bool | None:
        """What ``step`` is to return while there is no plan; None when there is one."""
        if self._vain is not None:
            return self._wait_for_change(*self._vain)
        job, cause = self._again, self._cause
        if job is None or cause is None:
            return None
        if not job.done():
            return False
        self._again = None
        plan = job.result()
        if isinstance(plan, Failure) and self._rechecking:
            return self.renew(self.fail(plan.root.kind, "the world changed again", plan))
        if isinstance(plan, Failure):
            return self._in_vain(cause, plan)
        if not self._rechecking:
            self._rechecking = True
            self._again = self.context.skills.recheck(plan)
            if self._again is not None:
                return False
        self.context.events.emit("plan", self.path, duration=plan.trajectory.duration, **plan.work)
        return self.planned(plan) or False

    def _in_vain(self, cause: Failure, failure: Failure) -> Failure | bool:
        """Tell why planning anew failed and what made it necessary, now or after waiting."""
        words = f"{cause.message}, and planning anew failed"
        why = self.fail(failure.root.kind, words, failure, **cause.root.facts)
        if self._renewals >= RENEWALS:
            return why
        self._vain = why, _poses(self.context), self.elapsed + PATIENCE
        return False

    def _wait_for_change(self, why: Failure, before: Mapping[str, Array], until: float) -> Failure | bool:
        if _same(before, _poses(self.context)):
            return why if self.elapsed >= until else False
        assert self._cause is not None
        self._vain = None
        return self.renew(self._cause)


def _poses(context: Context) -> Mapping[str, Array]:
    """X_WO (4, 4) by id of what is perceived."""
    return {id: percept.X_WO for id, percept in context.perception.percepts.items()}


def _same(first: Mapping[str, Array], second: Mapping[str, Array]) -> bool:
    """Whether there are the same things at the same places."""
    there = first.keys() == second.keys()
    return there and all(X is second[id] or np.allclose(X, second[id], rtol=0.0, atol=MOVED) for id, X in first.items())
