"""PlaCo: a quadratic program a step."""

from __future__ import annotations

import numpy as np
from problems.rows import Array, ChainRow

from .base import Attempt, Solve, close, now, restarting

DISTRIBUTION = "placo"


def ik(row: ChainRow) -> Solve:
    """One frame task with limits; 60 steps a try."""
    import placo

    robot = placo.RobotWrapper(row.body.urdf, placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)
    solver.enable_joint_limits(True)
    robot.set_T_world_fbase(np.eye(4))
    tip = row.body.tips[0]
    task = solver.add_frame_task(tip, np.eye(4))
    task.configure("tip", "soft", 1.0, 1.0)
    solver.add_regularization_task(1e-6)

    def aim(target: Array) -> Attempt:
        task.T_world_frame = target

        def attempt(q: Array, deadline: float) -> Array | None:
            for name, position in zip(row.body.joints, q, strict=True):
                robot.set_joint(name, position)
            robot.update_kinematics()
            for _ in range(60):
                try:
                    solver.solve(True)
                except RuntimeError:
                    return None
                robot.update_kinematics()
                if close(robot.get_T_world_frame(tip), target):
                    return np.array([robot.get_joint(name) for name in row.body.joints])
                if now() > deadline:
                    return None
            return None

        return attempt

    return restarting(row, aim)
