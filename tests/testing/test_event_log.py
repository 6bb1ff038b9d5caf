"""What a test asks about a run, and what it is told."""

from __future__ import annotations

import pytest

from taskmatrix.behaviors import Grasp, Pickup
from taskmatrix.core import Contact, Failure, FailureKind, NotFoundError, ParameterError
from taskmatrix.core.base.events import Event
from taskmatrix.testing import Bench, EventLog, box_percept

PAIR = ("left_hand", "table")
TOUCH = Failure(FailureKind.COLLISION, "planner", "neither goal will do", {"pair": PAIR, "distance": -0.01})


@pytest.fixture(scope="module")
def run() -> EventLog:
    """A pickup that succeeds."""
    bench = Bench([box_percept("cup", (0.5, 0.1, 0.9))])
    assert bench.run(Pickup(object="cup")).success
    return bench.events


@pytest.fixture(scope="module")
def failed() -> EventLog:
    """A pickup that fails for a pair that touches."""
    bench = Bench([box_percept("cup", (0.5, 0.1, 0.9))])
    bench.skills.plans.extend([TOUCH] * 3)
    assert not bench.run(Pickup(object="cup")).success
    return bench.events


def refused(call: object, *arguments: object, **options: object) -> str:
    """The words of the assertion that fails."""
    assert callable(call)
    with pytest.raises(AssertionError) as error:
        call(*arguments, **options)
    return str(error.value)


def test_what_happened_is_found_with_its_time(run: EventLog) -> None:
    """By the path of a behavior or the end of it, the first time that it did."""
    reach = run.started("reach")
    assert (reach.time, reach.event.source, reach.failure) == (0.0, "pickup/reach", None)
    assert run.started("pickup/reach").number == reach.number
    assert run[reach.number] is reach.event
    assert str(run.succeeded("grasp")).startswith("'grasp' succeeded (at 5.")
    assert run.sent("reach", "parameter-set", hand="left").time == run.emitted("plan", "reach").time
    assert run.switched("pickup", start="grasp", trigger="reach task-successful")
    assert run.switched(stop="fixate").before(run.quit("fixate"))
    assert run.ended("pickup").number == len([*run.until(run.ended("pickup"))])


def test_order_is_expected_in_a_sentence(run: EventLog) -> None:
    """Before, after, and how long between; each gives itself back."""
    reach, grasp = run.started("reach"), run.started("grasp")
    assert reach.before(grasp) is reach
    assert grasp.after(reach, within=10.0) is grasp
    told = refused(grasp.before, reach)
    assert told.startswith("'grasp' started (at 4.51 s, step 451) is not before 'reach' started (at 0.00 s, step 0)\n")
    assert "pickup/reach       task-successful" in told
    assert "goal-achieved" not in told
    assert "is not at most 1 s before" in refused(reach.before, grasp, within=1.0)


def test_there_is_no_order_between_runs(run: EventLog, failed: EventLog) -> None:
    """Each has its own time."""
    with pytest.raises(ParameterError, match="different runs"):
        run.started("reach").before(failed.started("reach"))


def test_a_failure_is_found_by_its_kind_its_facts_and_its_words(failed: EventLog) -> None:
    """Anywhere in the chain; a pair in any order, numbers nearly."""
    for pair in (PAIR, PAIR[::-1], set(PAIR), list(PAIR)):
        assert failed.failed("reach", "collision", pair=pair).failure is not None
    assert failed.failed("pickup", FailureKind.COLLISION, saying="neither goal", distance=-0.01 + 1e-15)
    assert failed.started("reach").before(failed.failed("reach", "collision", pair=PAIR))


@pytest.mark.parametrize(
    "expected",
    [{"kind": "timeout"}, {"saying": "both goals"}, {"pair": ("left_hand", "floor")}, {"pairs": PAIR}, {"distance": 0}],
)
def test_another_failure_is_told_instead(failed: EventLog, expected: dict[str, object]) -> None:
    """With its kind and its whole chain."""
    told = refused(failed.failed, "reach", **expected)
    assert told.startswith("no event tells that 'reach' failed (")
    assert "task-failed-to-start: collision: pickup/reach: planning failed, because planner: neither goal" in told
    assert "left_hand, table" in told


