"""The kernel of this library: what it is asked for is named here, and skipped with a word where it is missing."""

from __future__ import annotations

from importlib import import_module

import numpy as np
from problems.rows import Array, ChainRow, PlanningRow, Problem, SceneRow

from .base import Collision, Plan, Planner, Solve, now

DISTRIBUTION = "taskmatrix"
KERNEL = "taskmatrix.kernel"
CHECKS = 50_000
"""Of sixteen configurations, after which a search begins anew."""
SHORTCUTS = 100
"""Lines tried, and checks for another path: twice those for the first."""


def ik(row: ChainRow) -> Solve:
    """A chain of the model, solved in compiled code with restarts of its own."""
    chains, solver = import_module(f"{KERNEL}.ik.chain"), import_module(f"{KERNEL}.ik.ik")
    import pinocchio as pin

    model = pin.buildModelFromUrdf(row.body.urdf)
    index = np.array([model.joints[model.getJointId(name)].idx_v for name in row.body.joints])
    chain = chains.Chain.from_model(model, row.body.tips[0], index)
    start = np.zeros(model.nv)
    start[index] = row.start

    def solve(target: Array, deadline: float, random: np.random.Generator) -> Array | None:
        solution = solver.solve(chain, target, start)
        return np.asarray(solution.q)[index] if solution.reached else None

    return solve


def collision(row: SceneRow) -> Collision:
    """The model and the geometry as coal takes them, asked by state, by edge and by batch."""
    return _Kernel(row)


class _Kernel(Collision):
    batched = True

    def __init__(self, row: SceneRow) -> None:
        checker, tables = import_module(f"{KERNEL}.collision.checker"), import_module(f"{KERNEL}.collision.tables")
        from problems.models import load_scene

        model, geometry = load_scene(row)
        self._kernel = checker.Checker(model, geometry, tables=tables.tables(model, geometry))

    def hits(self, q: Array) -> bool:
        return not self._kernel.is_free(q)

    def edge_hits(self, a: Array, b: Array) -> bool:
        return not self._kernel.edge_is_free(a, b)

    def all_hit(self, Q: Array) -> Array:
        hits: Array = ~np.asarray(self._kernel.are_free(Q), dtype=bool)
        return hits


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """The tree planner on the model and the geometry as coal takes them; nothing is sampled on its edges."""
    from problems.models import load_problem

    checker, planner = import_module(f"{KERNEL}.collision.checker"), import_module(f"{KERNEL}.paths.tree_planner")
    model, geometry = load_problem(row, problem.boxes)
    exact = checker.Checker(model, geometry)
    space = planner.TreePlanner(
        exact, np.zeros(model.nq), np.eye(model.nq), row.body.lower, row.body.upper, exact.kernel.displacement()
    )

    space.grow(problem.start, 0, 1)  # loads the machine code
    space.shortened(np.array([problem.start] * 3), 0, 1)

    def plan(limit: float) -> Plan:
        began, attempt, before = now(), 0, exact.checks
        path = space.connect(problem.start, problem.goal, seed, CHECKS)
        while path is None and now() - began < limit:
            attempt += 1
            path = space.connect(problem.start, problem.goal, seed + attempt * 1000, CHECKS)
        seconds = now() - began
        if path is None:
            return Plan(seconds)
        began = now()
        cut = space.improved(path, seed + 1, SHORTCUTS, 2 * (exact.checks - before))
        return Plan(seconds, path, cut, now() - began)

    return plan
