"""The robot behind the fakes: hands that hang from cranes, so that everybody can check its kinematics in the head."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import scipy

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.geometry import inverse, planar, pose
from taskmatrix.core.world.objects import Array

EYES = 1.5  # [m] height of the view above the floor
OPEN = 0.1  # [m] between the fingers of an open hand
REACH = 2.0  # [m] of each arm to every side
_MIRROR = np.array([1, -1, 1, -1, 1, -1])  # x, y, z, roll, pitch, yaw seen in the mirror


class FakeRobot:
    """Kinematics of a robot with six chains and nineteen joints.

    ==============  =========  ==============================================================================
    chain           joints     meaning
    ==============  =========  ==============================================================================
    ``base``        0 to 2     x, y [m] and yaw [rad] in the world
    ``head``        3 and 4    pan to the left and tilt upwards [rad] of a view 1.5 m above the base
    ``left_arm``    5 to 10    x, y, z [m], roll, pitch, yaw [rad] of the left hand's grasp frame in the base
    ``left_hand``   11         distance between the fingers [m]
    ``right_arm``   12 to 17   as the left
    ``right_hand``  18         as the left
    ==============  =========  ==============================================================================
    """

    n = 19
    chains: Mapping[str, tuple[int, ...]] = {
        "base": (0, 1, 2),
        "head": (3, 4),
        "left_arm": (5, 6, 7, 8, 9, 10),
        "left_hand": (11,),
        "right_arm": (12, 13, 14, 15, 16, 17),
        "right_hand": (18,),
    }
    hands = ("left", "right")

    def __init__(self) -> None:
        arm = [REACH, REACH, REACH, np.pi, np.pi, np.pi]
        self.upper = np.array([10.0, 10.0, 2 * np.pi, 1.5, 1.0, *arm, 0.12, *arm, 0.12])
        self.lower = -self.upper
        self.lower[[11, 18]] = 0.0
        self.velocity = np.full(self.n, 1.0)
        self.acceleration = np.full(self.n, 10.0)
        self.stance = np.zeros(self.n)
        self.stance[[5, 6, 7, 11]] = 0.4, 0.3, 1.0, OPEN
        self.stance[[12, 13, 14, 18]] = 0.4, -0.3, 1.0, OPEN

    def arm(self, hand: str) -> list[int]:
        """Joints of the arm of a hand; raises NotFoundError."""
        if hand not in self.hands:
            raise NotFoundError("hand", hand, self.hands, "the fake robot")
        return list(self.chains[f"{hand}_arm"])

    def hand_pose(self, hand: str, q: Array) -> Array:
        """X_WH: (4, 4) pose of a hand's grasp frame."""
        joints = q[self.arm(hand)]
        X_WH: Array = planar(*q[:3]) @ pose(joints[:3], joints[3:].tolist())
        return X_WH

    def arm_joints(self, X_WH: Array, q: Array) -> Array:
        """(6,) Joints that put a hand there with the base where it is."""
        X_BH = inverse(planar(*q[:3])) @ X_WH
        return np.concatenate([X_BH[:3, 3], scipy.spatial.transform.Rotation.from_matrix(X_BH[:3, :3]).as_euler("xyz")])

    def view_position(self, q: Array) -> Array:
        """(3,) [m] Where it views from."""
        return np.array([q[0], q[1], EYES])

    def view(self, q: Array) -> Array:
        """(3, 3) Viewing direction, up, and their cross product as columns."""
        R = pose(rpy=(0.0, -q[4], q[2] + q[3]))[:3, :3]
        forward, up = R[:, 0], R[:, 2]
        return np.column_stack([forward, up, np.cross(forward, up)])

    def mirrored(self, posture: Mapping[int, float]) -> dict[int, float] | None:
        """The posture with left and right exchanged; None if a joint of it has no other side."""
        left = [*self.chains["left_arm"], *self.chains["left_hand"]]
        right = [*self.chains["right_arm"], *self.chains["right_hand"]]
        other = {**dict(zip(left, right, strict=True)), **dict(zip(right, left, strict=True))}
        signs = dict(zip([*left, *right], [*_MIRROR, 1, *_MIRROR, 1], strict=True))
        if not set(posture) <= set(other):
            return None
        return {other[joint]: float(signs[joint] * position) for joint, position in posture.items()}
