"""What is offered is possible: hands get there, the view turns there, the base has room."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Indices
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.session.session import Session
from taskmatrix.studio.validation.programs import Step
from taskmatrix.studio.validation.programs.feasibility import is_feasible
from taskmatrix.studio.validation.programs.step_generator import Situation, chosen, offered


@pytest.fixture
def session() -> Iterator[Session]:
    with simulate("asimo", "sparse", seed=1) as made:
        yield made


def step(behavior: str, **values: str) -> Step:
    return Step(behavior, tuple(values.items()))


def test_what_no_hand_reaches_is_not_reached_for(session: Session) -> None:
    """A can on the floor of a robot's world is; one three metres up is not, whatever the behavior."""
    assert is_feasible(session, step("pickup", object="soda_can"))
    session.plant.set_pose("soda_can", pose((1.0, 0.0, 3.0)))
    session.look()
    for behavior in ("reach", "vacuum"):
        assert not is_feasible(session, step(behavior, object="soda_can"))
    assert not is_feasible(session, step("pick-and-place", object="soda_can", on="table"))
    assert is_feasible(session, step("search", object="soda_can"))


def test_what_inverse_kinematics_finds_at_the_second_try_is_possible(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The condition looks a few times only; what a hand holds is there already."""
    monkeypatch.setattr("taskmatrix.studio.validation.programs.feasibility.Reachable.evaluate", lambda *_: False)
    assert is_feasible(session, step("pickup", object="soda_can"))
    nothing = Failure(FailureKind.IK_EXHAUSTED, "inverse kinematics", "nothing")
    monkeypatch.setattr(session.skills, "find_configuration", lambda *_, **__: nothing)
    assert not is_feasible(session, step("pickup", object="soda_can"))
    session.plant.attach("left", "soda_can")
    session.look()
    assert is_feasible(session, step("pickup", object="soda_can"))


def test_what_is_held_is_not_put_where_no_hand_gets_with_it(session: Session) -> None:
    """On the table, and on the table once it is up at the ceiling; at a place in the world likewise."""
    session.run(Pickup(object="soda_can"))
    session.look()
    table = session.context.perception.pose("table")
    for behavior in ("putdown", "position", "regrasp", "pick-and-place"):
        assert is_feasible(session, step(behavior, object="soda_can", on="table"))
    session.plant.set_pose("table", pose((0.0, 0.0, 2.0)) @ table)
    session.look()
    for behavior in ("putdown", "position", "regrasp", "pick-and-place"):
        assert not is_feasible(session, step(behavior, object="soda_can", on="table"))
    place = {"x": float(table[0, 3]), "y": float(table[1, 3])}
    assert is_feasible(session, Step("position", (("object", "soda_can"), *place.items(), ("z", 0.8))))
    assert not is_feasible(session, Step("position", (("object", "soda_can"), *place.items(), ("z", 3.0))))


def test_what_no_grasp_lets_be_put_there_is_not_picked_and_placed(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor what a hand holds besides, which is put there first."""
    wanted = step("pick-and-place", object="soda_can", on="table")
    assert is_feasible(session, wanted)
    with monkeypatch.context() as patch:
        patch.setattr("taskmatrix.studio.validation.programs.feasibility.placeable", lambda *_: [])
        assert not is_feasible(session, wanted)
    assert session.run(Pickup(object="tennis_ball")).success
    session.look()
    assert is_feasible(session, wanted)
    table = session.context.perception.pose("table")
    session.plant.set_pose("table", table @ pose((0.0, 0.0, 2.0)))
    session.look()
    assert not is_feasible(session, wanted)


def test_what_is_held_is_not_held_over_what_no_hand_gets_to(session: Session) -> None:
    """The tip of a vacuum over a crumb on the table, and at the ceiling."""
    assert session.run(Pickup(object="vacuum")).success
    session.look()
    wanted = step("position", object="vacuum", above="confetti_1", frame="tip")
    assert is_feasible(session, wanted)
    session.plant.set_pose("confetti_1", pose((1.0, 0.0, 2.9)))
    session.look()
    assert not is_feasible(session, wanted)


@pytest.mark.parametrize(
    ("kind", "offers"),
    [(FailureKind.IK_EXHAUSTED, False), (FailureKind.COLLISION, False), (FailureKind.PLANNER_EXHAUSTED, True)],
)
def test_hands_that_meet_nowhere_pass_nothing_on(
    session: Session, monkeypatch: pytest.MonkeyPatch, kind: FailureKind, offers: bool
) -> None:
    """That they could, and find no way to there, is a failure that shall be seen."""
    session.plant.attach("left", "soda_can")
    session.look()
    monkeypatch.setattr(session.skills, "plan_handover", lambda *_: Failure(kind, "planner", "nothing"))
    assert is_feasible(session, step("transfer", object="soda_can")) is offers


def test_what_the_neck_does_not_reach_is_not_looked_at(session: Session) -> None:
    """Right above the head, from here or from a step back."""
    assert is_feasible(session, step("fixate", target="soda_can"))
    x, y = session.skills.position()[:2].tolist()
    session.plant.set_pose("soda_can", pose((x, y, 12.0)))
    session.look()
    assert not is_feasible(session, step("fixate", target="soda_can"))


def test_to_what_a_hand_holds_only_the_head_turns(session: Session) -> None:
    """A can that is held behind the back stays there, however the base turns."""
    x, y, yaw = session.skills.position()[:3].tolist()
    session.plant.set_pose("soda_can", pose((x - 0.5 * np.cos(yaw), y - 0.5 * np.sin(yaw), 1.0)))
    session.look()
    assert is_feasible(session, step("fixate", target="soda_can"))
    session.plant.attach("left", "soda_can")
    session.look()
    assert not is_feasible(session, step("fixate", target="soda_can"))


@pytest.mark.parametrize(("free", "offers"), [((-9.0, 9.0), True), ((-9.0, 0.04), True), ((-0.04, 0.04), False)])
def test_a_turn_takes_room_to_one_side(
    session: Session, monkeypatch: pytest.MonkeyPatch, free: tuple[float, float], offers: bool
) -> None:
    """A thumb behind a handle is through it in a few degrees, and on its other side."""
    now = Situation(session)
    now.note()
    here = float(session.skills.position()[2])

    def imminent_contact(joints: Indices, q: Array, near: float = 0.0) -> Contact | None:
        turned = float(q[0]) - here
        blocked = free[1] < turned < free[1] + 0.05 or free[0] - 0.05 < turned < free[0]
        return Contact("thumb", "handle", -0.01) if blocked else None

    monkeypatch.setattr(session.skills, "imminent_contact", imminent_contact)
    assert bool(offered(now, "turn")) is offers


def test_a_step_that_is_not_feasible_is_not_chosen(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all that are offered, those that are."""
    now = Situation(session)
    now.note()
    monkeypatch.setattr(
        "taskmatrix.studio.validation.programs.step_generator.is_feasible",
        lambda session, step: step.behavior == "scan",
    )
    found = chosen(now, np.random.default_rng(0))
    assert found is not None
    assert found.behavior == "scan"
