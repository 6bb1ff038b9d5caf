from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Fixate, Pickup, Postural, Putdown, Timer
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Job
from taskmatrix.core.world.geometry import angle_between, pose
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.testing import Bench, FakeSkills, box_percept
from tests.chin_rest import with_a_chin_rest


def gaze_error(session: Session, object: str) -> float:
    """[rad] Between the viewing direction and the object."""
    session.skills.sense(session.plant.sense())
    ray = session.context.perception.object(object).centre - session.skills.view_position()
    return float(np.arccos(session.skills.view()[:, 0] @ ray / np.linalg.norm(ray)))


@pytest.mark.parametrize("robot", ["mannequin", "bandit"])
def test_with_base_and_head_it_faces_what_is_behind(robot: str) -> None:
    """The robot turns round on its base to look at the can behind it."""
    with simulate(robot, start=(0.0, 0.0, np.pi * 0.9)) as session:
        outcome = session.run(Fixate(target="soda_can"))
        assert outcome.success, outcome
        assert gaze_error(session, "soda_can") < np.deg2rad(1.5)
        ended = session.plant.sense().q[:3]
        session.run(Timer(duration=0.2))
        np.testing.assert_array_equal(session.plant.sense().q[:3], ended)  # the base has come to rest


def test_with_the_base_taken_only_the_head_turns() -> None:
    """The base stays where it is although turning it would help."""
    with simulate("mannequin", start=(0.0, 0.0, 0.3)) as session:
        session.context.arbiter.claim("somebody", ["base"])
        before = session.plant.sense().q.copy()
        assert session.run(Fixate(target="soda_can")).success
        np.testing.assert_array_equal(session.plant.sense().q[:3], before[:3])


@pytest.mark.usefixtures("usual_control_step")
def test_beyond_the_necks_limits_it_fails_with_the_rest_of_the_angle() -> None:
    """With the head alone, what is behind cannot be faced; the failure is of the joint limits."""
    with simulate("mannequin", start=(0.0, 0.0, np.pi)) as session:
        session.context.arbiter.claim("somebody", ["base"])
        failure = session.run(Fixate(target="soda_can")).failure
        assert failure is not None
        assert failure.kind is FailureKind.JOINT_LIMIT
        assert "deg" in failure.message


@pytest.mark.usefixtures("usual_control_step")
def test_recurrent_it_follows_a_moving_object_until_told_to_quit() -> None:
    """A ball rolls by: goal-achieved in nearly every step once caught up; the run ends by the timeout's force-quit."""
    with simulate("mannequin", start=(0.0, 0.0, 0.0)) as session:
        said: list[str] = []

        def roll(event: Event) -> None:
            if event.kind == "message" and str(event.data["message"]).startswith("goal"):
                said.append(str(event.data["message"]))
            if event.kind == "step":
                t = event.time
                session.plant.set_pose("tennis_ball", pose((1.2, -0.8 + 0.25 * t, 0.8)))

        session.events.subscribe(roll)
        outcome = session.run(Fixate(target="tennis_ball", recurrent=True), timeout=6.0)
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.TIMEOUT
        assert said[300:].count("goal-achieved") > 0.9 * len(said[300:])
        assert abs(len(said) - 600) <= 1


def test_it_ends_while_what_it_faces_goes_on() -> None:
    """A ball that rolls by behind the robot: the base does not stand first, after which it would have to turn again."""
    with simulate("mannequin", start=(0.0, 0.0, np.pi * 0.9)) as session:

        def roll(event: Event) -> None:
            if event.kind == "step":
                session.plant.set_pose("tennis_ball", pose((1.2, -0.8 + 0.4 * event.time, 0.8)))

        session.events.subscribe(roll)
        outcome = session.run(Fixate(target="tennis_ball"), timeout=6.0)
        assert outcome.success, outcome
        assert gaze_error(session, "tennis_ball") < np.deg2rad(1.5)


