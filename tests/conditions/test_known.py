"""The condition known."""

from __future__ import annotations

from taskmatrix.conditions import Known
from taskmatrix.testing import Bench, box_percept


def test_what_is_perceived_is_known_and_nothing_else() -> None:
    """The reason names what is known, and the nearest."""
    context = Bench([box_percept("cup", (1.0, 0.0, 0.5))]).context
    assert Known("cup").evaluate(context)
    verdict = Known("cap").evaluate(context)
    assert not verdict
    assert "did you mean 'cup'" in verdict.why
    assert (~Known("cap")).evaluate(context)
