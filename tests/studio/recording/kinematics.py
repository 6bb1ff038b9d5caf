"""Forward kinematics of a scene, as anyone would write it who has nothing but the scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from taskmatrix.core.world.objects import Array


def pose(row: list[float]) -> Array:
    return np.array(row).reshape(4, 4)


def turn(axis: Array, angle: float) -> Array:
    """(3, 3) Rodrigues' formula."""
    K = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    R: Array = np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K
    return R


def joint_poses(robot: Mapping[str, Any], q: Array) -> list[Array]:
    """X_WJ (4, 4) of every joint."""
    placed: list[Array] = []
    for joint in robot["joints"]:
        value, axis, X = joint["factor"] * q[joint["q"]] + joint["offset"], np.array(joint["axis"]), np.eye(4)
        if joint["type"] == "revolute":
            X[:3, :3] = turn(axis, value)
        else:
            X[:3, 3] = value * axis
        above = placed[joint["parent"]] if joint["parent"] >= 0 else np.eye(4)
        placed.append(above @ pose(joint["X_PJ"]) @ X)
    return placed


def link_poses(robot: Mapping[str, Any], q: Array) -> list[Array]:
    """X_WL (4, 4) of every link."""
    joints = [*joint_poses(robot, q), np.eye(4)]  # the last, at -1, is the world
    return [joints[link["joint"]] @ pose(link["X_JL"]) for link in robot["links"]]
