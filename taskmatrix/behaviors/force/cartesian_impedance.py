"""Hold a hand where it is, or take it along a straight line, as a spring does."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.robot.springs import SpringTorques

from .force_behavior import HandForceBehavior
from .hand_impedance import HandImpedance


class CartesianImpedance(HandForceBehavior):
    """Hold a hand by a spring of six directions at where it was, while the spring moves on by a displacement.

    Who pushes the hand feels the stiffness, in newtons for each metre and newton metres for each radian, whatever the
    arm's posture; its damping follows from the arm's inertia and the damping ratio. What the hand leaves free of the
    arm comes to rest at ``null_space_damping`` (Hogan 1985; Khatib 1987).
    """

    x = Parameter(float, default=0.0, doc="[m] how far to go, in the world")
    y = Parameter(float, default=0.0, doc="[m] likewise")
    z = Parameter(float, default=0.0, doc="[m] likewise")
    speed = Parameter(float, default=0.1, minimum=0.001, doc="[m/s] with which it goes")
    stiffness = Parameter(float, default=300.0, minimum=0.0, doc="[N/m]")
    rotational_stiffness = Parameter(float, default=20.0, minimum=0.0, doc="[N m/rad]")
    damping_ratio = Parameter(float, default=1.0, minimum=0.0, doc="1 for the fastest without overshoot")
    null_space_damping = Parameter(float, default=5.0, minimum=0.0, doc="[1/s] of what the hand leaves free")

    distance = Output(float, doc="[m] how far the hand was from where it was to be in the end")

    def plan(self) -> None:
        """Begin where the hand is."""
        self._start = self._goal = self.context.skills.forward_kinematics(self.hand)

    def torques(self, joints: Indices) -> SpringTorques:
        """Those of the spring, and of what damps it."""
        way = np.array([self.x, self.y, self.z])
        far, gone = float(np.linalg.norm(way)), (self.elapsed + self.context.dt) * self.speed
        self._goal = self._start.copy()
        self._goal[:3, 3] += min(1.0, gone / far) * way if far else 0.0
        held = HandImpedance(
            self._goal,
            np.repeat([self.stiffness, self.rotational_stiffness], 3),
            velocity=self.speed * way / far if gone < far else np.zeros(3),
            damping_ratio=self.damping_ratio,
            null_space_damping=self.null_space_damping,
        )
        return held.torques(self.context.skills, self.hand, joints, self.context.dt)

    def achieved(self) -> bool:
        """Tell how far it is from where it was to be."""
        X_WH = self.context.skills.forward_kinematics(self.hand)
        self.publish(distance=float(np.linalg.norm(X_WH[:3, 3] - self._goal[:3, 3])))
        return True
