from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.start import drawn_start, within_reach
from taskmatrix.simulation.scenes.world_loader import load_world
from tests.robots.adoption.made import plain_arm


def test_a_start_region_is_cut_at_the_limits_of_the_base_and_refused_beyond_them() -> None:
    """Where nothing of it is within them, the error names both."""
    robot, world = load_robot("bandit"), load_world("sparse")
    edge = float(robot.upper[0])
    across = replace(world, start=((edge - 0.5, -1.0, 0.0), (edge + 100.0, 1.0, 0.0)))
    place = drawn_start(robot, across, np.random.default_rng(0))[0]
    assert edge - 0.5 <= place <= edge
    beyond = replace(world, start=((edge + 1.0, -1.0, 0.0), (edge + 2.0, 1.0, 0.0)))
    with pytest.raises(WorldError, match=r"start region of world 'sparse'.*outside the limits of the base.*'bandit'"):
        drawn_start(robot, beyond, np.random.default_rng(0))


def test_a_world_comes_to_a_robot_that_stands_where_it_is(tmp_path: Path) -> None:
    """What tasks are about is within its arm's reach, in front, and the stance is clear."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    write(propose(tmp_path / "arm.urdf"), tmp_path / "arm")
    robot = load_robot(tmp_path / "arm")
    world = load_world("sparse", shoulder_height=robot.shoulder_height)
    near = within_reach(robot, world)
    target = near.poses[near.default_object][:3, 3]
    hand = hand_pose(robot, "only", robot.posture(robot.stance))[:3, 3]
    assert np.linalg.norm(world.poses[world.default_object][:3, 3] - hand) > 1.2
    assert np.linalg.norm(target - hand) < 0.9
    assert target[0] > 0.1
    np.testing.assert_allclose(drawn_start(robot, near, np.random.default_rng(0))[:3], 0.0)
    assert within_reach(robot, near) is near
    assert within_reach(load_robot("bandit"), world) is world
