"""Recovery, bounded loops, monitors and synchronisation: what transitions can wait for."""

from __future__ import annotations

import re
from typing import Any

import pytest
from py_trees.common import Status

from taskmatrix.core import (
    Condition,
    Context,
    Failure,
    FailureKind,
    Machine,
    MachineError,
    Output,
    Parameter,
    State,
    TaskBehavior,
    Verdict,
    all_of,
    on,
    start,
    whenever,
)
from taskmatrix.testing import Bench

from .samples import Finder, Forever, Probe, Told, untyped


def starts(bench: Bench) -> list[str]:
    """Names of the states that began a run, in order."""
    return [text.split()[0].split("/")[1] for text in bench.messages() if "/" in text and "planning-started" in text]


class Failing(TaskBehavior):
    """Fails with the kind that it is told, as often as it is told."""

    kind = Parameter(str)
    often = Parameter(int, default=99)

    def step(self) -> Failure | bool:
        if self.runs > self.often:
            return True
        deep = Failure(FailureKind(self.kind), "planner", f"{self.kind} number {self.runs}")
        return self.fail(FailureKind.EXCEPTION, "no way", deep)


class After(Condition):
    """Holds from a time on, or until then."""

    def __init__(self, time: object, number: object = 0) -> None:
        super().__init__(time=time, number=number)

    def evaluate(self, context: Context) -> Verdict:
        now, time = context.clock.now(), float(str(self.arguments["time"]))
        return Verdict(now >= time - 1e-9, f"it is {now:.2f} s", {"now": now})


@pytest.mark.parametrize(
    ("kind", "ran"),
    [("collision", "around"), ("timeout", "wait"), ("chain_busy", "wait"), ("not_able", None)],
)
def test_a_failure_is_caught_by_the_kind_of_its_root(bench: Bench, kind: str, ran: str | None) -> None:
    """One kind or several, as text or as FailureKind; any other is not caught."""

    class Kinds(Machine):
        kind = Parameter(str)
        task = State(Failing, kind=kind, final=True)
        around = State(Probe, final=True)
        wait = State(Probe, final=True)
        transitions = (
            start(task),
            on(task.failed(kind="collision"), start=around),
            on(task.failed(kind=("timeout", FailureKind.CHAIN_BUSY)), start=wait),
        )

    outcome = bench.run(Kinds(kind=kind))
    assert starts(bench) == ["task", *([ran] if ran else [])]
    assert outcome.success is (ran is not None)


def test_all_transitions_that_fit_a_failure_are_followed(bench: Bench) -> None:
    """The one for its kind and the one for any kind."""

    class Both(Machine):
        task = State(Failing, kind="collision")
        special = State(Probe, final=True)
        general = State(Probe)
        transitions = (
            start(task),
            on(task.failed, start=general),
            on(task.failed(kind="collision"), start=special),
        )

    assert bench.run(Both()).success
    assert starts(bench) == ["task", "general", "special"]


class Thrice(Machine):
    """Tries up to three times more."""

    often = Parameter(int)
    task = State(Failing, kind="collision", often=often, final=True)
    transitions = (start(task), on(task.failed, start=task, times=3))


@pytest.mark.parametrize(("often", "success", "runs"), [(3, True, 4), (4, False, 4)])
def test_a_loop_is_bounded_in_every_run(bench: Bench, often: int, success: bool, runs: int) -> None:
    """After so many times the failure is uncaught; a second run of the machine counts anew."""
    assert bench.run(Thrice(often=often)).success is success
    assert starts(bench) == ["task"] * runs
    machine = Thrice(often=99)
    for _ in range(2):
        before = len(starts(bench))
        bench.run(machine)
        assert len(starts(bench)) - before == 4
    assert bench.violation() is None


def test_a_machine_that_gives_up_tells_the_whole_story(bench: Bench) -> None:
    """Its failure has those that it recovered from before, in order, as data and in words."""

    class Story(Machine):
        task = State(Failing, kind="collision", final=True)
        other = State(Failing, kind="timeout")
        transitions = (start(task), on(task.failed, start=other), on(other.failed(kind="timeout"), start=task, times=1))

    failure = bench.run(Story()).failure
    assert failure is not None
    assert [each.where for each in failure.earlier] == ["story/task", "story/other", "story/task"]
    assert failure.explain() == (
        "story: state 'other' failed, because story/other: no way, because planner: timeout number 2; before that: "
        "story/task: no way, because planner: collision number 1; then: "
        "story/other: no way, because planner: timeout number 1; then: "
        "story/task: no way, because planner: collision number 2."
    )


