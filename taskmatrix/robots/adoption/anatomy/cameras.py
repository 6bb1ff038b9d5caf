"""Which axis of a camera's frame looks: told by the axis that points to the side, as names often say nothing."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array

from .name_tokens import tokens

X, Z = 0, 2
"""Axes that look: of a frame like that of a body, and of an optical one."""
_LATERAL = 0.7  # [-] cosine between the side and an axis that points there


def looking_axis(R: Array, side: Array, name: str) -> int:
    """Which axis of a camera's frame it looks along, plus or minus, by convention.

    Of a frame like that of a body y points to the side and x looks (REP 103); of an optical one x points to the side
    and z looks. Where neither x nor y points to the side, the name decides.

    Args:
        R: (3, 3) Axes of the frame, in the root's.
        side: (3,) Unit vector to one side of the robot, likewise.
        name: The link's.

    Returns:
        :data:`X` or :data:`Z`.
    """
    x, y, _ = np.abs(side @ R).tolist()
    if max(x, y) >= _LATERAL:
        return Z if x > y else X
    return Z if "optical" in tokens(name) else X
