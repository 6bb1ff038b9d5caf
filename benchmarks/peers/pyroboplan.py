"""pyroboplan: planning on Pinocchio, written in Python."""

from __future__ import annotations

import numpy as np
from problems.rows import Array, ChainRow, PlanningRow, Problem

from .base import ANGLE, POSITION, RANGE, STEP, Attempt, Plan, Planner, Solve, now, restarting

DISTRIBUTION = "pyroboplan"


def ik(row: ChainRow) -> Solve:
    """Its differential inverse kinematics, 100 iterations a try."""
    import pinocchio as pin
    from pyroboplan.ik.differential_ik import DifferentialIk, DifferentialIkOptions

    model = pin.buildModelFromUrdf(row.body.urdf)
    index = np.array([model.joints[model.getJointId(name)].idx_q for name in row.body.joints])
    options = DifferentialIkOptions(
        max_iters=100,
        max_retries=0,
        max_translation_error=POSITION,
        max_rotation_error=ANGLE,
        damping=1e-4,
        min_step_size=0.5,
        max_step_size=1.0,
    )
    solver = DifferentialIk(model, options=options)

    def aim(target: Array) -> Attempt:
        goal = pin.SE3(target[:3, :3], target[:3, 3])

        def attempt(start: Array, deadline: float) -> Array | None:
            q = np.empty(model.nq)
            q[index] = start
            found = solver.solve(row.body.tips[0], goal, init_state=q)
            return None if found is None else np.asarray(found)[index]

        return attempt

    return restarting(row, aim)


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """Its RRTConnect and its shortcutting."""
    from problems.models import load_problem
    from pyroboplan.planning.path_shortcutting import shortcut_path
    from pyroboplan.planning.rrt import RRTPlanner, RRTPlannerOptions

    model, geometry = load_problem(row, problem.boxes)

    def plan(limit: float) -> Plan:
        np.random.seed(seed + 1)  # noqa: NPY002  # it draws from numpy's own generator
        options = RRTPlannerOptions(
            max_step_size=STEP,
            max_connection_dist=RANGE,
            rrt_connect=True,
            bidirectional_rrt=True,
            max_planning_time=float(limit),
            rng_seed=seed + 1,
            goal_biasing_probability=0.1,
        )
        planner = RRTPlanner(model, geometry, options)
        began = now()
        path = planner.plan(problem.start, problem.goal)
        seconds = now() - began
        if path is None:
            return Plan(seconds)
        began = now()
        cut = shortcut_path(model, geometry, path, max_iters=200, max_step_size=STEP)
        return Plan(seconds, np.array(path), np.array(cut), now() - began)

    return plan
