"""Wait until an object is seen."""

from __future__ import annotations

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior

SURE = 1.0  # [s] for which an object has to be known: what was seen first of it may not be all


class Notice(TaskBehavior):
    """Wait until it is known where an object is, and has been for a moment; it needs no chain.

    It publishes the object when it is known first. Where it is known from the start, there is nothing to wait for.
    Fails with ``unknown_object`` where it is not known in time.
    """

    object = Parameter(str, doc="id of the object")
    duration = Parameter(float, default=None, minimum=0.0, doc="[s] how long at most; for ever unless given")

    noticed = Output(str, doc="id of the object, as soon as it is known")

    def plan(self) -> None:
        """Start without having noticed anything."""
        self._since: float | None = None

    def step(self) -> Failure | bool:
        """Succeed when the perceptual model has the object."""
        perception = self.context.perception
        if self.object not in perception:
            self._since = None
            if self.duration is None or self.elapsed < self.duration:
                return False
            unknown = not_found("object", self.object, perception.percepts)
            return self.fail(FailureKind.UNKNOWN_OBJECT, f"it was not seen in {self.elapsed:.0f} s: {unknown}")
        if self._since is None:
            self._since = self.elapsed
            self.publish(noticed=self.object)
            return self.elapsed == 0.0
        return self.elapsed - self._since >= SURE
