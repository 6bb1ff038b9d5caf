"""What people do to a run that goes on: pause, step, break, move things, stop, and start the next one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from py_trees.behaviour import Behaviour

from taskmatrix.core.base.clock import Clock, RealClock
from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.core.base.events import Event, EventStream
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.world.objects import Array

from .adjustments import Adjustments
from .breakpoints import Breakpoint, Breakpoints, check
from .messages import Message

A_VIEWER, STEP, TRANSITION = "a viewer", "one step", "the next transition"
PERIOD = 0.1  # [s] after which one that waits looks whether it was interrupted
BEHIND = 0.25  # [s] by which a run may be behind its speed and still catch up


class Channel(Protocol):
    """Leads to the viewers; a :class:`~.link.Link`, or a fake."""

    alive: bool

    def poll(self) -> list[Message]:
        """What was asked for; returns at once."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait until something is asked for, at most so long [s]."""
        ...

    def status(self, status: Mapping[str, Any]) -> None:
        """Say how the run stands."""
        ...

    def refuse(self, client: int, why: str) -> None:
        """Say to a viewer that something is not done."""
        ...


class Moments(Protocol):
    """What goes back to a moment: a session."""

    running: Behaviour | None
    """What runs now."""

    def save(self) -> object:
        """The state now; raises TaskMatrixError where there is none."""
        ...

    def restore(self, state: object) -> None:
        """Go on from there."""
        ...


class World(Protocol):
    """What holds the objects: the plant of a session."""

    def set_pose(self, object: str, X_WO: Array) -> None:
        """Put an object somewhere."""
        ...

    def truth(self) -> Mapping[str, Any]:
        """``poses`` of the objects by id and what is ``held``."""
        ...


