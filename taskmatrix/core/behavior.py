"""The task behavior: a parameterised program in three phases that says by messages what happens to it (thesis 3.5)."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar

import numpy as np
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from .condition import Condition
from .context import Context
from .errors import ParameterError, TaskMatrixError
from .failure import Failure, FailureKind
from .message import Message, MessageKind
from .objects import Array
from .parameter import Output, Parameter, find
from .skillset import Indices, Job, Plan


class Phase(str, Enum):
    """Where a behavior stands in its run."""

    IDLE = "idle"
    PLANNING = "planning"
    CONTROL = "control loop"
    DONE = "done"


class TaskBehavior(Behaviour):
    """Base of all task behaviors; a leaf of any py_trees tree and a state of any machine.

    A run has three phases. In *pre-execution* the preconditions are checked and the chains are claimed; the
    *planning* phase runs once; the *control loop* runs every control step until :meth:`step` says that it is over.
    Subclasses override the hooks :meth:`preconditions`, :meth:`inconditions`, :meth:`required_chains`, :meth:`plan`,
    :meth:`planned`, :meth:`step` and :meth:`finish`; never ``tick``, ``update`` or ``advance``. A hook that raises
    makes this behavior fail with the trace, and nothing else.

    Args:
        name: Name in messages and displays; the class's name in lower case unless given.
        **parameters: Values of the declared parameters.

    Raises:
        ParameterError: A parameter is unknown, of the wrong type or out of range.
    """

    planning_time: ClassVar[float] = 0.5  # [s] of simulated time, whatever the work
    planning_attempts: ClassVar[int] = 3  # plans made anew when the world changed while planning
    declared: ClassVar[Mapping[str, Parameter[Any]]] = {}
    published: ClassVar[Mapping[str, Output[Any]]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        declared: dict[str, Parameter[Any]] = {}
        published: dict[str, Output[Any]] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, Parameter):
                    declared[name] = value
                elif isinstance(value, Output):
                    published[name] = value
        for name in (*declared, *published):
            if name in _RESERVED:
                raise ParameterError(f"{cls.__name__} declares '{name}', a name that every behavior already uses")
        cls.declared, cls.published = declared, published

    def __init__(self, *, name: str | None = None, **parameters: Any) -> None:
        super().__init__(name or type(self).__name__.lower())
        self.parameters: dict[str, Any] = {
            key: parameter.default for key, parameter in self.declared.items() if not parameter.required
        }
        self.outputs: dict[str, Any] = {}
        self.path = self.name
        self.phase = Phase.IDLE
        self.failure: Failure | None = None
        self.listener: Callable[[Message], None] | None = None
        self.runs = 0
        self._context: Context | None = None
        self._job: Job | None = None
        self._attempts = 0
        self.set_parameters(**parameters)

    # what subclasses override

    def preconditions(self) -> Sequence[Condition]:
        """Conditions that must hold for the behavior to start."""
        return ()

    def inconditions(self) -> Sequence[Condition]:
        """Conditions that must hold in every step of the control loop."""
        return ()

    def required_chains(self) -> Sequence[str] | Failure:
        """Chains to own while running, or why the behavior cannot run with those that are free."""
        return ()

    def plan(self) -> Job | Failure | None:
        """Start planning; None when there is nothing to plan. May be called again when the world changed meanwhile."""
        return None

    def planned(self, plan: Plan) -> Failure | None:
        """Take over the plan, or say why it will not do."""
        return None

    def step(self) -> Failure | bool:
        """Run one control step; True when the task is achieved, False to go on."""
        return True

    def finish(self) -> None:
        """Clean up; called at the end of every run that started, however it ended."""

    # what subclasses use

    @property
    def context(self) -> Context:
        """The robot and its world; there once the behavior has been set up."""
        if self._context is None:
            raise TaskMatrixError(f"behavior '{self.name}' was not set up; run it in a session, or call setup(context=...)")
        return self._context

    @property
    def elapsed(self) -> float:
        """[s] Since the control loop started."""
        return self.context.clock.now() - self._loop_start

    @property
    def random(self) -> np.random.Generator:
        """Random numbers that depend only on the seed, the path and the number of this run."""
        return self.context.random(self.path, self.runs)

    def command(self, joints: Indices, q: Array, v: Array | None = None, a: Array | None = None) -> None:
        """Send positions (k,) and optionally velocities and accelerations to joints of chains that this run owns."""
        self.context.skills.command(self.path, joints, q, v, a)

    def publish(self, **outputs: Any) -> None:
        """Set outputs and tell them by ``parameter-set``; only in the control loop."""
        for name, value in outputs.items():
            if name not in self.published:
                raise ParameterError(f"{type(self).__name__} has no output '{name}'; it has: {', '.join(self.published)}")
            self.outputs[name] = value
        self._send(MessageKind.PARAMETER_SET, **outputs)

    def goal(self, achieved: bool, **facts: object) -> None:
        """Tell, in a recurrent behavior, whether the goal is achieved in this step."""
        self._send(MessageKind.GOAL_ACHIEVED if achieved else MessageKind.GOAL_FAILED, **facts)

    def fail(self, kind: FailureKind, message: str, cause: Failure | None = None, **facts: object) -> Failure:
        """Make a failure of this behavior."""
        return Failure(kind, self.path, message, facts, cause)

    # parameters

    def set_parameters(self, **values: Any) -> None:
        """Set parameters; all of them, or none when one is wrong (ParameterError)."""
        who = type(self).__name__
        checked = {}
        for name, value in values.items():
            parameter = find(dict(self.declared), name, who)
            try:
                checked[name] = parameter.validate(value)
            except ParameterError as error:
                raise ParameterError(f"{who}: {error}") from None
        self.parameters.update(checked)

    # the lifecycle

    def setup(self, **kwargs: Any) -> None:
        """Bind to a robot and its world; py_trees hands its keyword arguments on.

        Args:
            **kwargs: ``context``: the :class:`Context`; ``path``: name in messages, made unique.
        """
        context = kwargs.get("context")
        if not isinstance(context, Context):
            raise TaskMatrixError(f"behavior '{self.name}' needs setup(context=...)")
        self._context = context
        self.path = context.unique(str(kwargs.get("path", self.name)))

    def initialise(self) -> None:
        """Called by py_trees when a run begins."""
        self.restart()

    def update(self) -> Status:
        """Called by py_trees once a tick; never lets an exception out."""
        return self.advance()

    def terminate(self, new_status: Status) -> None:
        """Called by py_trees when a run ends; cuts off one that still goes on."""
        self.force_quit()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self.phase in (Phase.PLANNING, Phase.CONTROL)

    def restart(self) -> None:
        """Get ready for a new run."""
        self.force_quit()
        self.phase = Phase.IDLE
        self.failure = None
        self.outputs = {}

    def advance(self) -> Status:
        """Run one control step of whatever phase the run is in."""
        try:
            result = self._advance()
        except Exception as error:
            result = Failure(
                FailureKind.EXCEPTION,
                self.path,
                f"{type(error).__name__}: {error}",
                {"phase": self.phase.value},
                trace=traceback.format_exc(),
            )
        if result is False:
            self.status = Status.RUNNING
        else:
            self._end(None if result is True else result)
        return self.status

    def force_quit(self) -> None:
        """Cut off a run that is under way; nothing happens if none is."""
        if not self.running:
            return
        self._finish()
        self._send(MessageKind.FORCE_QUIT)
        self._complete()
        self.status = Status.INVALID

    def _advance(self) -> Failure | bool:
        if self.phase is Phase.IDLE:
            return self._begin()
        if self.phase is Phase.PLANNING:
            return self._continue_planning()
        if self.phase is Phase.CONTROL:
            return self._control()
        return self.failure or True

    def _begin(self) -> Failure | bool:
        self.runs += 1
        self._attempts = 0
        context = self.context
        missing = [name for name in self.declared if name not in self.parameters]
        if missing:
            return self.fail(FailureKind.PARAMETER, f"parameter '{missing[0]}' has no value")
        for condition in self.preconditions():
            verdict = condition.evaluate(context)
            if not verdict:
                message = f"precondition {condition} does not hold: {verdict.why}"
                return Failure(FailureKind.PRECONDITION, self.path, message, verdict.values)
        chains = self.required_chains()
        if isinstance(chains, Failure):
            return chains
        busy = context.arbiter.claim(self.path, chains)
        if busy is not None:
            return self.fail(FailureKind.CHAIN_BUSY, "cannot start", busy)
        self.phase = Phase.PLANNING
        self._send(MessageKind.PLANNING_STARTED)
        return self._start_plan()

    def _start_plan(self) -> Failure | bool:
        self._attempts += 1
        job = self.plan()
        if isinstance(job, Failure):
            return job
        self._job = job
        return self._start_loop() if job is None else False

    def _continue_planning(self) -> Failure | bool:
        job = self._job
        if job is None or not job.done():
            return False
        self._job = None
        plan = job.result()
        if isinstance(plan, Failure):
            return plan
        stale = self.context.skills.plan_is_valid(plan)
        if stale is not None:
            return self._start_plan() if self._attempts < self.planning_attempts else stale
        self.context.events.emit("plan", self.path, duration=plan.trajectory.duration, stretched=plan.stretched, **plan.work)
        return self.planned(plan) or self._start_loop()

    def _start_loop(self) -> Failure | bool:
        self._send(MessageKind.PLANNING_ENDED)
        self.phase = Phase.CONTROL
        self._loop_start = self.context.clock.now()
        self._send(MessageKind.CONTROLLOOP_STARTED)
        return self._control()

    def _control(self) -> Failure | bool:
        for condition in self.inconditions():
            verdict = condition.evaluate(self.context)
            if not verdict:
                message = f"incondition {condition} no longer holds: {verdict.why}"
                return Failure(FailureKind.INCONDITION, self.path, message, verdict.values)
        return self.step()

    def _end(self, failure: Failure | None) -> None:
        self.failure = failure
        self.feedback_message = failure.explain() if failure else "done"
        facts = {"failure": failure} if failure else {}
        kind = MessageKind.TASK_FAILED if failure else MessageKind.TASK_SUCCESSFUL
        if self.phase is Phase.DONE:
            self.status = Status.FAILURE if failure else Status.SUCCESS
            return
        if self.running:
            self._finish()
        if self.phase is Phase.CONTROL:
            self._send(MessageKind.CONTROLLOOP_ENDED)
            self._send(kind, **facts)
        else:
            if self.phase is Phase.PLANNING:
                self._send(MessageKind.PLANNING_ENDED)
            self._send(MessageKind.TASK_FAILED_TO_START, **facts)
        self._complete()
        self.status = Status.FAILURE if failure else Status.SUCCESS

    def _finish(self) -> None:
        if self._job is not None:
            self._job.cancel()
            self._job = None
        try:
            self.finish()
        except Exception:
            failure = Failure(FailureKind.EXCEPTION, self.path, "finish() raised", trace=traceback.format_exc())
            self.context.events.emit("failure", self.path, failure=failure)

    def _complete(self) -> None:
        self.phase = Phase.DONE
        if self._context is not None:
            self._context.arbiter.release(self.path)
            self._send(MessageKind.TASK_COMPLETE)

    def _send(self, kind: MessageKind, **data: object) -> None:
        if self._context is None:
            return
        message = Message(kind, self.path, self._context.clock.now(), data)
        self._context.events.emit("message", self.path, message=kind.value, **data)
        if self.listener is not None:
            self.listener(message)


_RESERVED = {
    *dir(TaskBehavior),
    *("name", "id", "status", "parent", "children", "iterator", "feedback_message", "blackbox_level", "logger"),
    *("qualified_name", "blackboards", "path", "phase", "failure", "listener", "runs", "parameters", "outputs"),
}
