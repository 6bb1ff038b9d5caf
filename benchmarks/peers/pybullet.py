"""PyBullet: its inverse kinematics, and closest points between convex hulls."""

from __future__ import annotations

from typing import Any

import numpy as np
from problems.rows import Array, Body, ChainRow, SceneRow

from .base import ANGLE, POSITION, Attempt, Collision, Solve, UnsuitedError, now, restarting


def ik(row: ChainRow) -> Solve:
    """Four times 30 iterations a try, clamped to the limits in between."""
    import pybullet as bullet

    robot, links, joints = _loaded(row.body)
    tip, moved = links[row.body.tips[0]], [joints[name] for name in row.body.joints]
    free = sorted(joints.values())
    free = [i for i in free if bullet.getJointInfo(robot, i)[2] != bullet.JOINT_FIXED]
    order = [free.index(i) for i in moved]

    def aim(target: Array) -> Attempt:
        from scipy.spatial.transform import Rotation

        point, turn = target[:3, 3], Rotation.from_matrix(target[:3, :3]).as_quat()

        def put(q: Array) -> None:
            for i, position in zip(moved, q, strict=True):
                bullet.resetJointState(robot, i, position)

        def attempt(q: Array, deadline: float) -> Array | None:
            for _ in range(4):
                put(q)
                found = bullet.calculateInverseKinematics(
                    robot, tip, point.tolist(), turn.tolist(), maxNumIterations=30, residualThreshold=1e-5
                )
                q = np.clip(np.array(found)[order], row.body.lower, row.body.upper)
                put(q)
                state = bullet.getLinkState(robot, tip, computeForwardKinematics=1)
                angle = 2 * np.arccos(min(1.0, abs(np.dot(state[5], turn))))
                if np.linalg.norm(np.array(state[4]) - point) < POSITION and angle < ANGLE:
                    return q
                if now() > deadline:
                    return None
            return None

        return attempt

    return restarting(row, aim)


def collision(row: SceneRow) -> Collision:
    """Convex hulls only, and no voxels."""
    if not row.hull:
        raise UnsuitedError("loads the convex hull of every mesh")
    if len(row.voxels):
        raise UnsuitedError("has neither octree nor point cloud")
    return _Bullet(row)


class _Bullet(Collision):
    def __init__(self, row: SceneRow) -> None:
        import pybullet as bullet
        from scipy.spatial.transform import Rotation

        self._bullet = bullet
        self._robot, links, joints = _loaded(row.body)
        self._moved = [joints[name] for name in row.body.joints]
        self._pairs = [(links[a], links[b]) for a, b in row.body.pairs]
        self._links = {links[link] for link in row.body.links if link not in row.body.mounted}
        self._boxes = []
        for box in row.boxes:
            turn = Rotation.from_matrix(box.pose[:3, :3]).as_quat()
            shape = bullet.createCollisionShape(bullet.GEOM_BOX, halfExtents=[0.5 * length for length in box.size])
            self._boxes.append(bullet.createMultiBody(0, shape, -1, box.pose[:3, 3].tolist(), turn.tolist()))

    def hits(self, q: Array) -> bool:
        closest, robot = self._bullet.getClosestPoints, self._robot
        for i, position in zip(self._moved, q, strict=True):
            self._bullet.resetJointState(robot, i, position)
        if any(closest(robot, robot, 0.0, a, b) for a, b in self._pairs):
            return True
        return any(point[3] in self._links for box in self._boxes for point in closest(robot, box, 0.0))


def _loaded(body: Body) -> tuple[int, dict[str, int], dict[str, Any]]:
    """The robot, its links and its joints by name, in a simulation of their own."""
    import pybullet as bullet

    bullet.connect(bullet.DIRECT)
    robot = bullet.loadURDF(body.urdf, useFixedBase=True)
    information = [bullet.getJointInfo(robot, i) for i in range(bullet.getNumJoints(robot))]
    links = {item[12].decode(): item[0] for item in information}
    links[body.root] = -1
    return robot, links, {item[1].decode(): item[0] for item in information}
