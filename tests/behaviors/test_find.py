"""Finding objects, one after the other."""

from __future__ import annotations

from taskmatrix import Machine, Parameter, State, on, sequence, start
from taskmatrix.behaviors import Find, Timer
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.world.perception import Percept
from taskmatrix.testing import Bench, box_percept

DEBRIS = [box_percept(f"chip_{k}", (0.2 * k, 0.0, 0.81), (0.02, 0.02, 0.02), "debris/chip") for k in range(4)]
TABLE = box_percept("table", (0.3, 0.0, 0.4), (1.2, 0.6, 0.8), "furniture/table")


class Look(TaskBehavior):
    """Something to do with an object."""

    object = Parameter(str)

    def step(self) -> Failure | bool:
        return True


class Clean(Machine):
    """Find one object after the other until there is none left."""

    attempts = Parameter(int, default=1)

    find = State(Find, type="debris", attempts=attempts)
    look = State(Look, object=find.object)
    done = State(Timer, duration=0.0, final=True)

    transitions = (
        start(find),
        on(find.task_successful, start=look),
        on(look.task_successful, start=find),
        on(find.failed, start=done),
    )


def found(bench: Bench) -> list[str]:
    """Everything that was handed out."""

    def given(event: Event) -> bool:
        return event.kind == "message" and event.data["message"] == "parameter-set" and "object" in event.data

    return [str(event.data["object"]) for event in bench.events if given(event)]


def test_it_draws_by_lot_from_the_objects_of_the_type() -> None:
    """The same for the same seed."""
    drawn = []
    for seed in [*range(20), *range(20)]:
        find = Find(type="debris")
        assert Bench([*DEBRIS, TABLE], seed=seed).run(find).success
        drawn.append(find.object)
    assert set(drawn) == {"chip_0", "chip_1", "chip_2", "chip_3"}
    assert drawn[:20] == drawn[20:]


def test_within_a_run_of_the_machine_every_object_comes_once() -> None:
    """Although none vanishes: what was handed out and is still there failed."""
    bench = Bench([*DEBRIS, TABLE])
    assert bench.run(Clean()).success
    assert sorted(found(bench)) == ["chip_0", "chip_1", "chip_2", "chip_3"]


def test_a_new_run_of_the_machine_begins_from_the_start() -> None:
    """Of the same instance, and of a machine that another one runs twice."""
    bench, clean = Bench([*DEBRIS, TABLE]), Clean()
    assert bench.run(clean).success
    assert bench.run(clean).success
    assert len(found(bench)) == 8

    class Twice(Machine):
        """Clean two times."""

        first = State(Clean)
        pause = State(Timer, duration=0.1)
        last = State(Timer, duration=5.0, final=True)
        transitions = (
            start(first, last),
            on(first.task_successful, start=pause),
            on(pause.task_successful, start=first),
        )

    bench = Bench(DEBRIS)
    assert bench.run(Twice()).success
    assert len(found(bench)) > 8
    assert len(set(found(bench)[:4])) == len(set(found(bench)[4:8])) == 4


def test_more_attempts_hand_out_an_object_more_often() -> None:
    """And no more."""
    bench = Bench(DEBRIS)
    assert bench.run(Clean(attempts=3)).success
    assert sorted(found(bench)) == sorted(3 * ["chip_0", "chip_1", "chip_2", "chip_3"])


def test_in_a_tree_it_remembers_within_a_run_of_the_tree() -> None:
    """There is no machine around it."""
    bench, find = Bench(DEBRIS[:1]), Find(type="debris")
    tree = sequence("once", find)
    assert bench.run(tree).success
    assert bench.run(tree).success


def failure_of(find: Find, objects: list[Percept]) -> Failure:
    failure = Bench(objects).run(find).failure
    assert failure is not None
    return failure


def test_a_type_that_nothing_is_of_offers_the_nearest() -> None:
    """As names do everywhere else."""
    message = failure_of(Find(type="debri"), DEBRIS).message
    assert message == "there is no object of type 'debri'; did you mean 'debris'?"


def test_nothing_found_is_a_failure_of_its_own_kind() -> None:
    """That says what was looked for, and what was handed out before."""
    failure = failure_of(Find(type="debris", on="table"), [TABLE])
    assert failure.kind is FailureKind.NOTHING_FOUND
    assert "'debris' on 'table'" in failure.message
    bench = Bench(DEBRIS[:2])
    assert bench.run(Clean()).success
    told = [event.data["failure"] for event in bench.events if "failure" in event.data and event.source == "clean/find"]
    assert isinstance(told[-1], Failure)
    assert told[-1].facts["remaining"] == ("chip_0", "chip_1")


def test_only_what_rests_on_the_support_counts() -> None:
    """Not what hovers above it, lies beside it or below."""
    others = [
        box_percept("high", (0.3, 0.0, 1.2), (0.02, 0.02, 0.02), "debris"),
        box_percept("beside", (1.5, 0.0, 0.81), (0.02, 0.02, 0.02), "debris"),
        box_percept("below", (0.3, 0.0, 0.01), (0.02, 0.02, 0.02), "debris"),
    ]
    for _ in range(10):
        find = Find(type="debris", on="table")
        assert Bench([TABLE, *others, DEBRIS[1]]).run(find).success
        assert find.object == "chip_1"
    assert failure_of(Find(type="debris", on="tabel"), [TABLE]).kind is FailureKind.UNKNOWN_OBJECT


def test_only_what_is_in_the_region_counts() -> None:
    """Of which any bound may be left out."""
    find = Find(type="debris", xmin=0.5)
    assert Bench(DEBRIS).run(find).success
    assert find.object == "chip_3"
    assert failure_of(Find(type="debris", zmax=0.5), DEBRIS).kind is FailureKind.NOTHING_FOUND


def test_what_is_held_is_left_out() -> None:
    """It is in work already."""
    bench = Bench(DEBRIS[:1])
    bench.plant.attach("left", "chip_0")
    failure = bench.run(Find(type="debris")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOTHING_FOUND
