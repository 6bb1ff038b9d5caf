"""A hand that goes straight: the retreat and the approach of a motion, and lifting what it has grasped."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product

import numpy as np

from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.ik import IkSettings, solve_along

from ..kinematics.kinematics import Kinematics

STEP = 0.006  # [m] between two configurations
TURN = 0.45  # [rad] that no joint may exceed between them: an arm stretched out bends so much, a jump is more
BRIEF = IkSettings(iterations=20)  # from one to the next


def line(X: Array, direction: Array, length: float) -> Array:
    """(t, 4, 4) The poses into which a pose (4, 4) is moved by steps along a unit vector (3,) of the world."""
    poses = np.tile(X, (round(length / STEP), 1, 1))
    poses[:, :3, 3] += STEP * np.arange(1, len(poses) + 1)[:, None] * direction
    return poses


def standing(kinematics: Kinematics, joints: Indices) -> Indices:
    """(k,) Of the joints that may move, those for a straight stretch: a base that cannot slide does not roll."""
    return joints[joints >= 2] if kinematics.robot.rolls else joints


def arm_first(kinematics: Kinematics, hand: str, joints: Indices) -> list[Indices]:
    """(k,) each: of the joints for a straight stretch those of the hand's arm alone, if there are any, then all."""
    joints = standing(kinematics, joints)
    arm = np.intersect1d(kinematics.robot.indices(kinematics.robot.hands[hand].arm), joints).astype(np.intp)
    return [arm, joints] if len(arm) else [joints]


def straight(
    kinematics: Kinematics,
    hand: str,
    targets: Array,
    q: Array,
    choices: Sequence[Indices],
    turn: float = TURN,
    first_blocked: Callable[[Array], int | None] = lambda Q: None,
    tilting: bool = False,
) -> Array:
    """(m, n) Configurations along which a hand takes poses one after the other, as far as it can.

    Args:
        kinematics: Of the robot.
        hand: Its name.
        targets: (t, 4, 4) Poses of its grasp frame, near one another.
        q: (n,) Where it starts; the first of the configurations.
        choices: (k,) each: joints that may move; the first as long as they can, then the next.
        turn: [rad] or [m] No joint moves by as much from one configuration to the next.
        first_blocked: From configurations (m, n) to the number of the first from which one cannot go to the next.
        tilting: Whether the hand may turn where it cannot go on as it is.
    """
    stretch = q[None]
    ways = [targets, targets[:, :3, 3]] if tilting else [targets]
    for way, joints in product(ways, choices):
        left = way[len(stretch) - 1 :]
        if not len(left):
            break
        chain = kinematics.chain(hand, joints)
        onward = solve_along(chain, left, stretch[-1], BRIEF, largest=turn)
        if len(onward):
            blocked = first_blocked(np.vstack([stretch[-1:], onward]))
            stretch = np.vstack([stretch, onward if blocked is None else onward[:blocked]])
    return stretch
