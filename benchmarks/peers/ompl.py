"""OMPL's RRTConnect with Pinocchio and coal in the callback."""

from __future__ import annotations

from typing import Any

import numpy as np
from problems.rows import Array, PlanningRow, Problem

from .base import RANGE, STEP, Plan, Planner, now

DISTRIBUTION = "ompl"


def planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """All pairs, one after the other."""
    return _planner(row, problem, seed, False)


def broadphase_planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """The pairs behind Pinocchio's dynamic tree of bounding boxes."""
    return _planner(row, problem, seed, True)


def _planner(row: PlanningRow, problem: Problem, seed: int, broadphase: bool) -> Planner:
    from ompl import base, geometric, util
    from problems.models import Checker, load_problem

    util.setLogLevel(util.LogLevel.LOG_ERROR)
    if seed == 0:
        util.RNG.setSeed(1)  # OMPL takes its seed once a process
    checker = Checker(*load_problem(row, problem.boxes), broadphase, quick=True)
    n = len(row.body.joints)
    space, bounds = base.RealVectorStateSpace(n), base.RealVectorBounds(n)
    for i in range(n):
        bounds.setLow(i, float(row.body.lower[i]))
        bounds.setHigh(i, float(row.body.upper[i]))
    space.setBounds(bounds)
    setup = geometric.SimpleSetup(space)
    information = setup.getSpaceInformation()

    class Validity(base.StateValidityChecker):  # type: ignore[misc]
        """Asks coal."""

        def isValid(self, state: Any) -> bool:  # noqa: N802  # OMPL's name
            """Whether a state is free."""
            return not checker.hits(np.array([state[i] for i in range(n)]))

    setup.setStateValidityChecker(Validity(information))
    information.setStateValidityCheckingResolution(STEP / space.getMaximumExtent())
    ends = space.allocState(), space.allocState()
    for state, q in zip(ends, (problem.start, problem.goal), strict=True):
        for i in range(n):
            state[i] = float(q[i])
    setup.setStartAndGoalStates(*ends)
    planner = geometric.RRTConnect(information)
    planner.setRange(RANGE)
    setup.setPlanner(planner)
    setup.setup()

    def corners() -> Array:
        path = setup.getSolutionPath()
        return np.array([[path.getState(k)[i] for i in range(n)] for k in range(path.getStateCount())])

    def plan(limit: float) -> Plan:
        began = now()
        setup.solve(float(limit))
        seconds = now() - began
        if not setup.haveExactSolutionPath():
            return Plan(seconds)
        path, began = corners(), now()
        setup.simplifySolution(5.0)
        return Plan(seconds, path, corners(), now() - began)

    return plan
