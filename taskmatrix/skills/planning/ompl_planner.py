"""The geometric planners of OMPL by their names, with a compiled validator: an edge is one call."""

from __future__ import annotations

import inspect

import numpy as np
from ompl import base as ob
from ompl import geometric as og
from ompl import util as ou

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.paths.tree_planner import REACHES, TreePlanner

ou.setLogLevel(ou.LogLevel.LOG_NONE)

LONGEST = 60.0  # [s] of wall time after which a planner is stopped whatever its work; only a safety net
NAMES: tuple[str, ...] = tuple(
    name
    for name, member in inspect.getmembers(og, inspect.isclass)
    if issubclass(member, ob.Planner) and member is not ob.Planner
)
"""Of the planners there are."""


def solve(space: TreePlanner, name: str, start: Array, goal: Array, seed: int, checks: int) -> Array | None:
    """Plan from a free configuration to another.

    Planners that look for the best path use all the work that they may do. With a base that only turns and rolls, what
    joins two states is the way that it can go (thesis 5.5.3), and the path is looked at once more: planners that divide
    what joins two states, or go it the other way, take it for a straight line.

    Args:
        space: Where to plan; states are scaled by its metric.
        name: One of :data:`NAMES`.
        start: (k,) Where to start.
        goal: (k,) Where to end.
        seed: Of OMPL's random numbers.
        checks: After which to give up.

    Returns:
        (m, k) Waypoints; None if no path was found.
    """
    ou.RNG.setSeed(seed % (2**31 - 1) + 1)
    ended = ob.timedPlannerTerminationCondition(LONGEST)
    problem = _Problem(_Bounded(space, space.checks + checks, ended), start, goal)
    planner = getattr(og, name)(problem.information)
    if hasattr(planner, "setRange"):
        planner.setRange(REACHES[0])
    planner.setProblemDefinition(problem.definition)
    planner.setup()
    planner.solve(ended)
    if not problem.definition.hasExactSolution():
        return None
    found = problem.definition.getSolutionPath()
    states = np.array([_values(found.getState(k), space.weights) for k in range(found.getStateCount())])
    return states if space.base is None else _differential_drive(space, states, start, goal)


def _differential_drive(space: TreePlanner, states: Array, start: Array, goal: Array) -> Array | None:
    """(m, k) States with the corners of the ways between them; None if these are not free."""
    path = [start[None]]
    for state in [*states[1:-1], goal]:
        onward = space.direct(path[-1][-1], state)
        if onward is None:
            return None
        path.append(onward[1:])
    return np.vstack(path)


# OMPL's objects own their callbacks: a callback that refers to them closes a circle that nothing ever frees. So these
# classes hold plain functions and numbers only. And no callback tells whether to end: the roadmap planners ask that in
# a thread of their own, which then waits for the interpreter's lock while the solver waits for the thread.


class _Bounded:
    """What is free, until the work is done."""

    def __init__(self, space: TreePlanner, last: int, ended: ob.PlannerTerminationCondition) -> None:
        self.space, self._last, self._ended = space, last, ended

    def is_free(self, state: ob.State) -> bool:
        return self._counted(self.space.is_free(_values(state, self.space.weights)))

    def line_is_free(self, first: ob.State, second: ob.State) -> bool:
        scale = self.space.weights
        return self._counted(self.space.direct(_values(first, scale), _values(second, scale)) is not None)

    def _counted(self, free: bool) -> bool:
        if self.space.checks >= self._last:
            self._ended.terminate()
        return free


class _Validity(ob.StateValidityChecker):
    def __init__(self, information: ob.SpaceInformation, bounded: _Bounded) -> None:
        super().__init__(information)
        self._bounded = bounded

    def isValid(self, state: ob.State) -> bool:  # noqa: N802 - OMPL's name
        return self._bounded.is_free(state)


class _Motion(ob.MotionValidator):
    def __init__(self, information: ob.SpaceInformation, bounded: _Bounded) -> None:
        super().__init__(information)
        self._bounded = bounded

    def checkMotion(self, first: ob.State, second: ob.State) -> bool:  # noqa: N802 - OMPL's name
        return self._bounded.line_is_free(first, second)


def _values(state: ob.State, scale: Array) -> Array:
    values: Array = np.array([state[index] for index in range(len(scale))]) / scale
    return values


class _Problem:
    """OMPL's objects for one search; they must not outlive it."""

    def __init__(self, bounded: _Bounded, start: Array, goal: Array) -> None:
        space = bounded.space
        self._scale = space.weights
        dimension = len(start)
        real = ob.RealVectorStateSpace(dimension)
        bounds = ob.RealVectorBounds(dimension)
        for index in range(dimension):
            bounds.setLow(index, float(space.lower[index] * self._scale[index]))
            bounds.setHigh(index, float(space.upper[index] * self._scale[index]))
        real.setBounds(bounds)
        self.information = ob.SpaceInformation(real)
        self.information.setStateValidityChecker(_Validity(self.information, bounded))
        self.information.setMotionValidator(_Motion(self.information, bounded))
        self.information.setup()
        self.definition = ob.ProblemDefinition(self.information)
        self.definition.setStartAndGoalStates(self._state(start), self._state(goal))

    def _state(self, values: Array) -> ob.State:
        state = self.information.allocState()
        for index, value in enumerate(values * self._scale):
            state[index] = float(value)
        return state
