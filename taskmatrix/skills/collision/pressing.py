"""How far things may be in each other that press on one another: nothing is rigid, and hands sink a little."""

from __future__ import annotations

from taskmatrix.kernel.collision.checker import TOUCHING
from taskmatrix.kernel.collision.exact import Exact

from ..tolerances import PENETRATION, STEEP


def may_press(exact: Exact, first: int, second: int, near: float, in_hand: bool) -> bool:
    """Whether two bodies, as placed, are in each other no deeper than 3 mm, or as near as ``near`` [m].

    And one stands on the other or hangs on it, or it is in the hand: what is beside something presses on nothing.
    """
    distance, _, way = exact.witness(first, second)
    return -PENETRATION <= distance <= max(near, TOUCHING) and (in_hand or bool(abs(way[2]) > STEEP))