def test_the_story_of_a_run_is_its_own(bench: Bench) -> None:
    """What was recovered from in an earlier run, also in one that was cut off, is forgotten."""

    class Once(Machine):
        often = Parameter(int)
        task = State(Failing, kind="collision", often=often, final=True)
        transitions = (start(task), on(task.failed(kind="collision"), start=task, times=2))

    machine = Once(often=99)
    bench.ticks(machine, 2)
    machine.force_quit()
    failure = bench.run(machine).failure
    assert failure is not None
    assert len(failure.earlier) == 2


@pytest.mark.parametrize("wanted", ["on a failure", "on a message"])
def test_a_transition_may_fail_the_machine(bench: Bench, wanted: str) -> None:
    """In the author's words; with the failure that it answers as its cause."""

    class Words(Machine):
        task = State(Failing, kind="collision", often=99 if wanted == "on a failure" else 0)
        end = State(Probe, steps=9, final=True)
        transitions = (
            start(task, end),
            on(task.failed, fail="there is no way to the cup"),
            on(task.task_successful, fail="that should not work"),
        )

    failure = bench.run(Words()).failure
    assert failure is not None
    if wanted == "on a failure":
        assert failure.explain() == (
            "words: there is no way to the cup, because words/task: no way, because planner: collision number 1."
        )
        assert (failure.kind, failure.earlier) == (FailureKind.COLLISION, ())
    else:
        assert failure.explain() == "words: that should not work."
        assert failure.kind is FailureKind.INCONDITION
    assert bench.violation() is None


@pytest.mark.parametrize(("time", "step"), [(0.0, 0), (0.03, 3)])
def test_a_monitor_is_followed_when_its_condition_becomes_true(bench: Bench, time: float, step: int) -> None:
    """Once, before the states have their step; true at the start has become true there."""

    class Watching(Machine):
        time = Parameter(float)
        task = State(Forever, chain="head")
        alarm = State(Probe, steps=2, final=True)
        transitions = (start(task), whenever(After(time), start=alarm, stop=task))

    assert bench.run(Watching(time=time)).success
    (event,) = [event for event in bench.events if event.kind == "transition" and event.data["stop"]]
    assert (event.step, event.data["trigger"]) == (step, "whenever after(time=time, number=0)")
    assert next(e.step for e in bench.events if e.source == "watching/alarm") == step
    assert starts(bench) == (["task", "alarm"] if step else ["alarm"])
    assert bench.violation() is None


def test_a_monitor_is_followed_on_every_rising_edge(bench: Bench) -> None:
    """Not while the condition goes on to hold; at most so many times as it is told."""

    class Blinking(Told):
        def evaluate(self, context: Context) -> Verdict:
            return Verdict(round(context.clock.now() / 0.01) % 4 in (1, 2), "it blinks")

    class Counting(Machine):
        once = State(Probe)
        each = State(Probe)
        end = State(Probe, steps=12, final=True)
        transitions = (
            start(end),
            whenever(Blinking(True), start=each),
            whenever(Blinking(True), start=once, times=1),
        )

    assert bench.run(Counting()).success
    assert starts(bench).count("each") == 3
    assert starts(bench).count("once") == 1


def test_a_monitor_waits_for_the_outputs_that_it_asks_for(bench: Bench) -> None:
    """Until they are published its condition counts as not true."""

    class Waiting(Machine):
        find = State(Finder)
        alarm = State(Probe, steps=1, final=True)
        end = State(Probe, steps=9, final=True)
        transitions = (start(find, end), whenever(After(0.0, find.found), start=alarm))

    assert bench.run(Waiting()).success
    assert next(e.step for e in bench.events if e.source == "waiting/alarm") == 2


