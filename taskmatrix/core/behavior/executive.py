"""The executive: one fixed control step after another, from sensing to the plant."""

from __future__ import annotations

import math
import signal
import threading
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from textwrap import shorten
from typing import Protocol

import numpy as np
from py_trees.behaviour import Behaviour
from py_trees.common import Status

from ..base.errors import ParameterError, TaskMatrixError
from ..base.events import CTRL_C, Event, EventStream
from ..base.failure import FailedError, Failure, FailureKind
from ..robot.arbiter import Command
from ..robot.plant import JointState, WholePlant
from .behavior import TaskBehavior
from .context import Context
from .py_trees_adapter import failure_of, going_on, prepare, stop

TOLD = 3  # failures that an outcome in words tells to have recovered from
BRIEF = 80  # characters of each
BACKLOG = 0.25  # [s] by which control steps may be late and are still caught up on


class Interrupted(Protocol):
    """Where a Ctrl-C is noted."""

    interrupted: bool


@contextmanager
def interrupts_wait(events: Interrupted) -> Iterator[None]:
    """Note a Ctrl-C in ``events.interrupted`` instead of raising it anywhere; a second one raises KeyboardInterrupt.

    Who has a handler of their own keeps it; so does everybody outside the main thread, where Python takes no signals.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def note(number: int, frame: object) -> None:
        if events.interrupted:
            raise KeyboardInterrupt
        events.interrupted = True

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@dataclass(frozen=True)
class Lateness:
    """By how much control steps started later than they were due."""

    median: float = 0.0
    """[s]"""
    p99: float = 0.0
    """[s] All but one in a hundred were no later."""
    worst: float = 0.0
    """[s]"""

    @staticmethod
    def of(late: Sequence[float]) -> Lateness:
        """That of some control steps [s]."""
        return Lateness(*np.percentile(np.maximum(late, 0.0), (50, 99, 100)).tolist()) if late else Lateness()


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
    """Control steps that started late by more than half a step: in real time, or because they were made to."""
    recovered: tuple[Failure, ...] = ()
    """From what machines recovered on the way, in order; but for ``nothing_found``, which is an answer."""
    load: float = 0.0
    """The share of the time in which control steps were computed, in real time; 1 where there was none left to wait."""
    lateness: Lateness = Lateness()
    """How late control steps started, in real time."""

    def __str__(self) -> str:
        if self.success:
            return f"success after {self.duration:.2f} s" + self._story()
        return f"failure after {self.duration:.2f} s: {self.failure.explain() if self.failure else 'unknown'}"

    def _story(self) -> str:
        """From what it recovered, in short."""
        counted = Counter(f"{failure.where}: {_brief(failure.root.message)}" for failure in self.recovered)
        told = [f"{text} ({count} times)" if count > 1 else text for text, count in counted.items()]
        more = [f"{len(told) - TOLD} more"] if len(told) > TOLD else []
        return f", after recovering from {'; '.join([*told[:TOLD], *more])}" if told else ""


def _brief(message: str) -> str:
    return shorten(message, BRIEF, placeholder=" ...")


Steps = Generator[None, None, Outcome]
"""The control steps of a run, and in the end how it ended."""


def ended(steps: Steps) -> Outcome:
    """How a run ended, after all of its steps."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome


