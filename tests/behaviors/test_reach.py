from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Fixate, Grasp, Postural, Reach
from taskmatrix.conditions import ReadyToGrasp
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.robots import load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.testing import Bench, box_percept

from .truth import Truth


def hand_error(session: Session, reach: Reach, object: str) -> tuple[float, float]:
    """Distance [m] and angle [rad] of the hand that reached from the grasp it published, from the plant's truth."""
    assert reach.hand is not None
    session.skills.sense(session.plant.sense())
    grasps = {grasp.name: grasp for grasp in session.skills.grasps(object, reach.hand)}
    X_WO = session.world.poses[object]
    return pose_error(X_WO @ grasps[str(reach.grasp)].X_OH, session.skills.forward_kinematics(reach.hand))


@pytest.mark.parametrize("robot", ["asimo", "mannequin"])
def test_the_hand_ends_at_a_grasp_and_open(robot: str) -> None:
    """After a reach the hand that it published is at the grasp that it published, with the fingers open."""
    with simulate(robot, seed=1) as session:
        reach = Reach(object="soda_can")
        outcome = session.run(reach)
        assert outcome.success, outcome
        distance, angle = hand_error(session, reach, "soda_can")
        assert distance < 0.002
        assert angle < np.deg2rad(1.0)
        assert ReadyToGrasp(reach.hand).evaluate(session.context)


def test_what_is_taken_away_in_the_moment_of_a_reach_that_is_there_already_is_not_reached() -> None:
    """The hand is at no grasp any more."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    assert bench.run(Reach(object="cup")).success

    def take(event: Event) -> None:
        if event.data.get("message") == "controlloop-started":
            bench.plant.set_pose("cup", pose((0.5, 0.3, 1.0)))

    bench.context.events.subscribe(take)
    failure = bench.run(Reach(object="cup")).failure
    assert failure is not None
    assert failure.kind is FailureKind.LOST_OBJECT


@pytest.mark.parametrize("late", [0.01, 0.05, 0.1])
def test_what_moves_while_the_hand_arrives_is_reached_for_anew(late: float) -> None:
    """It would not be where the hand is; whoever brakes as the motion ends is not there."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    reach = Reach(object="cup", duration=1.0)
    moves = 0.5 + 1.0 - late

    def move(event: Event) -> None:
        if event.kind == "step" and event.time >= moves:
            bench.plant.set_pose("cup", pose((0.4, 0.32, 1.0)))

    bench.context.events.subscribe(move)
    assert bench.run(reach).success
    assert reach.hand is not None
    X_WO = bench.context.perception.pose("cup")
    grasp = next(grasp for grasp in bench.skills.grasps("cup", reach.hand) if grasp.name == reach.grasp)
    assert pose_error(X_WO @ grasp.X_OH, bench.skills.forward_kinematics(reach.hand))[0] < 0.004


def test_a_ball_that_has_rolled_is_grasped_as_one_that_has_not() -> None:
    """From above, where its grasp would be from below now; and the hand is at it."""
    cup = box_percept("ball", (0.4, 0.3, 1.0))
    ball = ObjectModel("ball", "object", (Shape("sphere", (0.03,), pose()),), cup.model.grasps, movable=True)
    bench = Bench([Percept(ball, pose((0.5, 0.2, 0.9), (np.pi, 0.0, 0.4)))])
    reach = Reach(object="ball")
    assert bench.run(reach).success
    assert reach.hand is not None
    np.testing.assert_allclose(bench.skills.forward_kinematics(reach.hand)[:3, 2], (0.0, 0.0, -1.0), atol=1e-6)
    assert bench.run(Grasp(object="ball", hand=reach.hand)).success


