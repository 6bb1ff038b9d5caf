"""Sampling-based planners of OMPL over joint positions scaled to displacements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from ompl import base as ob
from ompl import geometric as og
from ompl import util as ou

from taskmatrix.core.objects import Array

ou.setLogLevel(ou.LogLevel.LOG_NONE)

RANGE = 0.8  # [m] of displacement that one extension of the tree may cover
LONGEST = 60.0  # [s] of wall time after which a planner is stopped whatever its work; only a safety net


@dataclass(frozen=True, eq=False)
class Space:
    """Where to plan: bounds, metric and validity."""

    lower: Array
    """(k,) [m, rad] Lower bounds of the sampling."""
    upper: Array
    """(k,) Upper bounds."""
    displacement: Array
    """(k,) [m/rad] The metric: how far the robot moves with each joint."""
    is_free: Callable[[Array], bool]
    """Whether joint positions (k,) are free."""
    edge_is_free: Callable[[Array, Array], bool]
    """Whether the straight line between two free configurations is free."""
    work: Callable[[], int]
    """Collision checks done so far; the planners are bounded by it."""


@dataclass(frozen=True, eq=False)
class Search:
    """What a planner came back with."""

    path: Array | None
    """(m, k) Waypoints from the start to the goal; None if none was found."""
    tree: Array
    """(m, k) The configurations that were reached from the start."""
    parents: tuple[int, ...]
    """For each of the tree its parent, -1 for the start."""

    def branch(self, index: int) -> Array:
        """(b, k) From the root of the tree to one of its nodes."""
        nodes = []
        while index >= 0:
            nodes.append(self.tree[index])
            index = self.parents[index]
        return np.array(nodes[::-1])


def connect(space: Space, start: Array, goal: Array, seed: int, budget: int) -> Search:
    """Plan from a configuration to another, by RRT-Connect (Kuffner and LaValle 2000).

    Args:
        space: Where to plan.
        start: (k,) Free start.
        goal: (k,) Free goal.
        seed: Of OMPL's random numbers.
        budget: Collision checks after which it gives up.
    """

    def planner(problem: _Problem) -> ob.Planner:
        problem.definition.setGoalState(problem.state(goal))
        rrt = og.RRTConnect(problem.information)
        rrt.setRange(RANGE)
        return rrt

    return _run(space, start, planner, seed, budget)


def grow(space: Space, start: Array, distance: Callable[[Array], float], seed: int, budget: int) -> Search:
    """Grow a tree from a configuration without connecting it to anything, as RDT-IK does (thesis 5.5.4).

    Args:
        space: Where to plan.
        start: (k,) Free start.
        distance: [m] From a configuration (k,) to the nearest operational goal; what OMPL calls the goal's distance.
        seed: Of OMPL's random numbers.
        budget: Collision checks after which it stops.
    """

    def planner(problem: _Problem) -> ob.Planner:
        region = _Operational(problem.information, distance, space.displacement)
        region.setThreshold(0.0)
        problem.definition.setGoal(region)
        rrt = og.RRT(problem.information)
        rrt.setRange(RANGE)
        return rrt

    return _run(space, start, planner, seed, budget)


# OMPL's objects own their callbacks: a callback that refers to them closes a circle that nothing ever frees. So these
# classes hold plain functions and numbers only.


class _Validity(ob.StateValidityChecker):
    def __init__(self, information: ob.SpaceInformation, space: Space) -> None:
        super().__init__(information)
        self._space = space

    def isValid(self, state: ob.State) -> bool:  # noqa: N802 - OMPL's name
        return bool(self._space.is_free(_values(state, self._space.displacement)))


class _Motion(ob.MotionValidator):
    def __init__(self, information: ob.SpaceInformation, space: Space) -> None:
        super().__init__(information)
        self._space = space

    def checkMotion(self, first: ob.State, second: ob.State) -> bool:  # noqa: N802 - OMPL's name
        scale = self._space.displacement
        return bool(self._space.edge_is_free(_values(first, scale), _values(second, scale)))


class _Operational(ob.GoalRegion):
    def __init__(
        self, information: ob.SpaceInformation, distance: Callable[[Array], float], displacement: Array
    ) -> None:
        super().__init__(information)
        self._distance, self._displacement = distance, displacement

    def distanceGoal(self, state: ob.State) -> float:  # noqa: N802 - OMPL's name
        return max(float(self._distance(_values(state, self._displacement))), 1.0)  # never reached: it only draws


def _values(state: ob.State, displacement: Array) -> Array:
    values: Array = np.array([state[index] for index in range(len(displacement))]) / displacement
    return values


class _Problem:
    """OMPL's objects for one search; they must not outlive it."""

    def __init__(self, space: Space, start: Array) -> None:
        self._scale = space.displacement
        dimension = len(start)
        real = ob.RealVectorStateSpace(dimension)
        bounds = ob.RealVectorBounds(dimension)
        for index in range(dimension):
            bounds.setLow(index, float(space.lower[index] * self._scale[index]))
            bounds.setHigh(index, float(space.upper[index] * self._scale[index]))
        real.setBounds(bounds)
        self.information = ob.SpaceInformation(real)
        self.information.setStateValidityChecker(_Validity(self.information, space))
        self.information.setMotionValidator(_Motion(self.information, space))
        self.information.setup()
        self.definition = ob.ProblemDefinition(self.information)
        self.definition.addStartState(self.state(start))

    def state(self, values: Array) -> ob.State:
        state = self.information.allocState()
        for index, value in enumerate(values * self._scale):
            state[index] = float(value)
        return state


def _run(space: Space, start: Array, make: Callable[[_Problem], ob.Planner], seed: int, budget: int) -> Search:
    ou.RNG.setSeed(seed % (2**31 - 1) + 1)
    problem = _Problem(space, start)
    planner = make(problem)
    planner.setProblemDefinition(problem.definition)
    planner.setup()
    last = space.work() + budget
    counted = ob.PlannerTerminationCondition(lambda: bool(space.work() >= last))
    net = ob.timedPlannerTerminationCondition(LONGEST)
    planner.solve(ob.plannerOrTerminationCondition(counted, net))
    path = None
    if problem.definition.hasExactSolution():
        solution = problem.definition.getSolutionPath()
        path = np.array([_values(solution.getState(k), space.displacement) for k in range(solution.getStateCount())])
    data = ob.PlannerData(problem.information)
    planner.getPlannerData(data)
    count = data.numVertices()
    tree = np.array([_values(data.getVertex(k).getState(), space.displacement) for k in range(count)])
    parents = tuple((data.getIncomingEdges(k) or [-1])[0] for k in range(count))
    return Search(path, tree.reshape(count, len(start)), parents)