def test_the_nearest_is_told_where_nothing_is_found(run: EventLog) -> None:
    """What the behavior did instead; who spoke, where it never did."""
    told = refused(run.failed, "reach", "collision")
    assert "pickup/reach       task-successful" in told
    assert "fixate" not in told
    told = refused(run.started, "reech")
    assert "no source 'reech'" in told
    assert "pickup/reach" in told
    assert "nothing like it was told" in refused(EventLog().emitted, "plan")
    told = refused(run.since(run.started("grasp")).succeeded, "reach")
    assert told.startswith("no event from 4.51 s to 6.05 s tells that 'reach' succeeded\n")


def test_parts_of_a_run_are_asked_the_same(run: EventLog) -> None:
    """And keep their place in it."""
    grasp = run.started("grasp")
    later, earlier = run.since(grasp), run.until(grasp)
    assert [*earlier, grasp.event, *later] == list(run)
    assert later.ended("pickup").after(earlier.ended("reach"))
    assert later.until(run.ended("grasp")).succeeded("grasp") == run.succeeded("grasp")
    assert earlier.never.started("grasp") is None


def test_what_never_happened(run: EventLog) -> None:
    """Or did, and how often."""
    assert run.never.failed("reach") is None
    assert refused(run.never.started, "reach").startswith("'reach' started:\n     0.00 s  pickup/reach")
    told = refused(run.never.sent, "fixate", "goal-achieved")
    assert told.startswith("'fixate' said goal-achieved, ")
    assert len(told.splitlines()) < 12


def test_every_time_that_it_happened(failed: EventLog) -> None:
    """In order; none is no error."""
    plans = failed.every.failed("reach", "collision")
    assert len(plans) >= 2
    assert [each.number for each in plans] == sorted(each.number for each in plans)
    assert failed.every.started("grasp") == []


def test_commands_that_were_held_are_found() -> None:
    """With the pair that was in the way."""
    bench = Bench([box_percept("cup", (0.5, 0.1, 0.9))])
    x = bench.skills.joints("left_arm")[0]  # from 0.4 to 0.5, from 0.5 to 4.5 s
    bench.skills.contact = lambda q: Contact(*PAIR, 0.45 - q[x]) if q[x] > 0.45 else None
    bench.run(Pickup(object="cup"))
    assert bench.events.held("reach", pair=PAIR).time == pytest.approx(2.5, abs=0.05)
    assert bench.events.never.held("grasp") is None


def test_a_failure_that_ends_nothing_is_told_once() -> None:
    """The state's own word counts, and that of a component, which has no messages."""
    failure = Failure(FailureKind.TIMEOUT, "look", "too late")
    told = Event(0.0, 0, "message", "m/look", {"message": "task-failed", "failure": failure})
    optional = Event(0.0, 0, "failure", "m/look", {"failure": failure, "optional": True})
    component = Event(0.0, 0, "failure", "tree/head", {"failure": failure})
    log = EventLog([told, optional, component])
    assert len(log.every.failed("look")) == 1
    assert log.failed("head", "timeout")


def test_names_that_do_not_exist_are_errors() -> None:
    """Not questions that nothing answers: the test is wrong, not the run."""
    with pytest.raises(NotFoundError, match="did you mean 'collision'"):
        EventLog().never.failed("reach", "colision")
    with pytest.raises(NotFoundError, match="did you mean 'task-successful'"):
        EventLog().sent("reach", "task-succesful")


def test_a_log_is_a_list_and_a_reader(run: EventLog) -> None:
    """Of the stream of a bench or a session, from when it subscribes."""
    bench, log = Bench(), EventLog()
    bench.context.events.subscribe(log)
    bench.run(Grasp(object="cup"))
    assert log == bench.events
    assert isinstance(log[1:3], list)
    assert log.messages("grasp") == bench.messages("grasp")
    assert log.violation() is None
    assert "never sent task-complete" in str(EventLog(event for event in run if not _is_last(event)).violation())
    assert repr(run) == "<EventLog: 1207 events from 0.00 s to 6.05 s>".replace("1207", str(len(run)))
    assert repr(EventLog()) == "<EventLog: nothing>"


def _is_last(event: Event) -> bool:
    return event.data.get("message") == "task-complete"
