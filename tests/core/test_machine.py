"""Message-driven machines at work."""

from __future__ import annotations

import pytest
from py_trees.common import Status
from py_trees.display import ascii_tree, unicode_tree

from taskmatrix.core import (
    FailureKind,
    Machine,
    MessageKind,
    Output,
    Parameter,
    State,
    TaskBehavior,
    on,
    start,
)
from taskmatrix.testing import Bench

from .machines import Chain, Outer, Race, Wired, ended, starts
from .samples import Each, Finder, Forever, Probe, Told


def test_a_message_starts_the_next_state(bench: Bench) -> None:
    """States run one after the other, under the machine's name, and the final one ends the machine."""
    outcome = bench.run(Chain())
    assert outcome.success
    assert starts(bench) == ["chain", "chain/first", "chain/second"]
    assert ended(bench, "chain") == "task-successful"
    assert bench.violation() is None
    told = [event.data for event in bench.events if event.kind == "transition"]
    assert told == [
        {"trigger": "start", "start": ["first"], "stop": []},
        {"trigger": "first task-successful", "start": ["second"], "stop": []},
    ]


def test_a_state_started_by_a_message_first_runs_in_the_next_control_step(bench: Bench) -> None:
    """Messages are delivered after all states had their step."""
    bench.run(Chain())
    steps = {event.source: event.step for event in bench.events if event.data.get("message") == "planning-started"}
    assert steps == {"chain": 0, "chain/first": 0, "chain/second": 1}


def test_several_states_run_at_once(bench: Bench) -> None:
    """Each has its step in every control step, and the arms move together."""
    machine = Race()
    assert bench.ticks(machine, 2) == [Status.RUNNING] * 2
    assert machine.live == ("slow",)
    assert starts(bench) == ["race", "race/slow", "race/quick"]
    assert [owner for owner, _ in bench.plant.commands[0].owners] == ["race/slow", "race/quick"]


def test_messages_are_delivered_in_the_order_of_their_emission(bench: Bench) -> None:
    """The states' order of steps is the order of their messages, also for what both start."""

    class Order(Machine):
        a = State(Probe)
        b = State(Probe)
        after_b = State(Probe)
        after_a = State(Probe)
        end = State(Probe, steps=3, final=True)

        transitions = (
            start(a, b, end),
            on(b.task_complete, start=after_b),
            on(a.task_complete, start=after_a),
        )

    bench.run(Order())
    assert starts(bench) == [f"order{state}" for state in ("", "/a", "/b", "/end", "/after_a", "/after_b")]


@pytest.mark.parametrize(("lazy", "ran"), [(True, "short"), (False, "long")])
def test_guards_choose_among_transitions(bench: Bench, lazy: bool, ran: str) -> None:
    """Boolean conditions of the machine's parameters, at the start and later."""

    class Choice(Machine):
        lazy = Parameter(bool)

        first = State(Probe)
        short = State(Probe, final=True)
        long = State(Probe, final=True)

        transitions = (
            start(first, when=Told(True) | Told(lazy)),
            on(first.task_successful, start=short, when=Told(lazy)),
            on(first.task_successful, start=long, when=~Told(lazy)),
        )

    assert bench.run(Choice(lazy=lazy)).success
    assert starts(bench) == ["choice", "choice/first", f"choice/{ran}"]


def test_a_guard_may_ask_for_an_output(bench: Bench) -> None:
    """What a state published decides where the machine goes on."""

    class EventQueries(Machine):
        find = State(Finder, value=1)
        end = State(Probe, final=True)

        transitions = (start(find), on(find.task_successful, start=end, when=Told(find.found)))

    assert bench.run(EventQueries()).success


def test_parameters_and_outputs_are_wired(bench: Bench) -> None:
    """Constants, the machine's parameters, and outputs by parameter-set; read anew whenever the state starts."""
    machine = Wired(value=11)
    assert bench.run(machine).success
    use = machine.children[1]
    assert isinstance(use, Probe)
    assert use.number == 11
    machine.set_parameters(value=12)
    bench.run(machine)
    assert use.number == 12


