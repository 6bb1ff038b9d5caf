"""How far the robot's bodies move with its joints: the metric of planning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

LEAST = 0.02  # [m/rad] of every joint, so that none is free of cost
LONGEST_STROKE = 10.0  # [m] of a sliding joint that carries a limb; the base's is longer and does not matter


@dataclass(frozen=True, eq=False)
class Ball:
    """A ball around a body, fixed to a joint."""

    joint: int
    """Pinocchio's number of the joint that carries it."""
    centre: Array
    """(3,) [m] In the joint's frame."""
    radius: float
    """[m]"""


def displacement_bounds(robot: Robot, carried: Sequence[Ball] = ()) -> Array:
    """(n,) [m/rad or m/m] How far any point of the robot moves at most with each joint, whatever its posture.

    The largest distance from a joint's axis of anything that the joint carries, with the limbs beyond stretched out
    (triangle inequality along the chain). A step of several joints moves no point further than the sum over them.

    Args:
        robot: The robot.
        carried: What it holds.
    """
    model, axes = robot.model, joint_axes(robot)
    balls: list[list[tuple[Array, float]]] = [[] for _ in range(model.njoints)]
    for ball in [*_bodies(robot), *carried]:
        balls[ball.joint].append((ball.centre, ball.radius))
    full = np.zeros(model.nv)
    for joint in range(model.njoints - 1, 0, -1):  # parents have the smaller numbers
        axis, slides = axes[joint][3:], not axes[joint][3:].any()
        around = max((float(np.linalg.norm(np.cross(axis, centre))) + r for centre, r in balls[joint]), default=0.0)
        reach = max((float(np.linalg.norm(centre)) + r for centre, r in balls[joint]), default=0.0)
        index = model.joints[joint].idx_q
        if slides:
            limits = model.lowerPositionLimit[index], model.upperPositionLimit[index]
            reach += min(float(np.max(np.abs(limits))), LONGEST_STROKE)
        full[model.joints[joint].idx_v] = 1.0 if slides else around
        balls[model.parents[joint]].append((np.array(model.jointPlacements[joint].translation), reach))
    active: Array = np.maximum(np.abs(robot.S).T @ full, LEAST)
    return active


def joint_axes(robot: Robot) -> dict[int, Array]:
    """(6,) each: linear and angular velocity of every joint of the model for unit speed, in the joint's own frame."""
    data = robot.data
    pin.computeJointJacobians(robot.model, data, robot.expand(np.zeros(robot.n)))
    axes = {}
    for joint in range(1, robot.model.njoints):
        J = pin.getJointJacobian(robot.model, data, joint, pin.LOCAL)
        axes[joint] = np.round(J[:, robot.model.joints[joint].idx_v], 9)
    return axes


def ball_around(geometry: pin.GeometryObject) -> Ball:
    """The ball around a collision body's bounding box."""
    geometry.geometry.computeLocalAABB()
    centre = np.asarray(geometry.geometry.aabb_center, dtype=float).ravel()
    return Ball(geometry.parentJoint, geometry.placement.act(centre), float(geometry.geometry.aabb_radius))


def _bodies(robot: Robot) -> list[Ball]:
    return [ball_around(body) for body in robot.collision.geometryObjects]