def beside_a_broom(session: Session) -> None:
    """A broom beside the left hand, in the way of a turn to the left, and a ball on the left."""
    X_WO = session.world.poses["broom"].copy()
    X_WH = session.skills.forward_kinematics("left")
    X_WO[:2, 3] = X_WH[:2, 3] + [-0.16, 0.03]
    session.plant.set_pose("broom", X_WO)
    session.plant.set_pose("tennis_ball", pose((-2.0, 0.8, 0.8)))


def test_it_stops_before_it_would_touch_something() -> None:
    """Recurrent, it stops short of what is in the way, unharmed, and says what that is (thesis figure 5.26)."""
    with simulate("mannequin", start=(0.0, 0.0, 0.0)) as session:
        beside_a_broom(session)
        pairs: list[object] = []
        session.events.subscribe(lambda event: pairs.append(event.data.get("pair")) if "error" in event.data else None)
        outcome = session.run(Fixate(target="tennis_ball", recurrent=True), timeout=4.0)
        assert outcome.failure is not None
        assert outcome.failure.kind is FailureKind.TIMEOUT
        assert "broom" in str(pairs[-1])
        assert session.skills.contacts() == ()
        skills, ball = session.skills, session.context.perception.object("tennis_ball").centre
        best = skills.inverse_kinematics_of_view(ball, ["head"], skills.position())  # by the head, from there
        least = angle_between(skills.view(best)[:, 0], ball - skills.view_position(best))
        assert gaze_error(session, "tennis_ball") < least + np.deg2rad(0.5)


def test_it_goes_round_what_is_in_the_way() -> None:
    """The base steps aside, the ball is faced in the end, and the guard has had nothing to hold."""
    with simulate("mannequin", start=(0.0, 0.0, 0.0)) as session:
        beside_a_broom(session)
        kinds: list[str] = []
        session.events.subscribe(lambda event: kinds.append(event.kind))
        outcome = session.run(Fixate(target="tennis_ball"))
        assert outcome.success, outcome
        assert gaze_error(session, "tennis_ball") < np.deg2rad(1.5)
        assert "plan" in kinds
        assert "blocked" not in kinds


def test_it_steps_back_from_what_is_too_low_for_its_neck() -> None:
    """A ball on the floor right before the feet."""
    with simulate("mannequin", start=(0.0, 0.0, 0.0)) as session:
        session.plant.set_pose("tennis_ball", pose((0.3, 0.0, 0.035)))
        before = session.plant.sense().q[:2].copy()
        outcome = session.run(Fixate(target="tennis_ball"))
        assert outcome.success, outcome
        assert gaze_error(session, "tennis_ball") < np.deg2rad(1.5)
        assert np.linalg.norm(session.plant.sense().q[:2] - before) > 0.1


def test_it_straightens_up_where_its_trunk_is_in_the_way_of_its_head() -> None:
    """A robot that has bent down to the table looks round to a broom: its head would be at its chest."""
    with simulate("icub", seed=17) as session:
        assert session.run(Pickup(object="soda_can")).success
        assert session.run(Putdown(object="soda_can", on="table")).success
        outcome = session.run(Fixate(target="broom"))
        assert outcome.success, outcome
        assert gaze_error(session, "broom") < np.deg2rad(1.5)


