"""pink: differential inverse kinematics on Pinocchio, a quadratic program a step."""

from __future__ import annotations

import numpy as np
from problems.rows import Array, ChainRow

from .base import Attempt, Solve, now, restarting, small

DISTRIBUTION = "pin-pink"


def ik(row: ChainRow) -> Solve:
    """One frame task with limits; 60 steps a try."""
    import pink
    import pinocchio as pin
    from pink.limits import ConfigurationLimit

    model = pin.buildModelFromUrdf(row.body.urdf)
    index = np.array([model.joints[model.getJointId(name)].idx_q for name in row.body.joints])
    configuration = pink.Configuration(model, model.createData(), pin.neutral(model))
    task = pink.tasks.FrameTask(row.body.tips[0], position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)
    limits = [ConfigurationLimit(model, config_limit_gain=0.95)]

    def aim(target: Array) -> Attempt:
        task.set_target(pin.SE3(target[:3, :3], target[:3, 3]))

        def attempt(start: Array, deadline: float) -> Array | None:
            q = np.empty(model.nq)
            q[index] = start
            configuration.update(q)
            for _ in range(60):
                if small(task.compute_error(configuration)):
                    return np.array(configuration.q[index])
                if now() > deadline:
                    return None
                try:
                    v = pink.solve_ik(configuration, [task], 1.0, solver="daqp", limits=limits, safety_break=False)
                except Exception:  # what the solver raises differs by version
                    return None
                configuration.integrate_inplace(v, 1.0)
            return None

        return attempt

    return restarting(row, aim)
