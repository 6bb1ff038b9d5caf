"""What hands keep on their way, by the words of a parameter: what they hold upright, say."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import HandConstraint
from taskmatrix.core.world.objects import Array

KINDS = ("upright", "orientation")
UP = np.array([0.0, 0.0, 1.0])  # in the world


def kept(context: Context, keep: str | None, tilt: float) -> list[HandConstraint]:
    """Constraints on all hands that hold something.

    Args:
        context: What behaviors reach.
        keep: One of :data:`KINDS`; None for no constraint.
        tilt: [rad] By which the object may be turned from that.
    """
    if keep is None:
        return []
    skills, found = context.skills, list[HandConstraint]()
    for hand in skills.hands:
        id = skills.held(hand)
        if id is not None and id in context.perception:
            R_HW = skills.forward_kinematics(hand)[:3, :3].T
            R_WO = context.perception.pose(id)[:3, :3]
            for axis, direction in KEPT[keep](R_WO):
                found.append(HandConstraint(hand, f"'{id}' {keep}", R_HW @ axis, direction, tilt))
    return found


def at_odds(keep: str | None, tilt: float, up: str | None) -> str:
    """Why what is kept does not let an axis of the object, z unless given, be up in the end; empty where it does."""
    turn = 0.0 if up in (None, "z") else np.pi if up == "-z" else np.pi / 2.0
    if keep != "upright" or turn <= tilt:
        return ""
    return f"with {up} up the object is {turn:.2f} rad off what keep='upright' lets it be off by tilt={tilt:.2f}"


def _upright(R_WO: Array) -> list[tuple[Array, Array]]:
    return [(R_WO[:, 2], UP)]


def _orientation(R_WO: Array) -> list[tuple[Array, Array]]:
    return [(R_WO[:, k], R_WO[:, k]) for k in (0, 2)]


KEPT: dict[str, Callable[[Array], list[tuple[Array, Array]]]] = dict(zip(KINDS, (_upright, _orientation), strict=True))
"""By word: from R_WO (3, 3), the orientation of an object that is held, to axes (3,) of it in the world as it is now
and the directions (3,) from which these may be tilted. ``upright``: its z from the vertical. ``orientation``: x and z
from where they are."""
