"""Kicking a ball."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Timer
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.robot.skills.kicking import KickPlan
from taskmatrix.core.world.geometry import pose
from taskmatrix.session.session import PHYSICS_STEP
from taskmatrix.simulation.judges import PHYSICAL, Record, judge_of, scores
from taskmatrix.soccer import Kick
from taskmatrix.testing import Bench, FakeSkills, box_percept


def bench(x: float = 0.3) -> Bench:
    made = Bench([box_percept("ball", (x, 0.0, 0.05))])
    made.skills.liftable = ("left", "right")
    return made


def test_kick_owns_leg_and_base_and_lets_the_foot_touch_the_ball_meanwhile() -> None:
    """And not afterwards."""
    made = bench()
    kick = Kick(object="ball", foot="left", direction="lateral")
    made.ticks(kick, 5)
    assert made.skills.kicked == "ball"
    assert set(made.context.arbiter.granted(kick.path)) == {"base", "left_arm"}
    assert made.run(kick).success
    assert made.skills.kicked is None
    assert kick.outputs["heading"] == pytest.approx(np.pi / 2)


def test_ball_that_lies_elsewhere_is_not_kicked() -> None:
    """The failure says by how much it is off, and which place would do."""
    failure = bench(0.4).run(Kick(object="ball")).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION
    assert failure.facts["off"] == pytest.approx((0.1, 0.0))
    assert failure.facts["ball"] == pytest.approx((0.3, 0.0))


def test_robot_without_legs_is_not_able() -> None:
    """By its requirement."""
    failure = Bench([box_percept("ball", (0.3, 0.0, 0.05))]).run(Kick(object="ball")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE


def test_a_skill_set_without_kicks_is_not_able() -> None:
    """Kicks are optional: a robot with feet may have a skill set that knows none."""

    class WithoutKicks(FakeSkills):
        kick = None  # type: ignore[assignment]

    made = Bench([box_percept("ball", (0.3, 0.0, 0.05))], skills=WithoutKicks)
    made.skills.liftable = ("left", "right")
    failure = made.run(Kick(object="ball")).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE
    assert "no kicks" in failure.message


def test_contact_on_the_way_is_found_before() -> None:
    """And nothing moves."""
    made = bench()
    made.skills.contact = lambda q: Contact("foot", "chair", -0.01)
    failure = made.run(Kick(object="ball")).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION


@pytest.mark.parametrize(("name", "value"), [("foot", "lft"), ("direction", "up")])
def test_wrong_kicks_are_named(name: str, value: str) -> None:
    """With what there is."""
    with pytest.raises(ParameterError, match=r"front|left"):
        Kick(object="ball", **{name: value})


@pytest.mark.pictures
@pytest.mark.slow
@pytest.mark.parametrize("direction", ["front", "diagonal", "lateral"])
def test_nao_kicks_in_physics(direction: str) -> None:
    """To where it said within 10 degrees; the judge agrees."""
    with simulate("nao", "soccer", start=(0.0, 0.0, 0.5), sim="bullet") as session:
        record = Record(session.robot, session.world.objects, PHYSICS_STEP, session.plant.truth(), tolerance=PHYSICAL)
        plan = session.skills.kick("left", direction, "ball")
        assert isinstance(plan, KickPlan)
        c, s = np.cos(0.5), np.sin(0.5)
        place = (c * plan.ball[0] - s * plan.ball[1], s * plan.ball[0] + c * plan.ball[1])
        session.plant.set_pose("ball", pose((*place, session.world.poses["ball"][2, 3])))
        record = Record(session.robot, session.world.objects, PHYSICS_STEP, session.plant.truth(), tolerance=PHYSICAL)
        session.events.subscribe(record)
        kick = Kick(object="ball", foot="left", direction=direction)
        session.run(Timer(duration=0.1))
        assert session.run(kick)
        judgement = judge_of("kick")(record, dict(kick.parameters))
        assert judgement.success, judgement.reason
        session.run(Timer(duration=1.0))
        way = record.end.poses["ball"][:2, 3] - place
    assert np.arctan2(way[1], way[0]) == pytest.approx(kick.outputs["heading"], abs=np.deg2rad(10))
    assert np.hypot(*way) > 0.2


@pytest.mark.pictures
def test_nao_scores_from_the_penalty_mark() -> None:
    """A goal by the plant's ground truth."""
    with simulate("nao", "soccer", start=(2.2, 0.05, 0.0), sim="bullet") as session:
        plan = session.skills.kick("left", "front", "ball")
        assert isinstance(plan, KickPlan)
        place = (2.2 + plan.ball[0], 0.05 + plan.ball[1], session.world.poses["ball"][2, 3])
        session.plant.set_pose("ball", pose(place))
        record = Record(session.robot, session.world.objects, PHYSICS_STEP, session.plant.truth(), tolerance=PHYSICAL)
        session.events.subscribe(record)
        session.run(Timer(duration=0.05))
        assert session.run(Kick(object="ball", foot="left"))
        session.run(Timer(duration=2.5))
    assert [score.goal for score in scores(record.steps, record.objects, "ball")] == ["yellow_goal"]
