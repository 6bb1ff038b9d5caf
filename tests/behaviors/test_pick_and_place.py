from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import PickAndPlace
from taskmatrix.conditions import RestingOn
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.testing import Bench, box_percept

from .judged import Run

CUP = box_percept("cup", (0.4, 0.3, 1.0))
JUG = box_percept("jug", (0.4, -0.3, 1.0))
TABLE = box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")


@pytest.mark.parametrize(
    ("held", "states"), [(None, ["pickup", "putdown"]), ("cup", ["putdown"]), ("jug", ["clear", "pickup", "putdown"])]
)
def test_the_guards_at_the_start_see_what_is_held(held: str | None, states: list[str]) -> None:
    """Figure 3.3: nothing, the object itself, or something else."""
    bench = Bench([CUP, JUG, TABLE])
    if held is not None:
        bench.plant.attach("right", held)
    started: list[str] = []

    def note(event: Event) -> None:
        if event.kind == "message" and event.data["message"] == "planning-started":
            machine, _, state = event.source.rpartition("/")
            started.extend([state] if machine == "pick-and-place" else [])

    bench.context.events.subscribe(note)
    assert bench.run(PickAndPlace(object="cup", on="table")).success
    assert started == states
    assert RestingOn("cup", "table").evaluate(bench.context)
    assert not bench.plant.truth()["held"]


@pytest.mark.parametrize("seed", range(5))
def test_what_stands_there_already_goes_to_another_place(seed: int) -> None:
    """Although where it stands is the nearest of all."""
    bench = Bench([box_percept("cup", (0.8, 0.1, 0.73)), TABLE], seed=seed)
    assert RestingOn("cup", "table").evaluate(bench.context)
    assert bench.run(PickAndPlace(object="cup", on="table")).success
    assert RestingOn("cup", "table").evaluate(bench.context)
    assert np.linalg.norm(bench.context.perception.pose("cup")[:2, 3] - (0.8, 0.1)) > 0.02


def test_twice_it_goes_to_two_places() -> None:
    """The second does not come back to where the first put it, although both have the same name and seed."""
    bench = Bench([box_percept("cup", (0.8, 0.1, 0.73)), TABLE])
    places = [np.array([0.8, 0.1])]
    for _ in range(3):
        assert bench.run(PickAndPlace(object="cup", on="table")).success
        places.append(bench.context.perception.pose("cup")[:2, 3].copy())
        assert np.linalg.norm(places[-1] - places[-2]) > 0.02


def test_where_there_is_no_other_place_it_says_so() -> None:
    """On a stand that is as small as the cup."""
    bench = Bench(
        [box_percept("cup", (0.8, 0.1, 0.73)), box_percept("stand", (0.8, 0.1, 0.35), (0.065, 0.065, 0.7), "furniture")]
    )
    failure = bench.run(PickAndPlace(object="cup", on="stand")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ACHIEVED
    assert failure.message == "'cup' is where it was: no other place was found for it on 'stand'"


def test_the_judge_finds_it_at_its_place() -> None:
    """From the table to the stool."""
    Run("mannequin").judged(PickAndPlace(object="soda_can", on="stool"))