def test_a_reach_for_what_the_other_hand_holds_is_refused_before_it_plans() -> None:
    """With the reason, and a word how to get it."""
    bench = Bench([box_percept("cup", (0.4, 0.3, 1.0))])
    bench.plant.attach("right", "cup")
    failure = bench.run(Reach(object="cup", using="left")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert failure.message == "the right hand holds 'cup'; Transfer passes it to the other"
    assert bench.messages("reach") == ["task-failed-to-start", "task-complete"]


def test_a_reach_to_what_is_graspable_already_does_not_move() -> None:
    """The behavior exits early, without planning, when a hand is at a grasp."""
    with simulate("mannequin", seed=1) as session:
        assert session.run(Reach(object="vacuum")).success
        legs = [joint for leg in session.robot.legs for joint in leg.joints]  # which may still come to a stand
        before = np.delete(session.plant.sense().q, legs)
        plans: list[Event] = []
        session.events.subscribe(lambda event: plans.append(event) if event.kind in ("plan", "planning") else None)
        again = Reach(object="vacuum")
        outcome = session.run(again)
        assert outcome.success
        assert outcome.steps <= 10
        assert plans == []
        assert again.hand is not None
        np.testing.assert_array_equal(np.delete(session.plant.sense().q, legs), before)


def test_a_reach_uses_the_arm_that_holds_nothing() -> None:
    """With one hand holding the vacuum, the other reaches for the can."""
    with simulate("mannequin", seed=2) as session:
        first = Reach(object="vacuum")
        assert session.run(first).success
        assert session.run(Grasp(object="vacuum")).success
        second = Reach(object="soda_can")
        outcome = session.run(second)
        assert outcome.success, outcome
        assert {first.hand, second.hand} == {"left", "right"}


def test_a_reach_takes_the_arm_that_is_free() -> None:
    """An arm that somebody owns is left alone."""
    with simulate("mannequin", seed=2) as session:
        session.context.arbiter.claim("somebody", ["left_arm"])
        reach = Reach(object="vacuum")
        assert session.run(reach).success
        assert reach.hand == "right"


def test_with_no_arm_free_it_says_who_has_them() -> None:
    """The failure names the holder of each arm."""
    with simulate("mannequin", seed=2) as session:
        session.context.arbiter.claim("somebody", ["left_arm", "right_arm"])
        failure = session.run(Reach(object="vacuum")).failure
        assert failure is not None
        assert failure.kind is FailureKind.CHAIN_BUSY
        assert "somebody" in failure.explain()


def test_the_arm_that_is_not_used_is_given_back() -> None:
    """Once the plan is there, only the chosen arm stays with reach."""
    granted: set[str] = set()

    class Watch(Reach):
        def step(self) -> object:  # type: ignore[override]
            granted.update(self.context.arbiter.granted(self.path))
            return super().step()

    with simulate("mannequin", seed=1) as session:
        reach = Watch(object="vacuum")
        assert session.run(reach).success
        assert granted == {"base", "torso", f"{reach.hand}_arm"}


def ramp(share: float) -> Callable[[float], Array]:
    """Drift to 3 cm and 3 degrees within three seconds, ``share`` of the distance forward."""
    final = np.array([0.03 * share, 0.03 * np.sqrt(1 - share**2), np.deg2rad(3.0)])
    return lambda time: np.clip((time - 1.0) / 3.0, 0.0, 1.0) * final


@pytest.mark.parametrize(("robot", "share"), [("mannequin", -0.6), ("bandit", 0.6)])
def test_base_drift_is_made_up_for(robot: str, share: float) -> None:
    """With 3 cm and 3 degrees of base drift the final hand error stays under 5 mm."""
    with simulate(robot, seed=1, drift=ramp(share)) as session:
        reach = Reach(object="vacuum")
        outcome = session.run(reach)
        assert outcome.success, outcome
        assert outcome.duration > 4.0  # after the drift has come to its end
        off = session.plant.sense().q[:2] - session.context.arbiter.last[:2]
        assert np.linalg.norm(off) == pytest.approx(0.03, abs=1e-3)
        distance, angle = hand_error(session, reach, "vacuum")
        assert distance < 0.005
        assert angle < np.deg2rad(1.0)


def test_an_arm_at_its_limits_stays_on_its_path_after_a_push() -> None:
    """The hand comes back to its path and goes on from there; it does not change over to another posture."""
    places: list[Array] = []
    with simulate(replace(load_robot("bandit"), drive="omnidirectional"), "cottage", seed=6) as session:
        reach = Reach(object="vacuum")

        def push(event: Event) -> None:
            if event.kind == "step" and event.time == pytest.approx(6.68):
                session.plant.push(np.array([0.0019, -0.0526, -0.0817]))
            if event.kind == "step" and event.time > 7.0:
                places.append(hand_pose(session.robot, "left", np.asarray(event.data["q"]))[:3, 3])

        session.events.subscribe(push)
        assert session.run(reach).success
    left = np.linalg.norm(np.array(places) - places[-1], axis=1)
    assert reach.hand == "left"
    assert left[0] > 0.04
    assert np.diff(left).max() < 0.001


def test_out_of_reach_ends_in_bounded_work_with_the_nearest_distance() -> None:
    """An object four metres up: inverse kinematics is exhausted, and says how near it came."""
    with simulate("mannequin", seed=1) as session:
        X_WO = session.world.poses["vacuum"].copy()
        X_WO[2, 3] = 4.0
        session.plant.set_pose("vacuum", X_WO)
        failure = session.run(Reach(object="vacuum")).failure
        assert failure is not None
        root = failure.root
        assert root.kind is FailureKind.IK_EXHAUSTED
        nearest = root.facts["nearest_distance"]
        assert isinstance(nearest, float)
        assert 1.5 < nearest < 3.5
        attempts = root.facts["ik_attempts"]
        assert isinstance(attempts, int)
        assert attempts <= 1000


def test_an_unknown_object_is_named_with_the_nearest() -> None:
    """A slip of the pen is answered with what there is."""
    with simulate("mannequin", seed=1) as session:
        failure = session.run(Reach(object="soda_cam")).failure
        assert failure is not None
        assert failure.kind is FailureKind.UNKNOWN_OBJECT
        assert "did you mean 'soda_can'?" in failure.message


def test_an_object_without_grasps_cannot_be_reached_for() -> None:
    """The table has no grasps."""
    with simulate("mannequin", seed=1) as session:
        failure = session.run(Reach(object="table")).failure
        assert failure is not None
        assert failure.kind is FailureKind.NO_GRASP


def test_a_start_in_contact_is_left_first() -> None:
    """The robot inside the table: it comes out of it, tells so, and reaches on."""
    with simulate("mannequin", seed=1) as session:
        initial_contacts: list[object] = []
        session.events.subscribe(
            lambda event: initial_contacts.append(event.data.get("initial_contacts")) if event.kind == "plan" else None
        )
        X_WO = session.world.poses["table"].copy()
        X_WO[:2, 3] = session.plant.sense().q[:2]
        session.plant.set_pose("table", X_WO)
        outcome = session.run(Reach(object="soda_can"))
        assert outcome.success, outcome
        assert "table" in str(initial_contacts[0])
        assert session.skills.contacts() == ()


def test_an_obstacle_in_the_way_stops_it_before_contact_and_it_goes_round() -> None:
    """Something dropped into the path while it moves: reach says what it would have touched, and plans anew."""
    with simulate("mannequin", seed=1) as session:
        dropped: list[Array] = []

        class Dropping(Reach):
            """Puts the stool in front of the robot at two seconds."""

            def step(self) -> Failure | bool:
                if session.context.clock.now() > 2.0 and not dropped:
                    q = session.plant.sense().q
                    ahead = session.world.poses["vacuum"][:2, 3] - q[:2]
                    X_WO = session.world.poses["stool"].copy()
                    X_WO[:2, 3] = q[:2] + ahead / np.linalg.norm(ahead) * 0.45
                    session.plant.set_pose("stool", X_WO)
                    dropped.append(X_WO)
                return super().step()

        replans: list[Event] = []
        session.events.subscribe(lambda event: replans.append(event) if event.kind == "replan" else None)
        reach, truth = Dropping(object="vacuum"), Truth(session)
        outcome = session.run(reach)
        assert outcome.success, outcome
        cause = replans[0].data["cause"]
        assert isinstance(cause, Failure)
        assert cause.root.kind is FailureKind.COLLISION
        assert "stool" in cause.explain()
        distance, angle = hand_error(session, reach, "vacuum")
        assert distance < 0.002
        assert angle < np.deg2rad(1.0)
        stool = Body(session.world.objects["stool"], dropped[0])
        checker = CollisionChecker(session.robot)
        checker.set_bodies([stool])
        assert all(checker.is_free(q) for q in truth.q[210:])


def test_the_hand_that_is_named_reaches() -> None:
    """Whichever the planner would prefer."""
    for hand in ("left", "right"):
        bench, reach = Bench([box_percept("cup", (0.5, 0.0, 1.0))]), Reach(object="cup", using=hand)
        assert bench.run(reach).success
        assert reach.hand == hand


def test_a_hand_that_does_not_exist_is_named_with_the_nearest() -> None:
    """A slip of the pen."""
    failure = Bench([box_percept("cup")]).run(Reach(object="cup", using="rigth")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE
    assert "did you mean 'right'?" in failure.message


def test_the_hand_that_is_named_has_to_be_free() -> None:
    """The reason names what it holds; the other hand is not asked."""
    bench = Bench([box_percept("cup"), box_percept("jug", (0.4, 0.3, 1.0))])
    bench.plant.attach("left", "jug")
    failure = bench.run(Reach(object="cup", using="left")).failure
    assert failure is not None
    assert failure.kind is FailureKind.CHAIN_BUSY
    assert failure.facts == {"left": "it holds 'jug'"}


def handle(id: str) -> Percept:
    """A cup with two grasps: from above, and the same turned round."""
    cup = box_percept(id, (0.5, 0.0, 1.0))
    top = cup.model.grasps[0]
    turned = replace(top, name="turned", X_OH=top.X_OH @ pose(rpy=(0.0, 0.0, np.pi)))
    return replace(cup, model=replace(cup.model, grasps=(top, turned)))


def test_a_grasp_to_be_avoided_is_left_out() -> None:
    """Another takes its place; where there is no other, that is the reason."""
    reach = Reach(object="cup", avoid="top")
    assert Bench([handle("cup")]).run(reach).success
    assert reach.grasp == "turned"
    failure = Bench([box_percept("cup")]).run(Reach(object="cup", avoid="top")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NO_GRASP


def test_at_a_grasp_to_be_avoided_it_goes_to_another() -> None:
    """Whereas without, it would be there already."""
    bench = Bench([handle("cup")])
    assert bench.run(Reach(object="cup", using="left")).success
    there, again = Reach(object="cup"), Reach(object="cup", using="left", avoid="top")
    assert bench.run(there).steps <= 10
    assert (there.hand, there.grasp) == ("left", "top")
    assert bench.run(again).steps > 10
    assert again.grasp == "turned"


def test_fixate_runs_beside_reach_on_the_head() -> None:
    """While reach owns the base, fixate owns the head only."""
    with simulate("mannequin", seed=1) as session:
        session.context.arbiter.claim("reach", ["base"])
        grants: list[Event] = []
        session.events.subscribe(lambda event: grants.append(event) if event.kind == "grant" else None)
        session.run(Fixate(target="vacuum"))
        assert [event.data["chains"] for event in grants] == [["head"]]


def test_hands_just_over_a_table_step_back_where_there_is_no_other_way() -> None:
    """As a loop of hours left G1, which then failed for good: 3 mm over the table, beside what it is to take."""
    with simulate("g1", "sparse", start=(1.65422, 0.19238, -0.08842)) as session:
        session.plant.set_pose("vacuum", pose((2.0979, 0.3933, 0.5672), (0.0, 0.0, 0.43025)))
        assert session.run(Postural(posture="rest")).success
        outcome = session.run(Reach(object="vacuum"))
        assert outcome.success, outcome
