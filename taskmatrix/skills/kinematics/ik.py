"""Inverse kinematics by damped least squares with joint limits and a reference posture in the null space."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.robot.plans import Indices, Solution
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik import ik as kernel

from .kinematics import Kinematics

POSITION_TOLERANCE = kernel.POSITION_TOLERANCE  # [m]
ROTATION_TOLERANCE = kernel.ROTATION_TOLERANCE  # [rad]
LEVER = 0.3  # [m/rad] by which an angle counts beside a distance


def solve(
    kinematics: Kinematics,
    frame: str,
    X_WT: Array,
    joints: Indices,
    q: Array,
    reference: Array | None = None,
    iterations: int = 100,
    within: Array | None = None,
) -> Solution:
    """Descend from a configuration to one that puts a frame on its target.

    One descent of :func:`taskmatrix.kernel.ik.ik.solve`: damped least squares, in which joints that would leave
    their limits are frozen there and the rest solved again; what the task leaves free moves to the reference.

    Args:
        kinematics: Of the robot.
        frame: Name of a hand.
        X_WT: (4, 4) Target of its grasp frame.
        joints: (k,) Joints that may move.
        q: (n,) Where to start; ``joints`` of it are brought within their limits first.
        reference: (n,) Posture to stay near where the task allows it.
        iterations: Bound of the work.
        within: (n,) [rad, m] How far each joint may go from where it starts; any distance unless given.

    Returns:
        The best configuration on the way and what is left of the error; compare with the tolerances.

    Raises:
        ParameterError: The target is not a pose of finite numbers.
    """
    if np.shape(X_WT) != (4, 4) or not np.isfinite(X_WT).all():
        raise ParameterError(f"the target of frame '{frame}' must be a (4, 4) pose of finite numbers, not {X_WT!r}")
    chain = kinematics.chain(frame, joints)
    if within is None:
        q = kinematics.towards(frame, joints, np.asarray(X_WT)[None], q[None])[0]
    else:
        at = np.clip(q, kinematics.robot.lower, kinematics.robot.upper)
        chain = chain.narrowed(at - within, at + within)
    return kernel.solve(chain, X_WT, q, kernel.IkSettings(1, iterations), reference=reference)


def reached(solution: Solution) -> bool:
    """Whether a solution is on its target within the tolerances."""
    return solution.distance < POSITION_TOLERANCE and solution.angle < ROTATION_TOLERANCE