class Executive:
    """Steps a behavior, a machine or any py_trees tree.

    Args:
        context: What the behaviors reach.
        plant: What is commanded.
        perceive: The perception process; called at the start of every step.
        sense: Takes the joint sensors' reading to the skills.
        motion: The motion controller: executes the arbiter's command on the plant.
        announce: Tells what is going to run, when it has been prepared; nobody does unless given.
    """

    def __init__(
        self,
        context: Context,
        plant: WholePlant,
        perceive: Callable[[], None],
        sense: Callable[[JointState], None],
        motion: Callable[[Command], None],
        announce: Callable[[Behaviour], None] | None = None,
    ) -> None:
        self._context = context
        self._plant = plant
        self._perceive = perceive
        self._sense = sense
        self._motion = motion
        self._announce = announce
        self._watch_grip = GripMonitor(plant, context.events)
        self._missed = 0

    def miss(self, periods: int) -> None:
        """Be late with the next command by some control steps, a fault: the plant holds where it was told to be last.

        Args:
            periods: How many; they add up until the controller has its turn again.

        Raises:
            ParameterError: It is not a number from 1.
        """
        if isinstance(periods, bool) or not isinstance(periods, (int, np.integer)) or periods < 1:
            raise ParameterError(f"the periods to miss have to be a whole number from 1, not {periods!r}")
        self._missed += int(periods)

    def run(self, root: Behaviour, timeout: float = 120.0) -> Outcome:
        """Run until the root ends; takes, returns and raises what :meth:`steps` does."""
        return ended(self.steps(root, timeout))

    def steps(self, root: Behaviour, timeout: float = 120.0) -> Steps:
        """Run until the root ends; whatever ends it, no behavior goes on and one more step holds the robot at rest.

        It yields when a control step is over and the next one is due, so that several executives may take turns.

        Args:
            root: Anything that py_trees can tick.
            timeout: [s] After which it is forced to quit; more than 0.

        Returns:
            How it ended. Ctrl-C ends the run at the end of a control step, as a failure of kind ``interrupted``. What
            raises outside of a task behavior - a plain py_trees leaf, a sensor, the plant - ends it as one of kind
            ``exception``, also if it goes on raising while the run is ended.

        Raises:
            TaskMatrixError: The root is nothing that py_trees can tick, such as the class of a behavior.
            ParameterError: The timeout is not a number above 0.
        """
        _check(root, timeout)
        context, events, clock = self._context, self._context.events, self._context.clock
        self.prepare(root)
        began, first, overruns, busy = clock.now(), events.step, 0, 0.0
        due = began  # [s] when the first control step was, or should have been for the next to be on time
        failure: Failure | None = None
        recovered, lates = list[Failure](), list[float]()
        unsubscribe = events.subscribe(lambda event: _note_recovery(event, recovered))
        with interrupts_wait(events):
            try:
                self._tell(root)
                while True:
                    woke = clock.now()
                    self.step(root)
                    busy += clock.now() - woke
                    if root.status is not Status.RUNNING:
                        failure = None if root.status is Status.SUCCESS else failure_of(root)
                        break
                    if events.interrupted:
                        raise KeyboardInterrupt
                    if clock.now() - began >= timeout:
                        message = f"still running after {timeout:g} s{going_on(root)}"
                        failure = Failure(FailureKind.TIMEOUT, root.name, message)
                        break
                    late = clock.sleep_until(due + (events.step - first) * context.dt)
                    missed = self._miss_steps(due - first * context.dt)
                    lates.append(clock.now() - due - (events.step - first) * context.dt)
                    due += max(late - BACKLOG, 0.0)
                    late += missed * context.dt
                    if late > context.dt / 2:
                        overruns += 1
                        events.emit("overrun", "executive", late=late)
                    yield
            except KeyboardInterrupt:
                message = f"{events.interrupted_by}; the robot holds where it is"
                failure = Failure(FailureKind.INTERRUPTED, root.name, message)
            except Exception as error:
                failure = Failure.raised(error, root.name)
            failure = _attempt(partial(stop, root), root, failure)
            duration, steps = clock.now() - began, events.step - first
            for end in (self._act, self._look):
                clock.sleep_until(due + (events.step - first) * context.dt)
                yield
                failure = _attempt(end, root, failure)
        unsubscribe()
        load = busy / duration if duration > 0.0 else 0.0
        lateness = Lateness() if clock.simulated else Lateness.of(lates)
        outcome = Outcome(failure is None, failure, duration, steps, overruns, tuple(recovered), load, lateness)
        events.emit("outcome", root.name, success=outcome.success, failure=failure)
        return outcome

    def rest(self) -> Steps:
        """Hold the robot where it is, one control step after another, while others go on; it does not end by itself.

        What is wrong with its plant, or a filter, fails the next run.
        """
        clock, steps = self._context.clock, 0
        began = clock.now()
        while True:
            with suppress(FailedError):
                self._look()
                self._act()
            steps += 1
            clock.sleep_until(began + steps * self._context.dt)
            yield

    def prepare(self, root: Behaviour) -> None:
        """Bind all that is in a tree to the robot and its world, for a run from the beginning."""
        self._context.paths.clear()
        self._context.arbiter.fault = None
        events = self._context.events
        events.interrupted, events.interrupted_by = False, CTRL_C
        prepare(root, self._context)

    def _tell(self, root: Behaviour) -> None:
        """Tell what is going to run."""
        if self._announce is not None:
            self._announce(root)
        self._context.events.emit("run", root.name, seed=self._context.seed, dt=self._context.dt)

    def step(self, root: Behaviour) -> None:
        """Run one control step.

        Raises:
            KeyboardInterrupt: The run was interrupted before or while perceiving; nothing is commanded any more.
        """
        self._look()
        if self._context.events.interrupted:
            raise KeyboardInterrupt
        root.tick_once()
        self._act()

    def _look(self) -> None:
        state = self._plant.sense()
        self._sense(state)
        self._context.arbiter.sense(state.q)
        self._perceive()
        self._watch_grip()

    def _act(self) -> None:
        arbiter = self._context.arbiter
        self._execute(arbiter.resolve())
        if arbiter.fault is not None:
            raise FailedError(arbiter.fault)

    def _miss_steps(self, began: float) -> int:
        """Let the control steps that are to be missed pass with nothing new commanded.

        Args:
            began: [s] When step 0 was due.

        Returns:
            How many they were.
        """
        missed, self._missed = self._missed, 0
        for _ in range(missed):
            q = self._context.arbiter.last
            self._execute(Command(q, np.zeros_like(q), np.zeros_like(q)))
            self._context.clock.sleep_until(began + self._context.events.step * self._context.dt)
        return missed

    def _execute(self, command: Command) -> None:
        self._motion(command)
        hands = self._plant.feel().items()
        felt = {hand: vars(state) for hand, state in hands if any(state.contact.values()) or state.slip}
        told = {} if command.impedance is None else {"impedance": vars(command.impedance)}
        self._context.events.emit("step", "plant", **self._plant.truth(), felt=felt, commanded=command.q, **told)
        self._context.events.step += 1


