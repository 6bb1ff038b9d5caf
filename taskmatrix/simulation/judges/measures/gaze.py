"""How far the view is off a point, and how far the neck could turn it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

LOOKS = 12  # at the way on which joints would turn
FACING = float(np.deg2rad(3.0))  # [rad] between the view and what is looked at


def view_pose(robot: Robot, q: Array) -> Array:
    """X_WV (4, 4) of the view at joint positions q (n,); its x is the viewing direction."""
    assert robot.view is not None
    data = robot.model.createData()
    pin.forwardKinematics(robot.model, data, robot.expand(q))
    frame = robot.model.getFrameId(robot.view.frame)
    X_WV: Array = np.asarray(pin.updateFramePlacement(robot.model, data, frame).homogeneous) @ robot.view.X_LV
    return X_WV


def gaze_error(robot: Robot, q: Array, point: Array) -> float:
    """[rad] Between the viewing direction at q (n,) and the direction to a point (3,) [m]."""
    X_WV = view_pose(robot, q)
    ray = point - X_WV[:3, 3]
    return float(np.arccos(np.clip(X_WV[:3, 0] @ ray / np.linalg.norm(ray), -1.0, 1.0)))


def least_gaze_error(
    robot: Robot,
    q: Array,
    point: Array,
    joints: Sequence[int],
    enough: float = 0.0,
    free: Callable[[Array], bool] = lambda q: True,
) -> float:
    """[rad] The least error that some joints can turn to from this posture, by bounded least squares.

    Infinite where none that is found is free, with the straight way there.

    Args:
        robot: The robot.
        q: (n,) Joint positions.
        point: (3,) [m] Where to look.
        joints: Those that may turn.
        enough: [rad] An error at which to stop.
        free: Whether a configuration (n,) counts, where it would be left out for a contact.
    """
    chosen = np.array(joints, dtype=int)
    lower, upper = robot.lower[chosen], robot.upper[chosen]

    def off(x: Array) -> Array:
        """(3,) From the direction to the point to the viewing direction; as long as the error is large."""
        turned = q.copy()
        turned[chosen] = x
        X_WV = view_pose(robot, turned)
        ray = point - X_WV[:3, 3]
        return np.asarray(X_WV[:3, 0] - ray / np.linalg.norm(ray))

    starts = [np.clip(q[chosen], lower, upper), *(lower + part * (upper - lower) for part in (0.5, 0.2, 0.8))]
    least = np.inf
    for x in starts:
        found = scipy.optimize.least_squares(off, x, bounds=(lower, upper), max_nfev=100)
        error = 2.0 * math.asin(min(float(np.linalg.norm(found.fun)) / 2.0, 1.0))
        turned = q.copy()
        turned[chosen] = found.x
        if error < least and all(free(each) for each in np.linspace(turned, q, LOOKS, endpoint=False)):
            least = error
        if least <= enough:
            break
    return least