def test_nothing_is_started_after_the_end(bench: Bench) -> None:
    """What else was said in the machine's last step is not delivered any more."""

    class Over(Machine):
        last = State(Probe, final=True)
        other = State(Probe)
        late = State(Probe)
        transitions = (start(last, other), on(other.task_complete, start=late))

    assert bench.run(Over()).success
    assert [event.data["start"] for event in bench.events if event.kind == "transition"] == [["last", "other"]]


def test_machines_nest(bench: Bench) -> None:
    """A machine sends the messages of any behavior, and its states have their path."""
    assert bench.run(Outer()).success
    assert starts(bench) == ["outer", "outer/inner", "outer/inner/first", "outer/inner/second", "outer/after"]
    assert bench.violation() is None


def test_a_state_can_run_in_a_loop(bench: Bench) -> None:
    """Restarted by its own success, until another state ends the machine."""

    class Loop(Machine):
        again = State(Probe)
        clock = State(Probe, steps=4, final=True)
        transitions = (start(again, clock), on(again.task_complete, start=again))

    assert bench.run(Loop()).success
    assert starts(bench).count("loop/again") == 4


class Stopping(Machine):
    """One state stops the other and starts it over."""

    watched = State(Forever, chain="head")
    alarm = State(Probe, steps=2)
    end = State(Probe, steps=2, final=True)

    transitions = (
        start(watched, alarm),
        on(alarm.task_successful, stop=watched, start=[watched, end]),
    )


def test_a_transition_stops_and_starts(bench: Bench) -> None:
    """First what stops, by force-quit, then what starts: also the same state, from the beginning."""
    assert bench.run(Stopping()).success
    assert [word for word in bench.messages("stopping/watched") if "goal" not in word] == [
        *("planning-started", "planning-ended", "controlloop-started", "force-quit", "task-complete"),
        *("planning-started", "planning-ended", "controlloop-started", "force-quit", "task-complete"),
    ]
    assert bench.violation() is None


def test_the_end_of_what_was_stopped_is_a_message_too(bench: Bench) -> None:
    """A force-quit can start something."""

    class Following(Machine):
        watched = State(Forever)
        alarm = State(Probe)
        cleanup = State(Probe, final=True)

        transitions = (
            start(watched, alarm),
            on(alarm.task_complete, stop=watched),
            on(watched.force_quit, start=cleanup),
        )

    assert bench.run(Following()).success


def test_stopping_what_has_just_ended_does_not_undo_its_end(bench: Bench) -> None:
    """Both end in the same step; the final state counts as ended by itself."""

    class Photo(Machine):
        first = State(Probe)
        final = State(Probe, final=True)
        transitions = (start(first, final), on(first.task_successful, stop=final))

    assert bench.run(Photo()).success


def test_live_states_quit_before_the_machine_ends(bench: Bench) -> None:
    """Their last words come before the machine's own, and their chains are free."""

    class Ending(Machine):
        beside = State(Forever, chain="head")
        final = State(Probe, final=True)
        transitions = (start(beside, final),)

    bench.run(Ending())
    told = bench.messages()
    assert told.index("ending/beside task-complete") < told.index("ending controlloop-ended")
    assert ended(bench, "ending/beside") == "force-quit"
    assert bench.context.arbiter.owner("head") is None


@pytest.mark.parametrize("depth", [Race, Outer])
def test_a_machine_that_is_cut_off_cuts_off_its_states(bench: Bench, depth: type[Machine]) -> None:
    """At any depth, inner before outer."""
    machine = depth()
    for state in machine.iterate():
        if isinstance(state, Probe):
            state.set_parameters(steps=99)
    bench.ticks(machine, 1)
    machine.force_quit()
    assert bench.violation() is None
    assert bench.messages()[-1] == f"{machine.name} task-complete"
    assert machine.live == ()


def test_a_machine_can_run_again(bench: Bench) -> None:
    """Nothing of the first run is left in the second, also after it was cut off."""
    machine = Race()
    bench.ticks(machine, 1)
    machine.force_quit()
    assert bench.run(machine).success
    assert bench.run(machine).success
    assert bench.violation() is None


def test_a_flood_of_messages_starts_a_state_once(bench: Bench) -> None:
    """A recurrent state tells its goal in every step; who lives is left alone, also in the step of its end."""

    class Flood(Machine):
        source = State(Forever)
        once = State(Probe, steps=3, final=True)
        transitions = (start(source), on(source.goal_achieved, start=once))

    assert bench.run(Flood()).success
    assert starts(bench).count("flood/once") == 1


