"""What is told of what hands hold."""

from __future__ import annotations

import math

import pytest

from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.testing import Bench, box_percept


class Carry(TaskBehavior):
    """Holds a cup that moves in the hand as scripted."""

    def __init__(self, plant: object, slips: list[float]) -> None:
        super().__init__()
        self._slips, self._plant = slips, plant

    def step(self) -> bool:
        self._plant.slips["left"] = self._slips.pop(0)  # type: ignore[attr-defined]
        return not self._slips


@pytest.mark.parametrize(
    ("slips", "told"),
    [
        ([0.0, 0.004, 0.004], []),
        ([0.0, 0.006, 0.007, 0.009], [("slip", 0.006)]),
        ([0.006, 0.011, 0.012], [("slip", 0.006), ("slip", 0.011)]),
        ([0.006, 0.0, 0.006], [("slip", 0.006), ("slip", 0.006)]),
        ([0.006, math.inf, math.inf], [("slip", 0.006), ("lost", None)]),
        ([math.inf, 0.0, math.inf], [("lost", None), ("lost", None)]),
    ],
)
def test_slip_and_loss_are_told_once(slips: list[float], told: list[tuple[str, float | None]]) -> None:
    """Every 5 mm of slip, and that what was held is not there any more."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    bench.plant.attach("left", "cup")
    assert bench.run(Carry(bench.plant, [*slips, slips[-1]])).success
    found = [event for event in bench.events if event.kind in ("slip", "lost")]
    assert [(event.kind, event.data.get("slip")) for event in found] == told
    assert all(event.data["hand"] == "left" for event in found)


def test_a_hand_feels_what_it_holds() -> None:
    """Its finger is in contact, as long as it holds something."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    assert not bench.skills.feel("left").contact["finger"]
    bench.plant.attach("left", "cup")
    assert bench.skills.feel("left").contact["finger"]
    assert not bench.skills.feel("right").contact["finger"]
