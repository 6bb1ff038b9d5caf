from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.behaviors.manipulation.meet import Meet
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.testing import Bench, box_percept


def holding() -> Bench:
    """The left hand holds the cup."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0)), box_percept("jug", (0.4, -0.3, 1.0))])
    bench.plant.attach("left", "cup")
    return bench


def test_it_says_who_gives_and_who_takes() -> None:
    """And at which grasp the taker is; nothing has changed hands yet."""
    bench, meet = holding(), Meet(object="cup")
    assert bench.run(meet).success
    assert (meet.giver, meet.hand, meet.grasp) == ("left", "right", "top")
    assert bench.skills.held("left") == "cup"
    assert bench.skills.held("right") is None


def test_the_taker_may_touch_the_object_at_the_end() -> None:
    """Not the giver: it holds it."""
    bench = holding()
    assert bench.run(Meet(object="cup")).success
    assert bench.skills.allowed_contacts == {"right": AllowedContact("right", "cup")}


def test_it_takes_the_trunk_and_both_arms() -> None:
    """Somebody else's arm makes it wait or fail."""
    bench = holding()
    bench.context.arbiter.claim("somebody", ["right_arm"])
    failure = bench.run(Meet(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.CHAIN_BUSY
    assert "somebody" in failure.explain()


def test_with_both_hands_full_it_says_what_they_hold() -> None:
    """There is no hand to take it."""
    bench = holding()
    bench.plant.attach("right", "jug")
    failure = bench.run(Meet(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.CHAIN_BUSY
    assert failure.message == "no other hand is free"
    assert failure.facts["held"] == {"left": "cup", "right": "jug"}


def test_it_takes_two_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot with one arm is told so."""
    bench = holding()
    monkeypatch.setattr(type(bench.skills), "hands", property(lambda self: ("left",)))
    failure = bench.run(Meet(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE
    assert "two hands" in failure.message


def test_what_nobody_holds_cannot_be_passed() -> None:
    """The precondition."""
    failure = holding().run(Meet(object="jug")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION


def test_it_ends_when_the_object_is_lost_on_the_way() -> None:
    """Held by the giver all the while."""
    bench = holding()

    class Robbed(Meet):
        def step(self) -> Failure | bool:
            if self.elapsed > 1.0:
                bench.plant.detach("left")
            return super().step()

    failure = bench.run(Robbed(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.INCONDITION


def test_a_blocked_way_names_the_pair() -> None:
    """It does not go on."""
    bench = holding()
    start = bench.skills.position()[12:15].copy()
    contact = Contact("elbow", "lamp", -0.001)
    bench.skills.contact = lambda q: contact if np.linalg.norm(q[12:15] - start) > 0.1 else None
    failure = bench.run(Meet(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.root.facts["pair"] == ("elbow", "lamp")


def test_a_grasp_to_be_avoided_is_left_out() -> None:
    """The planner is asked for the others."""
    cup = box_percept("cup", (0.4, 0.3, 1.0))
    grasps = (cup.model.grasps[0], replace(cup.model.grasps[0], name="other"))
    bench = Bench([replace(cup, model=replace(cup.model, grasps=grasps))])
    bench.plant.attach("left", "cup")
    meet = Meet(object="cup", avoid="top")
    assert bench.run(meet).success
    assert meet.grasp == "other"


def test_the_hands_of_a_robot_meet() -> None:
    """The taker's hand ends at the grasp that was published, of the object in the giver's hand."""
    with simulate("mannequin", seed=1) as session:
        assert session.run(Pickup(object="vacuum")).success
        meet = Meet(object="vacuum")
        outcome = session.run(meet)
        assert outcome.success, outcome
        assert {meet.giver, meet.hand} == {"left", "right"}
        grasp = next(g for g in session.world.objects["vacuum"].grasps if g.name == meet.grasp)
        X_WG = session.context.perception.pose("vacuum") @ grasp.X_OH
        distance, angle = pose_error(X_WG, session.skills.forward_kinematics(str(meet.hand)))
        assert distance < 0.003
        assert angle < np.deg2rad(1.0)


def test_hands_that_do_not_come_together_do_not_meet() -> None:
    """The arm of the taker sticks."""
    bench = holding()
    bench.plant.jammed = set(bench.skills.joints("right_arm").tolist())
    failure = bench.run(Meet(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert str(failure.facts["joint"]).startswith("right_arm")
