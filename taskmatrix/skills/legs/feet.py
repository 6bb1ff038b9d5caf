"""Where feet are, and how a leg puts its foot somewhere: damped least squares that keeps the sole level first."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.legs import Leg

TILT, TURN = 0.3, 0.02  # [m/rad] by which angles count beside distances; not all legs can turn their feet
DAMPING = 1e-3  # [m/rad] below which a motion of a joint is not worth it
LONGEST = 0.2  # [rad] that a joint turns in an iteration: a leg that is straight would be thrown round
SINGULAR = 0.01  # [rad] that a knee is bent at least when a search begins: a straight one finds no way to shorten a leg
CLOSE = 1e-4  # [rad] of an iteration that ends the search
STRETCHES = 60  # angles of the knee that are looked at
STRAIGHT = 0.25  # [rad] of the knee from where the leg is longest: a robot that stands like that stands straight
SPARED = 0.2  # of the torques of a leg that swings, for what it does not follow
WEAK = 0.1  # of the acceleration limits of a leg, at least: its motors may be told too weak to carry it
BEND = 0.5  # [rad] of a knee from which a search begins on the side to which it bends


class Foot:
    """The foot of one leg, in the frame of the base.

    A knee bends to the side on which it has more room, and stops where the leg is straight: many turn a little further,
    and a leg that goes through there comes back bent the wrong way.

    Args:
        robot: The robot.
        leg: One of its legs.

    Attributes:
        joints: (k,) Active coordinates of the leg.
        lower: (k,) [rad] Where they end; the knee where the leg is straight.
        upper: (k,) [rad] Likewise.
    """

    def __init__(self, robot: Robot, leg: Leg) -> None:
        self.leg = leg
        self.joints: Indices = np.array(leg.joints, dtype=np.intp)
        self._robot, self._X_JS = robot, pin.SE3(leg.X_JS)
        whole, self._model = robot.model, pin.Model()
        ids = list(whole.supports[leg.joint])[1:]
        for parent, id in enumerate(ids):
            self._model.addJoint(parent, whole.joints[id], whole.jointPlacements[id], whole.names[id])
        self._data = self._model.createData()
        self._rows = [whole.joints[id].idx_q for id in ids]
        names = [robot.joints[j] for j in leg.joints]
        self._own = np.array([whole.names[id] in names for id in ids])
        self.lower, self.upper = robot.lower[self.joints].copy(), robot.upper[self.joints].copy()
        self._damping = DAMPING**2 * np.eye(len(self.joints))
        stance = robot.posture(robot.stance)
        self.lock(stance)
        pin.forwardKinematics(self._model, self._data, self._way)
        origins = np.array([X.translation for X in self._data.oMi[1:]])[self._own]
        away = np.minimum(*(np.linalg.norm(origins - origins[end], axis=1) for end in (0, -1)))
        self._knee = int(np.argmax(away))
        self._hip, self._p_SA = origins[0], np.asarray(self._X_JS.inverse().translation)
        at, knee = stance[self.joints], self._knee
        self._longest, straight = self._stretched(at)
        self._bends = 1.0 if self.upper[knee] - straight > straight - self.lower[knee] else -1.0
        self._straight = at[knee] if abs(at[knee] - straight) < STRAIGHT else straight
        if self._bends > 0.0:
            self.lower[knee] = min(self._straight, at[knee])
        else:
            self.upper[knee] = max(self._straight, at[knee])
        self._longest, _ = self._stretched(at)

    def lock(self, q: Array) -> None:
        """Take all that is not of this leg to be at q (n,) from now on; only what carries the leg matters."""
        at_origin = q.copy()
        at_origin[:3] = 0.0
        self._way = self._robot.expand(at_origin)[self._rows]

    def strength(self, q: Array) -> float:
        """[-] Share of their acceleration limits that the motors can give all joints of the leg at once, at least 0.1.

        Args:
            q: (n,) With the leg in the air.
        """
        robot, j = self._robot, self.joints
        data, full = robot.data, robot.expand(q)
        half = np.triu(pin.crba(robot.model, data, full))
        M = np.abs(robot.S.T @ (half + np.triu(half, 1).T) @ robot.S)[np.ix_(j, j)]
        weight = np.abs(robot.S.T @ pin.computeGeneralizedGravity(robot.model, data, full))[j]
        needed = M @ robot.acceleration[j]  # none where the URDF gives the leg no inertia
        shares = np.full(len(j), np.inf)
        np.divide((1.0 - SPARED) * (robot.effort[j] - weight), needed, out=shares, where=needed > 0.0)
        return max(WEAK, float(shares.min()))

    def pose(self, q: Array) -> Array:
        """X_BS: (4, 4) pose of the sole at joint positions q (n,), from the floor below the base."""
        self._way[self._own] = q[self.joints]
        pin.forwardKinematics(self._model, self._data, self._way)
        X: Array = (self._data.oMi[self._model.njoints - 1] * self._X_JS).homogeneous
        return X

    def bent(self, q: Array) -> Array:
        """(k,) The leg's joints of q (n,) with the knee bent, to the side on which it has more room."""
        bent = q[self.joints]
        by = self._bends * (float(bent[self._knee]) - self._straight)
        bent[self._knee] = self._straight + self._bends * max(BEND, by)
        return np.clip(bent, self.lower, self.upper)

    def within_reach(self, X_BS: Array, spared: float = 0.0) -> Array:
        """(4, 4) A pose of the sole in the base's frame, raised until the leg comes there.

        Args:
            X_BS: (4, 4) The pose.
            spared: [-] Share of the length of the leg by which its knee stays bent.
        """
        ankle = X_BS[:3, 3] + X_BS[:3, :3] @ self._p_SA - self._hip
        longest = self._longest * (1.0 - spared)
        deepest = np.sqrt(max(longest**2 - float(ankle[:2] @ ankle[:2]), 0.0))
        raised = X_BS.copy()
        raised[2, 3] += max(0.0, -deepest - float(ankle[2]))
        return raised

    def solve(self, q: Array, X_BS: Array, iterations: int = 3, tilt: float = TILT, turn: float = TURN) -> Array:
        """(k,) Positions of the leg's joints, within their limits, that bring the sole near to a pose.

        Args:
            q: (k,) Where to begin.
            X_BS: (4, 4) Wanted pose of the sole in the base's frame.
            iterations: Bound of the work.
            tilt: [m/rad] What an angle about a level axis weighs beside a distance.
            turn: [m/rad] What an angle about the vertical weighs.
        """
        W = np.array([1.0, 1.0, 1.0, tilt, tilt, turn])
        damping, error = self._damping, np.empty(6)
        q, bent = q.copy(), self._bends * (float(q[self._knee]) - self._straight)
        q[self._knee] = self._straight + self._bends * max(SINGULAR, bent)
        wanted, R = X_BS[:3, 3], X_BS[:3, :3]
        for _ in range(iterations):
            J, placed = self._jacobian(q)
            error[:3], error[3:] = wanted - placed.translation, pin.log3(R @ placed.rotation.T)
            A = W[:, None] * J
            before, q = q, q + self._step(A.T @ A + damping, A.T @ (W * error), q)
            if np.abs(q - before).max() < CLOSE:
                break
        return q

    def _step(self, H: Array, g: Array, q: Array) -> Array:
        """(k,) H^-1 g (k, k), (k,) of an iteration from q (k,); joints at a limit that it would pass stay there."""
        step = np.asarray(np.linalg.solve(H, g), dtype=float)
        free = np.ones(len(q), dtype=bool)
        while True:
            step *= min(1.0, LONGEST / max(float(np.abs(step).max()), LONGEST))
            there = q + step
            beyond = free & ((there < self.lower) | (there > self.upper))
            if not beyond.any():
                return step
            step[beyond] = np.clip(q + step, self.lower, self.upper)[beyond] - q[beyond]
            free &= ~beyond
            if not free.any():
                return step
            known = H[np.ix_(free, ~free)] @ step[~free]
            step[free] = np.linalg.solve(H[np.ix_(free, free)], g[free] - known)

    def jacobian(self, q: Array, point: Array) -> Array:
        """(3, k) [m/rad] Velocity in the base's axes of a point (3,) of the sole's frame for unit speeds of the leg.

        Args:
            q: (k,) Positions of the leg's joints.
            point: (3,) [m] The point.
        """
        J, placed = self._jacobian(q)
        moved: Array = J[:3] - pin.skew(placed.rotation @ point) @ J[3:]
        return moved

    def _stretched(self, q: Array) -> tuple[float, float]:
        """[m], [rad] From where the leg begins to its ankle at most, with the other joints at q (k,), and the knee."""
        q, far, straight = q.copy(), 0.0, 0.0
        for angle in np.linspace(self.lower[self._knee], self.upper[self._knee], STRETCHES).tolist():
            q[self._knee] = angle
            self._way[self._own] = q
            pin.forwardKinematics(self._model, self._data, self._way)
            ankle = self._data.oMi[self._model.njoints - 1].translation
            away = float(np.linalg.norm(ankle - self._hip))
            if away > far:
                far, straight = away, angle
        return far, straight

    def _jacobian(self, q: Array) -> tuple[Array, pin.SE3]:
        """(6, k) Twist of the sole in the base's axes for unit speeds of the leg, and where the sole is."""
        model, data, joint = self._model, self._data, self._model.njoints - 1
        self._way[self._own] = q
        pin.computeJointJacobians(model, data, self._way)
        J = pin.getJointJacobian(model, data, joint, pin.LOCAL_WORLD_ALIGNED)[:, self._own]
        placed = data.oMi[joint] * self._X_JS
        x, y, z = (placed.translation - data.oMi[joint].translation).tolist()
        J[0] += J[4] * z - J[5] * y
        J[1] += J[5] * x - J[3] * z
        J[2] += J[3] * y - J[4] * x
        return J, placed
