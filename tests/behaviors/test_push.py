"""Objects are pushed without being grasped, in two simulations; judged."""

from __future__ import annotations

from typing import cast

import numpy as np
import pytest

from taskmatrix import TaskBehavior, simulate
from taskmatrix.behaviors import PickAndPlace, Pickup, Push, Shove, Timer
from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import judge_of

from .judged import Run


@pytest.mark.parametrize("sim", ["kinematic", "mujoco"])
def test_a_can_is_pushed(sim: str) -> None:
    """Over the table, upright, by a closed hand that is clear of it in the end."""
    run = Run("pr2", world="cafe", sim=sim)
    push = Push(object="soda_can", y=-0.2)
    facts = run.judged(push)
    assert float(str(facts["off"])) < 0.02
    session = run.session
    assert session.context.skills.contacts() == ()
    assert run.started("push") == ["reach", "shove", "back"]
    judge, asked = judge_of("push"), dict(push.parameters)
    assert "cm from where it was to be pushed" in judge(run.record, {**asked, "y": -0.1}).reason
    record = run.record
    poses, brush = cast("dict[str, Array]", record.end.poses), record.end.poses["brush"]
    poses["brush"] = brush + pose((0.02, 0.0, 0.0)) - pose()
    assert judge(record, asked).reason == "'brush' was moved by 20 mm"
    middle = (record.start.poses["soda_can"] + poses["soda_can"]) / 2
    for step in record.steps:
        cast("dict[str, Array]", step.poses)["brush"] = pose(middle[:3, 3])
    assert "into 'brush'" in judge(record, asked).reason
    poses["soda_can"][:3, :3] = pose(rpy=(1.0, 0.0, 0.0))[:3, :3]
    assert "leans by" in judge(record, asked).reason
    session.close()


def test_hands_that_hold_something_do_not_push() -> None:
    """The other does; and what a hand holds is not pushed."""
    run = Run("mannequin", world="cafe")
    run.prepare(Pickup(object="brush"))
    hand = next(iter(run.session.plant.held()))
    for push, kind, message in (
        (
            Push(object="soda_can", y=-0.1, using=hand),
            FailureKind.CHAIN_BUSY,
            f"no arm is free ({hand}: it holds 'brush')",
        ),
        (Push(object="brush", y=-0.1), FailureKind.PRECONDITION, f"the {hand} hand holds 'brush'"),
    ):
        failure = run.session.run(push).failure
        assert failure is not None
        assert failure.root.kind is kind
        assert message in failure.explain()
    run.judged(Push(object="soda_can", y=-0.1))
    run.session.close()


def test_what_lies_on_its_side_is_pushed_along_its_axis_only() -> None:
    """Across it, it would roll away."""
    run = Run("mannequin", world="cafe")
    run.prepare(PickAndPlace(object="soda_can", on="table", up="x"))
    poses = run.session.plant.truth()["poses"]
    assert isinstance(poses, dict)
    (x, y), length = poses["soda_can"][:2, 2], 0.06
    failure = run.session.run(Push(object="soda_can", x=-length * y, y=length * x, relative_to="world")).failure
    assert failure is not None
    assert failure.root.message == "'soda_can' would roll away"
    run.session.close()


def test_what_is_beside_a_slanting_thing_is_in_its_way() -> None:
    """Outlines count, not the boxes around them; what is in a drawer is not pushed at all."""
    with simulate("mannequin", world="cafe", seed=1) as session:
        X_WO = session.context.perception.pose("brush")
        session.plant.set_pose("brush", pose((*X_WO[:2, 3], X_WO[2, 3]), (0.0, 0.0, 0.8)))
        lower, upper = session.context.perception.object("soda_can").box
        across, half = np.array([np.cos(0.8), np.sin(0.8)]), (upper - lower)[2] / 2
        session.plant.set_pose("soda_can", pose((*(X_WO[:2, 3] + 0.12 * across), lower[2] + half)))
        session.run(Timer(duration=0.05))
        x, y = 0.1 * across
        failure = session.run(Push(object="brush", x=x, y=y, relative_to="world")).failure
        assert failure is not None
        assert failure.root.message == "'soda_can' is in the way of 'brush'"
        failure = session.run(Push(object="bottle_4", x=0.05)).failure
        assert failure is not None
        assert failure.root.message == "'bottle_4' stands on no open surface: what is in something is not pushed"


@pytest.mark.parametrize(
    ("push", "kind", "message"),
    [
        (Push(object="soda_can", x=0.001), FailureKind.PARAMETER, "x and y say how far to push, 0.01 m at least"),
        (Shove(object="soda_can", hand="left", x=0.0, y=0.0), FailureKind.PARAMETER, "both are 0"),
        (Push(object="table", x=0.1), FailureKind.PARAMETER, "'table' does not move"),
        (Push(object="tennis_ball", x=0.1), FailureKind.PARAMETER, "'tennis_ball' would roll away"),
        (Push(object="soda_can", x=1.9), FailureKind.NO_PLACE, "'soda_can' would fall off 'table'"),
    ],
    ids=range(5),
)
def test_what_cannot_be_pushed_is_refused_before_anything_moves(
    push: TaskBehavior, kind: FailureKind, message: str
) -> None:
    """With the reason."""
    with simulate("mannequin", seed=1) as session:
        before = session.plant.sense().q.copy()
        failure = session.run(push).failure
        assert failure is not None
        assert failure.root.kind is kind
        assert message in failure.explain()
        np.testing.assert_array_equal(session.plant.sense().q, before)


def test_axes_are_those_of_the_robot_or_the_world() -> None:
    """Another word is refused when it is made."""
    with pytest.raises(ParameterError, match="did you mean 'world'"):
        Push(object="soda_can", x=0.1, relative_to="worlds")
