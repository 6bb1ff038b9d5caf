from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Grasp, Reach, Release
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, Contact, Plan
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.testing import Bench, box_percept
from taskmatrix.testing.line_trajectory import LineTrajectory

CUP = box_percept("cup", (0.4, 0.3, 1.0))


def holding(**hands: str) -> Bench:
    """Things in hands, whose fingers are closed on them."""
    bench = Bench([box_percept(id, (0.4, 0.3 if hand == "left" else -0.3, 1.0)) for hand, id in hands.items()])
    for hand, id in hands.items():
        bench.plant.attach(hand, id)
    return bench


@pytest.mark.parametrize("robot", ["asimo", "mannequin"])
def test_it_opens_lets_go_and_the_object_stays(robot: str) -> None:
    """With fingers or by affixation."""
    with simulate(robot, seed=1) as session:
        reach = Reach(object="soda_can")
        assert session.run(reach).success
        assert session.run(Grasp(object="soda_can")).success
        before = session.context.perception.pose("soda_can").copy()
        release = Release(object="soda_can")
        outcome = session.run(release)
        assert outcome.success, outcome
        assert (release.hand, release.grasp) == (reach.hand, reach.grasp)
        assert session.plant.truth()["held"] == {}
        np.testing.assert_allclose(session.context.perception.pose("soda_can"), before, atol=1e-9)
        q = session.plant.sense().q
        for joint, position in session.skills.hand_posture(str(reach.hand), None).items():
            assert abs(q[joint] - position) < 1e-3


def test_it_opens_before_it_lets_go() -> None:
    """The object is held until the fingers are open."""
    bench = holding(left="cup")
    bench.plant._state.q[11] = 0.04  # closed on it
    widths = []

    class Watched(Release):
        def step(self) -> object:  # type: ignore[override]
            if bench.skills.held("left") == "cup":
                widths.append(float(bench.skills.position()[11]))
            return super().step()

    assert bench.run(Watched(duration=0.5)).success
    assert widths[0] == pytest.approx(0.04)
    assert widths[-1] == pytest.approx(0.1)
    assert bench.skills.held("left") is None


def test_without_an_object_it_lets_go_what_a_hand_holds() -> None:
    """And says of which hand."""
    bench, release = holding(right="cup"), Release()
    assert bench.run(release).success
    assert release.hand == "right"


def test_of_two_objects_the_one_named_is_let_go() -> None:
    """The other hand keeps its own."""
    bench = holding(left="cup", right="jug")
    assert bench.run(Release(object="jug")).success
    assert bench.skills.held("left") == "cup"
    assert bench.skills.held("right") is None


def back_off(bench: Bench, distance: float) -> Plan:
    """The left arm's way back, along its second joint."""
    joints = bench.skills.joints("left_arm")[:1]
    begin = bench.skills.position()[joints]
    touch = AllowedContact("left", "cup")
    return Plan(
        LineTrajectory(joints, begin, begin - distance, 0.5),
        None,
        0.5,
        stretched=False,
        work={},
        retreat_end=0.3,
        retreat_contacts=(touch,),
    )


def retreats(bench: Bench) -> list[dict[str, object]]:
    return [dict(event.data) for event in bench.events if event.kind == "retreat"]


def test_the_hand_goes_back_when_it_has_let_go() -> None:
    """On a way that was planned while the fingers opened; on its retreat it may still touch the object."""
    bench = holding(left="cup")
    bench.skills.clearings.append(back_off(bench, 0.1))
    before = bench.skills.forward_kinematics("left")
    assert bench.run(Release(duration=0.5)).success
    assert bench.skills.held("left") is None
    moved = np.linalg.norm((bench.skills.forward_kinematics("left") - before)[:3, 3])
    assert moved == pytest.approx(0.1, abs=1e-6)
    (told,) = retreats(bench)
    assert told["distance"] == pytest.approx(0.1, abs=1e-3)
    assert told["failure"] is None
    assert bench.skills.allowed_contacts == {}


