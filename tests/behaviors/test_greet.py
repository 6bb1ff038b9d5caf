from __future__ import annotations

import pytest

from taskmatrix.behaviors import Greet
from taskmatrix.core.failure import FailureKind

from .judged import Run


@pytest.mark.parametrize("robot", ["mannequin", "bandit"])
def test_it_waves_while_it_watches_who_walks_past(robot: str) -> None:
    """The judge asks for the wave, for the view on the guest during it, and for the posture in the end."""
    run = Run(robot, guest="asimo")
    run.judged(Greet(target="guest"))
    begun = run.started("greet")
    assert begun[0] == "look"
    assert set(begun[1:3]) == {"watch", "get_ready"}
    assert begun[3:] == ["wave", "go_to_rest"]


def test_nobody_to_greet_is_told_and_it_waves_all_the_same() -> None:
    """Looking is optional in the thesis's machine; what there is instead is in the failure of the state."""
    run = Run("mannequin")
    run.session.run(Greet(target="gest"))
    failures = [e.data["failure"] for e in run.events if e.source == "greet/look" and "failure" in e.data]
    assert failures
    assert getattr(failures[0], "kind", None) is FailureKind.UNKNOWN_OBJECT
