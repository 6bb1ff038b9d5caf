"""The first stretch of a plan: a hand backs off what it let go, what a hand holds is lifted off what it stands on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices, Touch

from . import ik
from .collision import CollisionChecker
from .kinematics import Kinematics
from .queries import Snapshot

STEP = 0.006  # [m] between two configurations
RESOLUTION = 0.006  # [m] no point moves further between two checks
BACK = 0.06  # [m] that a hand backs off
LIFT = 0.08  # [m] that what it holds is lifted


def permissions(checker: CollisionChecker, snapshot: Snapshot) -> list[Touch]:
    """What hands are at in a snapshot and have to leave; the checker, with the margins of planning, knows its world."""
    at_it = [touch for touch in snapshot.touches if touch.hand not in snapshot.held]
    return [*at_it, *checker.near_held(snapshot.q)]


def departure(
    kinematics: Kinematics, checker: CollisionChecker, q: Array, leaving: Sequence[Touch], joints: Indices
) -> Array:
    """(m, n) Configurations from q (n,) straight away from what hands are near; q alone where that is nothing.

    An empty hand goes back along its z, one that holds something goes up. Each goes as far as it can without a contact.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning; its touches are changed.
        q: (n,) Where the robot starts.
        leaving: What :func:`permissions` gave.
        joints: (k,) Joints that may move.
    """
    displacement = checker.displacement(kinematics.displacement)
    stretch = [q]
    checker.set_touches(leaving)
    for hand in sorted({touch.hand for touch in leaving}):
        arm = np.array(kinematics.robot.indices(kinematics.robot.hands[hand].arm), dtype=np.intp)
        choices = [joints] if not np.isin(arm, joints).any() else [np.intersect1d(arm, joints), joints]
        X = kinematics.pose(hand, stretch[-1])
        holds = checker.holds(hand)
        step = STEP * (np.array([0.0, 0.0, 1.0]) if holds else -X[:3, 2])
        for _ in range(round((LIFT if holds else BACK) / STEP)):
            X = X.copy()
            X[:3, 3] += step
            while choices:  # the arm alone and, from where it cannot, all
                solution = ik.solve(kinematics, hand, X, choices[0], stretch[-1], iterations=20)
                edge = stretch[-1], solution.q
                if ik.reached(solution) and checker.edge_is_free(*edge, displacement, RESOLUTION):
                    stretch.append(solution.q)
                    break
                choices = choices[1:]
    checker.set_touches([])
    return np.array(stretch)
