"""The task behavior: a parameterised program in three phases that says by messages what happens to it (thesis 3.5)."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

import numpy as np
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from ..base.errors import NoValueError, ParameterError, TaskMatrixError, not_found
from ..base.failure import Failure, FailureKind
from ..base.hooks import items, wrong
from ..base.message import FAILED, Message, MessageKind
from ..base.names import in_lower_case
from ..base.parameter import Parameterised
from ..robot.plans import Indices, Job, Plan, TaskObjective, Trajectory
from ..robot.samples import samples
from ..world.objects import Array
from .condition import Condition
from .condition_monitor import ConditionMonitor
from .context import Context
from .phase import Phase
from .requirement import HasChain, Requirement


class TaskBehavior(Parameterised, Behaviour):
    """Base of all task behaviors; a leaf of any py_trees tree and a state of any machine.

    A run has three phases. In *pre-execution* the requirements are matched with what the robot provides, the
    preconditions are checked and the chains are claimed; the *planning* phase runs once; the *control loop* runs every
    control step until :meth:`step` says that it is over. Subclasses override the hooks :meth:`requirements`,
    :meth:`preconditions`, :meth:`inconditions`, :meth:`required_chains`, :meth:`plan`, :meth:`planned`, :meth:`step`,
    :meth:`achieved` and :meth:`finish`; never ``tick``, ``update`` or ``advance``. A hook that raises makes
    this behavior fail with the trace, and nothing else.

    Args:
        name: Name in messages and displays; the class's name in lower case unless given.
        **parameters: Values of the declared parameters.

    Raises:
        ParameterError: A parameter is unknown, of the wrong type, out of range or not given by name.
    """

    needs: ClassVar[tuple[str, ...]] = ()  # chains that every run owns to its end, whatever the robot
    planning_time: ClassVar[float] = 0.5  # [s] of simulated time, whatever the work
    planning_attempts: ClassVar[int] = 3  # plans made anew when the world changed while planning

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in (*cls.declared, *cls.published):
            if name in _ATTRIBUTES or (name in cls.published and name in _NOT_OUTPUTS):
                raise ParameterError(f"{cls.__name__} declares '{name}', a name that behaviors already use")

    def __init__(self, *positional: NoReturn, name: str | None = None, **parameters: Any) -> None:
        if positional:  # no type checker lets it pass
            who, names = type(self).__name__, [*self.declared, *["..."] * len(positional)]
            example = ", ".join(f"{key}={value!r}" for key, value in zip(names, list[object](positional), strict=False))
            raise ParameterError(f"parameters are given by name: {who}({example})")
        super().__init__(name or in_lower_case(type(self).__name__, "-"))
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
        self._rechecking = False
        self._loop_start = 0.0
        self._random: np.random.Generator | None = None
        self._answers = ConditionMonitor()
        self.set_parameters(**parameters)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            if "parameters" in vars(self):
                return object.__getattribute__(self, name)  # raises the error there would be without this method
            who = type(self).__name__
            raise AttributeError(f"'{who}' has no '{name}' yet; its __init__ has to call super().__init__() first")

    # what subclasses override

    def requirements(self) -> Iterable[Requirement]:
        """What it takes of a robot, whatever that and the world are doing; the chains in ``needs`` unless overridden.

        A machine asks its states before it starts any. What depends on a parameter that another state is going to find
        out is left out then: from there on, where this is a generator, and all of it else.
        """
        return [HasChain(chain) for chain in self.needs]

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

    def achieved(self) -> Failure | bool:
        """Whether what it is for has come about, from what is sensed; asked whenever :meth:`step` says that it is over.

        False to go on for a while, and a failure (``not_achieved``, say) where it has not and will not.
        """
        return True

    def finish(self) -> None:
        """Clean up; called once at the end of every run that started planning, however it ended."""

    # what subclasses use

    @property
    def context(self) -> Context:
        """The robot and its world; there once the behavior has been set up."""
        if self._context is None:
            raise TaskMatrixError(f"behavior '{self.name}' was not set up; run it in a session, or setup(context=...)")
        return self._context

    @property
    def elapsed(self) -> float:
        """[s] Since the control loop started."""
        return self.context.clock.now() - self._loop_start

    @property
    def random(self) -> np.random.Generator:
        """One generator for the whole run; it depends only on the seed, the path, and how often that has run before."""
        if self._random is None:
            self._random = self.context.random(self.path, self.context.runs[self.path])
        return self._random

    def command(
        self,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
    ) -> None:
        """Send positions (k,) and optionally velocities and accelerations to joints of chains that this run owns.

        Where chains are shared, ``objective`` says what of it matters; every joint unless it is given.
        """
        self.context.skills.command(self.path, joints, q, v, a, objective)

    def stay(self) -> None:
        """Ask whoever shares the chains to leave them where they are, while a plan is made from there."""
        arbiter = self.context.arbiter
        joints = arbiter.shared(self.path)
        if len(joints):
            self.command(joints, arbiter.last[joints])

    def follow(self, *parts: Plan | Trajectory) -> Failure | bool:
        """Run one control step along plans and trajectories, each after the one before; for :meth:`step` to return.

        The first begins with the control loop. True at the end of the last; a failure of kind ``collision`` when what
        was commanded last did not go out.
        """
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(FailureKind.COLLISION, "the way is blocked", blocked)
        time = self.elapsed + self.context.dt
        for part in parts:
            if time <= part.duration or part is parts[-1]:
                self.allow_retreat(part, time)
                trajectory = part.trajectory if isinstance(part, Plan) else part
                self.command(trajectory.indices, *trajectory.sample(time))
                break
            time -= part.duration
        return self.elapsed >= sum(part.duration for part in parts)

    def allow_retreat(self, part: Plan | Trajectory, time: float) -> None:
        """Permit, on the retreat of a plan, what hands may touch there; for who follows it at a time [s]."""
        if isinstance(part, Plan):
            for touch in part.retreat_contacts:
                self.context.skills.allow_contact(touch if time <= part.retreat_end else None, touch.hand)

    def publish(self, **outputs: Any) -> None:
        """Set outputs and tell them by ``parameter-set``; only in the control loop."""
        for name, value in outputs.items():
            if name not in self.published:
                raise ParameterError(not_found("output", name, self.published, type(self).__name__))
            try:
                outputs[name] = self.published[name].validate(value)
            except ParameterError as error:
                raise ParameterError(
                    f"'{self.path}' ({type(self).__name__}) publishes what it may not: {error}"
                ) from None
        self._say(MessageKind.PARAMETER_SET, **outputs)
        self.outputs.update(outputs)

    def goal(self, achieved: bool, **facts: object) -> None:
        """Tell, in a recurrent behavior, whether the goal is achieved in this step; only in the control loop."""
        self._say(MessageKind.GOAL_ACHIEVED if achieved else MessageKind.GOAL_FAILED, **facts)

    def fail(self, kind: FailureKind, message: str, /, cause: Failure | None = None, **facts: object) -> Failure:
        """Make a failure of this behavior."""
        return Failure(kind, self.path, message, facts, cause)

    # the lifecycle

    def unmet(self, now: bool = True) -> Failure | None:
        """Why this robot is not able to do this, found without doing anything; None if nothing speaks against it.

        Args:
            now: Whether it would start now; if not, a machine does not ask where its guards lead.

        Returns:
            A failure of kind ``not_able`` that says which requirement is not met, and by what.
        """
        context = self.context
        for requirement in self._stated():
            verdict = requirement.met(context.skills.capabilities, context.perception)
            if not verdict:
                facts = {"requirement": repr(requirement), **verdict.values}
                return Failure(FailureKind.NOT_ABLE, self.path, verdict.why, facts)
        return None

    def setup(self, **kwargs: Any) -> None:
        """Bind to a robot and its world; py_trees hands its keyword arguments on.

        Args:
            **kwargs: ``context``: the :class:`Context`.
        """
        context = kwargs.get("context")
        if not isinstance(context, Context):
            raise TaskMatrixError(f"behavior '{self.name}' needs setup(context=...)")
        if self.listener is None:  # a state is bound by its machine
            self.bind(context, self.name)

    def bind(self, context: Context, path: str) -> None:
        """Bind to a robot and its world, with ``path`` as the name in messages, made unique."""
        if context is not self._context:
            self.runs = 0
        self._context = context
        self.path = context.unique(path)

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
        self.status = Status.INVALID
        self.failure = None
        self.outputs = {}
        self._random = None

    def advance(self) -> Status:
        """Run one control step of whatever phase the run is in."""
        try:
            result = self._advance()
        except Exception as error:
            result = self._exception(error, self.phase.when)
        if isinstance(result, Failure) and result.where != self.path:  # a skill's, say: tell also whom it stopped
            result = self.fail(result.root.kind, self.phase.stopped, result)
        if result is False:
            self.status = Status.RUNNING
        else:
            self._end(result if isinstance(result, Failure) else None)
        return self.status

    def force_quit(self) -> None:
        """Cut off a run that is under way; nothing happens if none is."""
        if self.running:
            self.phase, self.status = Phase.DONE, Status.INVALID
            self._close([MessageKind.FORCE_QUIT])

    def _advance(self) -> Failure | bool:
        if self.phase is Phase.IDLE:
            return self._begin()
        if self.phase is Phase.PLANNING:
            return self._continue_planning()
        if self.phase is Phase.CONTROL:
            return self._control()
        return self.failure or True  # over: the same answer until it is restarted

    def _begin(self) -> Failure | bool:
        self.runs += 1
        self.context.runs[self.path] += 1
        self._attempts = 0
        self._answers.clear()
        context = self.context
        if self.parameters:
            context.events.emit("parameters", self.path, values=dict(self.parameters))
        missing = [name for name in self.declared if name not in self.parameters]
        if missing:
            return self.fail(FailureKind.PARAMETER, f"parameter '{missing[0]}' has no value")
        for name, parameter in self.declared.items():
            if parameter.known and self.parameters[name] not in (None, *context.perception.percepts):
                message = not_found("object", self.parameters[name], context.perception.percepts)
                return self.fail(FailureKind.UNKNOWN_OBJECT, message)
        unmet = self.unmet()
        if unmet is not None:
            return unmet
        for number, condition in enumerate(items("preconditions", self.preconditions(), Condition, "conditions")):
            verdict = condition.evaluate(context)
            self._answers.note(context, self.path, "precondition", number, condition, verdict)
            if not verdict:
                message = f"{verdict.why} (precondition {condition} does not hold)"
                return Failure(FailureKind.PRECONDITION, self.path, message, verdict.values)
        chains = self.required_chains()
        if isinstance(chains, Failure):
            return chains
        chains = items("required_chains", chains, str, "names of chains, or a Failure")
        busy = context.arbiter.claim(self.path, chains)
        if busy is not None:
            return self.fail(FailureKind.CHAIN_BUSY, "cannot start", busy)
        self.phase = Phase.PLANNING
        self._send(MessageKind.PLANNING_STARTED)
        return self._start_plan()

    def _stated(self) -> Iterator[Requirement]:
        """The requirements, as far as all that they depend on is known."""
        try:
            stated = self.requirements()
            if isinstance(stated, str) or not isinstance(stated, Iterable):
                raise wrong("requirements", stated, "requirements")
            for requirement in stated:
                if not isinstance(requirement, Requirement):
                    raise wrong("requirements", requirement, "requirements")
                yield requirement
        except NoValueError:
            return

    def _start_plan(self) -> Failure | bool:
        if self.context.arbiter.moving(self.path):  # what had the chains before was cut off, and brakes
            self.stay()
            return False
        self._attempts += 1
        self._rechecking = False
        job = self.plan()
        if isinstance(job, Failure):
            return job
        if job is not None and not isinstance(job, Job):
            raise wrong("plan", job, "a job of the skills, a Failure or None")
        self._job = job
        if job is None:
            return self._start_loop()
        self.stay()
        return False

    def _continue_planning(self) -> Failure | bool:
        job = self._job
        if job is None:
            return self._start_plan()
        if not job.done():
            self.stay()
            return False
        self._job = None
        plan = job.result()
        if isinstance(plan, Failure):
            anew = self._rechecking and self._attempts < self.planning_attempts
            return self._start_plan() if anew else plan
        if not self._rechecking:
            self._rechecking = True
            self._job = self.context.skills.recheck(plan)
            if self._job is not None:
                return self._continue_planning()
        self._tell(plan, stretched=plan.stretched)
        failure = self.planned(plan)
        if failure is not None and not isinstance(failure, Failure):
            raise wrong("planned", failure, "a Failure or None")
        return failure or self._start_loop()

    def _tell(self, plan: Plan, **facts: object) -> None:
        """Tell that there is a plan: how long it takes, what it took, and where it leads."""
        if plan.initial_contacts:
            facts["initial_contacts"] = [contact.pair for contact in plan.initial_contacts]
        facts |= {**plan.work, "samples": samples(plan.trajectory, self.context.skills.position())}
        self.context.events.emit("plan", self.path, duration=plan.trajectory.duration, **facts)

    def _start_loop(self) -> Failure | bool:
        self._send(MessageKind.PLANNING_ENDED)
        self.phase = Phase.CONTROL
        self._loop_start = self.context.clock.now()
        self._send(MessageKind.CONTROLLOOP_STARTED)
        return self._control()

    def _control(self) -> Failure | bool:
        for number, condition in enumerate(items("inconditions", self.inconditions(), Condition, "conditions")):
            verdict = condition.evaluate(self.context)
            self._answers.note(self.context, self.path, "incondition", number, condition, verdict)
            if not verdict:
                message = f"{verdict.why} (incondition {condition} no longer holds)"
                return Failure(FailureKind.INCONDITION, self.path, message, verdict.values)
        result = self.step()
        if isinstance(result, (bool, np.bool_)):
            result = self.achieved() if result else False
        if not isinstance(result, (bool, np.bool_, Failure)):
            raise wrong("step", result, "True, False or a Failure")
        return result if isinstance(result, Failure) else bool(result)

    def _end(self, failure: Failure | None) -> None:
        phase, self.phase = self.phase, Phase.DONE
        self.status = Status.FAILURE if failure else Status.SUCCESS
        self.failure = failure
        self.feedback_message = failure.explain() if failure else "done"
        if phase is Phase.CONTROL:
            verdict = MessageKind.TASK_FAILED if failure else MessageKind.TASK_SUCCESSFUL
            self._close([MessageKind.CONTROLLOOP_ENDED, verdict])
        elif phase is Phase.PLANNING:
            self._close([MessageKind.PLANNING_ENDED, MessageKind.TASK_FAILED_TO_START])
        elif phase is Phase.IDLE:
            self._close([MessageKind.TASK_FAILED_TO_START], started=False)

    def _close(self, last_words: Sequence[MessageKind], started: bool = True) -> None:
        """Clean up, give the chains back and say the last words; whatever `finish` does, each happens once."""
        if self._context is None:
            return
        try:
            if started:
                self._finish()
        finally:
            for kind in last_words:
                facts = {"failure": self.failure} if kind in FAILED else {}
                self._send(kind, **facts)
            self._context.arbiter.release(self.path)
            self._send(MessageKind.TASK_COMPLETE)

    def _finish(self) -> None:
        job, self._job = self._job, None
        try:
            if job is not None:
                job.cancel()
            self.finish()
        except Exception as error:
            failure = self._exception(error, "while cleaning up")
            self.context.events.emit("failure", self.path, failure=failure)

    def _exception(self, error: Exception, when: str) -> Failure:
        message = f"{type(error).__name__} {when}: {error}"
        return Failure(FailureKind.EXCEPTION, self.path, message, trace=traceback.format_exc())

    def _say(self, kind: MessageKind, /, **data: object) -> None:
        """Send one of the messages of the control loop."""
        if self.phase is not Phase.CONTROL:
            raise TaskMatrixError(
                f"'{self.path}' can send {kind.value} only in the control loop, not {self.phase.value}"
            )
        self._send(kind, **data)

    def _send(self, kind: MessageKind, /, **data: object) -> None:
        context = self.context
        message = Message(kind, self.path, context.clock.now(), data)
        context.events.emit("message", self.path, message=kind.value, **data)
        if self.listener is not None:
            self.listener(message)


_ATTRIBUTES = frozenset(vars(TaskBehavior()))
# what events and states call otherwise
_NOT_OUTPUTS = {"message", "failed", "behavior", "final", "optional", "wires", "line"}
_NOT_OUTPUTS |= {kind.value.replace("-", "_") for kind in MessageKind}
