"""Which link of which limb something pushes, and how hard, from the torques of contacts."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.contact_reflex import SensedContact
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..skillset import PinocchioSkills

FELT = 0.3  # of what counts: a joint that is turned by so much lies before what was touched
SURE = 2  # control steps in which it has to be there


class ContactDetector:
    """Detects contacts of arms, head and torso by the torques that a momentum observer has for them.

    Hands that may touch something are left out with their arms. Fingers and legs are not watched: they touch things.

    Args:
        skills: Of the robot.
        sensitivity: The torque that counts, as a share of what the motor of the joint gives.
    """

    def __init__(self, skills: PinocchioSkills, sensitivity: float) -> None:
        self._skills, robot = skills, skills.robot
        arms = {hand.arm: hand.name for hand in robot.hands.values()}
        watched = [*arms, *(chain for chain in ("head", "torso") if chain in robot.chains)]
        self._hands = {chain: arms.get(chain) for chain in watched}
        self._joints = {chain: np.array(robot.indices(chain), dtype=np.intp) for chain in watched}
        limits = np.where(np.isfinite(robot.effort) & (robot.effort > 0.0), robot.effort, np.inf)
        self._least: Array = sensitivity * limits
        self._links = {joint: _link_of(robot, joint) for joints in self._joints.values() for joint in joints.tolist()}
        self._steps = dict.fromkeys(watched, 0)
        skills.contact_torque()  # begins to observe

    def __call__(self, ignored: Collection[str]) -> SensedContact | None:
        """What is touched now: of the first limb, arms before the rest that they hang on; None if nothing is.

        Args:
            ignored: Chains that are left out.
        """
        torque = self._skills.contact_torque()
        if torque is None:
            return None
        permitted = self._skills.hands_that_may_touch()
        for chain, joints in self._joints.items():
            shares = np.abs(torque[joints]) / self._least[joints]
            watched = chain not in ignored and self._hands[chain] not in permitted
            self._steps[chain] = self._steps[chain] + 1 if watched and shares.max(initial=0.0) > 1.0 else 0
        found = next((chain for chain, steps in self._steps.items() if steps >= SURE), None)
        return None if found is None else self._contact(found, torque)

    def _contact(self, chain: str, torque: Array) -> SensedContact:
        """What the torques (n,) say of a limb that is touched."""
        joints = self._joints[chain]
        shares = np.abs(torque[joints]) / self._least[joints]
        last = int(np.flatnonzero(shares > FELT).max())
        link = self._links[int(joints[last])]
        X_WL, J = self._skills.differential_kinematics(link)
        before = joints[: last + 1]
        force = np.linalg.lstsq(J[:3, before].T, torque[before], rcond=1e-2)[0]
        return SensedContact(chain, link, X_WL[:3, :3] @ force, float(shares.max()))


def _link_of(robot: Robot, joint: int) -> str:
    """The first link that an active joint moves."""
    number = robot.model.getJointId(robot.joints[joint])
    frames = robot.model.frames
    return next(str(f.name) for f in frames if f.parentJoint == number and f.type == pin.FrameType.BODY)
