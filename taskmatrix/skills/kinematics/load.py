"""What a hand holds, as a load on the motors of its arm."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.geometry import middle
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot
from taskmatrix.robots.capabilities import GRAVITY

from .kinematics import Kinematics

BORNE = 0.95  # of a motor's torque may hold still what is held; the rest moves it
EVEN = 0.02  # of it, by which an arm that begins with more may give more than that
LIGHT = 0.5  # of what a hand carries however the arm is stretched out


@dataclass(frozen=True, eq=False)
class Load:
    """A mass in a hand, and how much of the torques of the arm's motors it may take."""

    hand: str
    """Name of the hand."""
    object: str
    """Id of what it holds."""
    mass: float
    """[kg]"""
    centre: Array
    """(3,) [m] Of the mass, in the hand's grasp frame."""
    limit: float = np.inf
    """Share of its torque that no motor may give more of; infinite where the torques of the robot are not known."""

    def torques(self, kinematics: Kinematics, q: Array) -> Array:
        """(n,) [N, N m] What holds the mass alone still at joint positions q (n,)."""
        up = kinematics.pose(self.hand, q)[2, :3]  # in the hand's frame
        held: Array = self.mass * GRAVITY * up @ self.jacobian(kinematics, q)
        return held

    def jacobian(self, kinematics: Kinematics, q: Array) -> Array:
        """(3, n) Velocity of the mass, in the hand's frame, for unit speeds of the joints at q (n,)."""
        _, J = kinematics.placement_and_jacobian(self.hand, q, np.arange(kinematics.robot.n))
        moved: Array = J[:3] + np.cross(J[3:].T, self.centre).T
        return moved

    def shares(self, kinematics: Kinematics, q: Array) -> Array:
        """(k,) What holds arm and mass still, as a share of the torque of each of the arm's motors."""
        robot = kinematics.robot
        arm = _arm(robot, self.hand)
        sprung = np.array([robot.joints[joint] in robot.counterbalanced for joint in arm])
        torques = self.torques(kinematics, q)[arm] + np.where(sprung, 0.0, kinematics.weight(q)[arm])
        shares: Array = np.abs(torques) / robot.effort[arm]
        return shares

    def share(self, kinematics: Kinematics, q: Array) -> float:
        """The greatest of the shares; zero where no torques are known."""
        return float(self.shares(kinematics, q).max())

    def excess(self, kinematics: Kinematics, q: Array, slack: float = 1e-6) -> str:
        """Which motor would have to give more than it may and a slack, and how much; empty if none has to."""
        shares = self.shares(kinematics, q)
        most = int(shares.argmax())
        if shares[most] <= self.limit + slack:
            return ""
        joint = kinematics.robot.joints[_arm(kinematics.robot, self.hand)[most]]
        return f"{joint} would need {shares[most]:.2f} times its torque to hold '{self.object}' ({self.mass:g} kg)"


def load_of(robot: Robot, hand: str, model: ObjectModel, X_HO: Array) -> Load | None:
    """What an object is for a hand that holds it at X_HO (4, 4); None if its mass is not known.

    Of two hands that it takes, each bears a half.

    Its limit is infinite where the robot's URDF has torques that cannot be right, where somebody declares what the hand
    carries, and where the mass is so small that the arm holds it in any posture.
    """
    if model.mass is None:
        return None
    able, mass = robot.capabilities.hands[hand], model.mass / model.hands
    limited = able.payload is not None and not able.declared and mass > LIGHT * able.payload
    centre: Array = X_HO[:3, :3] @ middle(model.shapes) + X_HO[:3, 3]
    return Load(hand, model.id, mass, centre, BORNE if limited else np.inf)


def _arm(robot: Robot, hand: str) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.array(robot.indices(robot.hands[hand].arm), dtype=np.intp)
