"""The way on which a part leads the hand that holds it."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array

STEP = 0.006  # [m] that the hand moves from one pose to the next


def part_way(context: Context, part: str, X_OH: Array, share: float) -> Array:
    """(t, 4, 4) Poses of a hand's grasp frame in the world, from where the part is to where it is open by a share.

    Args:
        context: Where part and what carries it are known.
        part: Id of the part.
        X_OH: (4, 4) Pose of the hand's grasp frame in the part's frame.
        share: How far open: 0 closed, 1 open.

    Raises:
        NotFoundError: The part, or what carries it, is not known.
        ParameterError: It does not move on anything.
    """
    seen = context.perception.object(part)
    joint = seen.model.joint
    if joint is None:
        raise ParameterError(f"'{part}' does not move on anything, and neither opens nor closes")
    X_WP = context.perception.pose(joint.parent)
    now, end = joint.position(inverse(X_WP) @ seen.X_WO), joint.opened(share)
    lever = 1.0 if joint.kind == "slide" else float(np.linalg.norm(np.cross(joint.axis, X_OH[:3, 3])))
    count = max(1, int(np.ceil(abs(end - now) * lever / STEP)))
    return np.array([X_WP @ joint.at(position) @ X_OH for position in np.linspace(now, end, count + 1)[1:]])
