"""mink: differential inverse kinematics on MuJoCo, a quadratic program a step."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from problems.rows import Array, ChainRow

from .base import Attempt, Solve, now, restarting, small

DISTRIBUTION = "mink"


def ik(row: ChainRow) -> Solve:
    """One frame task with limits; 60 steps a try."""
    import mink
    import mujoco

    text = Path(row.body.urdf).read_text()
    end = text.index(">", text.index("<robot")) + 1
    keep_links = '<mujoco><compiler fusestatic="false"/></mujoco>'
    model = mujoco.MjModel.from_xml_string(text[:end] + keep_links + text[end:])
    index = np.array([model.jnt_qposadr[model.joint(name).id] for name in row.body.joints])
    configuration = mink.Configuration(model)
    task = mink.FrameTask(row.body.tips[0], "body", position_cost=1.0, orientation_cost=1.0, lm_damping=1e-6)
    limits = [mink.ConfigurationLimit(model)]

    def aim(target: Array) -> Attempt:
        task.set_target(mink.SE3.from_matrix(target))

        def attempt(start: Array, deadline: float) -> Array | None:
            q = np.zeros(model.nq)
            q[index] = start
            configuration.update(q)
            for _ in range(60):
                if small(task.compute_error(configuration)):
                    return np.array(configuration.q[index])
                if now() > deadline:
                    return None
                try:
                    v = mink.solve_ik(configuration, [task], 1.0, "daqp", limits=limits)
                except Exception:  # what the solver raises differs by version
                    return None
                configuration.integrate_inplace(v, 1.0)
            return None

        return attempt

    return restarting(row, aim)
