from __future__ import annotations

import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Greet
from taskmatrix.core.base.failure import FailureKind

from .judged import Run


@pytest.mark.parametrize("robot", ["bandit"])
def test_it_waves_while_it_watches_who_walks_past(robot: str) -> None:
    """The judge asks for the wave, for the view on the second robot during it, and for the posture in the end."""
    run = Run(robot, second_robot="asimo")
    run.judged(Greet(target="second_robot"))
    begun = run.started("greet")
    assert begun[0] == "look"
    assert set(begun[1:3]) == {"watch", "get_ready"}
    assert begun[3:] == ["wave", "go_to_rest"]


def test_nobody_to_greet_is_a_failure() -> None:
    """Told at once, with the nearest name; what it cannot face for other reasons it greets all the same."""
    with simulate("mannequin", second_robot="asimo") as session:
        failure = session.run(Greet(target="second_robt")).failure
        assert failure is not None
        assert failure.root.kind is FailureKind.UNKNOWN_OBJECT
        assert "there is nobody to greet" in failure.explain()
        assert "did you mean 'second_robot'?" in failure.explain()
