from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from py_trees.behaviour import Behaviour

from taskmatrix.core import Failure, FailureKind, Machine, State, TaskBehavior, on, start
from taskmatrix.core.base import clock as clock_module
from taskmatrix.core.base.clock import RealClock
from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.session.live.breakpoints import Breakpoint
from taskmatrix.session.live.controls import Controls
from taskmatrix.testing import Bench, box_percept

Message = dict[str, Any]


class Wait(TaskBehavior):
    """Moves the head a little for some steps."""

    planning_time = 0.0
    count = 5

    def required_chains(self) -> list[str]:
        return ["head"]

    def plan(self) -> None:
        self.left = self.count

    def step(self) -> bool:
        self.left -= 1
        self.command(self.context.skills.joints("head"), np.array([0.0, -0.001 * self.context.events.step]))
        return self.left <= 0


class Fails(TaskBehavior):
    """Fails at once."""

    planning_time = 0.0

    def step(self) -> Failure:
        return self.fail(FailureKind.COLLISION, "it touches something")


class Two(Machine):
    """One after the other."""

    first = State(Wait)
    second = State(Wait, final=True)
    transitions = (start(first), on(first.task_successful, start=second))


class FakeChannel:
    """Viewers that say what a test tells them, and when.

    Attributes:
        at: Messages by the number of the poll.
        waiting: What comes at each wait, in order; a test ends when there is nothing more to come.
        told: The statuses.
        refused: What was refused.
    """

    def __init__(self, now: list[float] | None = None) -> None:
        self.alive = True
        self.at: dict[int, list[Message]] = {}
        self.waiting: Iterator[list[Message]] = iter(())
        self.told: list[Mapping[str, Any]] = []
        self.refused: list[str] = []
        self.polls = 0
        self.waits: list[float] = []
        self._ready: list[Message] = []
        self._now = now

    def poll(self) -> list[Message]:
        ready, self._ready = self._ready + self.at.get(self.polls, []), []
        self.polls += 1
        return ready

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        if self._now is not None:
            self._now[0] += seconds
            self._ready = next(self.waiting, [])
        else:
            self._ready = next(self.waiting)  # nobody would ever go on

    def status(self, status: Mapping[str, Any]) -> None:
        self.told.append(status)

    def refuse(self, client: int, why: str) -> None:
        self.refused.append(why)


def say(kind: str, **fields: Any) -> Message:
    return {"type": kind, "client": 1, **fields}


def make(name: str, values: Mapping[str, Any]) -> TaskBehavior:
    if name != "wait":
        raise NotFoundError("behavior", name, ["wait"])
    return Wait()


def controlled(bench: Bench, channel: FakeChannel, **options: Any) -> Controls:
    controls = Controls(
        channel,
        bench.context.events,
        options.pop("clock", bench.context.clock),
        bench.plant,
        make,
        frozenset({"cup"}),
        **{"now": lambda: 0.0, **options},
    )
    perceive = bench.executive._perceive

    def look() -> None:
        perceive()
        controls()

    bench.executive._perceive = look
    return controls


@pytest.fixture
def bench() -> Bench:
    return Bench([box_percept("cup"), box_percept("table")])


def story(bench: Bench) -> list[object]:
    return [(event.time, event.step, event.kind, event.source, str(event.data)) for event in bench.events]


def status(channel: FakeChannel) -> list[tuple[object, object]]:
    return [(each.get("status"), each["paused_by"]) for each in channel.told]


def test_nobody_who_does_anything_changes_nothing(bench: Bench) -> None:
    """The events are those of a run without controls."""
    alone = Bench([box_percept("cup"), box_percept("table")])
    alone.run(Two())
    channel = FakeChannel()
    controlled(bench, channel)
    bench.run(Two())
    assert story(bench) == story(alone)
    assert channel.polls > 10
    assert channel.waits == []


def test_pausing_stepping_and_resuming_changes_no_event_either(bench: Bench) -> None:
    """Simulated time stands still while somebody looks."""
    alone = Bench([box_percept("cup"), box_percept("table")])
    alone.run(Two())
    channel = FakeChannel()
    channel.at = {3: [say("pause")]}
    channel.waiting = iter([[], [say("step")], [], [say("step")], [say("resume")]])
    controlled(bench, channel)
    bench.run(Two())
    assert story(bench) == story(alone)
    assert status(channel)[1:] == [
        ("paused", "a viewer"),
        (None, ""),
        ("paused", "one step"),
        (None, ""),
        ("paused", "one step"),
        (None, ""),
    ]


