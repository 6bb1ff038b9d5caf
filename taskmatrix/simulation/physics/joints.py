"""How joints of a robot move and where they end, for those who build it in a physics engine."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.loading.urdf import WIDE

LIFT = "base_lift"
"""Joint by which a robot on wheels rests on them; Pinocchio's model stands at the height of its stance."""


def joint_axis(model: pin.Model, joint: int) -> tuple[bool, Array]:
    """Whether a joint slides, and its axis (3,) in its own frame."""
    jacobian = pin.computeJointJacobian(model, model.createData(), pin.neutral(model), joint)
    motion = np.asarray(jacobian[:, model.joints[joint].idx_v])
    slides = bool(np.linalg.norm(motion[:3]) > 0.5)
    axis: Array = motion[:3] if slides else motion[3:]
    return slides, axis


def stops(robot: Robot, name: str) -> tuple[float, float] | None:
    """Where an active joint of the robot ends; None where it does not, or another joint sees to that."""
    if name not in robot.joints[3:]:
        return None
    index = robot.joints.index(name)
    lower, upper = float(robot.lower[index]), float(robot.upper[index])
    return (lower, upper) if upper - lower < WIDE else None


def joint_of(model: pin.Model, link: str) -> int:
    """The number of the joint that moves a link of the URDF; what is fixed to a link is part of it."""
    return int(model.frames[model.getFrameId(link, pin.FrameType.BODY)].parentJoint)


def little() -> pin.Inertia:
    """Of a body that only stands between two joints."""
    return pin.Inertia(1e-3, np.zeros(3), 1e-6 * np.eye(3))