def test_where_there_is_no_room_to_go_back_it_has_let_go_all_the_same_and_says_why() -> None:
    """The object is free; the next movement has more joints to leave with."""
    bench = holding(left="cup")
    bench.skills.clearings.append(Failure(FailureKind.COLLISION, "planner", "a shelf is in the way"))
    assert bench.run(Release(duration=0.5)).success
    (told,) = retreats(bench)
    assert told["distance"] == 0.0
    assert "a shelf is in the way" in str(told["failure"])


def test_it_goes_back_as_far_as_nothing_comes_into_the_way() -> None:
    """Somebody puts something behind the hand after the way was planned."""
    bench = holding(left="cup")
    bench.skills.clearings.append(back_off(bench, 0.1))
    joint, start = int(bench.skills.joints("left_arm")[0]), bench.skills.position()
    bench.skills.contact = lambda q: Contact("left_hand", "shelf", -0.001) if q[joint] < start[joint] - 0.05 else None
    assert bench.run(Release(duration=0.5)).success
    (told,) = retreats(bench)
    assert 0.03 < float(str(told["distance"])) <= 0.05
    assert "left_hand and shelf" in str(told["failure"])


@pytest.mark.parametrize("robot", ["asimo"])
def test_at_the_end_the_hand_is_clear_of_the_object(robot: str) -> None:
    """By a centimetre at least, so that whatever the robot does next can start."""
    with simulate(robot, seed=1) as session:
        for behavior in (Reach(object="soda_can"), Grasp(object="soda_can"), Release(object="soda_can")):
            outcome = session.run(behavior)
            assert outcome.success, outcome
        checker = CollisionChecker(session.robot, 0.010)
        percepts = session.context.perception.percepts
        checker.set_bodies(bodies_of({"soda_can": (percepts["soda_can"].model, percepts["soda_can"].X_WO)}, {}))
        assert checker.contact(session.skills.position()) is None


def test_with_nothing_held_it_fails_to_start() -> None:
    """The precondition says what each hand holds."""
    failure = Bench([CUP]).run(Release(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert "no hand holds cup (left: nothing, right: nothing)" in failure.message


@pytest.mark.parametrize("given", [{"using": "lft"}, {"using": "lft", "object": "cup"}])
def test_an_unknown_hand_is_named_with_the_nearest(given: dict[str, str]) -> None:
    """A slip of the pen."""
    failure = holding(left="cup").run(Release(**given)).failure
    assert failure is not None
    assert failure.kind in (FailureKind.NOT_ABLE, FailureKind.PRECONDITION)
    assert "did you mean 'left'?" in failure.message


def test_a_hand_that_is_named_lets_go_what_it_holds() -> None:
    """Not what the first hand holds; with nothing in it there is nothing to let go."""
    bench, release = holding(left="cup", right="jug"), Release(using="right")
    assert bench.run(release).success
    assert release.hand == "right"
    assert (bench.skills.held("left"), bench.skills.held("right")) == ("cup", None)
    failure = bench.run(Release(using="right")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION


def test_a_hand_whose_object_another_has_taken_over_opens() -> None:
    """The end of a transfer: the object stays where it is."""
    bench = holding(right="cup")
    bench.plant._state.q[11] = 0.04
    assert bench.run(Release(object="cup", using="left")).success
    assert bench.skills.position()[11] == pytest.approx(0.1)
    assert bench.skills.held("right") == "cup"
    assert bench.skills.released == ["left"]  # the way back begins with the fingers open


def test_a_hand_that_holds_something_else_does_not_let_it_go() -> None:
    """Asked for the right hand, the left's cup is not let go, nor is success claimed."""
    bench = holding(left="cup", right="jug")
    failure = bench.run(Release(object="cup", using="right")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert bench.skills.held("left") == "cup"
    assert bench.skills.held("right") == "jug"


def test_blocked_fingers_name_the_pair() -> None:
    """The collision guard holds them."""
    bench = holding(left="cup")
    bench.plant._state.q[11] = 0.04
    contact = Contact("thumb", "wall", -0.001)
    bench.skills.contact = lambda q: contact if q[11] > 0.06 else None
    failure = bench.run(Release()).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.message == "the fingers are blocked"
    assert failure.root.facts["pair"] == ("thumb", "wall")
    assert bench.skills.held("left") == "cup"
