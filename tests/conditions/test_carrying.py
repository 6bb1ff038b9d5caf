"""Whether something carries objects of a type."""

from __future__ import annotations

import pytest

from taskmatrix.conditions import Carrying
from taskmatrix.testing import Bench, box_percept

TABLE = box_percept("table", (0.0, 0.0, 0.4), (1.0, 0.6, 0.8), "furniture/table")
CHIPS = [
    box_percept("chip_1", (0.2, 0.1, 0.81), (0.02, 0.02, 0.02), "debris/chip"),
    box_percept("chip_2", (-0.2, 0.1, 0.81), (0.02, 0.02, 0.02), "debris/chip"),
]
BESIDE = box_percept("chip_3", (0.7, 0.0, 0.81), (0.02, 0.02, 0.02), "debris/chip")
CUP = box_percept("cup", (0.0, 0.0, 0.84), (0.06, 0.06, 0.08))


def test_it_tells_what_is_carried() -> None:
    """Of the type asked for, on the support, and not beside it."""
    context = Bench([TABLE, CUP, BESIDE, *CHIPS]).context
    verdict = Carrying("table", "debris").evaluate(context)
    assert verdict
    assert verdict.why == "2 of type 'debris' on 'table': chip_1, chip_2"
    assert verdict.values == {"carried": ("chip_1", "chip_2")}
    assert Carrying("table").evaluate(context).values == {"carried": ("chip_1", "chip_2", "cup")}


def test_what_a_hand_holds_is_not_carried() -> None:
    """Though it is still over the table."""
    bench = Bench([TABLE, CUP])
    bench.plant.attach("left", "cup")
    bench.executive._look()
    verdict = Carrying("table").evaluate(bench.context)
    assert not verdict
    assert verdict.why == "no objects on 'table'"


@pytest.mark.parametrize(("support", "why"), [("table", "none of type 'debris' on 'table'"), ("tabel", "no object")])
def test_it_tells_why_not(support: str, why: str) -> None:
    """There is nothing there, or there is no such support."""
    verdict = Carrying(support, "debris").evaluate(Bench([TABLE, CUP]).context)
    assert not verdict
    assert verdict.why.startswith(why)
