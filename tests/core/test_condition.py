"""Conditions and what they are composed to."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from taskmatrix.core import Condition, Context, Verdict
from taskmatrix.testing import Bench

from .samples import Told

YES, NO = Told(True, "yes"), Told(False, "no")
ALSO, NOR = Told(True, "also"), Told(False, "nor")


@pytest.mark.parametrize(
    ("condition", "holds", "why"),
    [
        (YES & ALSO, True, "yes and also"),
        (YES & NO, False, "no"),
        (NO & NOR, False, "no and nor"),
        (NO | YES, True, "yes"),
        (YES | ALSO, True, "yes and also"),
        (NO | NOR, False, "no and nor"),
        (~NO, True, "no"),
        (~YES, False, "yes"),
        (~(NO | NOR) & YES, True, "no and nor and yes"),
        (YES & (NO | ~YES), False, "no and yes"),
    ],
)
def test_composed_conditions_say_why(bench: Bench, condition: Condition, holds: bool, why: str) -> None:
    """A composition is as true as its parts make it, and gives the reason of the parts that decided."""
    verdict = condition.evaluate(bench.context)
    assert bool(verdict) is holds
    assert verdict.why == why
    for reason in why.split(" and "):
        assert reason in verdict.values


def test_conditions_are_written_as_they_are_read() -> None:
    """In a failure and in a diagram a condition looks like the code; what was left out is left out."""
    assert repr(~(YES & NO) | Told(None)) == (
        "(~(told(holds=True, why='yes') & told(holds=False, why='no')) | told(why='it was told so'))"
    )


def test_binding_replaces_the_symbols_of_every_part(bench: Bench) -> None:
    """A machine's guard speaks of parameters; when it is asked, each has become its value."""
    condition = Told("symbol", "first") & ~Told("symbol", "second")
    bound = condition.bind(lambda value: False if value == "symbol" else value)
    assert not bound.evaluate(bench.context)
    assert repr(bound) == "(told(holds=False, why='first') & ~told(holds=False, why='second'))"
    assert repr(condition).count("holds='symbol'") == 2


def test_binding_keeps_what_else_a_condition_has(bench: Bench) -> None:
    """A condition of one's own may have attributes beside its arguments."""

    class Near(Condition):
        def __init__(self, distance: object, limit: float) -> None:
            super().__init__(distance=distance)
            self.limit = limit

        def evaluate(self, context: Context) -> Verdict:
            return Verdict(float(str(self.arguments["distance"])) < self.limit, "measured")

    assert Near("wire", limit=2.0).bind(lambda value: 1.0).evaluate(bench.context)


def test_an_argument_with_a_name_is_shown_by_it() -> None:
    """Parameters and wires are shown as they are written in the machine."""

    @dataclass
    class Named:
        name: str

    assert repr(Told(Named("reach.hand"), None)) == "told(holds=reach.hand)"
