"""Contact torques without a sensor in the skin: what the joints' momentum does that the motors do not explain."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..kinematics.load import Load

BANDWIDTH = 25.0  # [1/s] at which it comes to know of a contact
LONG = 0.1  # [s] between two readings: what happened meanwhile is not known, and it begins anew


class MomentumObserver:
    """Observes the torques of contacts by the generalised momentum ``p = M v`` of the joints.

    ``r' = bandwidth (p' - tau - C^T v + g - r)``: needs no acceleration, and follows the torques of contacts like a
    filter of first order (De Luca, Albu-Schäffer, Haddadin and Hirzinger, "Collision detection and safe reaction with
    the DLR-III lightweight manipulator arm", 2006). Friction and wrong masses are taken for contacts.

    Args:
        robot: Whose.
        bandwidth: [1/s] Of the filter.
    """

    def __init__(self, robot: Robot, bandwidth: float = BANDWIDTH) -> None:
        self._bare, self._model = robot.model, robot.model.copy()
        self._data, self._robot, self._bandwidth = self._model.createData(), robot, bandwidth
        self._grasps = {
            name: (frame.parentJoint, frame.placement * pin.SE3(hand.X_LH))
            for name, hand in robot.hands.items()
            for frame in [robot.model.frames[robot.model.getFrameId(hand.frame)]]
        }
        self._loads: dict[str, str] = {}
        self._began: Array | None = None  # momentum less what explains it, when it began
        self._explained, self._known, self._before = (np.zeros(robot.n) for _ in range(3))
        self.torque = np.zeros(robot.n)
        """(n,) [N m, N] With which contacts turn the joints."""

    def restart(self) -> None:
        """Begin anew with the next reading: as if nothing touched the robot."""
        self._began = None

    def carry(self, loads: Mapping[str, Load]) -> None:
        """Count with what hands hold from now on, by hand; each stays where it is when it is first told of."""
        held = {hand: load.object for hand, load in loads.items()}
        if held == self._loads:
            return
        self._loads = held
        for joint, bare in enumerate(self._bare.inertias):
            self._model.inertias[joint] = bare
        for hand, load in loads.items():
            joint, X_JH = self._grasps[hand]
            point = pin.Inertia(load.mass, X_JH.act(load.centre), np.zeros((3, 3)))
            self._model.inertias[joint] = self._model.inertias[joint] + point
        self.restart()

    def observe(self, state: JointState, dt: float) -> Array:
        """Take the next reading of the joint sensors.

        Args:
            state: The reading; its torques are those of the motors since the one before, in the mean.
            dt: [s] Since then.

        Returns:
            (n,) [N m, N] The torques of contacts; 0 where nobody senses those of the motors.
        """
        if state.torque is None:
            return self.torque
        S, q = self._robot.S, self._robot.expand(state.q)
        v = S @ state.v
        M = np.array(pin.crba(self._model, self._data, q))
        momentum = S.T @ ((np.triu(M) + np.triu(M, 1).T) @ v)
        C = pin.computeCoriolisMatrix(self._model, self._data, q, v)
        moved = S.T @ (C.T @ v - pin.computeGeneralizedGravity(self._model, self._data, q))
        if self._began is None or not 0.0 < dt <= LONG:
            self._began = momentum
            self._explained, self._known, self.torque = (np.zeros(self._robot.n) for _ in range(3))
        else:
            self._explained += (state.torque + (moved + self._before) / 2.0) * dt
            unexplained = momentum - self._began - self._explained - self._known
            self.torque = self._bandwidth / (1.0 + self._bandwidth * dt) * unexplained
            self._known = self._known + self.torque * dt
        self._before = moved
        return self.torque