def test_a_run_may_begin_paused(bench: Bench) -> None:
    """Before the first step of anything."""
    channel = FakeChannel()
    steps: list[int] = []

    def look() -> Iterator[list[Message]]:
        steps.append(bench.context.events.step)
        yield [say("resume")]

    channel.waiting = look()
    controlled(bench, channel, paused=True)
    assert bench.run(Wait()).success
    assert steps == [0]


def seen(bench: Bench, channel: FakeChannel, commands: list[list[Message]]) -> list[list[str]]:
    """What the behaviors had said each time that the run stood still."""
    found: list[list[str]] = []

    def look() -> Iterator[list[Message]]:
        for command in commands:
            found.append(bench.messages())
            yield command

    channel.waiting = look()
    return found


def test_to_the_next_transition(bench: Bench) -> None:
    """The run stands still right after it; at its end there is none any more."""
    channel = FakeChannel()
    found = seen(bench, channel, [[say("step-transition")], [say("step-transition")], [say("step-transition")]])
    controlled(bench, channel, paused=True)
    assert bench.run(Two()).success
    assert found[0] == []
    assert "first planning-started" in " ".join(found[1])
    assert "first task-successful" in " ".join(found[2])
    assert "second controlloop-started" not in " ".join(found[2])
    assert len(found) == 3
    assert bench.run(Two()).success  # does not stop at the first transition of the next run


@pytest.mark.parametrize(
    ("on", "what", "last"),
    [
        ("state", "second", "two/second "),
        ("state", "two/second", "two/second "),
        ("message", "task-successful", "two/first task-complete"),
        ("message", "two/second controlloop-ended", "two task-complete"),
        ("message", "second planning-ended", "two/second "),
    ],
)
def test_breakpoints(bench: Bench, on: str, what: str, last: str) -> None:
    """On states and messages; the run stands still at the beginning of the next step, and says why."""
    channel = FakeChannel()
    point = say("break", on=on, what=what, enabled=True)
    channel.at = {0: [point]}
    found = seen(bench, channel, [[say("break", on=on, what=what, enabled=False), say("resume")]])
    controlled(bench, channel)
    assert bench.run(Two()).success
    assert found[0][-1].startswith(last)
    said = f"breakpoint: {on} {what}"
    assert [paused for _, paused in status(channel) if str(paused).split(", by ")[0] == said]
    assert {"on": on, "what": what, "enabled": True} in channel.told[1]["breakpoints"]
    assert channel.told[-1]["breakpoints"] == []


def test_a_breakpoint_of_the_program_is_told_as_it_is_hit(bench: Bench) -> None:
    """With why the run stands still, after a step too; nothing else of that control step follows."""
    channel, told = FakeChannel(), list[str]()
    found = seen(bench, channel, [[say("step")], [say("resume")]])
    controlled(bench, channel, told=told.append).stop_at(Breakpoint("state", "two/second"))
    assert bench.run(Two()).success
    assert told == ["breakpoint: state two/second", "one step"]
    assert found[0][-1].startswith("two/second ")


@pytest.mark.parametrize(("what", "hit"), [("", True), ("collision", True), ("timeout", False)])
def test_breakpoints_on_failures(bench: Bench, what: str, hit: bool) -> None:
    """Any, or of one kind; before the run is over."""
    channel = FakeChannel()
    channel.at = {0: [say("break", on="failure", what=what, enabled=True)]}
    found = seen(bench, channel, [[say("resume")]])
    controlled(bench, channel)
    assert not bench.run(Fails()).success
    assert bool(found) is hit


def test_breakpoints_on_conditions(bench: Bench) -> None:
    """When its answer changes."""
    channel = FakeChannel()
    channel.at = {0: [say("break", on="condition", what="late()", enabled=True)]}
    found = seen(bench, channel, [[say("resume")]])
    controlled(bench, channel)
    perceive = bench.executive._perceive

    def look() -> None:
        if bench.context.events.step == 2:
            bench.context.events.emit("condition", "wait", role="guard", condition="late()", holds=True)
        perceive()

    bench.executive._perceive = look
    assert bench.run(Wait()).success
    assert len(found) == 1


