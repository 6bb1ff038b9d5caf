"""A hand along a given way: every pose of it is taken, or the plan says how far it gets and why no further."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Plan
from taskmatrix.core.world.geometry import inverse, pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.planning.along import BETWEEN, ON_WAY, off_way, plan_along
from taskmatrix.skills.planning.queries import AlongQuery, Snapshot

from .setting import box, kinematics_of, robot_of
from .test_planning import planner

CHAINS = ("base", "torso", "right_arm")


def arc(X: Array, radius: float, angle: float) -> Array:
    """(t, 4, 4) A pose turned about an upright axis beside it."""
    count = int(np.ceil(angle * radius / 0.006))
    about = pose((X[0, 3], X[1, 3] + radius, 0.0))
    angles = np.linspace(0.0, angle, count + 1)[1:]
    turned = [about @ pose(rpy=(0.0, 0.0, each)) @ inverse(about) @ X for each in angles]
    return np.array(turned)


def begin(name: str) -> tuple[Snapshot, Array]:
    robot = robot_of(name)
    q = robot.posture("ready")
    return Snapshot(q, {}), kinematics_of(name).pose("right", q)


@pytest.mark.parametrize("name", ["mannequin", "talos"])
def test_a_hand_follows_an_arc(name: str) -> None:
    """All the way, within a tenth of a millimetre at the poses and a millimetre between them."""
    snapshot, X = begin(name)
    way = arc(X, 0.4, 1.2)
    plan = planner(name).solve(snapshot, AlongQuery("right", way, CHAINS, 2.0, 0))
    assert isinstance(plan, Plan), plan
    worst, kinematics = 0.0, kinematics_of(name)
    for t in np.arange(0.0, plan.duration, 0.05):
        q = snapshot.q.copy()
        q[plan.trajectory.indices] = plan.trajectory.sample(t)[0]
        here = kinematics.pose("right", q)
        worst = max(worst, min(pose_error(here, at)[0] for at in (X, *way)))
    assert worst < 0.004  # half of the way between two poses, and a millimetre
    q[plan.trajectory.indices] = plan.trajectory.sample(plan.duration)[0]
    distance, angle = pose_error(kinematics.pose("right", q), way[-1])
    assert distance < 1e-4
    assert angle < 1e-3


def test_what_is_in_the_way_is_named_with_the_share() -> None:
    snapshot, X = begin("mannequin")
    way = arc(X, 0.4, 1.2)
    wall = box("wall", (0.15, 0.15, 0.3)), pose(way[2 * len(way) // 3][:3, 3])
    blocked = Snapshot(snapshot.q, {"wall": wall})
    failure = planner("mannequin").solve(blocked, AlongQuery("right", way, CHAINS, 2.0, 0))
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.COLLISION
    assert "wall" in str(failure.facts["pair"])
    assert isinstance(share := failure.facts["share"], float)
    assert 0.1 < share < 0.7


def test_a_way_out_of_reach_is_told() -> None:
    """Without the base, an arm is at its end at some time."""
    snapshot, X = begin("mannequin")
    way = np.array([pose((0.006 * k, 0.0, 0.0)) @ X for k in range(1, 200)])
    failure = planner("mannequin").solve(snapshot, AlongQuery("right", way, ("right_arm",), 2.0, 0))
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.IK_EXHAUSTED
    assert "along its way, then it cannot follow" in failure.message


def test_what_cannot_be_a_way_is_refused() -> None:
    snapshot, X = begin("mannequin")
    for poses in (X, np.empty((0, 4, 4)), np.full((2, 4, 4), np.nan)):
        with pytest.raises(ParameterError, match=r"\(t, 4, 4\) poses of finite numbers"):
            planner("mannequin").solve(snapshot, AlongQuery("right", poses, CHAINS, 2.0, 0))
    with pytest.raises(NotFoundError, match="no hand 'tail'"):
        planner("mannequin").solve(snapshot, AlongQuery("tail", X[None], CHAINS, 2.0, 0))


def test_the_same_question_has_the_same_answer() -> None:
    snapshot, X = begin("mannequin")
    query = AlongQuery("right", arc(X, 0.4, 0.3), CHAINS, 2.0, 0)
    checker = planner("mannequin")._checker
    joints = np.array(robot_of("mannequin").indices(*CHAINS), dtype=np.intp)
    paths = [plan_along(kinematics_of("mannequin"), checker, query, snapshot.q, joints) for _ in range(2)]
    first, second = paths
    assert isinstance(first, np.ndarray)
    assert isinstance(second, np.ndarray)
    np.testing.assert_array_equal(first, second)


def line(X: Array, *way: float) -> Array:
    """(t, 4, 4) Poses on a straight line, 6 mm apart."""
    count = int(np.ceil(np.linalg.norm(way) / 0.006))
    return np.array([pose(share * np.array(way)) @ X for share in np.linspace(0.0, 1.0, count + 1)[1:]])


def test_another_posture_at_the_end_is_tried_where_the_first_is_not_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    """Romeo's hand, taken up: its wrist comes to its end, unless arm and trunk go another way."""
    snapshot, X = begin("romeo")
    query = AlongQuery("right", line(X, 0.05, 0.0, 0.2), CHAINS, 2.0, 0)
    monkeypatch.setattr("taskmatrix.skills.planning.along.ENDS", 0)
    plain = planner("romeo").solve(snapshot, query)
    monkeypatch.undo()
    assert isinstance(plain, Failure)
    assert isinstance(planner("romeo").solve(snapshot, query), Plan)