def test_it_straightens_up_where_its_neck_does_not_turn_that_far(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bent forward, it cannot look at what is level with its eyes and far away, however far it steps back."""
    with simulate("talos", "sparse", seed=1, start=(0.0, 0.0, 0.0)) as session:
        torso = session.skills.joints("torso")
        bent = dict(zip(torso.tolist(), (0.0, 0.55), strict=True))
        monkeypatch.setattr(session.skills, "posture", lambda name: bent)
        assert session.run(Postural(posture="bent", mirror=False)).success
        session.plant.set_pose("tennis_ball", pose((0.0, 5.0, 1.5)))
        outcome = session.run(Fixate(target="tennis_ball"))
        assert outcome.success, outcome
        assert gaze_error(session, "tennis_ball") < np.deg2rad(1.5)
        assert np.abs(session.plant.sense().q[torso]).max() < 0.01


@pytest.mark.parametrize("recurrent", [False, True])
def test_joints_that_are_free_go_on_where_one_of_the_neck_would_touch(tmp_path: Path, recurrent: bool) -> None:
    """Nodding stops on the bar, the neck turns all the way to the ball, and what is in the way is told."""
    with simulate(with_a_chin_rest(tmp_path / "made"), start=(0.0, 0.0, 0.0)) as session:
        session.context.arbiter.claim("somebody", ["base"])
        session.plant.set_pose("tennis_ball", pose((0.6, 0.6, 0.3)))
        pairs: list[object] = []
        session.events.subscribe(lambda event: pairs.append(event.data.get("pair")) if "error" in event.data else None)
        failure = session.run(Fixate(target="tennis_ball", recurrent=recurrent), timeout=4.0).failure
        assert failure is not None
        told = pairs[-1] if recurrent else failure.facts["pair"]
        assert set(told) == {"bar", "head"}  # type: ignore[call-overload]
        yaw, pitch = (session.skills.joints("head")[:2]).tolist()
        q = session.plant.sense().q
        assert abs(q[yaw] - np.pi / 4) < 0.1
        assert 0.2 < q[pitch] < 0.6
        assert session.skills.contacts() == ()


def test_a_neck_of_many_joints_looks_in_another_way_where_the_first_is_barred(tmp_path: Path) -> None:
    """Romeo with its chin checked against its collar, which overlap where the lower joint of its neck is bent."""
    shutil.copytree(find_adapter("romeo").parent, tmp_path / "romeo")
    pairs = tmp_path / "romeo" / "pairs.toml"
    left_out = pairs.read_text().split("[[excluded]]")
    kept = [text for text in left_out if '["HeadRollLink", "torso"]' not in text]
    assert len(kept) == len(left_out) - 1
    pairs.write_text("[[excluded]]".join(kept))
    with simulate(str(tmp_path / "romeo"), "sparse", 0, start=(0.0, 0.0, 0.0)) as session:
        session.plant.set_pose("tennis_ball", pose((0.8, 0.5, 0.4)))
        outcome = session.run(Fixate(target="tennis_ball"))
        assert outcome.success, outcome
        assert gaze_error(session, "tennis_ball") < np.deg2rad(1.5)


class Wry(FakeSkills):
    """The head alone would look the other way; notes what is planned."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.goals: list[Mapping[int, float]] = []

    def inverse_kinematics_of_view(self, point: Array, chains: Sequence[str], q: Array | None = None) -> Array:
        found = super().inverse_kinematics_of_view(point, chains, q)
        if "base" not in chains:
            found[3] = -1.5
        return found

    def plan_to_configuration(
        self, goal: Mapping[int, float], duration: float, seed: int, planning_time: float, relaxed: Sequence[str] = ()
    ) -> Job | Failure:
        self.goals.append(goal)
        return super().plan_to_configuration(goal, duration, seed, planning_time, relaxed)


def test_the_way_round_ends_where_head_and_base_face_the_object_together() -> None:
    """And not with the head as far as it could turn from where the base was kept from turning."""
    bench = Bench([box_percept("lamp", (-2.0, 0.3, 1.5))], skills=Wry)
    skills = bench.skills
    assert isinstance(skills, Wry)
    skills.contact = lambda q: Contact("hand", "wall", -0.01) if 0.3 < q[2] < 0.5 else None
    bench.run(Fixate(target="lamp"))
    q = bench.plant.sense().q.copy()
    for goal in skills.goals:
        q[list(goal)] = list(goal.values())
        ray = np.array([-2.0, 0.3, 1.5]) - skills.view_position(q)
        assert angle_between(skills.view(q)[:, 0], ray) < np.deg2rad(1.0)
    assert skills.goals
