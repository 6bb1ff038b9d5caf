"""The executive: one fixed control step after another, from sensing to the plant."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from .arbiter import Command
from .behavior import TaskBehavior
from .context import Context
from .failure import Failure, FailureKind
from .plant import JointState, Plant


@dataclass(frozen=True)
class Outcome:
    """How a run ended."""

    success: bool
    """Whether the behavior says that it succeeded."""
    failure: Failure | None
    """Why not."""
    duration: float
    """[s] On the clock of the run."""
    steps: int
    """Control steps it took."""
    overruns: int = 0
    """Control steps that started late by more than half a step, in real time."""

    def __str__(self) -> str:
        if self.success:
            return f"success after {self.duration:.2f} s"
        return f"failure after {self.duration:.2f} s: {self.failure.explain() if self.failure else 'unknown'}"


class Executive:
    """Steps a behavior, a machine or any py_trees tree.

    Args:
        context: What the behaviors reach.
        plant: What is commanded.
        perceive: The perception process; called at the start of every step.
        sense: Takes the joint sensors' reading to the skills.
        motion: The motion controller: executes the arbiter's command on the plant.
    """

    def __init__(
        self,
        context: Context,
        plant: Plant,
        perceive: Callable[[], None],
        sense: Callable[[JointState], None],
        motion: Callable[[Command], None],
    ) -> None:
        self._context = context
        self._plant = plant
        self._perceive = perceive
        self._sense = sense
        self._motion = motion

    def run(self, root: Behaviour, timeout: float = 120.0) -> Outcome:
        """Run until the root ends.

        Args:
            root: Anything that py_trees can tick.
            timeout: [s] After which it is forced to quit.

        Returns:
            How it ended. Ctrl-C ends the run as a failure of kind ``interrupted``, with the robot held where it is.
        """
        context = self._context
        context.paths.clear()
        for node in root.iterate():
            if not _inside_machine(node):
                node.setup(context=context)
        root.status = Status.INVALID
        began = context.clock.now()
        first = context.events.step
        overruns = 0
        failure: Failure | None = None
        context.events.emit("run", root.name, seed=context.seed, dt=context.dt)
        try:
            self._look()
            while True:
                self.step(root)
                if root.status is not Status.RUNNING:
                    break
                if context.clock.now() - began >= timeout:
                    failure = Failure(FailureKind.TIMEOUT, root.name, f"still running after {timeout:g} s")
                    root.stop(Status.INVALID)
                    break
                late = context.clock.sleep_until(began + (context.events.step - first) * context.dt)
                if late > context.dt / 2:
                    overruns += 1
                    context.events.emit("overrun", "executive", late=late)
        except KeyboardInterrupt:
            root.stop(Status.INVALID)
            failure = Failure(FailureKind.INTERRUPTED, root.name, "interrupted by Ctrl-C; the robot holds where it is")
        if root.status is not Status.SUCCESS and failure is None:
            failure = _failure_of(root)
        self._hold()
        outcome = Outcome(
            failure is None, failure, context.clock.now() - began, context.events.step - first, overruns
        )
        context.events.emit("outcome", root.name, success=outcome.success, failure=failure)
        return outcome

    def step(self, root: Behaviour) -> None:
        """Run one control step."""
        self._look()
        root.tick_once()
        self._motion(self._context.arbiter.resolve())
        self._context.events.emit("step", "plant", **self._plant.truth())
        self._context.events.step += 1

    def _look(self) -> None:
        self._sense(self._plant.sense())
        self._perceive()

    def _hold(self) -> None:
        n = len(self._context.arbiter.last)
        self._motion(Command(self._context.arbiter.last, np.zeros(n), np.zeros(n)))


def _inside_machine(node: Behaviour) -> bool:
    """Whether a machine sets the node up itself."""
    return isinstance(node, TaskBehavior) and node.listener is not None


def _failure_of(root: Behaviour) -> Failure:
    failed = [
        node.failure
        for node in root.iterate()
        if isinstance(node, TaskBehavior) and node.failure is not None and not _inside_machine(node)
    ]
    if isinstance(root, TaskBehavior) and root.failure is not None:
        return root.failure
    cause = failed[-1] if failed else None
    kind = cause.root.kind if cause else FailureKind.EXCEPTION
    return Failure(kind, root.name, "the tree failed", cause=cause)
