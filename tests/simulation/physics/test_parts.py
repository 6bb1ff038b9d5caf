"""Drawers and doors in both engines: they move on their joints, and on nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.core.world.object_joint import JointKind, ObjectJoint
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.simulation.scenes.world import GAP, World

from ..conftest import MakePlant
from .scenes import box, hold, poses, robot, world_of

ROBOT = robot("asimo")
STANCE = ROBOT.posture(ROBOT.stance)
CARRIER = pose((2.0, 0.0, 0.5), (0.0, 0.0, 0.7))


def part(kind: JointKind, axis: tuple[float, float, float], upper: float, damping: float = 0.0) -> ObjectModel:
    """A board of 2 kg that moves against 4 N, or 4 N m, in front of what carries it."""
    shape = Shape("box", (0.4, 0.3, 0.02), pose((0.2, 0.0, 0.0)))
    joint = ObjectJoint("carrier", kind, pose((0.1, 0.0, 0.2)), np.array(axis), 0.0, upper, 4.0, damping, 2.0)
    return ObjectModel("part", "object", (shape,), joint=joint)


def scene(model: ObjectModel, load: bool = False) -> World:
    """A carrier at an angle with a part that is closed, and on request with a box on that."""
    assert model.joint is not None
    X = CARRIER @ model.joint.at(model.joint.lower)
    things = {"carrier": (box("carrier", (0.2, 0.3, 0.2), movable=False), CARRIER), "part": (model, X)}
    if load:
        things["load"] = (box("load", (0.06, 0.06, 0.06), mass=0.2), X @ pose((0.2, 0.0, 0.04 + GAP)))
    return world_of(things)


def position(plant: PhysicsPlant, model: ObjectModel) -> float:
    """Of the joint; the part is where that leads it, exactly."""
    assert model.joint is not None
    X_PO = inverse(CARRIER) @ poses(plant)["part"]
    at = model.joint.position(X_PO)
    np.testing.assert_allclose(model.joint.at(at), X_PO, atol=1e-9)
    return at


def pushed(plant: PhysicsPlant, force: float, seconds: float, rest: float = 0.0) -> None:
    """Push along x, or y for a door, of the part as it is at first."""
    axis = 1 if force < 0 else 0
    plant.push_object("part", abs(force) * poses(plant)["part"][:3, axis], seconds)
    hold(plant, STANCE, seconds + rest)


def test_a_drawer_moves_against_its_friction_up_to_its_end_with_what_lies_on_it(plant: MakePlant) -> None:
    model = part("slide", (1.0, 0.0, 0.0), 0.25)
    made = plant(ROBOT, scene(model, load=True))
    on_it = inverse(poses(made)["part"]) @ poses(made)["load"]
    pushed(made, 3.0, 0.2)
    assert abs(position(made, model)) < 1e-4
    pushed(made, 6.0, 0.4)
    moved = position(made, model)
    assert 0.03 < moved < 0.1  # (6 - 4) N on 2.2 kg for 0.4 s: 7 cm
    hold(made, STANCE, 0.3)
    stopped = position(made, model)
    hold(made, STANCE, 0.1)
    assert position(made, model) == pytest.approx(stopped, abs=1e-4)
    np.testing.assert_allclose(inverse(poses(made)["part"]) @ poses(made)["load"], on_it, atol=2e-3)
    pushed(made, 12.0, 0.6)
    assert position(made, model) == pytest.approx(0.25, abs=3e-3)


def test_a_door_turns_about_its_axis_and_is_slowed_by_its_damping(plant: MakePlant) -> None:
    reached = []
    for damping in (0.0, 20.0):
        model = part("hinge", (0.0, 0.0, 1.0), 1.4, damping)
        made = plant(ROBOT, scene(model))
        pushed(made, -60.0, 0.2)
        reached.append(position(made, model))
    assert reached[0] > 1.0
    assert reached[1] == pytest.approx(0.0776, rel=0.03)  # (12 - 4) N m on 0.122 kg m^2


def test_a_part_is_put_where_it_is_told_and_leaves_with_what_carries_it(plant: MakePlant) -> None:
    model = part("slide", (1.0, 0.0, 0.0), 0.25)
    made = plant(ROBOT, scene(model))
    assert model.joint is not None
    made.set_pose("part", CARRIER @ model.joint.at(0.12))
    hold(made, STANCE, 0.05)
    assert position(made, model) == pytest.approx(0.12, abs=1e-4)
    made.remove("carrier")
    hold(made, STANCE, 0.05)
    assert set(poses(made)) == set()
