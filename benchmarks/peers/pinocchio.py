"""Pinocchio and coal as a user would put them together: a damped least squares loop, and collision pairs."""

from __future__ import annotations

import numpy as np
from problems.rows import Array, ChainRow, SceneRow

from .base import Attempt, Collision, Solve, now, restarting, small

DISTRIBUTION = "pin"


def ik(row: ChainRow) -> Solve:
    """The loop that a user writes: 100 iterations a try, clamped to the limits."""
    import pinocchio as pin

    model = pin.buildModelFromUrdf(row.body.urdf)
    data, frame = model.createData(), model.getFrameId(row.body.tips[0])
    index = np.array([model.joints[model.getJointId(name)].idx_q for name in row.body.joints])
    lower, upper, damping = model.lowerPositionLimit, model.upperPositionLimit, 1e-6 * np.eye(6)

    def aim(target: Array) -> Attempt:
        goal = pin.SE3(target[:3, :3], target[:3, 3])

        def attempt(start: Array, deadline: float) -> Array | None:
            q = np.empty(model.nq)
            q[index] = start
            for _ in range(100):
                pin.computeJointJacobians(model, data, q)
                pin.updateFramePlacement(model, data, frame)
                X_TG = data.oMf[frame].actInv(goal)
                error = pin.log6(X_TG).vector
                if small(error):
                    return np.array(q[index])
                if now() > deadline:
                    return None
                J = -pin.Jlog6(X_TG.inverse()) @ pin.getFrameJacobian(model, data, frame, pin.LOCAL)
                q = np.clip(q - J.T @ np.linalg.solve(J @ J.T + damping, error), lower, upper)
            return None

        return attempt

    return restarting(row, aim)


def collision(row: SceneRow) -> Collision:
    """All pairs, one after the other."""
    return _Coal(row, False)


def broadphase_collision(row: SceneRow) -> Collision:
    """The same pairs behind Pinocchio's dynamic tree of bounding boxes."""
    return _Coal(row, True)


class _Coal(Collision):
    def __init__(self, row: SceneRow, broadphase: bool) -> None:
        from problems.models import Checker, load_scene

        self.hits = Checker(*load_scene(row), broadphase, quick=True).hits  # type: ignore[method-assign]
