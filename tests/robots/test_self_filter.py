from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.robots import load_robot
from taskmatrix.robots.self_filter import SelfBox, SelfFilter


@pytest.mark.parametrize("name", ["bandit", "mannequin"])
def test_all_bodies_are_in_the_boxes_and_in_the_column(name: str) -> None:
    """Their corners, in a posture drawn at random."""
    robot = load_robot(name)
    own, random = SelfFilter(robot, clearance=0.001), np.random.default_rng(0)
    q = random.uniform(robot.lower, robot.upper)
    q[:3] = 0.4, -0.3, 1.0
    data, placed = robot.model.createData(), robot.collision.createData()
    pin.updateGeometryPlacements(robot.model, data, robot.collision, placed, robot.expand(q))
    column, boxes = own.column(q), own.boxes(q)
    for number, body in enumerate(robot.collision.geometryObjects):
        shape = body.geometry
        if not hasattr(shape, "num_points"):
            continue
        local = np.array([shape.point(k) for k in range(shape.num_points)]).reshape(-1, 3)
        points = local @ placed.oMg[number].rotation.T + placed.oMg[number].translation
        assert boxes[number].holds(points).all()
        assert column.holds(points[points[:, 2] > 0.0]).all()


def test_a_round_box_is_a_cylinder() -> None:
    """Its corners are outside."""
    box = SelfBox(np.eye(4), np.array([1.0, 1.0, 0.5]), round=True)
    points = np.array([(0.9, 0.0, 0.4), (0.9, 0.9, 0.4), (0.0, 0.0, 0.6)])
    assert box.holds(points).tolist() == [True, False, False]
