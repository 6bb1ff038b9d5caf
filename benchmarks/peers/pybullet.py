"""PyBullet: closest points between convex hulls."""

from __future__ import annotations

from typing import Any

from problems.rows import Array, Body, SceneRow

from .base import Collision, UnsuitedError

DISTRIBUTION = "pybullet"


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
