"""How far things may be in each other that press on one another: nothing is rigid, and hands sink a little."""

from __future__ import annotations

from taskmatrix.kernel.collision.checker import TOUCHING
from taskmatrix.kernel.collision.exact import Exact

from ..tolerances import BESIDE, PENETRATION, STEEP


def may_press(exact: Exact, first: int, second: int, near: float, in_hand: bool) -> bool:
    """Whether two bodies, as placed, are in each other no deeper than they may be, or as near as ``near`` [m].

    3 mm where one stands on the other or hangs on it, or where it is in the hand; else 1 mm, and they touch already.
    """
    distance, _, way = exact.witness(first, second)
    if in_hand or abs(way[2]) > STEEP:
        return -PENETRATION <= distance <= max(near, TOUCHING)
    return -BESIDE <= distance <= TOUCHING
