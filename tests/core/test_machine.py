"""Message-driven machines at work."""

from __future__ import annotations

from typing import Any

import pytest
from py_trees.common import Status
from py_trees.display import ascii_tree, unicode_tree

from taskmatrix.core import (
    Failure,
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

from .samples import Each, Finder, Forever, Probe, Told


def starts(bench: Bench) -> list[str]:
    """Who began a run, in order."""
    return [text.split()[0] for text in bench.messages() if text.endswith(" planning-started")]


def ended(bench: Bench, source: str) -> str:
    """The last but one message of a behavior: how it ended."""
    return bench.messages(source)[-2]


class Chain(Machine):
    """One state after the other."""

    first = State(Probe)
    second = State(Probe, final=True)

    transitions = (start(first), on(first.task_successful, start=second))


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


class Race(Machine):
    """Two states at once."""

    slow = State(Probe, steps=3, chain="left_arm")
    quick = State(Probe, steps=2, chain="right_arm")
    end = State(Probe, final=True)

    transitions = (start(slow, quick), on(slow.task_successful, start=end))


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


class Wired(Machine):
    """A machine's parameter to one state, and what that finds to the next."""

    value = Parameter(int, default=5)

    find = State(Finder, value=value)
    use = State(Probe, number=find.found, steps=2, final=True)

    transitions = (start(find), on(find.task_successful, start=use))


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


def test_a_value_that_does_not_fit_fails_the_machine_with_the_parameter(bench: Bench) -> None:
    """An output that was never published cannot be a number."""

    class Empty(Machine):
        find = State(Forever)
        use = State(Wired, value=3, final=True)
        other = State(Finder)
        bad = State(Probe, number=other.found)

        transitions = (start(find, other), on(find.goal_achieved, start=bad), on(bad.task_complete, start=use))

    failure = bench.run(Empty()).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    assert "state 'bad' cannot start: Probe: parameter 'number' has to be an integer, not None" in failure.message
    assert bench.violation() is None


def test_a_start_that_fails_at_the_end_fails_the_machine(bench: Bench) -> None:
    """That the state which ended was final does not cover it up."""

    class Covered(Machine):
        other = State(Finder)
        last = State(Probe, final=True)
        bad = State(Probe, number=other.found)
        transitions = (start(last, other), on(last.task_complete, start=bad), on(last.failed, start=bad))

    failure = bench.run(Covered()).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER


def test_nothing_is_started_after_the_end(bench: Bench) -> None:
    """What else was said in the machine's last step is not delivered any more."""

    class Over(Machine):
        last = State(Probe, final=True)
        other = State(Probe)
        late = State(Probe)
        transitions = (start(last, other), on(other.task_complete, start=late))

    assert bench.run(Over()).success
    assert [event.data["start"] for event in bench.events if event.kind == "transition"] == [["last", "other"]]


class Outer(Machine):
    """A machine as a state of a machine."""

    inner = State(Chain)
    after = State(Probe, final=True)

    transitions = (start(inner), on(inner.task_successful, start=after))


def test_machines_nest(bench: Bench) -> None:
    """A machine sends the messages of any behavior, and its states have their path."""
    assert bench.run(Outer()).success
    assert starts(bench) == ["outer", "outer/inner", "outer/inner/first", "outer/inner/second", "outer/after"]
    assert bench.violation() is None


def test_a_failure_that_nobody_catches_ends_every_machine_with_the_whole_chain(bench: Bench) -> None:
    """From the outermost machine down to the state that failed, in one paragraph."""

    class Breaking(Machine):
        first = State(Probe, trouble="step:fail", final=True)
        transitions = (start(first),)

    class Around(Machine):
        inner = State(Breaking, final=True)
        beside = State(Forever, chain="head")
        transitions = (start(inner, beside),)

    outcome = bench.run(Around())
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.TRACKING
    assert outcome.failure.explain() == (
        "around: state 'inner' failed, because around/inner: state 'first' failed, "
        "because around/inner/first: trouble in step."
    )
    assert ended(bench, "around/beside") == "force-quit"
    assert bench.violation() is None


@pytest.mark.parametrize("trouble", ["step:fail", "plan:fail", "required_chains:raise"])
def test_failed_catches_both_failures(bench: Bench, trouble: str) -> None:
    """Before the control loop and in it; the machine goes on where the transition leads."""

    class Catching(Machine):
        risky = State(Probe, trouble=trouble)
        instead = State(Probe, final=True)

        transitions = (start(risky), on(risky.failed, start=instead))

    assert bench.run(Catching()).success
    assert starts(bench)[-1] == "catching/instead"


@pytest.mark.parametrize(
    ("trouble", "caught"), [("step:fail", True), ("plan:fail", False), ("required_chains:raise", False)]
)
def test_one_failure_can_be_caught_alone(bench: Bench, trouble: str, caught: bool) -> None:
    """Who waits for task-failed does not catch task-failed-to-start."""

    class Picky(Machine):
        risky = State(Probe, trouble=trouble)
        instead = State(Probe, final=True)

        transitions = (start(risky), on(risky.task_failed, start=instead))

    assert bench.run(Picky()).success is caught


def test_a_failure_whose_guard_does_not_hold_is_not_caught(bench: Bench) -> None:
    """Only a transition that is followed catches."""

    class Guarded(Machine):
        risky = State(Probe, trouble="step:fail")
        instead = State(Probe, final=True)

        transitions = (start(risky), on(risky.failed, start=instead, when=Told(False)))

    assert not bench.run(Guarded()).success


class Retry(Machine):
    """Tries again until it works."""

    task = State(Probe, final=True)
    transitions = (start(task), on(task.failed, start=task))


@pytest.mark.parametrize("trouble", ["step:fail", "plan:fail", "required_chains:fail"])
def test_a_failed_state_can_be_tried_again(bench: Bench, trouble: str) -> None:
    """A transition from a failure back to the state; the task-complete of the old try does not end the new one."""
    machine = Retry()
    (task,) = machine.children
    assert isinstance(task, TaskBehavior)
    task.set_parameters(trouble=trouble)
    assert bench.ticks(machine, 3) == [Status.RUNNING] * 3
    assert task.runs == 3
    task.set_parameters(trouble="")
    bench.executive.step(machine)
    assert machine.status is Status.SUCCESS
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


def test_an_optional_state_may_fail(bench: Bench) -> None:
    """Its failure is an event with the reason, and the machine goes on."""

    class Lenient(Machine):
        extra = State(Probe, trouble="step:fail", optional=True)
        main = State(Probe, steps=3, final=True)
        transitions = (start(extra, main),)

    assert bench.run(Lenient()).success
    (event,) = [event for event in bench.events if event.kind == "failure"]
    assert (event.source, event.data["optional"]) == ("lenient/extra", True)
    assert isinstance(event.data["failure"], Failure)


@pytest.mark.parametrize(("optional", "success"), [(True, True), (False, False)])
def test_a_final_state_that_fails_ends_the_machine(bench: Bench, optional: bool, success: bool) -> None:
    """With its failure; or, where it was optional, without."""

    class Last(Machine):
        last = State(Probe, trouble="step:fail", final=True, optional=optional)
        transitions = (start(last),)

    assert bench.run(Last()).success is success


def test_a_dead_end_is_a_failure(bench: Bench) -> None:
    """No state runs, none can start, and none that ended was final."""

    class Dead(Machine):
        first = State(Probe)
        final = State(Probe, final=True)
        transitions = (start(first), on(first.failed, start=final))

    failure = bench.run(Dead()).failure
    assert failure is not None
    assert (failure.kind, failure.where) == (FailureKind.DEAD_END, "dead")


def test_a_start_whose_guards_all_fail_does_not_start(bench: Bench) -> None:
    """The machine says so, before any state runs."""

    class Shut(Machine):
        first = State(Probe, final=True)
        transitions = (start(first, when=Told(False)),)

    failure = bench.run(Shut()).failure
    assert failure is not None
    assert failure.message == "the guard of no start transition holds"
    assert ended(bench, "shut") == "task-failed-to-start"


def test_a_guard_that_raises_is_the_machines_failure(bench: Bench) -> None:
    """Its states are cut off in order, and the trace says where."""

    class Raising(Told):
        def evaluate(self, context: Any) -> Any:
            raise ZeroDivisionError

    class Unlucky(Machine):
        first = State(Probe)
        beside = State(Forever, chain="head")
        final = State(Probe, final=True)
        transitions = (start(first, beside), on(first.task_complete, start=final, when=Raising(True)))

    failure = bench.run(Unlucky()).failure
    assert failure is not None
    assert failure.kind is FailureKind.EXCEPTION
    assert "ZeroDivisionError" in failure.trace
    assert bench.violation() is None
    assert bench.context.arbiter.owner("head") is None


def test_a_state_that_raises_does_not_take_the_others_down(bench: Bench) -> None:
    """Its exception is its failure; caught or optional, the others do not miss a step."""

    class Tough(Machine):
        wild = State(Probe, trouble="step:raise", chain="head", optional=True)
        calm = State(Probe, steps=5, chain="left_arm", final=True)
        transitions = (start(wild, calm),)

    outcome = bench.run(Tough())
    assert outcome.success
    assert outcome.steps == 5
    assert ended(bench, "tough/wild") == "task-failed"
    assert bench.plant.sense().q[5] == pytest.approx(0.42)


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


def test_nothing_starts_once_the_machine_is_over(bench: Bench) -> None:
    """A transition that cannot start its state is the last one that is followed."""

    class Over(Machine):
        first = State(Finder)
        needy = State(Probe, number=first.found)
        last = State(Probe, final=True)
        transitions = (
            start(first),
            on(first.planning_ended, start=needy),
            on(first.planning_ended, start=last),
        )

    failure = bench.run(Over()).failure
    assert failure is not None
    assert failure.kind is FailureKind.PARAMETER
    told = [event.data["start"] for event in bench.events if event.kind == "transition"]
    assert told == [["first"], ["needy"]]


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


class Needs(Machine):
    """Says when it starts that something is not there."""

    object = Parameter(str, known=True)
    other = Parameter(str, default=None, known=True)
    a = State(Probe, final=True)
    transitions = (start(a),)


def test_an_object_that_has_to_be_known_is_looked_for_at_the_start(bench: Bench) -> None:
    """Before any state starts; one that need not be given may be left out."""
    failure = bench.run(Needs(object="cap")).failure
    assert failure is not None
    assert failure.kind is FailureKind.UNKNOWN_OBJECT
    assert failure.explain() == "needs: no object 'cap'; did you mean 'cup'? There are: cup."
    assert starts(bench) == []
    assert bench.run(Needs(object="cup")).success
    assert not bench.run(Needs(object="cup", other="cap")).success
