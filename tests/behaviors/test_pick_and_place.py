from __future__ import annotations

import pytest

from taskmatrix.behaviors import PickAndPlace
from taskmatrix.conditions import RestingOn
from taskmatrix.core.events import Event
from taskmatrix.testing import Bench, thing

from .judged import Run

CUP = thing("cup", (0.4, 0.3, 1.0))
JUG = thing("jug", (0.4, -0.3, 1.0))
TABLE = thing("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")


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


def test_the_judge_finds_it_at_its_place() -> None:
    """From the table to the stool."""
    Run("mannequin").judged(PickAndPlace(object="soda_can", on="stool"))