def test_a_monitor_may_fail_the_machine(bench: Bench) -> None:
    """With the author's words and the reason of the condition; nothing more runs in that step."""

    class Guarded(Machine):
        task = State(Forever, chain="head")
        end = State(Probe, steps=99, final=True)
        transitions = (start(task, end), whenever(After(0.02), fail="the held object is gone"))

    failure = bench.run(Guarded()).failure
    assert failure is not None
    assert failure.kind is FailureKind.INCONDITION
    assert (
        failure.explain() == "guarded: the held object is gone: after(time=0.02, number=0) became true, it is 0.02 s."
    )
    assert failure.facts == {"now": pytest.approx(0.02)}
    assert bench.messages("guarded/task").count("goal-achieved") == 2
    assert bench.violation() is None


def test_a_monitor_that_raises_is_the_machines_failure(bench: Bench) -> None:
    """As a guard that raises."""

    class Raising(Told):
        def evaluate(self, context: Context) -> Verdict:
            raise ZeroDivisionError

    class Unlucky(Machine):
        end = State(Probe, steps=9, final=True)
        transitions = (start(end), whenever(Raising(True), start=end))

    failure = bench.run(Unlucky()).failure
    assert failure is not None
    assert failure.kind is FailureKind.EXCEPTION
    assert bench.violation() is None


@pytest.mark.parametrize("steps", [(1, 4), (4, 1), (2, 2)])
def test_all_of_waits_for_the_last_message_whatever_the_order(bench: Bench, steps: tuple[int, int]) -> None:
    """Its transition is followed once."""

    class Meeting(Machine):
        first, second = Parameter(int), Parameter(int)
        a = State(Probe, steps=first)
        b = State(Probe, steps=second)
        end = State(Probe, final=True)
        transitions = (start(a, b), on(all_of(a.task_successful, b.task_successful), start=end))

    assert bench.run(Meeting(first=steps[0], second=steps[1])).success
    assert starts(bench) == ["a", "b", "end"]
    (event,) = [event for event in bench.events if event.kind == "transition" and event.data["start"] == ["end"]]
    assert event.data["trigger"] == "a task-successful and b task-successful"
    assert event.step == max(steps) - 1


def test_all_of_counts_anew_after_it_was_followed(bench: Bench) -> None:
    """In a loop, each round needs both messages again."""

    class Rounds(Machine):
        a = State(Probe)
        b = State(Probe, steps=3)
        end = State(Probe, steps=7, final=True)
        transitions = (start(a, b, end), on(all_of(a.task_complete, b.task_complete), start=[a, b]))

    assert bench.run(Rounds()).success
    assert starts(bench) == ["a", "b", "end", "a", "b", "a", "b"]


def test_a_failure_that_all_of_waits_for_is_caught(bench: Bench) -> None:
    """The machine goes on to wait for the other; where that never comes, the dead end tells the failure."""

    class Together(Machine):
        other = Parameter(str)
        a = State(Failing, kind="collision")
        b = State(Probe, steps=3, trouble=other)
        end = State(Probe, final=True)
        transitions = (start(a, b), on(all_of(a.failed(kind="collision"), b.task_failed), start=end))

    assert bench.run(Together(other="step:fail")).success
    failure = bench.run(Together(other="")).failure
    assert failure is not None
    assert failure.kind is FailureKind.DEAD_END
    assert [each.root.kind for each in failure.earlier] == [FailureKind.COLLISION]


def test_what_a_state_said_is_delivered_before_it_starts_again(bench: Bench) -> None:
    """Its output is there for whom its last words start, although another state started it again in that step."""

    class Again(Machine):
        a = State(Probe, steps=2)
        find = State(Finder)
        use = State(Probe, number=find.found, final=True)
        transitions = (start(a, find), on(a.task_successful, start=find), on(find.task_successful, start=use))

    machine = Again()
    assert bench.run(machine).success
    use = machine.children[2]
    assert isinstance(use, Probe)
    assert use.number == 7
    assert starts(bench) == ["a", "find", "find", "use"] or starts(bench) == ["a", "find", "use", "find"]
    assert bench.violation() is None


def test_starting_a_state_that_fails_in_that_step_does_not_hide_its_failure(bench: Bench) -> None:
    """The failure is uncaught, whichever of the two had its step first."""

    class Hidden(Machine):
        a = State(Probe)
        bad = State(Probe, trouble="step:fail")
        end = State(Probe, steps=9, final=True)
        transitions = (start(a, bad, end), on(a.task_successful, start=bad))

    failure = bench.run(Hidden()).failure
    assert failure is not None
    assert "state 'bad' failed" in failure.message


