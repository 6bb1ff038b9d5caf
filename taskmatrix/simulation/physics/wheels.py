"""Two driven wheels: what the base is told becomes turns of the wheels, and friction does the rest (thesis 5.5.1)."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .joints import joint_axis, joint_of

LEVEL = 0.999  # cosine between an axis and where it should point
GAIN = 15.0  # [rad/s] natural frequency of the wheels' control


class Wheels:
    """The wheels of a robot whose base is driven differentially.

    Args:
        robot: The robot.
        model: Its model.

    Raises:
        RobotError: It does not stand on two wheels whose axes are level and in line.
    """

    def __init__(self, robot: Robot, model: pin.Model) -> None:
        data = model.createData()
        pin.forwardKinematics(model, data, robot.expand(robot.posture(robot.stance)))
        self.joints = tuple(model.names[joint_of(model, link)] for link in robot.floor_links)
        ids = [model.getJointId(name) for name in self.joints]
        if len(ids) != 2 or 0 in ids or not _in_line(model, data, ids):
            raise RobotError(
                f"{robot.source}: [base] floor: a differential drive stands on the links of two wheels, "
                f"not on {list(robot.floor_links)}"
            )
        left, right = sorted(ids, key=lambda j: -float(data.oMi[j].translation[1]))
        self.indices = np.array([robot.joints.index(model.names[j]) for j in (left, right)])
        """(2,) Active coordinates of the left and the right wheel."""
        self.radius = float(data.oMi[left].translation[2])
        """[m]"""
        self._track = float(data.oMi[left].translation[1] - data.oMi[right].translation[1])
        self._moment = float(pin.computeTotalMass(model)) * self.radius**2 / 2
        self._effort = np.asarray(model.effortLimit)[[model.joints[j].idx_v for j in (left, right)]]
        self._angles: Array | None = None

    def torques(self, q: Array, v: Array, wanted: tuple[Array, Array, Array], dt: float) -> Array:
        """Torques of the left and the right wheel for one step of the physics.

        The wheels roll off what the base is told, as if they did not slip: where the base goes off, they do not know.

        Args:
            q: (n,) Positions.
            v: (n,) Velocities.
            wanted: Positions, velocities and accelerations of the active joints, (n,) each.
            dt: [s] The step.

        Returns:
            (2,) [N m]
        """
        _, rates, changes = wanted
        yaw = float(wanted[0][2])
        ahead, side = np.array([np.cos(yaw), np.sin(yaw)]), np.array([-np.sin(yaw), np.cos(yaw)])
        rate = self._turned(float(ahead @ rates[:2]), float(rates[2]))
        change = self._turned(float(ahead @ changes[:2] + rates[2] * (side @ rates[:2])), float(changes[2]))
        angle = q[self.indices]
        self._angles = angle.copy() if self._angles is None else self._angles
        a = change + GAIN**2 * (self._angles - angle) + 2 * GAIN * (rate - v[self.indices])
        self._angles = self._angles + (rate + change * dt) * dt
        torques: Array = np.clip(self._moment * a, -self._effort, self._effort)
        return torques

    def _turned(self, along: float, about: float) -> Array:
        """(2,) What both wheels do for a base that moves along its heading [m] and about the vertical [rad]."""
        turn = about * self._track / 2
        both: Array = np.array([along - turn, along + turn]) / self.radius
        return both


def _in_line(model: pin.Model, data: pin.Data, ids: list[int]) -> bool:
    """Whether two joints turn about one level axis, across a base that looks along x."""
    axes = [(slides, data.oMi[j].rotation @ axis) for j in ids for slides, axis in [joint_axis(model, j)]]
    between = np.asarray(data.oMi[ids[0]].translation - data.oMi[ids[1]].translation)
    level = all(not slides and abs(axis[1]) > LEVEL for slides, axis in axes)
    return level and abs(between[1]) > LEVEL * float(np.linalg.norm(between)) > 0.0


def wheel_width(robot: Robot, model: pin.Model, joint: int) -> float:
    """[m] Twice as far as the bodies of a wheel reach from its middle along its axis; 0 for one that has none."""
    axis, ends = joint_axis(model, joint)[1], [0.0]
    for body in robot.collision.geometryObjects:
        if body.parentJoint == joint:
            body.geometry.computeLocalAABB()
            box = body.geometry.aabb_local
            local = body.placement.rotation.T @ axis
            reach = float(np.abs(local) @ (box.max_ - box.min_)) / 2
            middle = float(axis @ body.placement.act((box.max_ + box.min_) / 2))
            ends += [middle - reach, middle + reach]
    return 2.0 * max(map(abs, ends))
