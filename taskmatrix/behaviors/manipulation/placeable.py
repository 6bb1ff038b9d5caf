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

Place = tuple[Array, Sequence[Array] | None]
"""A pose X_WO (4, 4) of an object, and directions (3,) from which it may come there; None for any."""


def placeable(
    context: Context,
    object: str,
    on: str,
    grasps: Sequence[tuple[str, Grasp]],
    random: np.random.Generator,
    place: RestingOn | Inside | None = None,
) -> list[tuple[str, Grasp]]:
    """Some of an object's grasps, each with the name of a hand, with which it could be taken, and put somewhere else.

    How it is to be there says ``place``: resting on it, unless given.
    Inverse kinematics finds configurations for each in which hand and arm are free; no path is planned.
    """
    skills, place = context.skills, place or RestingOn(object, on)
    if on not in context.perception:
        return []

    def ways(X_WO: Array) -> Sequence[Array] | None:
        """Directions (3,) from which the object may come there; None for any."""
        container, thing = context.perception.object(on), context.perception.object(object)
        return None if isinstance(place, RestingOn) else [direction for direction, _ in ways_in(container, thing, X_WO)]

    places = [(X_WO, ways(X_WO)) for X_WO in place.sample(context, PLACES, random)]
    chains = [
        *trunk_of(context),
        *(skills.chains_of_hand(hand)[0] for hand in dict.fromkeys(hand for hand, _ in grasps)),
    ]

    def number_of(choice: Sequence[tuple[str, Grasp]], poses: Sequence[Place], most: int) -> int | None:
        """Of the choice, one grasp with which the object can be held at one of some poses, and comes there."""
        numbered = [
            (number, HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, object))
            for number, (hand, grasp) in enumerate(choice)
            for X_WO, directions in poses
            if directions is None or any(fits(direction, X_WO @ grasp.X_OH) for direction in directions)
        ]
        if not numbered:
            return None
        goals = [goal for _, goal in numbered]
        seed = int(random.integers(2**31))
        solution = skills.find_configuration(goals, chains, free=True, seed=seed, attempts=most, base_range=FAR)
        return numbered[solution.number][0] if isinstance(solution, GoalSolution) else None

    found: list[tuple[str, Grasp]] = []
    left, here = list(grasps), [(context.perception.pose(object), None)]
    while places and left and len(found) < ENOUGH:
        number = number_of(left, places, DESCENTS[0] * (1 if isinstance(place, RestingOn) else NARROW))
        if number is None:
            break
        grasp = left.pop(number)
        if number_of([grasp], here, DESCENTS[1]) is not None:
            found.append(grasp)
    return found