def test_machines_are_shown_by_py_trees(bench: Bench) -> None:
    """The displays of py_trees show the states and where they stand, before and while it runs."""
    machine = Outer()
    assert "inner" in ascii_tree(machine)
    bench.ticks(machine, 2)
    shown = unicode_tree(machine, show_status=True)
    lines = {line.split()[-2 if line.endswith("]") else -1]: line for line in shown.splitlines() if line.strip()}
    assert len(shown.strip().splitlines()) == 5
    for name in ("outer", "inner", "first", "second", "after"):
        assert name in shown, lines
    assert machine.children[0].parent is machine


def test_a_message_can_be_waited_for_under_its_own_name() -> None:
    """Every message of the fixed set is an attribute of a state."""
    state = State(Finder)
    for kind in MessageKind:
        assert getattr(state, kind.value.replace("-", "_")).kinds == (kind,)
    assert state.found.output == "found"


def test_members_are_behaviors_of_their_own(bench: Bench) -> None:
    """Two machines of one class share nothing but the declaration."""
    first, second = Wired(value=1), Wired(value=2)
    bench.run(first)
    bench.run(second)
    numbers = [child.number for machine in (first, second) for child in machine.children if isinstance(child, Probe)]
    assert numbers == [1, 2]


def test_a_subclass_inherits_states_and_transitions(bench: Bench) -> None:
    """And may add parameters and outputs of its own."""

    class Longer(Wired):
        extra = Parameter(bool, default=False)
        result = Output(int)

    assert list(Longer.states) == ["find", "use"]
    assert bench.run(Longer(value=3)).success


def test_an_event_listener_is_no_part_of_a_machine(bench: Bench) -> None:
    """A behavior outside of a machine needs nobody who listens."""
    assert bench.run(Each(lambda self: True, name="alone")).success


@pytest.mark.parametrize("order", ["ab", "ba"])
def test_a_state_that_ended_can_be_started_by_another_that_ends_in_the_same_step(bench: Bench, order: str) -> None:
    """Whichever of the two had its step first, no start is lost."""

    class Both(Machine):
        a = State(Probe)
        b = State(Probe)
        end = State(Probe, steps=4, final=True)
        transitions = (
            start(a, b) if order == "ab" else start(b, a),
            on(b.task_successful, start=a),
            on(a.planning_ended, start=end),
        )

    machine = Both()
    assert bench.run(machine).success
    assert starts(bench).count("both/a") == 2
    assert bench.violation() is None


class Silent(TaskBehavior):
    """Never publishes what it could."""

    number = Output(int)

    def step(self) -> bool:
        if self.elapsed < 0.0:
            self.publish(number=1)
        return True


@pytest.mark.parametrize("denied", [False, True])
def test_a_guard_on_an_unpublished_output_does_not_hold(bench: Bench, denied: bool) -> None:
    """Nor does its denial: None would mean something else to many a condition."""

    class Guarded(Machine):
        a = State(Silent)
        b = State(Probe, final=True)
        transitions = (
            start(a),
            on(a.task_successful, start=b, when=~~Told(True, a.number) if denied else Told(True, a.number)),
        )

    failure = bench.run(Guarded()).failure
    assert failure is not None
    assert failure.kind is FailureKind.DEAD_END


def test_a_second_run_does_not_see_outputs_of_the_first(bench: Bench) -> None:
    """A wire is empty again until the state has published anew."""
    seen: list[int | None] = []

    class Reader(TaskBehavior):
        number = Parameter(int, default=None)

        def step(self) -> bool:
            seen.append(self.number)
            return True

    class Skips(Machine):
        skip = Parameter(bool, default=False)
        find = State(Finder)
        read = State(Reader, number=find.found, final=True)
        transitions = (
            start(find, when=~Told(skip)),
            start(read, when=Told(skip)),
            on(find.task_successful, start=read),
        )

    machine = Skips()
    assert bench.run(machine).success
    machine.skip = True
    assert bench.run(machine).success
    assert seen == [7, None]
