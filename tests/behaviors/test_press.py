"""Pressing on a surface, and being led by the hand, in physics; judged."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Guide, Postural, Press
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.simulation.judges import judge_of
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.scenes.world import Placement, World

from ..worlds import sparse
from .judged import Run

pytestmark = pytest.mark.pictures
ROBOT = "nao"


def with_desk(below: float) -> Run:
    """A robot in its posture *ready*, with a plate so far below its right hand."""
    plate = ObjectModel("desk", "furniture/desk", (Shape("box", (0.24, 0.24, 0.02), np.eye(4)),), movable=False)
    run = Run(ROBOT, world_of(plate, pose((3.0, 3.0, 0.5))), sim="mujoco", start=(0.0, 0.0, 0.0))
    run.prepare(Postural(posture="ready"))
    x, y, z = run.session.skills.forward_kinematics("right")[:3, 3].tolist()
    run.session.plant.set_pose("desk", pose((x + 0.04, y, z - below - 0.01)))
    return run


def world_of(thing: ObjectModel, X_WO: Array) -> World:
    """A world with one thing."""
    return World(
        name="scene",
        description="one thing",
        source="scene.toml",
        objects={thing.id: thing},
        poses={thing.id: X_WO},
        default_object=thing.id,
        start=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
        bounds=(-5.0, -5.0, 5.0, 5.0),
        furniture_scale=1.0,
        placements={thing.id: Placement(None, X_WO[:3, 3], np.eye(3), (0.0, 0.0, 0.0))},
    )


@pytest.mark.parametrize("sensor", ["joints"])
def test_a_hand_presses_with_the_force_and_moves_along(sensor: str) -> None:
    """Within a newton, by the truth of the plant; measured by what it feels, and by the torques of its motors."""
    run = with_desk(0.06)
    press = Press(hand="right", object="desk", force=5.0, x=0.02, duration=1.5, sensor=sensor)
    facts = run.judged(press)
    assert press.pressed == pytest.approx(5.0, abs=1.0)
    assert facts["force"] == pytest.approx(5.0, abs=1.0)
    run.session.close()


def test_where_nothing_is_there_is_nothing_to_press_on() -> None:
    """And it says so."""
    with simulate(ROBOT, sparse(ROBOT, "table"), seed=1, sim="mujoco") as session:
        session.run(Postural(posture="ready"))
        failure = session.run(Press(hand="right", reach=0.03, speed=0.1)).failure
        assert failure is not None
        assert failure.kind is FailureKind.NOT_ACHIEVED
        assert failure.message.startswith("there is nothing to press on within 0.03 m")
        failure = session.run(Press(hand="right", direction_z=0.0)).failure
        assert failure is not None
        assert failure.kind is FailureKind.PARAMETER
        assert failure.message == "a force of direction (0, 0, 0) has no direction"


def test_a_hand_is_led_and_ends_when_it_is_left_alone() -> None:
    """Where it was led it stays; where nobody leads it, it says so."""
    run = Run(ROBOT, sparse(ROBOT, "table"), sim="mujoco")
    run.prepare(Postural(posture="ready"))
    failure = run.session.run(Guide(hand="right", duration=0.5)).failure
    assert failure is not None
    assert failure.message == "nobody led it in 0.5 s"
    assert isinstance(run.session.plant, PhysicsPlant)
    run.session.plant.push_link(run.session.robot.hands["right"].frame, np.array([1.5, 0.0, 1.5]), 0.6)
    guide = Guide(hand="right", duration=10.0, patience=0.5)
    facts = run.judged(guide)
    assert guide.way is not None
    assert guide.way > 0.02
    assert facts["way"] == pytest.approx(guide.way, abs=0.002)
    steps = facts["steps"]
    assert isinstance(steps, int)
    assert steps * run.session.context.dt < 5.0
    run.session.close()


def test_the_judge_of_press_wants_a_contact() -> None:
    """A posture is none."""
    run = Run(ROBOT)
    run.prepare(Postural(posture="ready"))
    reason = judge_of("press")(run.record, {"hand": "right", "duration": 2.0}).reason
    assert "touched something for 0.00 s" in reason or "none of right_arm" in reason