@pytest.mark.parametrize("name", ["mannequin", "romeo", "icub"])
def test_a_planned_motion_keeps_to_the_way(name: str) -> None:
    """Sampled finely, and measured against the line itself: by a millimetre and half a degree, and a little between."""
    snapshot, X = begin(name)
    plan = planner(name).solve(snapshot, AlongQuery("right", line(X, 0.04, 0.03, 0.05), CHAINS, 2.0, 0))
    assert isinstance(plan, Plan), plan
    along = np.array([0.04, 0.03, 0.05]) / np.linalg.norm([0.04, 0.03, 0.05])
    for t in np.arange(0.0, plan.duration, 0.01):
        q = snapshot.q.copy()
        q[plan.trajectory.indices] = plan.trajectory.sample(t)[0]
        here = kinematics_of(name).pose("right", q)
        gap = here[:3, 3] - X[:3, 3]
        assert np.linalg.norm(gap - (gap @ along) * along) < ON_WAY[0] + BETWEEN[0]
        assert pose_error(here, X)[1] < ON_WAY[1] + BETWEEN[1]


def test_a_motion_that_leaves_the_way_is_told() -> None:
    """By how much, at its middle."""
    robot, kinematics = robot_of("mannequin"), kinematics_of("mannequin")
    q = robot.posture("ready")
    way = line(kinematics.pose("right", q), 0.1, 0.0, 0.0)

    def aside(time: float, by: float) -> Array:
        moved = q.copy()
        moved[0] += 0.1 * time
        moved[1] += by * np.sin(np.pi * time)
        return moved

    assert off_way(kinematics, "right", way, lambda time: aside(time, 0.0), 1.0) == ""
    told = off_way(kinematics, "right", way, lambda time: aside(time, 0.004), 1.0)
    assert told.startswith("the right hand leaves its way by ")
    assert told.endswith("mm and 0.0 deg")


def test_what_cannot_be_timed_is_no_plan_to_somewhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the finished motion will not do, the base does not step aside at the end of the way."""
    snapshot, X = begin("mannequin")
    found = planner("mannequin")
    monkeypatch.setattr("taskmatrix.skills.planning.problem.off_way", lambda *args: "the right hand leaves its way")
    failure = found.solve(snapshot, AlongQuery("right", line(X, 0.0, 0.0, 0.05), CHAINS, 2.0, 0))
    assert isinstance(failure, Failure)
    assert failure.message == "on the smoothed motion the right hand leaves its way"
