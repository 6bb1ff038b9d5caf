"""Forward kinematics and Jacobians over the active joints, on Pinocchio."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import NotFoundError, RobotError
from taskmatrix.core.robot.plans import VIEW, Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.robots import Robot

from ..plugin import ArmSolver, load_plugin
from .displacement import displacement_bounds


class Kinematics:
    """Poses and Jacobians of the hands and the view.

    Args:
        robot: Its model stays as it is; the frames of hands and view are added to a copy.

    Attributes:
        displacement: (n,) [m/rad or m/m] How far any point of the robot moves at most with each joint.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.displacement = displacement_bounds(robot)
        self._frames: dict[str, tuple[int, pin.SE3]] = {}
        self._tools: dict[str, tuple[str, Array]] = {}
        self._chains: dict[tuple[str, tuple[int, ...]], Chain] = {}
        for hand in robot.hands.values():
            self._add_frame(hand.name, hand.frame, hand.X_LH)
        if robot.view is not None:
            self._add_frame(VIEW, robot.view.frame, robot.view.X_LV)
        make_solver = load_plugin(robot, "inverse_kinematics")
        self._solver = None if make_solver is None else cast("ArmSolver", make_solver(robot))
        self._mimics = not np.array_equal(robot.S, np.eye(robot.n))

    def _add_frame(self, name: str, link: str, X_LF: Array) -> None:
        self._tools[name] = link, X_LF
        model = self.robot.model
        parent = model.frames[model.getFrameId(link)]
        self._frames[name] = parent.parentJoint, parent.placement * pin.SE3(X_LF)

    def _frame(self, name: str) -> tuple[int, pin.SE3]:
        """The joint that carries a frame, that of a hand, the view or a link, and the frame's pose in the joint's."""
        if name not in self._frames:
            links = {each.name: each for each in self.robot.model.frames if each.type == pin.FrameType.BODY}
            if name not in links:
                raise NotFoundError("frame", name, [*self._frames, *links], f"robot '{self.robot.name}'")
            self._frames[name] = links[name].parentJoint, links[name].placement
        return self._frames[name]

    def chain(self, frame: str, joints: Sequence[int] | Indices) -> Chain:
        """What inverse kinematics takes of the robot: the joints up to a frame, of which some may move."""
        key = frame, tuple(int(joint) for joint in joints)
        if key not in self._chains:
            link, X_LF = self._tools[frame]
            self._chains[key] = chain_to(self.robot, link, key[1], X_FT=X_LF)
        return self._chains[key]

    def pose(self, frame: str, q: Array) -> Array:
        """X_WF: (4, 4) pose of a hand's grasp frame, or of the view, at joint positions q (n,)."""
        data, (joint, X_JF) = self.robot.data, self._frames[frame]
        pin.forwardKinematics(self.robot.model, data, self.robot.expand(q))
        X: Array = (data.oMi[joint] * X_JF).homogeneous
        return X

    def towards(self, hand: str, joints: Sequence[int] | Indices, X_WH: Array, Q: Array) -> Array:
        """(b, n) Configurations from which inverse kinematics descends: those given, or what the robot's own say.

        Args:
            hand: Its name.
            joints: That may move.
            X_WH: (b, 4, 4) Poses of its grasp frame.
            Q: (b, n)

        Raises:
            RobotError: The robot's own returned no such configurations.
        """
        if self._solver is None or not set(self.robot.indices(self.robot.hands[hand].arm)) <= {int(i) for i in joints}:
            return Q
        solved = np.asarray(self._solver(hand, X_WH, Q.copy()))
        if solved.shape != Q.shape or not np.isfinite(solved).all():
            name = self.robot.plugins["inverse_kinematics"]
            problem = f"must return finite numbers of the shape {Q.shape}, and returned {solved.shape}"
            raise RobotError(f"{self.robot.source}: skills.inverse_kinematics: '{name}' {problem}")
        return solved

    def weight(self, q: Array) -> Array:
        """(n,) [N] or [N m] What holds the robot still at joint positions q (n,)."""
        full = pin.computeGeneralizedGravity(self.robot.model, self.robot.data, self.robot.expand(q))
        held: Array = self.robot.S.T @ full
        return held

    def mass_matrix(self, q: Array) -> Array:
        """(n, n) [kg m^2, kg] Inertia of the joints at q (n,)."""
        M = np.array(pin.crba(self.robot.model, self.robot.data, self.robot.expand(q)))
        inertia: Array = self.robot.S.T @ (np.triu(M) + np.triu(M, 1).T) @ self.robot.S
        return inertia

    def placement_and_jacobian(self, frame: str, q: Array, joints: Indices) -> tuple[pin.SE3, Array]:
        """X_WF, and (6, k) the twist of the frame, expressed in it, for unit speeds of the joints."""
        model, data, (joint, X_JF) = self.robot.model, self.robot.data, self._frame(frame)
        pin.computeJointJacobians(model, data, self.robot.expand(q))
        full = pin.getFrameJacobian(model, data, joint, X_JF, pin.LOCAL)
        J: Array = full @ self.robot.S[:, joints] if self._mimics else full[:, joints]
        return data.oMi[joint] * X_JF, J


def in_limits(robot: Robot, q: Array, joints: Sequence[int] | Indices, slack: float = 1e-9) -> bool:
    """Whether joints of q (n,) are within their limits."""
    chosen = np.asarray(joints, dtype=np.intp)
    return bool(np.all(q[chosen] >= robot.lower[chosen] - slack) and np.all(q[chosen] <= robot.upper[chosen] + slack))


def chain_to(
    robot: Robot, frame: str, joints: Sequence[int] | Indices, *, X_FT: Array | None = None, base_cost: float = 2.0
) -> Chain:
    """The chain from the world to a frame of a robot.

    Args:
        robot: The robot; its limits hold.
        frame: Name of a frame of its model, a link for example.
        joints: Active coordinates that may move; those that do not move the frame are left out.
        X_FT: (4, 4) A tool in the frame, to be controlled instead of it.
        base_cost: A metre or radian of the base weighs as much as this many radians of another joint.

    Raises:
        NotFoundError: There is no such frame.
        ParameterError: As for :meth:`~taskmatrix.kernel.ik.chain.Chain.from_model`.
    """
    costs = np.where(np.arange(robot.n) < 3, base_cost, 1.0)
    limits = robot.lower, robot.upper
    return Chain.from_model(robot.model, frame, joints, S=robot.S, c=robot.c, limits=limits, costs=costs, X_FT=X_FT)
