"""The task behavior: a parameterised program in three phases that says by messages what happens to it (thesis 3.5)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar, NoReturn

import numpy as np
from py_trees.behaviour import Behaviour
from py_trees.behaviours import Success
from py_trees.common import Status

from ..base.errors import NoValueError, ParameterError, TaskMatrixError, not_found
from ..base.failure import Failure, FailureKind
from ..base.hooks import items, wrong
from ..base.message import FAILED, Message, MessageKind
from ..base.names import in_lower_case
from ..base.parameter import Parameterised, given_by_name
from ..robot.impedance import Impedance
from ..robot.plans import Indices, Job, Plan, TaskObjective, Trajectory
from ..robot.samples import facts_of
from ..world.objects import Array
from .base_offset import BaseOffset
from .condition import Condition, ConditionMonitor
from .context import Context
from .patience import Patience
from .phase import Phase
from .requirement import HasChain, Requirement

HOOKS = (
    *("needs", "planning_time", "planning_attempts", "requirements", "preconditions", "inconditions"),
    *("required_chains", "plan", "planned", "step", "achieved", "finish", "set_parameters"),
)


class TaskBehavior(Parameterised, Behaviour, hooks=HOOKS, attributes=vars(Success(""))):
    """Base of all task behaviors; a leaf of any py_trees tree and a state of any machine.

    A run has three phases. In *pre-execution* the requirements are matched with what the robot provides, the
    preconditions are checked and the chains are claimed; the *planning* phase runs once; the *control loop* runs every
    control step until :meth:`step` says that it is over. Subclasses override the hooks :meth:`requirements`,
    :meth:`preconditions`, :meth:`inconditions`, :meth:`required_chains`, :meth:`plan`, :meth:`planned`, :meth:`step`,
    :meth:`achieved` and :meth:`finish`; never ``tick`` or ``update``. A hook that raises makes this behavior fail with
    the trace, and nothing else.

    Args:
        name: Name in messages and displays; the class's name in lower case unless given.
        **parameters: Values of the declared parameters.

    Raises:
        ParameterError: A parameter is unknown, of the wrong type, out of range or not given by name.
    """

    needs: ClassVar[tuple[str, ...]] = ()  # chains that every run owns to its end, whatever the robot
    planning_time: ClassVar[float] = 0.5  # [s] of simulated time, whatever the work
    planning_attempts: ClassVar[int] = 3  # plans made anew when the world changed while planning

    def __init__(self, *positional: NoReturn, name: str | None = None, **parameters: Any) -> None:
        given_by_name(type(self), positional)
        super().__init__(name or in_lower_case(type(self).__name__, "-"))
        self.__outputs: dict[str, Any] = {}
        self.__path = self.name
        self.__phase = Phase.IDLE
        self.__failure: Failure | None = None
        self.__listener: Callable[[Message], None] | None = None
        self.__context: Context | None = None
        self.__job: Job | None = None
        self.__attempts = 0
        self.__loop_start = 0.0
        self.__random: np.random.Generator | None = None
        self.__offset = BaseOffset()
        self.__answers = ConditionMonitor()
        self.set_parameters(**parameters)

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

    @property
    def context(self) -> Context:
        """The robot and its world; there once the behavior has been set up."""
        if self.__context is None:
            raise TaskMatrixError(f"behavior '{self.name}' was not set up; run it in a session, or setup(context=...)")
        return self.__context

    @property
    def elapsed(self) -> float:
        """[s] Since the control loop started."""
        return self.context.clock.now() - self.__loop_start

    @property
    def random(self) -> np.random.Generator:
        """One generator for the whole run; it depends only on the seed, the path, and how often that has run before."""
        if self.__random is None:
            self.__random = self.context.random(self.path, self.context.runs[self.path])
        return self.__random

    def command(
        self,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
        impedance: Impedance | None = None,
    ) -> None:
        """Send positions (k,), and more if given, to joints of chains that this run owns, as the skill ``command``."""
        self.context.skills.command(self.path, joints, q, v, a, objective, impedance)

    def command_along(self, part: Plan | Trajectory, time: float, rate: float = 1.0) -> None:
        """Send where a plan or trajectory is at a time [s], for the first time when the robot is where it begins.

        That time runs ``rate`` times as fast as the clock.
        Plans are about where the robot is: a base that was pushed is told to be as far off its way as it was told then.
        """
        self.allow_retreat(part, time)
        trajectory = part.trajectory if isinstance(part, Plan) else part
        q, v, a = trajectory.sample(time)
        self.command(trajectory.indices, q - self.__offset.of(trajectory, self.context), rate * v, rate * a)

    def stay(self) -> None:
        """Ask whoever shares the chains to leave them where they are, while a plan is made from there."""
        joints = self.context.arbiter.shared(self.path)
        if len(joints):
            self.command(joints, self.context.arbiter.last[joints])

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
                self.command_along(part, time)
                break
            time -= part.duration
        return self.elapsed >= sum(part.duration for part in parts)

    def allow_retreat(self, part: Plan | Trajectory, time: float) -> None:
        """Permit, on the retreat of a plan, what hands may touch there; for who follows it at a time [s]."""
        if isinstance(part, Plan):
            for touch in part.retreat_contacts:
                self.context.skills.allow_contact(touch if time <= part.retreat_end else None, touch.hand)

    def tell_plan(self, plan: Plan, **facts: object) -> None:
        """Tell of a plan, but for that of :meth:`plan`, how long it takes, what it took to make, and where it leads."""
        facts |= facts_of(plan, self.context.skills.position())
        self.context.events.emit("plan", self.path, duration=plan.trajectory.duration, **facts)

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
        self.__say(MessageKind.PARAMETER_SET, **outputs)
        self.outputs.update(outputs)

    def goal(self, achieved: bool, **facts: object) -> None:
        """Tell, in a recurrent behavior, whether the goal is achieved in this step; only in the control loop."""
        self.__say(MessageKind.GOAL_ACHIEVED if achieved else MessageKind.GOAL_FAILED, **facts)

    def fail(self, kind: FailureKind, message: str, /, cause: Failure | None = None, **facts: object) -> Failure:
        """Make a failure of this behavior."""
        return Failure(kind, self.path, message, facts, cause)

    # the lifecycle

    @property
    def path(self) -> str:
        """Its name in messages: ``pickup/reach``."""
        return self.__path

    @property
    def phase(self) -> Phase:
        """Where it stands in its run."""
        return self.__phase

    @property
    def failure(self) -> Failure | None:
        """Why the last run failed."""
        return self.__failure

    @property
    def outputs(self) -> dict[str, Any]:
        """What was published in the present run or the last, by name."""
        return self.__outputs

    def unmet(self, now: bool = True) -> Failure | None:
        """Why this robot is not able to do this, found without doing anything; None if nothing speaks against it.

        Args:
            now: Whether it would start now; if not, a machine does not ask where its guards lead.

        Returns:
            A failure of kind ``not_able`` that says which requirement is not met, and by what.
        """
        context = self.context
        for requirement in self.__stated():
            verdict = requirement.met(context.skills.capabilities, context.perception)
            if not verdict:
                facts = {"requirement": repr(requirement), **verdict.values}
                return Failure(FailureKind.NOT_ABLE, self.path, verdict.why, facts)
        return None

    def setup(self, **kwargs: Any) -> None:
        """Bind to a robot and its world: to ``context``, a :class:`Context`, of what py_trees hands on."""
        context = kwargs.get("context")
        if not isinstance(context, Context):
            raise TaskMatrixError(f"behavior '{self.name}' needs setup(context=...)")
        if not isinstance(self.parent, TaskBehavior):  # a state is bound by its machine
            self.bind(context, self.name)

    def bind(self, context: Context, path: str) -> None:
        """Bind to a robot and its world, with ``path`` as the name in messages, made unique."""
        self.__context = context
        self.__path = context.unique(path)

    @property
    def runs(self) -> int:
        """How often it has begun to run on this robot."""
        return self.context.runs[self.path]

    def listen(self, listener: Callable[[Message], None]) -> None:
        """Have a machine, which binds this behavior, hear its messages."""
        self.__listener = listener

    def initialise(self) -> None:
        """Called by py_trees when a run begins."""
        self.restart()

    def update(self) -> Status:
        """Run one control step of whatever phase the run is in; called once a tick, and never lets an exception out."""
        try:
            result = self.__advance()
        except Exception as error:
            result = Failure.raised(error, self.path, self.phase.when)
        if isinstance(result, Failure) and result.where != self.path:  # a skill's, say: tell also whom it stopped
            result = self.fail(result.root.kind, self.phase.stopped, result)
        if result is False:
            if self.status is not Status.RUNNING:
                self.status = Status.RUNNING
        else:
            self.__end(result if isinstance(result, Failure) else None)
        return self.status

    def terminate(self, new_status: Status) -> None:
        """Called by py_trees when a run ends; cuts off one that still goes on."""
        self.force_quit()

    @property
    def running(self) -> bool:
        """Whether a run is under way."""
        return self.phase in (Phase.PLANNING, Phase.CONTROL)

    def doing(self) -> str:
        """What it is about, in words, for when it takes too long."""
        since = f" for {self.elapsed:.3g} s" if self.phase is Phase.CONTROL else ""
        return f"{self.path} {self.phase.standing}{since}"

    def restart(self) -> None:
        """Get ready for a new run."""
        self.force_quit()
        self.__phase = Phase.IDLE
        self.status = Status.INVALID
        self.__failure = None
        self.__outputs = {}
        self.__random = None

    def force_quit(self) -> None:
        """Cut off a run that is under way; nothing happens if none is."""
        if self.running:
            self.__phase, self.status = Phase.DONE, Status.INVALID
            self.__close([MessageKind.FORCE_QUIT])

    def conclude(self, failure: Failure) -> Failure:
        """The failure with which a run ends, with what belongs to it."""
        return failure

    def __advance(self) -> Failure | bool:
        if self.__phase is Phase.CONTROL:
            return self.__control()
        if self.__phase is Phase.PLANNING:
            return self.__continue_planning()
        if self.__phase is Phase.IDLE:
            return self.__begin()
        return self.failure or True  # over: the same answer until it is restarted

    def __begin(self) -> Failure | bool:
        self.context.runs[self.path] += 1
        self.__attempts, self.__patience = 0, Patience(self.context, self.path)
        self.__answers.clear()
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
        for number, condition in enumerate(items(self, "preconditions", self.preconditions(), Condition, "conditions")):
            verdict = condition.evaluate(context)
            self.__answers.note(context, self.path, "precondition", number, condition, verdict)
            if not verdict:
                message = f"{verdict.why} (precondition {condition} does not hold)"
                return Failure(FailureKind.PRECONDITION, self.path, message, verdict.values)
        chains = self.required_chains()
        if isinstance(chains, Failure):
            return chains
        chains = items(self, "required_chains", chains, str, "names of chains, or a Failure")
        busy = context.arbiter.claim(self.path, chains)
        if busy is not None:
            return self.fail(FailureKind.CHAIN_BUSY, "cannot start", busy)
        self.__phase = Phase.PLANNING
        self.__send(MessageKind.PLANNING_STARTED)
        return self.__start_plan()

    def __stated(self) -> Iterator[Requirement]:
        """The requirements, as far as all that they depend on is known."""
        try:
            stated = self.requirements()
            if isinstance(stated, str) or not isinstance(stated, Iterable):
                raise wrong(self, "requirements", stated, "requirements")
            for requirement in stated:
                if not isinstance(requirement, Requirement):
                    raise wrong(self, "requirements", requirement, "requirements")
                yield requirement
        except NoValueError:
            return

    def __start_plan(self) -> Failure | bool:
        if self.context.arbiter.moving(self.path) or self.__patience.lasts():  # what had the chains before brakes
            self.stay()
            return False
        self.__attempts += 1
        self.__rechecking = False
        job = self.plan()
        if isinstance(job, Failure):
            return False if self.__patience.waits_for(job) else job
        if job is not None and not isinstance(job, Job):
            raise wrong(self, "plan", job, "a job of the skills, a Failure or None")
        self.__job = job
        if job is None:
            return self.__start_loop()
        self.stay()
        return False

    def __continue_planning(self) -> Failure | bool:
        job = self.__job
        if job is None:
            return self.__start_plan()
        if not job.done():
            self.stay()
            return False
        self.__job = None
        plan = job.result()
        if isinstance(plan, Failure):
            anew = self.__rechecking and self.__attempts < self.planning_attempts
            return self.__start_plan() if anew or self.__patience.waits_for(plan) else plan
        if not self.__rechecking:
            self.__rechecking = True
            self.__job = self.context.skills.recheck(plan)
            if self.__job is not None:
                return self.__continue_planning()
        self.tell_plan(plan, stretched=plan.stretched)
        failure = self.planned(plan)
        if failure is not None and not isinstance(failure, Failure):
            raise wrong(self, "planned", failure, "a Failure or None")
        return failure or self.__start_loop()

    def __start_loop(self) -> Failure | bool:
        self.__send(MessageKind.PLANNING_ENDED)
        self.__phase = Phase.CONTROL
        self.__loop_start = self.context.clock.now()
        self.__send(MessageKind.CONTROLLOOP_STARTED)
        return self.__control()

    def __control(self) -> Failure | bool:
        for number, condition in enumerate(items(self, "inconditions", self.inconditions(), Condition, "conditions")):
            verdict = condition.evaluate(self.context)
            self.__answers.note(self.context, self.path, "incondition", number, condition, verdict)
            if not verdict:
                message = f"{verdict.why} (incondition {condition} no longer holds)"
                return Failure(FailureKind.INCONDITION, self.path, message, verdict.values)
        result = self.step()
        if isinstance(result, (bool, np.bool_)):
            result = self.achieved() if result else False
        if not isinstance(result, (bool, np.bool_, Failure)):
            raise wrong(self, "step", result, "True, False or a Failure")
        return result if isinstance(result, Failure) else bool(result)

    def __end(self, failure: Failure | None) -> None:
        phase, self.__phase = self.phase, Phase.DONE
        failure = self.conclude(failure) if failure else None
        self.status = Status.FAILURE if failure else Status.SUCCESS
        self.__failure = failure
        self.feedback_message = failure.explain() if failure else "done"
        if phase is Phase.CONTROL:
            verdict = MessageKind.TASK_FAILED if failure else MessageKind.TASK_SUCCESSFUL
            self.__close([MessageKind.CONTROLLOOP_ENDED, verdict])
        elif phase is Phase.PLANNING:
            self.__close([MessageKind.PLANNING_ENDED, MessageKind.TASK_FAILED_TO_START])
        elif phase is Phase.IDLE:
            self.__close([MessageKind.TASK_FAILED_TO_START], started=False)

    def __close(self, last_words: Sequence[MessageKind], started: bool = True) -> None:
        """Clean up, give the chains back and say the last words; whatever `finish` does, each happens once."""
        if self.__context is None:
            return
        try:
            if started:
                self.__finish()
        finally:
            for kind in last_words:
                facts = {"failure": self.failure} if kind in FAILED else {}
                self.__send(kind, **facts)
            self.__context.arbiter.release(self.path)
            self.__send(MessageKind.TASK_COMPLETE)

    def __finish(self) -> None:
        job, self.__job = self.__job, None
        try:
            if job is not None:
                job.cancel()
            self.finish()
        except Exception as error:
            failure = Failure.raised(error, self.path, "while cleaning up")
            self.context.events.emit("failure", self.path, failure=failure)

    def __say(self, kind: MessageKind, /, **data: object) -> None:
        """Send one of the messages of the control loop."""
        if self.phase is not Phase.CONTROL:
            raise TaskMatrixError(
                f"'{self.path}' can send {kind.value} only in the control loop, not {self.phase.value}"
            )
        self.__send(kind, **data)

    def __send(self, kind: MessageKind, /, **data: object) -> None:
        context = self.context
        message = Message(kind, self.path, context.clock.now(), data)
        context.events.emit("message", self.path, message=kind.value, **data)
        if self.__listener is not None:
            self.__listener(message)