class Controls:
    """A gate at the start of every control step; what is asked for is done there and nowhere else.

    As long as nobody asks for anything, the events of a run are those of a run without it.

    Args:
        channel: Leads to the viewers.
        events: The stream of the run.
        clock: Its clock; a real one stands still while the run is paused.
        world: What holds the objects.
        make: Makes a behavior from its name and parameters, or raises TaskMatrixError.
        movable: Ids of the objects that may be moved.
        now: The clock of the machine [s], for the speed.
        paused: Whether the first control step waits.
        speed: Simulated seconds for each real one; as fast as possible unless given. Not for a real clock.
        moments: What runs, and goes back to where it was.
        anew: What is to run again in place of what ran, as the same with what its file has now.
        told: Called where a run comes to stand still at a breakpoint or after a step, with why.
    """

    def __init__(
        self,
        channel: Channel,
        events: EventStream,
        clock: Clock,
        world: World,
        make: Callable[[str, Mapping[str, Any]], TaskBehavior],
        movable: frozenset[str],
        now: Callable[[], float],
        paused: bool = False,
        speed: float | None = None,
        moments: Moments | None = None,
        anew: Callable[[Behaviour], Behaviour] = lambda task: task,
        told: Callable[[str], None] = lambda why: None,
    ) -> None:
        self._channel, self._events, self._clock, self._world = channel, events, clock, world
        self._make, self._movable, self._now = make, movable, now
        self._speed = speed if clock.simulated else None
        self._paused_by = A_VIEWER if paused else ""
        self._pause_next = ""
        self._to_transition = False
        self._breakpoints = Breakpoints()
        self._moments = moments
        self._adjustments = Adjustments(lambda: None if moments is None else moments.running)
        self._anew, self._told = anew, told
        self._began: tuple[Behaviour, object] | None = None  # what ran last, and the state in which it began
        self._stood: tuple[Behaviour, object] | None = None  # likewise, in which it stood still last
        self._anchor: tuple[float, float] | None = None
        self._running, self._idle = False, False
        self._next: Behaviour | None = None
        self._off = events.subscribe(self._note)
        self._tell()

    def stop_at(self, point: Breakpoint) -> None:
        """Set a breakpoint."""
        self._breakpoints.put(point, True)
        self._tell()

    def close(self) -> None:
        """Stop to take commands."""
        self._off()

    def __call__(self) -> None:
        """Let the next control step begin, as soon as it may."""
        for message in self._channel.poll():
            self._take(message)
        if self._pause_next:
            self._paused_by, self._pause_next = self._pause_next, ""
            self._stood = self._moment()
            self._told(self._paused_by)
        if self._paused_by:
            self._wait()
        if self._speed is not None:
            self._pace()

    def next_behavior(self) -> Behaviour | None:
        """Wait between two runs until somebody starts a behavior; None where there is no viewer any more."""
        self._idle = True
        self._tell()
        while self._channel.alive and self._next is None:
            self._channel.wait(PERIOD)
            for message in self._channel.poll():
                self._take(message)
        self._idle = False
        self._tell()
        chosen, self._next = self._next, None
        return chosen

    def _wait(self) -> None:
        """Stand still until somebody lets the run go on."""
        clock = self._clock
        if isinstance(clock, RealClock):
            clock.hold()
        self._tell()
        while self._paused_by and self._channel.alive and not self._events.interrupted:
            self._channel.wait(PERIOD)
            for message in self._channel.poll():
                self._take(message)
        self._paused_by = ""
        self._anchor = None
        if isinstance(clock, RealClock):
            clock.resume()
        self._tell()

    def _pace(self) -> None:
        """Wait until the time of the run is due; one that is far behind does not make up for it."""
        simulated = self._clock.now()
        while self._channel.alive and self._speed is not None and not self._events.interrupted:
            now = self._now()
            if self._anchor is None:
                self._anchor = (now, simulated)
            due = self._anchor[0] + (simulated - self._anchor[1]) / self._speed
            if now >= due:
                if now > due + BEHIND:
                    self._anchor = (now, simulated)
                return
            self._channel.wait(min(due - now, PERIOD))
            for message in self._channel.poll():
                self._take(message)
            if self._paused_by:
                self._wait()

    def _note(self, event: Event) -> None:
        """See what an event means for the run; nothing stands still before the next control step."""
        if event.kind == "run":
            self._running = True
            self._began, self._stood = self._moment(), None
        elif event.kind == "outcome":
            self._running = False
            self._adjustments.clear()
            self._to_transition = False
            self._pause_next = ""
        elif event.kind == "transition" and self._to_transition:
            self._to_transition = False
            self._pause_next = TRANSITION
        point = self._breakpoints.hit(event)
        if point is not None and self._running:
            self._pause_next = str(point) if event.source in point.what else f"{point}, by {event.source}"

    def _take(self, message: Message) -> None:
        try:
            _DO[message["type"]](self, message)
        except TaskMatrixError as error:
            self._channel.refuse(message["client"], str(error))

    def _tell(self) -> None:
        points = [{**point._asdict(), "enabled": True} for point in self._breakpoints.points]
        status = {"status": "idle"} if self._idle else {"status": "paused"} if self._paused_by else {}
        speed = {"speed": self._speed, "real_time": not self._clock.simulated}
        adjusted = [each._asdict() for each in self._adjustments.made]
        again = self._began is not None
        told = {"paused_by": self._paused_by, "breakpoints": points, "adjusted": adjusted, "again": again}
        self._channel.status({**status, **speed, **told})

    def _pause(self, message: Message) -> None:
        if not self._idle:
            self._paused_by = self._paused_by or A_VIEWER

    def _resume(self, message: Message) -> None:
        self._paused_by, self._to_transition = "", False

    def _step(self, message: Message) -> None:
        if not self._paused_by:
            self._pause(message)
            return
        self._paused_by, self._pause_next = "", STEP

    def _step_transition(self, message: Message) -> None:
        if not self._idle:
            self._paused_by, self._to_transition = "", True

    def _set_speed(self, message: Message) -> None:
        if not self._clock.simulated:
            raise ParameterError("this run is in real time, and has no other speed")
        self._speed, self._anchor = message["value"] or None, None
        self._tell()

    def _break(self, message: Message) -> None:
        point = Breakpoint(message["on"], message["what"])
        if message["enabled"]:
            check(point, self._adjustments.there())
        self._breakpoints.put(point, message["enabled"])
        self._tell()

    def _move(self, message: Message) -> None:
        id, truth = message["object"], self._world.truth()
        if id not in self._movable or id not in truth["poses"]:
            raise ParameterError(f"'{id[:60]}' cannot be moved: it is fixed, or not there")
        holders = [hand for hand, held in truth["held"].items() if held == id]
        if holders:
            raise ParameterError(f"'{id}' cannot be moved: the {holders[0]} hand holds it")
        X_WO = np.array(truth["poses"][id], dtype=float)
        X_WO[:3, 3] = message["position"]
        self._world.set_pose(id, X_WO)
        self._events.emit("moved", "viewer", object=id, X_WO=X_WO)

    def _set(self, message: Message) -> None:
        made = self._adjustments.set(message["where"], message["name"], message["value"])
        self._events.emit("adjusted", made.where, name=made.name, value=made.value, by=A_VIEWER)
        self._tell()

    def _unset(self, message: Message) -> None:
        left = self._adjustments.unset(message["where"], message["name"])
        self._events.emit("adjusted", left.where, name=left.name, value=left.value, by="")
        self._tell()

    def _stop(self, message: Message) -> None:
        if not self._idle:
            self._events.interrupted, self._events.interrupted_by = True, "stopped by a viewer"

    def _moment(self) -> tuple[Behaviour, object] | None:
        """What runs, and the state now, if the plant has one."""
        if self._moments is None or self._moments.running is None:
            return None
        try:
            return self._moments.running, self._moments.save()
        except TaskMatrixError:
            return None

    def _again(self, message: Message) -> None:
        if not self._idle:
            raise ParameterError("a behavior runs already; stop it first, or wait for its end")
        found = self._began if message["from"] == "start" else self._stood
        if found is None or self._moments is None:
            what = "run" if message["from"] == "start" else "stood still"
            raise ParameterError(f"nothing has {what} yet, or this plant saves no state to go back to")
        task = self._anew(found[0])
        self._moments.restore(found[1])
        self._next = task

    def _start(self, message: Message) -> None:
        if not self._idle:
            raise ParameterError("a behavior runs already; stop it first, or wait for its end")
        self._next = self._make(message["behavior"], message["parameters"])


_DO: dict[str, Callable[[Controls, Message], None]] = {
    "pause": Controls._pause,
    "resume": Controls._resume,
    "step": Controls._step,
    "step-transition": Controls._step_transition,
    "speed": Controls._set_speed,
    "break": Controls._break,
    "move": Controls._move,
    "stop": Controls._stop,
    "start": Controls._start,
    "again": Controls._again,
    "set": Controls._set,
    "unset": Controls._unset,
}
