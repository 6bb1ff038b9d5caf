from __future__ import annotations

from collections.abc import Sequence

import pytest

from taskmatrix.behaviors import Vacuum
from taskmatrix.behaviors.manipulation.position import Position
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import HandGoal
from taskmatrix.testing import Bench, box_percept

from .judged import Run


@pytest.mark.slow
def test_all_debris_is_vacuumed_up() -> None:
    """At least five pieces, one after the other, and the vacuum is back on the table."""
    run = Run("mannequin")
    surface = run.session.world.default_surface
    facts = run.judged(Vacuum(object="vacuum", on=surface, duration=1.0), 600.0)
    assert facts["debris"] >= 5  # type: ignore[operator]
    assert facts["left"] == 0
    begun = run.started("vacuum")
    assert begun[0] == "pickup"
    assert begun[-2:] == ["find", "putdown"]
    assert begun.count("find") == begun.count("position") + 1


CHIPS = [box_percept(f"chip_{k}", (0.6, 0.3 * k - 0.3, 0.71), (0.02, 0.02, 0.02), "debris/chip") for k in range(3)]
TABLE = box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")


def bench(*gone: str) -> Bench:
    """A table with a cleaner and three chips on it, of which some are gone after a while."""
    script = [(8.0, id, None) for id in gone]
    return Bench([box_percept("cleaner", (0.8, 0.0, 0.75), (0.1, 0.1, 0.1)), TABLE, *CHIPS], script)


def vacuum(attempts: int = 1) -> Vacuum:
    """The machine, with a frame that everything has."""
    return Vacuum(object="cleaner", on="table", frame="centre", attempts=attempts)


def trouble(monkeypatch: pytest.MonkeyPatch, kind: FailureKind, drop: bool = False) -> None:
    """Let there be no way to the second chip; on the way to it the cleaner may get lost."""
    goals = Position.goals

    def some(self: Position) -> Sequence[HandGoal] | Failure:
        if self.above != "chip_1":
            return goals(self)
        if drop:
            self.context.skills.detach(self.hands[0])
        return self.fail(kind, "no way")

    monkeypatch.setattr(Position, "goals", some)


def test_it_succeeds_when_nothing_is_left() -> None:
    """However it came that it is gone."""
    made = bench("chip_0", "chip_1", "chip_2")
    assert made.run(vacuum(attempts=3), 200.0).success
    assert made.skills.held("left") is made.skills.held("right") is None


def test_debris_that_is_left_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the cleaner is back. Here no piece is sucked up, and one cannot be reached."""
    trouble(monkeypatch, FailureKind.IK_EXHAUSTED)
    made = bench("chip_0")
    failure = made.run(vacuum(), 200.0).failure
    assert failure is not None
    assert failure.message == "debris is left: 2 of type 'debris' on 'table': chip_1, chip_2"
    assert "no way" in failure.explain()
    assert made.skills.held("left") is made.skills.held("right") is None
    assert "task-successful" in made.messages("vacuum/putdown")


@pytest.mark.parametrize(("kind", "drop"), [(FailureKind.EXCEPTION, False), (FailureKind.PRECONDITION, True)])
def test_what_is_no_matter_of_reaching_a_piece_ends_it(
    monkeypatch: pytest.MonkeyPatch, kind: FailureKind, drop: bool
) -> None:
    """With its own reason: there is no use in trying the next piece."""
    trouble(monkeypatch, kind, drop)
    failure = bench().run(vacuum(), 200.0).failure
    assert failure is not None
    assert failure.root.kind is kind
    assert failure.root.where == "vacuum/position"
