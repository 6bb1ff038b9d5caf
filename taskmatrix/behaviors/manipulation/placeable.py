"""Which grasps of an object will do where it is to be put down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import RestingOn
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import GoalSolution, HandGoal
from taskmatrix.core.world.objects import Grasp

PLACES = 20  # on the surface are tried
ENOUGH = 12  # grasps are found at most
DESCENTS = 100  # of inverse kinematics for each of them
FAR = 6.0  # [m] that the base may go there


def placeable(
    context: Context, object: str, on: str, grasps: Sequence[tuple[str, Grasp]], random: np.random.Generator
) -> list[tuple[str, Grasp]]:
    """Some of an object's grasps, each with the name of a hand, with which it could be put on something.

    Inverse kinematics finds a configuration for each in which hand and arm are free; no path is planned.
    """
    skills = context.skills
    if on not in context.perception:
        return []
    places = RestingOn(object, on).sample(context, PLACES, random)
    chains = [chain for chain in ("base", "torso") if chain in skills.chains]
    chains += [skills.chains_of_hand(hand)[0] for hand in dict.fromkeys(hand for hand, _ in grasps)]
    found: list[tuple[str, Grasp]] = []
    left = list(grasps)
    while places and left and len(found) < ENOUGH:
        goals = [HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, on) for hand, grasp in left for X_WO in places]
        seed = int(random.integers(2**31))
        solution = skills.find_configuration(goals, chains, free=True, seed=seed, attempts=DESCENTS, base_range=FAR)
        if not isinstance(solution, GoalSolution):
            break
        found.append(left.pop(solution.number // len(places)))
    return found
