"""Turning the view towards a point: what Definition 10 of the common skill set is used for."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taskmatrix.core.geometry import angle_between
from taskmatrix.core.objects import Array
from taskmatrix.core.skillset import Indices

from .kernel.gaze import turn
from .kinematics import VIEW, Kinematics

SHORT = 5e-3  # [rad] a view this far off has not reached its point
SIDES = (0.15, 0.85)  # of the range of a joint, where further descents begin


def gaze_error(X_WV: Array, point: Array) -> float:
    """[rad] Angle between the viewing direction (the x axis of the view's pose) and the direction to a point (3,)."""
    return angle_between(X_WV[:3, 0], point - X_WV[:3, 3])


def face(kinematics: Kinematics, point: Array, joints: Indices, q: Array, iterations: int = 40) -> Array:
    """Turn joints until the view faces a point, or as far as their limits let it.

    Where the descent from the present configuration ends short of the point, others start from the middle of the
    joints' ranges and from both sides of it: a neck that looks over one shoulder may have to come round to the other.

    Args:
        kinematics: Of the robot.
        point: (3,) [m] In the world.
        joints: (k,) Joints that may move.
        q: (n,) Where to start.
        iterations: Bound of the work of each descent.

    Returns:
        (n,) The configuration.
    """
    chain = kinematics.chain(VIEW, joints)
    turned = np.array(q, dtype=float)
    if len(chain.indices):
        best = np.empty(len(chain.indices))
        starts = np.array([start[chain.indices] for start in (turned, *_starts(kinematics, joints, turned))])
        turn(chain.joints, turned, np.asarray(point, dtype=float), starts, iterations, SHORT, best)
        turned[chain.indices] = best
    return turned


def _starts(kinematics: Kinematics, joints: Indices, q: Array) -> Iterator[Array]:
    """(n,) each: the middle of the ranges, and both sides of it for the first two joints; the base stays."""
    robot = kinematics.robot
    own = joints[joints >= 3]
    middle = q.copy()
    middle[own] = (robot.lower[own] + robot.upper[own]) / 2
    yield middle
    for joint in own[:2]:
        for share in SIDES:
            start = middle.copy()
            start[joint] = robot.lower[joint] + share * (robot.upper[joint] - robot.lower[joint])
            yield start
