"""How near pairs of bodies are, and how joints change that."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.collision.exact import Exact
from taskmatrix.robots import Robot


def proximity(robot: Robot, exact: Exact, pairs: NDArray[np.int64], q: Array) -> tuple[Array, Array]:
    """(m,) [m] Distances of pairs (m, 2) of bodies, negative inside each other, and (m, nv) how joints change them.

    The distance changes as the nearest points move along the line between them.

    Args:
        robot: Whose joints.
        exact: Bodies on them.
        pairs: Which bodies.
        q: (nq,) Where the joints are.
    """
    exact.place(q)
    model, data = robot.model, robot.data
    pin.computeJointJacobians(model, data, q)
    found = [exact.witness(first, second) for first, second in pairs.tolist()]
    distances = np.array([distance for distance, _, _ in found])
    points, ways = (np.array([each[k] for each in found]).reshape(-1, 3) for k in (1, 2))
    gradients = np.zeros((len(pairs), model.nv))
    for side, sign in ((0, -1.0), (1, 1.0)):
        carriers = np.array([exact.joints[body] for body in pairs[:, side].tolist()], dtype=int)
        for joint in np.unique(carriers[carriers > 0]).tolist():
            rows = carriers == joint
            J = pin.getJointJacobian(model, data, joint, pin.LOCAL_WORLD_ALIGNED)
            arms = points[rows] + side * distances[rows, None] * ways[rows] - data.oMi[joint].translation
            gradients[rows] += sign * np.hstack([ways[rows], np.cross(arms, ways[rows])]) @ J
    return distances, gradients
