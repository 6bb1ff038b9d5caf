"""A hand along a given way: what it holds is led by what that is fixed to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array

from ..collision.collision import CollisionChecker
from ..kinematics.kinematics import Kinematics
from .queries import AlongQuery
from .straight_motion import arm_first, standing, straight


def plan_along(
    kinematics: Kinematics, checker: CollisionChecker, query: AlongQuery, q: Array, joints: Indices
) -> Array | Failure:
    """(m, n) Configurations from q (n,) along which the hand of a query takes its poses one after the other.

    Args:
        kinematics: Of the robot.
        checker: With the margins of planning, but for what is nearer at the start.
        query: What is asked.
        q: (n,) Where the robot starts.
        joints: (k,) Joints that may move.
    """

    def first_blocked(Q: Array) -> int | None:
        blocked = (k for k, (here, there) in enumerate(pairwise(Q)) if not checker.edge_is_free(here, there))
        return next(blocked, None)

    path = longest(kinematics, query.hand, query.poses, q, joints, first_blocked)
    return path if len(path) > len(query.poses) else _stuck(kinematics, checker, query, path)


def longest(
    kinematics: Kinematics,
    hand: str,
    poses: Array,
    q: Array,
    joints: Indices,
    first_blocked: Callable[[Array], int | None],
) -> Array:
    """(m, n) Configurations from q (n,) along which a hand takes poses (t, 4, 4), as far as it can.

    The arm, the trunk and the base go together, or the arm or the base as long as it can and then all, whichever gets
    further. ``first_blocked`` is that of :func:`~.straight_motion.straight`.
    """
    best = q[None]
    for choices in _choices(kinematics, hand, joints):
        best = max(best, straight(kinematics, hand, poses, q, choices, first_blocked=first_blocked), key=len)
        if len(best) > len(poses):
            break
    return best


def _choices(kinematics: Kinematics, hand: str, joints: Indices) -> Iterator[list[Indices]]:
    together = standing(kinematics, joints)
    yield [together]
    yield arm_first(kinematics, hand, joints)
    base = joints[joints < 3]
    if len(base) == 3 and not kinematics.robot.rolls:
        yield [base, together]


def _stuck(kinematics: Kinematics, checker: CollisionChecker, query: AlongQuery, path: Array) -> Failure:
    """Why a hand does not get to the end of its way, and how far it got."""
    done, q = len(path) - 1, path[-1]
    ahead = straight(kinematics, query.hand, query.poses[done : done + 1], q, [np.arange(len(q), dtype=np.intp)])
    contact = checker.contact(ahead[-1]) if len(ahead) > 1 else None
    facts: dict[str, object] = {"hand": query.hand, "share": done / len(query.poses)}
    message = f"the {query.hand} hand gets {done / len(query.poses):.0%} along its way"
    if contact is None:
        return Failure(FailureKind.IK_EXHAUSTED, "planner", f"{message}, then it cannot follow", facts)
    facts |= {"pair": contact.pair, "distance": contact.distance}
    in_the_way = f"then {contact.first} and {contact.second} would touch"
    return Failure(FailureKind.COLLISION, "planner", f"{message}, {in_the_way}", facts)
