"""Standing elsewhere, or upright, where a posture would touch something as the robot stands."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import numpy as np

from taskmatrix.core.robot.plans import Indices, Plan
from taskmatrix.core.world.objects import Array

from ..collision.collision import CollisionChecker
from .problem import Problem, let_go

RINGS = np.arange(0.05, 1.51, 0.05)  # [m] from here, the nearest first
PLACES = 16  # on each
TRIED = 6  # configurations to which a way is looked for


def relaxed_goal(
    problem: Problem, exact: CollisionChecker, end: Array, joints: Indices, others: Indices, duration: float
) -> Plan | None:
    """A motion to a configuration in which other joints are elsewhere, so that it is free; None if there is none.

    First with the other joints as in the robot's stance, but for the base; then with the base at the nearest places.

    Args:
        problem: What to plan with.
        exact: Without margins: a posture may be built close.
        end: (n,) The configuration with the other joints as they are, in which it touches something.
        joints: (k,) That may move, the others among them.
        others: (m,) Those that may be elsewhere at the end.
        duration: [s] Minimum.
    """
    for there in islice(_configurations(problem, exact, end, others), TRIED):
        let_go(problem.checker, problem.fine, there)
        path = problem.connect(problem.start, there, joints)
        plan = None if path is None else problem.plan([path], joints, duration, None)
        if isinstance(plan, Plan):
            return plan
    return None


def _configurations(problem: Problem, exact: CollisionChecker, end: Array, others: Indices) -> Iterator[Array]:
    """(n,) each: free configurations, the nearest first."""
    robot, upright, limbs = problem.kinematics.robot, end.copy(), others[others >= 3]
    upright[limbs] = robot.posture(robot.stance)[limbs]
    ways = [upright, end] if len(limbs) else [end]
    if exact.is_free(upright):
        yield upright
    if not np.isin([0, 1], others).all():
        return
    angles = 2 * np.pi * np.arange(PLACES) / PLACES
    directions = np.column_stack([np.cos(angles), np.sin(angles)])
    for far in RINGS:
        for way in ways:
            ends = np.repeat(way[None], PLACES, axis=0)
            ends[:, :2] += far * directions
            inside = ((ends[:, :2] >= robot.lower[:2]) & (ends[:, :2] <= robot.upper[:2])).all(axis=1)
            yield from ends[inside & exact.are_free(ends)]
