"""Following a plan that is made anew where it will not do any more."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.behavior import TaskBehavior
from taskmatrix.core.context import Context
from taskmatrix.core.failure import Failure
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Job

RENEWALS = 4  # plans made anew in one run
MOVED = 0.001  # [m, rad] what is this much elsewhere has moved
PATIENCE = 3.0  # [s] to wait for the world to change where planning anew fails
PAUSE = 1.0  # [s] before it is tried once more, however much moves somewhere


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
        self._cause: Failure | None = None  # why there is no plan to follow
        self._again: Job | None = None
        self._rechecking = False
        self._vain: _Vain | None = None
        self._renewals = 0
        return self.submit()

    def renew(self, cause: Failure) -> Failure | bool:
        """Stop where the robot is and plan from there; for ``step`` to return."""
        self._cause, self._again, self._vain = cause, None, None
        self._renewals += 1
        if self._renewals > RENEWALS:
            return self.fail(cause.kind, f"{cause.message}, also after planning anew {RENEWALS} times", cause.cause)
        self.context.events.emit("renewal", self.path, cause=cause)
        return self._submit(cause)

    def renewing(self) -> Failure | bool | None:
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
                return self.renew(self.fail(plan.root.kind, "the world changed again", plan))
            return self._in_vain(cause, plan)
        if not self._rechecking:
            self._rechecking = True
            self._again = self.context.skills.recheck(plan)
            if self._again is not None:
                return False
        self._cause = self._again = None
        self._tell(plan)
        return self.planned(plan) or False

    def _submit(self, cause: Failure) -> Failure | bool:
        """Plan, once the robot stands."""
        if self.context.arbiter.moving(self.path):
            self.stay()
            return False
        self._rechecking = False
        job = self.submit()
        if isinstance(job, Failure):
            return self._in_vain(cause, job)
        self._again = job
        return False

    def _in_vain(self, cause: Failure, failure: Failure) -> Failure | bool:
        """Tell why planning anew failed and what made it necessary, now or after waiting."""
        words = f"{cause.message}, and planning anew failed"
        why = self.fail(failure.root.kind, words, failure, **cause.root.facts)
        if self._renewals >= RENEWALS:
            return why
        self._vain = _Vain(why, _poses(self.context), self.elapsed)
        return False

    def _wait_for_change(self, cause: Failure, vain: _Vain) -> Failure | bool:
        self.stay()
        waited = self.elapsed - vain.since
        if waited < PAUSE:
            return False
        if not _same(vain.poses, _poses(self.context)):
            return self.renew(cause)
        return vain.failure if waited >= PATIENCE else False


@dataclass(frozen=True, eq=False)
class _Vain:
    """A plan that could not be made."""

    failure: Failure
    poses: Mapping[str, Array]
    """X_WO (4, 4) by id of what was perceived then."""
    since: float
    """[s]"""


def _poses(context: Context) -> Mapping[str, Array]:
    """X_WO (4, 4) by id of what is perceived."""
    return {id: percept.X_WO for id, percept in context.perception.percepts.items()}


def _same(first: Mapping[str, Array], second: Mapping[str, Array]) -> bool:
    """Whether there are the same things at the same places."""
    there = first.keys() == second.keys()
    return there and all(X is second[id] or np.allclose(X, second[id], rtol=0.0, atol=MOVED) for id, X in first.items())
