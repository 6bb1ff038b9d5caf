"""How a walking robot looks: its limbs swing with the way that it has gone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .script import Script

_LEG, _KNEE, _ARM = 0.32, 0.60, 0.22  # [rad] how far they swing
_STRIDE = 0.9  # [heights of the hip] two steps


@dataclass(frozen=True, eq=False)
class Gait:
    """Where the pieces of a robot are that walks by script; only for looks. One without legs rolls.

    A joint of a limb takes part if its axis is across the body: of a leg the first is the hip's, then the knee's and
    the ankle's; of an arm the first is the shoulder's.
    """

    robot: Robot
    """Who walks."""
    script: Script
    """Where to."""

    def placements(self, time: float) -> Array:
        """(k, 4, 4) Of the robot's visuals, from the floor below its base, at a time [s]."""
        robot = self.robot
        q = robot.posture(robot.stance)
        if not self._legs:
            return robot.visual_placements(q)
        phase = 2 * np.pi * self.script.travelled(time) / (_STRIDE * self._hip)
        for leg, shoulder, half in zip(self._legs, self._arms, (0.0, np.pi), strict=True):
            swing, lift = np.sin(phase + half), _KNEE * max(0.0, np.cos(phase + half))
            angles = (-_LEG * swing, lift, _LEG * swing - lift, _ARM * swing)
            for (joint, sign), angle in zip((*leg, shoulder), angles, strict=True):
                q[joint] += sign * angle
        q = np.clip(q, robot.lower, robot.upper)
        placed = robot.visual_placements(q)
        placed[:, 2, 3] -= self._lowest(q) - self._lowest(robot.posture(robot.stance))
        return placed

    @cached_property
    def _legs(self) -> list[list[tuple[int, float]]]:
        legs = [self._across(f"{side}_leg")[:3] for side in ("left", "right")]
        return legs if all(len(leg) == 3 for leg in legs) else []

    @cached_property
    def _arms(self) -> list[tuple[int, float]]:
        return [(self._across(f"{side}_arm") or [(0, 0.0)])[0] for side in ("left", "right")]

    @cached_property
    def _hip(self) -> float:
        """[m] How high the hips are."""
        data = self._placed(self.robot.posture(self.robot.stance))
        return float(data.oMi[self._joint(self._legs[0][0][0])].translation[2])

    def _lowest(self, q: Array) -> float:
        """[m] Height of the lower ankle."""
        data = self._placed(q)
        return min(float(data.oMi[self._joint(leg[2][0])].translation[2]) for leg in self._legs)

    def _across(self, chain: str) -> list[tuple[int, float]]:
        """The joints of a chain that turn about the left-right axis in stance, and which way."""
        robot = self.robot
        if chain not in robot.chains:
            return []
        data = robot.model.createData()
        pin.computeJointJacobians(robot.model, data, robot.expand(robot.posture(robot.stance)))
        found = []
        for joint in robot.chains[chain]:
            full = int(np.argmax(np.abs(robot.S[:, joint])))
            J = pin.getJointJacobian(robot.model, data, self._joint(joint), pin.LOCAL_WORLD_ALIGNED)
            if abs(J[4, full]) > 0.9:
                found.append((joint, float(np.sign(J[4, full]))))
        return found

    def _joint(self, active: int) -> int:
        """Pinocchio's joint of an active coordinate."""
        return int(self.robot.model.getJointId(self.robot.joints[active]))

    def _placed(self, q: Array) -> pin.Data:
        data = self.robot.model.createData()
        pin.forwardKinematics(self.robot.model, data, self.robot.expand(q))
        return data
