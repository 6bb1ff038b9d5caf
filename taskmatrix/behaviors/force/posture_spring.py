"""Draw a limb to a posture by springs of its joints."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.impedance import Impedance

from .force_behavior import ForceBehavior


class PostureSpring(ForceBehavior):
    """Draw the joints of a chain to a posture of the robot's data, each by a spring.

    Beside a spring of the hand it decides what the hand leaves free: where the elbow hangs.
    """

    chain = Parameter(str, doc="name of the chain")
    posture = Parameter(str, doc="name of the posture in the robot's data")
    stiffness = Parameter(float, default=5.0, minimum=0.0, doc="[N m/rad] of each joint")

    off = Output(float, doc="[rad] how far a joint was from the posture in the end, at most")

    def limb(self) -> str:
        """The chain."""
        return self.chain

    def plan(self) -> Failure | None:
        """Look the posture up."""
        skills = self.context.skills
        try:
            posture = skills.posture(self.posture)
        except NotFoundError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        self._joints = np.array([k for k in skills.joints(self.chain).tolist() if k in posture], dtype=np.intp)
        if not len(self._joints):
            message = f"posture '{self.posture}' says nothing of a joint of '{self.chain}'"
            return self.fail(FailureKind.PARAMETER, message)
        self._goal = np.array([posture[k] for k in self._joints.tolist()])
        return None

    def step(self) -> bool:
        """Drive the joints for another control step."""
        skills, joints = self.context.skills, self._joints
        weight = skills.weight()[joints] if self.gravity_compensation else np.zeros(len(joints))
        stiffness = np.full(len(joints), self.stiffness)
        inertia = skills.mass_matrix().diagonal()[joints]
        damping = self.joint_damping * inertia + 2.0 * np.sqrt(stiffness * inertia)
        self.command(joints, self._goal, impedance=Impedance(weight, stiffness, damping))
        return self.elapsed + self.context.dt / 2 >= self.duration

    def achieved(self) -> bool:
        """Tell how far it is from the posture."""
        self.publish(off=float(np.abs(self.context.skills.position()[self._joints] - self._goal).max()))
        return True