def test_stopping_and_starting_a_state_in_one_transition_runs_it_anew(bench: Bench) -> None:
    """Its last words are delivered before; they do not end the machine, though it is final."""

    class Anew(Machine):
        a = State(Probe, steps=2)
        long = State(Probe, steps=4, final=True)
        transitions = (start(a, long), on(a.task_successful, stop=long, start=long))

    assert bench.run(Anew()).success
    assert starts(bench) == ["a", "long", "long"]
    assert bench.messages("anew/long").count("force-quit") == 1
    assert bench.violation() is None


def test_a_state_that_is_to_start_again_can_be_stopped(bench: Bench) -> None:
    """By a later transition in the same step."""

    class Undone(Machine):
        a = State(Probe)
        b = State(Probe)
        end = State(Probe, steps=3, final=True)
        transitions = (start(a, b, end), on(a.task_successful, start=b), on(a.task_complete, stop=b))

    assert bench.run(Undone()).success
    assert starts(bench) == ["a", "b", "end"]


def test_a_machine_that_was_cut_off_forgets_its_monitors_and_messages(bench: Bench) -> None:
    """A second run is as the first."""

    class Both(Machine):
        a = State(Probe, steps=3)
        b = State(Probe)
        alarm = State(Probe)
        end = State(Probe, final=True)
        transitions = (
            start(a, b),
            on(all_of(a.task_complete, b.task_complete), start=end),
            whenever(Told(True), start=alarm, times=1),
        )

    machine = Both()
    assert bench.ticks(machine, 2)[-1] is Status.RUNNING
    machine.force_quit()
    bench.events.clear()
    assert bench.run(machine).success
    assert starts(bench) == ["a", "b", "alarm", "end"]


class Publishing(Finder):
    hint = Output(str)


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda a: a.failed(kind="colision"), "no kind of failure 'colision'; did you mean 'collision'?"),
        (lambda a: a.failed(kind=("timeout", "late")), "no kind of failure 'late'"),
        (lambda a: a.failed(kind=()), "failed(kind=...) names no kind of failure"),
        (lambda a: a.task_successful(kind="collision"), "only a failure has a kind, not task-successful"),
        (lambda a: on(a.failed, start=a, times=0), "1 or more, not 0"),
        (lambda a: on(a.failed, start=a, times=untyped(True)), "1 or more, not True"),
        (lambda a: on(a.failed, fail=""), "fail= says in words why the machine fails, not ''"),
        (lambda a: on(a.failed, start=a, fail="x"), "cannot also have start=, stop= or times="),
        (lambda a: whenever(untyped(a.failed), start=a), "whenever(...) waits for a condition, such as Grasping"),
        (lambda a: untyped(all_of)(a.failed, a), "all_of(...) takes messages of states"),
        (lambda a: all_of(a.failed), "all_of(...) takes two messages or more"),
    ],
)
def test_what_makes_no_sense_is_refused_where_it_is_written(make: Any, complaint: str) -> None:
    """By the line that is wrong, before there is a machine."""
    with pytest.raises(MachineError, match=re.escape(complaint)):
        make(State(Probe))


def test_a_transition_says_in_words_what_it_waits_for() -> None:
    """For events, pictures and complaints."""

    class Named(Machine):
        a = State(Probe, final=True)
        transitions = (
            start(a),
            on(a.failed(kind=["collision", "timeout"]), start=a),
            on(all_of(a.failed, a.planning_ended), start=a),
            whenever(~Told(True), stop=a),
        )

    assert [repr(each) for each in Named.transitions] == [
        "start",
        "a failed (collision, timeout)",
        "a failed and a planning-ended",
        "whenever ~told(holds=True, why='it was told so')",
    ]


@pytest.mark.parametrize("kind", [3, None])
def test_a_kind_of_failure_is_a_name(kind: Any) -> None:
    """Or several."""
    with pytest.raises(MachineError, match=re.escape("failed(kind=...) takes the name of a kind of failure")):
        State(Probe).failed(kind=kind)
