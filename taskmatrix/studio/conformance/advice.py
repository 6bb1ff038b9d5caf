"""What to change in an adapter where a trial of it fails."""

from __future__ import annotations

import re

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.tables import read_table
from taskmatrix.robots.loading.loader import find_adapter

_BARRED = re.compile(r"(?:in the way|most often): (\S+) and (\S+) \(")
"""How a planner's failure tells the pair that was in the way most often."""


def hand_table(source: str, hand: str) -> str:
    """The table that says what a hand is like: where it is a mirror image, that of the other hand.

    Args:
        source: Path of the ``robot.toml`` or of the folder with it, or a robot's name.
        hand: Its name.
    """
    table = read_table(find_adapter(source), RobotError).table("hands").table(hand)
    mirrored = table.get("mirror", str, "")
    return f"[hands.{mirrored}], of which '{hand}' is the mirror image" if mirrored else f"[hands.{hand}]"


def about_hulls(source: str, problem: str) -> str:
    """What to try where the hull of a link was in the way most often, as the end of a sentence; else empty.

    Args:
        source: As above.
        problem: A failure in words.
    """
    model = read_table(find_adapter(source), RobotError).table("model")
    drawn = model.strings("collide_as_drawn") if "collide_as_drawn" in model.data else ()
    barred = _BARRED.search(problem)
    if barred is None:
        return ""
    meshes = model.strings("collide_as_meshes") if "collide_as_meshes" in model.data else ()
    hulls = model.get("hulls", bool, False)
    hulled = [link for link in barred.groups() if (hulls or link in drawn) and link not in meshes]
    if not hulled:
        return ""
    which = "collides by its hull, which fills" if len(hulled) == 1 else "collide by their hulls, which fill"
    return f"; {' and '.join(hulled)} {which} what is hollow: try collide_as_meshes in [model]"
