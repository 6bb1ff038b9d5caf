"""The first stretch of a plan: a hand backs off what it let go, what a hand holds is lifted off what it stands on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices, Touch

from .collision import CollisionChecker
from .kinematics import Kinematics
from .queries import Snapshot
from .stretch import TURN, arm_first, line, straight

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

    An empty hand goes back along its z, one that holds something goes up, and tilts it where it has to. Each goes as
    far as it can without a contact.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning; its touches are changed.
        q: (n,) Where the robot starts.
        leaving: What :func:`permissions` gave.
        joints: (k,) Joints that may move.
    """

    def first_blocked(Q: Array) -> int | None:
        edges = enumerate(pairwise(Q))
        return next((k for k, (here, there) in edges if not checker.edge_is_free(here, there)), None)

    stretch = q[None]
    checker.set_touches(leaving)
    for hand in sorted({touch.hand for touch in leaving}):
        holds = checker.holds(hand)
        X_WH = kinematics.pose(hand, stretch[-1])
        way = line(X_WH, UP if holds else -X_WH[:3, 2], LIFT if holds else BACK)
        choices = arm_first(kinematics, hand, joints)
        onward = straight(kinematics, hand, way, stretch[-1], choices, TURN, first_blocked, tilting=holds is not None)
        stretch = np.vstack([stretch, onward[1:]])
    checker.set_touches([])
    return stretch
