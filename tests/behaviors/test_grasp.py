from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Grasp, Reach
from taskmatrix.conditions import Grasping
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.hand_state import HandState
from taskmatrix.core.world.geometry import pose


@pytest.mark.parametrize("robot", ["asimo", "mannequin"])
def test_what_is_grasped_moves_with_the_hand(robot: str) -> None:
    """With fingers or by affixation: the object is attached where it is, and the hand's posture fits its width."""
    with simulate(robot, seed=1) as session:
        reach = Reach(object="soda_can")
        assert session.run(reach).success
        assert reach.hand is not None
        before = session.context.perception.pose("soda_can").copy()
        assert session.run(Grasp(object="soda_can", hand=reach.hand, grasp=reach.grasp)).success
        assert Grasping("soda_can", reach.hand).evaluate(session.context)
        np.testing.assert_allclose(session.context.perception.pose("soda_can"), before, atol=1e-9)
        width = next(g.width for g in session.world.objects["soda_can"].grasps if g.name == reach.grasp)
        q = session.plant.sense().q
        for joint, position in session.skills.hand_posture(reach.hand, width).items():
            assert abs(q[joint] - position) < 1e-3


def test_grasp_without_a_hand_finds_the_one_that_is_there() -> None:
    """Unless told, grasp uses the hand for which the object is graspable."""
    with simulate("mannequin", seed=1) as session:
        reach = Reach(object="vacuum")
        assert session.run(reach).success
        assert session.run(Grasp(object="vacuum")).success
        assert reach.hand is not None
        assert session.skills.held(reach.hand) == "vacuum"


def test_grasp_of_what_is_held_is_achieved_at_once() -> None:
    """Asking again changes nothing."""
    with simulate("mannequin", seed=1) as session:
        assert session.run(Reach(object="vacuum")).success
        assert session.run(Grasp(object="vacuum")).success
        assert session.run(Grasp(object="vacuum")).steps == 1


def test_grasp_from_afar_fails_to_start_and_says_how_far() -> None:
    """The precondition `graspable` does not hold; its values are in the failure."""
    with simulate("mannequin", seed=1) as session:
        outcome = session.run(Grasp(object="vacuum"))
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.PRECONDITION
        assert "mm" in outcome.failure.message
        assert outcome.steps == 1


def test_an_unknown_hand_is_named_with_the_nearest() -> None:
    """A slip of the pen is answered with the hands that there are."""
    with simulate("mannequin", seed=1) as session:
        failure = session.run(Grasp(object="vacuum", hand="lft")).failure
        assert failure is not None
        assert failure.kind is FailureKind.NOT_ABLE
        assert "did you mean 'left'?" in failure.message


def test_what_the_other_hand_holds_is_not_grasped_by_this_one() -> None:
    """Asked for the other hand, grasp does not claim success."""
    with simulate("mannequin", seed=1) as session:
        reach = Reach(object="vacuum")
        assert session.run(reach).success
        assert session.run(Grasp(object="vacuum")).success
        other = "left" if reach.hand == "right" else "right"
        assert not session.run(Grasp(object="vacuum", hand=other)).success


def test_fingers_that_turn_what_they_press_on_push_it_no_further(monkeypatch: pytest.MonkeyPatch) -> None:
    """They hold it from there, and do not go on to where they were to be, whatever that does to it."""
    with simulate("asimo", seed=1) as session:
        reach = Reach(object="soda_can")
        assert session.run(reach).success
        felt = HandState(np.ones(3), np.zeros(3), {"one": True, "two": True})
        monkeypatch.setattr(session.skills, "feel", lambda hand: felt)
        turned = session.context.perception.pose("soda_can") @ pose(rpy=(0.0, 0.0, 0.05))
        begun: list[Event] = []

        def turn(event: Event) -> None:
            if event.kind == "step":
                begun.append(event)
                if len(begun) == 20:
                    session.plant.set_pose("soda_can", turned)

        session.events.subscribe(turn)
        outcome = session.run(Grasp(object="soda_can", hand=reach.hand, grasp=reach.grasp, duration=5.0))
        assert outcome.success
        assert 20 < outcome.steps < 0.5 * 5.0 / session.context.dt
