"""Where the parts of things are when an engine tells how far their joints are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.object_joint import ObjectJoint
from taskmatrix.core.world.objects import Array, ObjectModel

STILL = 1e-6  # [m], [rad], [m/s] or [rad/s] by which a part that rests may shake


class Parts:
    """The parts among objects: from positions of joints to poses, and back.

    Args:
        models: All objects by id.
    """

    def __init__(self, models: Mapping[str, ObjectModel]) -> None:
        self.joints: dict[str, ObjectJoint] = {
            id: model.joint for id, model in models.items() if model.joint is not None
        }
        self._last: dict[str, tuple[Array, Array, Array]] = {}

    def state(self, id: str, X_WP: Array, position: float, speed: float) -> tuple[Array, Array]:
        """X_WO (4, 4) and velocity (6,) [m/s, rad/s] of a part; the same arrays as before while it rests.

        Args:
            id: Of the part.
            X_WP: (4, 4) Pose of what carries it.
            position: [m] or [rad] Of its joint.
            speed: [m/s] or [rad/s]
        """
        now, last = np.array([*X_WP.ravel(), position, speed]), self._last.get(id)
        if last is None or np.abs(now - last[0]).max() > STILL:
            X = X_WP @ self.joints[id].at(position)
            last = self._last[id] = now, X, self.joints[id].velocity(speed, X[:3, :3])
        return last[1], last[2]

    def position(self, id: str, X_WP: Array, X_WO: Array, velocity: Array | None) -> tuple[float, float]:
        """Position [m] or [rad] and speed of the joint of a part at a pose (4, 4); at rest without a velocity (6,)."""
        joint = self.joints[id]
        speed = 0.0 if velocity is None else float(velocity @ joint.velocity(1.0, X_WO[:3, :3]))
        return joint.within(joint.position(inverse(X_WP) @ X_WO)), speed