def _attempt(end: Callable[[], None], root: Behaviour, failure: Failure | None) -> Failure | None:
    """Do what ends a run; the failure that there was before it, or what it raises."""
    try:
        end()
    except Exception as error:
        return failure or Failure.raised(error, root.name)
    return failure


def _note_recovery(event: Event, recovered: list[Failure]) -> None:
    failure = event.data.get("failure") if event.kind == "recovery" else None
    if isinstance(failure, Failure) and failure.root.kind is not FailureKind.NOTHING_FOUND:
        recovered.append(failure)


def _check(root: object, timeout: object) -> None:
    if not isinstance(root, Behaviour):
        example = "Pickup(object=...)"
        if isinstance(root, type) and issubclass(root, TaskBehavior):
            required = [f"{name}=..." for name, parameter in root.declared.items() if parameter.required]
            example = f"{root.__name__}({', '.join(required)})"
        raise TaskMatrixError(
            f"run(...) takes a behavior, a machine or a tree: pass an instance, such as {example}, not {root!r}"
        )
    check_timeout(timeout)


def check_timeout(timeout: object) -> None:
    """Raise a ParameterError for a timeout that is no number above 0."""
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float, np.number)) or not timeout > 0:
        raise ParameterError(f"the timeout has to be a number of seconds above 0, not {timeout!r}")


SLIP = 0.005  # [m] from one word about it to the next


class GripMonitor:
    """Reads the hands' sensors once a control step.

    An event ``slip`` tells each time that what a hand holds has moved by another 5 mm in it since it was grasped, an
    event ``lost`` that it has left the hand by itself.

    Args:
        plant: Whose hands.
        events: Where it is told.
    """

    def __init__(self, plant: WholePlant, events: EventStream) -> None:
        self._plant, self._events = plant, events
        self._told: dict[str, float] = {}

    def __call__(self) -> None:
        """Compare the hands with what was told before."""
        for hand, state in self._plant.feel().items():
            told = self._told.get(hand, 0.0)
            if math.isinf(state.slip):
                if not math.isinf(told):
                    self._events.emit("lost", "grip", hand=hand)
                self._told[hand] = math.inf
            elif state.slip < SLIP:
                self._told[hand] = 0.0
            elif math.isinf(told) or state.slip >= told + SLIP:
                self._events.emit("slip", "grip", hand=hand, slip=state.slip)
                self._told[hand] = SLIP * math.floor(state.slip / SLIP + 1e-9)
