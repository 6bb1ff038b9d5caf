from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import AllowedContact, GoalSolution, HandGoal, PositionGoal
from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.skills.kinematics import ik
from taskmatrix.skills.kinematics.kinematics import in_limits

from .setting import at


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with simulate("mannequin", "sparse", seed=1) as made:
        yield made


def grasps_of(session: Session, object: str) -> list[HandGoal]:
    skills, X_WO = session.skills, session.world.poses[object]
    return [
        HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, object)
        for hand in skills.hands
        for grasp in skills.grasps(object, hand)
    ]


def test_a_free_configuration_at_a_grasp_is_found_in_the_world_as_it_is(session: Session) -> None:
    """From where the robot is; by its own collision check it touches nothing but the object."""
    skills = session.skills
    chains = ("base", "torso", "left_arm", "right_arm")
    found = skills.find_configuration(grasps_of(session, "soda_can"), chains, free=True, base_range=3.0)
    assert isinstance(found, GoalSolution)
    assert isinstance(found.goal, HandGoal)
    distance, angle = pose_error(found.goal.X_WH, skills.forward_kinematics(found.goal.hand, found.q))
    assert distance < ik.POSITION_TOLERANCE
    assert angle < ik.ROTATION_TOLERANCE
    everything = np.arange(len(found.q))
    assert in_limits(session.robot, found.q, skills.joints(*chains))
    hand = found.goal.hand
    skills.allow_contact(AllowedContact(hand, "soda_can"), hand)
    assert skills.collision(everything, found.q) is None
    skills.allow_contact(None, hand)


def test_unless_told_otherwise_the_arm_moves_from_where_it_is(session: Session) -> None:
    """The hand ten centimetres up; what is not the arm stays. The allowed contacts in force stay too."""
    skills = session.skills
    X_WH = at(0.0, 0.0, 0.1) @ skills.forward_kinematics("left")
    found = skills.find_configuration([PositionGoal("left", X_WH[:3, 3], "up")])
    assert isinstance(found, GoalSolution)
    moved = np.flatnonzero(found.q != skills.position())
    assert set(moved) <= set(skills.joints("left_arm"))
    assert len(moved)


def test_why_there_is_none_is_a_failure(session: Session) -> None:
    """That reads as one."""
    X_WH = at(0.0, 0.0, 2.0) @ session.skills.forward_kinematics("left")
    failure = session.skills.find_configuration([HandGoal("left", X_WH, "ceiling")])
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.IK_EXHAUSTED
    assert failure.explain().startswith("inverse kinematics: no goal is within reach; the nearest that the left hand")


def test_an_object_that_does_not_exist_is_named(session: Session) -> None:
    """With the nearest that does; the floor is always there."""
    X_WH = session.skills.forward_kinematics("left")
    with pytest.raises(NotFoundError, match=r"no object 'soda_cam' .* did you mean 'soda_can'"):
        session.skills.find_configuration([HandGoal("left", X_WH, "there", "soda_cam")])
    assert isinstance(session.skills.find_configuration([HandGoal("left", X_WH, "there", "floor")]), GoalSolution)


def test_many_goals_are_answered_each_for_itself(session: Session) -> None:
    """As one by one: a goal that is come to from here, one that is not, one out of reach; in the order of the goals."""
    skills, random = session.skills, np.random.default_rng(0)
    X_WH, joints = skills.forward_kinematics("left"), skills.joints("left_arm")
    lower, upper = (limits[joints] for limits in skills.limits()[:2])
    goals = [HandGoal("left", at(0.0, 0.0, 2.0) @ X_WH, "ceiling")]
    for k in range(12):
        q = skills.position()
        q[joints] = random.uniform(lower, upper)
        goals.append(HandGoal("left", skills.forward_kinematics("left", q), str(k)))
    together = skills.find_configurations(goals, free=True)
    alone = [skills.find_configuration([goal], free=True) for goal in goals]
    assert [type(answer) for answer in together] == [type(answer) for answer in alone]
    found = [answer for answer in together if isinstance(answer, GoalSolution)]
    assert {type(answer) for answer in together} == {GoalSolution, Failure}
    assert all(answer.goal is goals[answer.number] and answer is together[answer.number] for answer in found)
    assert all(skills.collision(joints, answer.q[joints]) is None for answer in found)


def test_many_configurations_are_free_where_one_is(session: Session) -> None:
    """Anywhere within the limits of both arms, where some are."""
    skills = session.skills
    joints = np.concatenate([skills.joints("left_arm"), skills.joints("right_arm")])
    lower, upper = (limits[joints] for limits in skills.limits()[:2])
    Q = np.random.default_rng(1).uniform(lower, upper, (200, len(joints)))
    free = skills.are_free(joints, Q)
    assert free.tolist() == [skills.collision(joints, q) is None for q in Q]
    assert 0 < free.sum() < len(Q)
    assert skills.are_free(joints, Q[:0]).shape == (0,)


def test_what_stood_on_a_held_thing_stays_where_it_is_when_that_is_let_go() -> None:
    """It is in the way there, and not where the hand goes: also where it is perceived as it was."""
    with simulate("mannequin", seed=1) as session:
        assert session.run(Pickup(object="soda_can")).success
        skills, perception = session.skills, session.context.perception
        can, ball = perception.object("soda_can"), perception.object("tennis_ball")
        up = can.box[1][2] + ball.X_WO[2, 3] - ball.box[0][2] + 0.001
        others = [each for id, each in perception.percepts.items() if id not in ("soda_can", "tennis_ball")]
        others.append(replace(ball, X_WO=pose((*can.centre[:2].tolist(), up))))
        carriers = []
        for held_by in (can.held_by, None):
            perception.update([*others, replace(can, held_by=held_by)], perception.time())
            skills.look()
            carriers.append(skills._checker.bodies["tennis_ball"].hand)
        assert can.held_by is not None
        assert carriers == [can.held_by, None]
