"""The first stretch of a plan: a hand backs off what it let go, what a hand holds is lifted off what it stands on."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices, Touch

from . import ik
from .collision import CollisionChecker
from .kinematics import Kinematics
from .queries import Snapshot

STEP = 0.006  # [m] between two configurations
TURN = 0.45  # [rad] that no joint may exceed between them: an arm stretched out bends so much, a jump is more
BACK = 0.06  # [m] that a hand backs off
LIFT = 0.08  # [m] that what it holds is lifted
UP = np.array([0.0, 0.0, 1.0])


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
    stretch = q[None]
    checker.set_touches(leaving)
    for hand in sorted({touch.hand for touch in leaving}):
        holds = checker.holds(hand)
        direction = UP if holds else -kinematics.pose(hand, stretch[-1])[:3, 2]
        onward = straight(
            kinematics, hand, stretch[-1], direction, LIFT if holds else BACK, joints, checker.edge_is_free
        )
        stretch = np.vstack([stretch, onward[1:]])
    checker.set_touches([])
    return stretch


def straight(
    kinematics: Kinematics,
    hand: str,
    q: Array,
    direction: Array,
    length: float,
    joints: Indices,
    is_free: Callable[[Array, Array], bool],
) -> Array:
    """(m, n) Configurations from q (n,) along which a hand moves straight, as far as it can.

    Args:
        kinematics: Of the robot.
        hand: Its name.
        q: (n,) Where it starts.
        direction: (3,) In the world, of length 1.
        length: [m] How far at most.
        joints: (k,) Joints that may move; those of the arm alone as long as they can.
        is_free: Tells whether the motion between two configurations (n,) is free.
    """
    arm = np.array(kinematics.robot.indices(kinematics.robot.hands[hand].arm), dtype=np.intp)
    choices = [joints] if not np.isin(arm, joints).any() else [np.intersect1d(arm, joints), joints]
    stretch, X = [q], kinematics.pose(hand, q)
    for _ in range(round(length / STEP)):
        X = X.copy()
        X[:3, 3] += STEP * direction
        while choices:
            solution = ik.solve(kinematics, hand, X, choices[0], stretch[-1], iterations=20)
            turned = np.max(np.abs(solution.q - stretch[-1]))
            if ik.reached(solution) and turned < TURN and is_free(stretch[-1], solution.q):
                stretch.append(solution.q)
                break
            choices = choices[1:]
        else:
            break
    return np.array(stretch)
