"""Which grasps of an object will do where it is to be put down."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Inside, RestingOn
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import GoalSolution, HandGoal
from taskmatrix.core.world.objects import Array, Grasp

from ..common.limbs import trunk_of
from .ways_in import fits, ways_in

PLACES = 20  # on the surface are tried
ENOUGH = 12  # grasps are found at most
DESCENTS = 100, 30  # of inverse kinematics to where it is put, and to where it is
NARROW = 3  # times as many where it is put into something
FAR = 6.0  # [m] that the base may go there


def placeable(
    context: Context,
    object: str,
    on: str,
    grasps: Sequence[tuple[str, Grasp]],
    random: np.random.Generator,
    place: type[RestingOn | Inside] = RestingOn,
) -> list[tuple[str, Grasp]]:
    """Some of an object's grasps, each with the name of a hand, with which it could be taken, and put somewhere else.

    Inverse kinematics finds configurations for each in which hand and arm are free; no path is planned.
    """
    skills = context.skills
    if on not in context.perception:
        return []
    places = place(object, on).sample(context, PLACES, random)
    chains = [
        *trunk_of(context),
        *(skills.chains_of_hand(hand)[0] for hand in dict.fromkeys(hand for hand, _ in grasps)),
    ]

    def enters(X_WO: Array, X_WH: Array) -> bool:
        if place is RestingOn:
            return True
        container, thing = context.perception.object(on), context.perception.object(object)
        return any(fits(direction, X_WH) for direction, _ in ways_in(container, thing, X_WO))

    def number_of(choice: Sequence[tuple[str, Grasp]], poses: Sequence[Array], touched: str, most: int) -> int | None:
        """Of the choice, one grasp with which the object can be held at one of some poses."""
        numbered = [
            (number, HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, touched))
            for number, (hand, grasp) in enumerate(choice)
            for X_WO in poses
            if touched == object or enters(X_WO, X_WO @ grasp.X_OH)
        ]
        if not numbered:
            return None
        goals = [goal for _, goal in numbered]
        seed = int(random.integers(2**31))
        solution = skills.find_configuration(goals, chains, free=True, seed=seed, attempts=most, base_range=FAR)
        return numbered[solution.number][0] if isinstance(solution, GoalSolution) else None

    found: list[tuple[str, Grasp]] = []
    left, here = list(grasps), [context.perception.pose(object)]
    while places and left and len(found) < ENOUGH:
        number = number_of(left, places, on, DESCENTS[0] * (1 if place is RestingOn else NARROW))
        if number is None:
            break
        grasp = left.pop(number)
        if number_of([grasp], here, object, DESCENTS[1]) is not None:
            found.append(grasp)
    return found
