from __future__ import annotations

from collections import Counter

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import HandGoal, PositionGoal
from taskmatrix.kernel.ik.ik import IkSettings, solve_each
from taskmatrix.skills.kinematics.nearest import Nearest, most_often, nearest_missed

from .setting import kinematics_of, robot_of

HIGH = HandGoal("left", np.eye(4), "high")


def test_the_facts_name_joints_and_ends() -> None:
    """The goal if there is one; the angle unless the orientation does not count."""
    robot = robot_of("mannequin")
    joint = robot.joints.index("left_elbow")
    near = Nearest(np.zeros(robot.n), 0.25, 0.5, {joint: "upper"}, HIGH)
    assert near.facts(robot) == {
        "goal": "high",
        "hand": "left",
        "nearest_distance": 0.25,
        "nearest_angle": 0.5,
        "at_limits": {"left_elbow": "upper"},
    }
    place = Nearest(np.zeros(robot.n), 0.25, 0.0, {}, PositionGoal("left", np.zeros(3), "place"))
    assert "nearest_angle" not in place.facts(robot)
    assert "goal" not in Nearest(np.zeros(robot.n), 0.25, 0.5, {}).facts(robot)


def test_it_reads_well() -> None:
    """In a sentence, and in the failure's explanation."""
    robot = robot_of("mannequin")
    near = Nearest(np.zeros(robot.n), 0.25, np.pi / 6, {}, HIGH)
    assert near.words() == "the nearest that the left hand came to goal 'high' is 0.250 m and 30 deg"
    failure = Failure(FailureKind.IK_EXHAUSTED, "ik", near.words(), near.facts(robot))
    assert failure.explain().endswith("(nearest distance: 0.25; nearest angle: 0.524; at limits: none).")
    place = Nearest(np.zeros(robot.n), 0.25, 0.0, {}, PositionGoal("left", np.zeros(3), "place"))
    assert place.words() == "the nearest that the left hand came to goal 'place' is 0.250 m"


def test_of_a_batch_the_nearest_that_missed_is_taken() -> None:
    """What reached its goal is no miss; if all did there is none."""
    robot, kinematics = robot_of("talos"), kinematics_of("talos")
    chain, q = kinematics.chain("left", robot.indices("left_arm")), robot.posture(robot.stance)
    X = np.tile(kinematics.pose("left", q), (4, 1, 1))
    X[1:, 2, 3] += [3.0, 2.0, 4.0]
    goals = [HandGoal("left", target, str(k)) for k, target in enumerate(X)]
    near = nearest_missed(solve_each(chain, X, q, IkSettings(1)), goals, chain)
    assert near is not None
    assert near.goal is goals[2]
    assert near.distance < 2.0
    assert near.at_limits == chain.at_limits(near.q)
    assert nearest_missed(solve_each(chain, X[:1], q, IkSettings(1)), goals[:1], chain) is None


def test_pairs_are_counted() -> None:
    """The one most often in contact, and three with how often."""
    blocked = Counter({("a", "b"): 2, ("hand", "table"): 5, ("c", "d"): 1, ("e", "f"): 1})
    assert most_often(blocked) == {
        "pair": ("hand", "table"),
        "most_often": ["hand and table (5 times)", "a and b (2 times)", "c and d (once)"],
    }
    assert most_often(Counter()) == {}