def test_a_speed_waits_for_the_time_to_come(bench: Bench) -> None:
    """Half the speed takes twice the time, on the machine's clock; as fast as possible takes none."""
    now = [0.0]
    channel = FakeChannel(now)
    controlled(bench, channel, now=lambda: now[0], speed=0.5)
    assert bench.run(Wait()).success
    assert now[0] == pytest.approx(2.0 * bench.context.clock.now())
    channel.at = {channel.polls: [say("speed", value=None)]}
    before = now[0]
    assert bench.run(Wait()).success
    assert now[0] == before
    assert channel.told[-1]["speed"] is None


def test_a_run_that_is_behind_does_not_hurry(bench: Bench) -> None:
    """It goes on with its speed from where it is."""
    now = [0.0]
    channel = FakeChannel(now)
    controlled(bench, channel, now=lambda: now[0], speed=1.0)
    assert bench.run(Wait()).success
    now[0] += 100.0
    assert bench.run(Wait()).success
    assert now[0] == pytest.approx(100.0 + bench.context.clock.now(), abs=0.05)


def test_pausing_holds_a_real_clock(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """For the run no time has passed; a real clock has no other speed."""

    class Wall:
        time = 0.0

        def monotonic(self) -> float:
            return self.time

    wall = Wall()
    monkeypatch.setattr(clock_module, "time", wall)
    clock = RealClock()
    channel = FakeChannel()

    def look() -> Iterator[list[Message]]:
        for command in ([], [], [say("speed", value=2.0)], [say("resume")]):
            wall.time += 10.0
            yield command

    channel.waiting = look()
    controls = controlled(bench, channel, clock=clock, paused=True, speed=1.0)
    wall.time = 1.0
    controls()
    assert (wall.time, clock.now()) == (41.0, 1.0)
    wall.time += 0.5
    assert clock.now() == 1.5
    assert "real time" in channel.refused[0]
    assert (channel.told[0]["real_time"], channel.told[0]["speed"]) == (True, None)


@pytest.mark.parametrize("paused", [False, True])
def test_an_emergency_stop(bench: Bench, paused: bool) -> None:
    """Nothing more is commanded, the robot holds, and the failure says who it was; a run after it is a run."""
    channel = FakeChannel()
    channel.at = {3: [say("pause"), say("stop")]} if paused else {3: [say("stop")]}
    controls = controlled(bench, channel)
    outcome = bench.run(Two())
    failure = outcome.failure
    assert failure is not None
    assert failure.kind is FailureKind.INTERRUPTED
    assert failure.message.startswith("stopped by a viewer; the robot holds")
    assert np.array_equal(bench.plant.commands[-1].q, bench.plant.commands[-2].q)
    assert bench.violation() is None
    assert bench.run(Two()).success
    controls.close()


def test_moving_an_object(bench: Bench) -> None:
    """It is there at once, the way it lay, and an event tells of it; what cannot be moved is not."""
    channel = FakeChannel()
    channel.at = {
        2: [
            say("move", object="cup", position=[1.0, 2.0, 3.0]),
            say("move", object="table", position=[1.0, 2.0, 3.0]),
            say("move", object="moon", position=[1.0, 2.0, 3.0]),
        ]
    }
    controlled(bench, channel)
    before = bench.plant.truth()["poses"]["cup"][:3, :3].copy()  # type: ignore[index]
    assert bench.run(Wait()).success
    (event,) = [event for event in bench.events if event.kind == "moved"]
    assert (event.source, event.data["object"]) == ("viewer", "cup")
    pose = bench.context.perception.object("cup").X_WO
    assert pose[:3, 3].tolist() == [1.0, 2.0, 3.0]
    assert np.array_equal(pose[:3, :3], before)
    assert [why.split(" cannot")[0] for why in channel.refused] == ["'table'", "'moon'"]


def test_what_a_hand_holds_is_not_moved(bench: Bench) -> None:
    """It would be torn out of it."""
    bench.plant.attach("left", "cup")
    channel = FakeChannel()
    channel.at = {2: [say("move", object="cup", position=[1.0, 2.0, 3.0])]}
    controlled(bench, channel)
    assert bench.run(Wait()).success
    assert "the left hand holds it" in channel.refused[0]


def test_starting_a_behavior_between_two_runs(bench: Bench) -> None:
    """One that exists, and not while one runs; without viewers there is nothing to wait for."""
    channel = FakeChannel()
    channel.at = {1: [say("start", behavior="wait", parameters={})]}
    controls = controlled(bench, channel)
    assert bench.run(Wait()).success
    assert "runs already" in channel.refused[0]
    wrong = say("start", behavior="import os", parameters={})
    channel.waiting = iter([[say("stop"), say("pause")], [wrong], [say("start", behavior="wait", parameters={})]])
    chosen = controls.next_behavior()
    assert isinstance(chosen, Wait)
    assert "no behavior 'import os'" in channel.refused[1]
    assert ("idle", "") in status(channel)
    assert bench.run(chosen).success
    channel.alive = False
    assert controls.next_behavior() is None


class FakeMoments:
    """A session whose state is a number, which each run raises.

    Attributes:
        restored: The states that were gone back to.
    """

    def __init__(self) -> None:
        self.running: Behaviour | None = None
        self.now = 0
        self.restored: list[object] = []

    def save(self) -> object:
        self.now += 1
        return self.now

    def restore(self, state: object) -> None:
        self.restored.append(state)


def test_a_run_is_run_again_from_the_state_in_which_it_began(bench: Bench) -> None:
    """Not while it runs, nor where nothing has run."""
    channel, moments = FakeChannel(), FakeMoments()
    controls = controlled(bench, channel, moments=moments)
    again = say("again", **{"from": "start"})
    channel.waiting = iter([[again], [say("start", behavior="wait", parameters={})]])
    assert controls.next_behavior() is not None
    assert "nothing has run yet" in channel.refused[0]
    channel.at = {channel.polls + 1: [again]}
    moments.running = first = Wait()
    assert bench.run(first).success
    assert "runs already" in channel.refused[1]
    moments.running = None
    channel.waiting = iter([[again]])
    assert controls.next_behavior() is first
    assert moments.restored == [1]
    assert channel.told[-1]["again"] is True


def test_a_run_is_run_again_from_where_it_stood_still_as_what_it_has_become(bench: Bench) -> None:
    """The last time, and not what stood still in a run before; what cannot be made is refused, and nothing is lost."""
    channel, moments, become = FakeChannel(), FakeMoments(), list[Behaviour | str]([Wait(), "no such class", Two()])

    def anew(task: Behaviour) -> Behaviour:
        found = become.pop()
        if isinstance(found, str):
            raise ParameterError(found)
        return found

    controls = controlled(bench, channel, moments=moments, anew=anew)
    controls.stop_at(Breakpoint("state", "two/second"))
    channel.waiting = iter([[say("resume")]])
    moments.running = Two()
    assert bench.run(moments.running).success
    here = say("again", **{"from": "stop"})
    channel.waiting = iter([[here], [here], [here]])
    assert isinstance(controls.next_behavior(), Two)
    assert isinstance(controls.next_behavior(), Wait)
    assert channel.refused == ["no such class"]
    assert moments.restored == [2, 2]
    moments.running = Wait()
    assert bench.run(moments.running).success
    channel.waiting = iter([[here], [say("start", behavior="wait", parameters={})]])
    controls.next_behavior()
    assert channel.refused[1].startswith("nothing has stood still yet")


def test_a_viewer_that_dies_leaves_no_run_standing(bench: Bench) -> None:
    """Who paused it cannot let it go on any more: it does."""
    channel = FakeChannel()

    def dies() -> Iterator[list[Message]]:
        yield []
        channel.alive = False
        yield []

    channel.waiting = dies()
    controlled(bench, channel, paused=True, speed=1.0)
    assert bench.run(Two()).success


def test_ctrl_c_ends_a_run_that_stands_still(bench: Bench) -> None:
    """As everywhere else."""
    channel = FakeChannel()

    def strikes() -> Iterator[list[Message]]:
        yield []
        bench.context.events.interrupted = True
        yield []

    channel.waiting = strikes()
    controlled(bench, channel, paused=True)
    outcome = bench.run(Two())
    assert outcome.failure is not None
    assert "Ctrl-C" in outcome.failure.message
