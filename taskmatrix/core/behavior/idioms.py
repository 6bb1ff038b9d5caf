"""Thin helpers for py_trees: composites that remember, and a timeout by our clock instead of the wall's."""

from __future__ import annotations

import math
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import ParallelPolicy, Status
from py_trees.composites import Parallel, Selector, Sequence
from py_trees.decorators import Decorator

from ..base.errors import ParameterError, TaskMatrixError
from ..base.failure import Failure, FailureKind
from .context import Context
from .py_trees_adapter import going_on


def sequence(name: str, *children: Behaviour) -> Sequence:
    """One child after the other, until one fails."""
    return Sequence(name, memory=True, children=list(children))


def selector(name: str, *children: Behaviour) -> Selector:
    """One child after the other, until one succeeds."""
    return Selector(name, memory=True, children=list(children))


def parallel(name: str, *children: Behaviour) -> Parallel:
    """All children together, until all have succeeded or one fails; who has succeeded is not started again."""
    return Parallel(name, policy=ParallelPolicy.SuccessOnAll(synchronise=True), children=list(children))


def timeout(child: Behaviour, seconds: float) -> Timeout:
    """The child, forced to quit and failed if it still runs after ``seconds`` [s] on the clock of the run."""
    return Timeout(child, seconds)


class Timeout(Decorator):
    """Fails, with a :class:`Failure`, when its child takes too long.

    Args:
        child: A behavior, a machine or a tree.
        seconds: [s] On the clock of the run, from the start of the child.

    Raises:
        ParameterError: The time is not a positive number.
    """

    def __init__(self, child: Behaviour, seconds: float) -> None:
        if not (math.isfinite(seconds) and seconds > 0):
            raise ParameterError(f"a timeout has to be a positive number of seconds, not {seconds!r}")
        super().__init__(f"{child.name} within {seconds:g} s", child)
        self.seconds = seconds
        self.failure: Failure | None = None
        self._context: Context | None = None
        self._deadline = math.inf

    def setup(self, **kwargs: Any) -> None:
        """Take the clock from ``context``."""
        context = kwargs.get("context")
        if not isinstance(context, Context):
            raise TaskMatrixError(f"'{self.name}' needs setup(context=...)")
        self._context = context

    def initialise(self) -> None:
        """Start to count the time."""
        self.failure = None
        self._deadline = self._clocked.clock.now() + self.seconds

    def update(self) -> Status:
        """The child's status, or FAILURE when the time is over."""
        context = self._clocked
        if self.decorated.status is Status.RUNNING and context.clock.now() >= self._deadline - 1e-9:
            message = f"'{self.decorated.name}' still ran after {self.seconds:g} s{going_on(self.decorated)}"
            self.failure = Failure(FailureKind.TIMEOUT, self.name, message)
            self.feedback_message = self.failure.explain()
            context.events.emit("failure", self.name, failure=self.failure)
            return Status.FAILURE
        return self.decorated.status

    @property
    def _clocked(self) -> Context:
        if self._context is None:
            raise TaskMatrixError(f"'{self.name}' was not set up; run it in a session, or call setup(context=...)")
        return self._context
