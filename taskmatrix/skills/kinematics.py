"""Forward kinematics and Jacobians over the active joints, on Pinocchio."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pinocchio as pin

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices
from taskmatrix.robots import Robot

VIEW = "view"


class Kinematics:
    """Poses and Jacobians of the hands and the view.

    Args:
        robot: Its model stays as it is; the frames of hands and view are added to a copy.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self._model = robot.model.copy()
        self._frames: dict[str, int] = {}
        for hand in robot.hands.values():
            self._add_frame(hand.name, hand.frame, hand.X_LH)
        if robot.view is not None:
            self._add_frame(VIEW, robot.view.frame, robot.view.X_LV)
        self._data = self._model.createData()
        self._mimics = not np.array_equal(robot.S, np.eye(len(robot.joints)))
        self.displacement = self._displacements()

    def _add_frame(self, name: str, link: str, X_LF: Array) -> None:
        parent = self._model.frames[self._model.getFrameId(link)]
        placement = parent.placement * pin.SE3(X_LF)
        frame = pin.Frame(f"taskmatrix/{name}", parent.parentJoint, 0, placement, pin.FrameType.OP_FRAME)
        self._frames[name] = self._model.addFrame(frame, False)

    def pose(self, frame: str, q: Array) -> Array:
        """X_WF: (4, 4) pose of a hand's grasp frame, or of the view, at joint positions q (n,)."""
        X: Array = self._placement(frame, q).homogeneous
        return X

    def _placement(self, frame: str, q: Array) -> pin.SE3:
        pin.forwardKinematics(self._model, self._data, self.robot.expand(q))
        return pin.updateFramePlacement(self._model, self._data, self._frames[frame])

    def error_and_jacobian(self, frame: str, q: Array, target: pin.SE3, joints: Indices) -> tuple[Array, Array]:
        """(6,) twist from the frame to its target, in the frame, and (6, k) how the frame moves with the joints."""
        pin.computeJointJacobians(self._model, self._data, self.robot.expand(q))
        index = self._frames[frame]
        placement = pin.updateFramePlacement(self._model, self._data, index)
        error: Array = pin.log6(placement.actInv(target)).vector
        return error, self._active(pin.getFrameJacobian(self._model, self._data, index, pin.LOCAL), joints)

    def pose_and_jacobian(self, frame: str, q: Array, joints: Indices) -> tuple[Array, Array]:
        """X_WF (4, 4), and (6, k) how the frame moves with the joints, expressed in the frame."""
        pin.computeJointJacobians(self._model, self._data, self.robot.expand(q))
        index = self._frames[frame]
        X: Array = pin.updateFramePlacement(self._model, self._data, index).homogeneous
        return X, self._active(pin.getFrameJacobian(self._model, self._data, index, pin.LOCAL), joints)

    def _active(self, J_full: Array, joints: Indices) -> Array:
        J: Array = J_full @ self.robot.S[:, joints] if self._mimics else J_full[:, joints]
        return J

    def _displacements(self) -> Array:
        """(n,) [m/rad or m/m] A bound on how far any point of the robot moves with each joint, from the stance.

        For each joint, the largest distance from its axis of anything that it carries, taken with the limbs stretched
        as in the stance: the metric in which planning measures the length of an edge.
        """
        robot = self.robot
        q = robot.expand(robot.posture(robot.stance))
        geometry_data = robot.collision.createData()
        data = robot.model.createData()
        pin.forwardKinematics(robot.model, data, q)
        pin.updateGeometryPlacements(robot.model, data, robot.collision, geometry_data)
        weights = np.zeros(len(q))
        for index, body in enumerate(robot.collision.geometryObjects):
            placement = geometry_data.oMg[index]
            centre = placement.act(np.asarray(body.geometry.aabb_center, dtype=float).ravel())
            radius = float(body.geometry.aabb_radius)
            joint = body.parentJoint
            while joint > 0:
                column = robot.model.joints[joint].idx_v
                if robot.model.joints[joint].shortname() in _PRISMATIC:
                    weights[column] = 1.0
                else:
                    origin = data.oMi[joint].translation
                    weights[column] = max(weights[column], float(np.linalg.norm(centre - origin)) + radius)
                joint = robot.model.parents[joint]
        active: Array = np.maximum(np.abs(robot.S).T @ weights, 0.02)
        return active


_PRISMATIC = ("JointModelPX", "JointModelPY", "JointModelPZ", "JointModelPrismaticUnaligned")


def edge_steps(displacement: Array, start: Array, end: Array, resolution: float) -> int:
    """Number of pieces into which an edge is cut so that no point of the robot moves further than about ``resolution``.

    Args:
        displacement: (n,) [m/rad or m/m] From :attr:`Kinematics.displacement`.
        start: (n,) Joint positions.
        end: (n,) Joint positions.
        resolution: [m] Largest step.
    """
    return max(1, int(np.ceil(float(np.linalg.norm(displacement * (end - start))) / resolution)))


def in_limits(robot: Robot, q: Array, joints: Sequence[int] | Indices, slack: float = 1e-9) -> bool:
    """Whether joints of q (n,) are within their limits."""
    chosen = np.asarray(joints)
    return bool(
        np.all(q[chosen] >= robot.lower[chosen] - slack) and np.all(q[chosen] <= robot.upper[chosen] + slack)
    )
