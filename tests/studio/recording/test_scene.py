"""The scene says all that it takes to show a robot and its world."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import orjson
import pinocchio as pin
import pytest

from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.robots import load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.recording import packed, scene
from taskmatrix.session.recording.meshes import Meshes
from taskmatrix.session.recording.scene import robot_data
from taskmatrix.simulation.scenes.world_loader import load_world

from .kinematics import link_poses, pose


def read(data: bytes) -> Any:
    return orjson.loads(gzip.decompress(data))


class NoMeshes(Meshes):
    """Counts, and reads no file."""

    def number(self, shape: Shape) -> int:
        return 0


def configurations(robot: Any) -> list[Array]:
    random = np.random.default_rng(1)
    return [robot.posture(robot.stance, (1.0, -2.0, 0.7)), *random.uniform(robot.lower, robot.upper, (3, robot.n))]


@pytest.mark.parametrize("name", ["mannequin", "bandit", "talos", "pr2", "g1", "icub"])
def test_the_trees_kinematics_are_the_robots(name: str) -> None:
    """Links, visuals, hands and view are where Pinocchio has them, in the stance and anywhere within the limits."""
    robot = load_robot(name)
    data = read(packed(robot_data(robot, NoMeshes())))
    assert data["names"] == list(robot.joints)
    shown = [shape.color[3] > 0.0 for shape in robot.visuals]
    for q in configurations(robot):
        links = link_poses(data, q)
        placed = [links[visual["link"]] @ pose(visual["X_LV"]) for visual in data["visuals"]]
        np.testing.assert_allclose(placed, robot.visual_placements(q)[shown], rtol=0.0, atol=1e-6)
        for hand, where in data["hands"].items():
            X_WH = links[where["link"]] @ pose(where["X_LH"])
            np.testing.assert_allclose(X_WH, hand_pose(robot, hand, q), rtol=0.0, atol=1e-6)
        if robot.view is not None:
            there = robot.model.createData()
            pin.framesForwardKinematics(robot.model, there, robot.expand(q))
            X_WL = there.oMf[robot.model.getFrameId(robot.view.frame)].homogeneous
            X_WC = links[data["view"]["link"]] @ pose(data["view"]["X_LC"])
            np.testing.assert_allclose(X_WC, X_WL @ robot.view.X_LV, rtol=0.0, atol=1e-6)


def test_spheres_hold_the_bodies() -> None:
    """A ball in its link has all of the body that it is around."""
    robot = load_robot("mannequin")
    data = robot_data(robot, NoMeshes())
    spheres: Any = data["spheres"]
    assert len(spheres) == robot.collision.ngeoms
    body, sphere = robot.collision.geometryObjects[0], spheres[0]
    frame = robot.model.frames[body.parentFrame]
    X_LB = np.linalg.inv(frame.placement.homogeneous) @ body.placement.homogeneous
    centre = X_LB[:3, :3] @ np.asarray(body.geometry.aabb_center).ravel() + X_LB[:3, 3]
    np.testing.assert_allclose(sphere["centre"], centre, atol=1e-12)
    assert sphere["radius"] == pytest.approx(float(body.geometry.aabb_radius))


def test_a_scene_has_the_objects() -> None:
    """With their shapes, whether they can be carried, and the floor; the same scene gives the same bytes."""
    robot, world = load_robot("mannequin"), load_world("sparse")
    data = packed(scene(robot, world))
    assert packed(scene(robot, world)) == data
    found = {item["id"]: item for item in read(data)["objects"]}
    assert list(found) == list(world.objects)
    assert not found["vacuum"]["fixed"]
    assert found["table"]["fixed"]
    np.testing.assert_allclose(pose(found["table"]["X_WO"]), world.poses["table"])
    shown = [shape for shape in world.objects["vacuum"].shapes if shape.color[3] > 0.0]
    assert len(found["vacuum"]["shapes"]) == len(shown)
    assert len(read(data)["grounds"]) == len(world.grounds)
