"""Turning the view towards a point: what Definition 10 of the common skill set is used for."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.cache import remembered
from taskmatrix.core.robot.plans import VIEW, Indices
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.gaze import turn_each

from .kinematics import Kinematics

SHORT = 5e-3  # [rad] a view this far off has not reached its point
ITERATIONS = 40  # of a descent
SIDES = (0.15, 0.85)  # of the range of a joint, where further descents begin


def gaze_error(X_WV: Array, point: Array) -> float:
    """[rad] Angle between the viewing direction (the x axis of the view's pose) and the direction to a point (3,)."""
    return angle_between(X_WV[:3, 0], point - X_WV[:3, 3])


def face(kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int = ITERATIONS) -> Array:
    """Turn joints until the view faces a point, or as far as their limits let it; see :func:`face_each`.

    Args:
        kinematics: Of the robot.
        point: (3,) [m] In the world.
        joints: (k,) Joints that may move.
        q: (n,) Where to start.
        iterations: Bound of the work of each descent.

    Returns:
        (n,) The configuration.
    """
    turned: Array = face_each(kinematics, point, joints, q[None], iterations)[0][0]
    return turned


def face_each(
    kinematics: Kinematics,
    point: Array,
    joints: Indices,
    Q: Array,
    iterations: int = ITERATIONS,
    following: bool = False,
) -> tuple[Array, Array]:
    """Turn joints of many configurations until the view faces a point, or as far as their limits let it.

    Where the descent from the present configuration ends short of the point, others start from the middle of the
    joints' ranges and from both sides of it: a neck that looks over one shoulder may have to come round to the other.

    Args:
        kinematics: Of the robot.
        point: (3,) [m] In the world.
        joints: (k,) Joints that may move.
        Q: (b, n) Where to start.
        iterations: Bound of the work of each descent.
        following: Whether each starts with the joints where the one before has left them: a motion.

    Returns:
        (b, n) The configurations, and (b,) [rad] what is left of the angle.
    """
    chain = kinematics.chain(VIEW, joints)
    turned, point = np.array(Q, dtype=float, order="C"), np.array(point, dtype=float)
    if not len(chain.indices):
        return turned, np.array([gaze_error(kinematics.pose(VIEW, q), point) for q in turned])
    others = _starts(chain)
    return turned, turn_each(chain.joints, turned, point, others, iterations, SHORT, following)


@remembered
def _starts(chain: Chain) -> Array:
    """(s, m) The middle of the ranges, and both sides of it for the first two joints; the base stays: no number."""
    own = np.flatnonzero(chain.indices >= 3)
    middle = np.full(len(chain.indices), np.nan)
    middle[own] = (chain.lower[own] + chain.upper[own]) / 2
    starts = [middle]
    for column in own[:2]:
        for share in SIDES:
            start = middle.copy()
            start[column] = chain.lower[column] + share * (chain.upper[column] - chain.lower[column])
            starts.append(start)
    return np.array(starts)
