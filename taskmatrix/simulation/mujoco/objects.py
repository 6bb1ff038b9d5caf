"""Objects in MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array, ObjectModel

from ..physics.inertia import object_inertia
from ..physics.parts import Parts
from .engine import Engine
from .scene import ALL, FAST, LOOSE

DEEP = -100.0  # [m] below the ground what is absent waits
APART = 5.0  # [m] from each other


class MujocoObjects:
    """The objects of a world: what is movable falls, parts move on what carries them, the rest stands.

    Args:
        engine: Where they are.
        models: By id.
    """

    def __init__(self, engine: Engine, models: Mapping[str, ObjectModel]) -> None:
        self._engine = engine
        self._bodies = {id: engine.body(f"object:{id}") for id in models}
        self._parts = Parts(models)
        self._inertias = {
            id: object_inertia(model) for id, model in models.items() if model.movable or id in self._parts.joints
        }
        self._last: dict[str, tuple[Array, Array, Array]] = {}
        for id in models:
            self.hide(id)

    def put(self, id: str, X_WO: Array, velocity: Array | None = None) -> None:
        """Put an object somewhere, at rest unless a velocity (6,) is given."""
        body = self._bodies[id]
        if not self._engine.model.body_contype[body]:
            self._engine.touch(body, *((LOOSE, ALL) if id in self._inertias else (FAST, ALL ^ FAST)))
            self._engine.resting.pop(body, None)
        self._place(id, X_WO, velocity)

    def hide(self, id: str) -> None:
        """Take an object out of the world: it touches nothing."""
        body = self._bodies[id]
        self._engine.touch(body, 0, 0)
        X = np.eye(4)
        X[2, 3] = DEEP - APART * body
        self._place(id, X, None)
        if id in self._inertias and id not in self._parts.joints:
            self._engine.resting[body] = self._addresses(body)

    def load(self, id: str) -> pin.Inertia:
        """Its mass and moments of inertia in the world's frame."""
        return pin.SE3(self.state(id)[0]).act(self._inertias[id])

    def state(self, id: str) -> tuple[Array, Array]:
        """X_WO (4, 4) and velocity (6,) [m/s, rad/s]; the same arrays as before while nothing has changed."""
        q, v = self._addresses(self._bodies[id])
        if id in self._parts.joints:
            X_WP = self._pose(self._parts.joints[id].parent)
            return self._parts.state(id, X_WP, self._engine.data.qpos[q], self._engine.data.qvel[v])
        now = np.concatenate([self._engine.data.qpos[q : q + 7], self._engine.data.qvel[v : v + 6]])
        last = self._last.get(id)
        if last is None or not np.array_equal(last[0], now):
            X = np.eye(4)
            X[:3, 3], X[:3, :3] = now[:3], pin.Quaternion(now[3], *now[4:7]).matrix()
            last = self._last[id] = now, X, np.concatenate([now[7:10], X[:3, :3] @ now[10:]])
        return last[1], last[2]

    def push(self, id: str, force: Array) -> None:
        """Push at the centre of mass with a force (3,) [N] in the world during the next step."""
        self._engine.data.xfrc_applied[self._bodies[id], :3] += force

    def grease(self, id: str) -> None:
        """Have an object touch without friction."""
        geoms = self._engine.geoms(self._bodies[id])
        self._engine.model.geom_friction[geoms] = 0.0
        self._engine.model.geom_priority[geoms] = 2

    def _place(self, id: str, X_WO: Array, velocity: Array | None) -> None:
        data, body = self._engine.data, self._bodies[id]
        if id in self._parts.joints:
            q, v = self._addresses(body)
            X_WP = self._pose(self._parts.joints[id].parent)
            data.qpos[q], data.qvel[v] = self._parts.position(id, X_WP, X_WO, velocity)
            return
        x, y, z, w = pin.Quaternion(X_WO[:3, :3]).coeffs()
        if id not in self._inertias:
            mocap = self._engine.model.body_mocapid[body]
            data.mocap_pos[mocap], data.mocap_quat[mocap] = X_WO[:3, 3], (w, x, y, z)
            return
        q, v = self._addresses(body)
        data.qpos[q : q + 7] = [*X_WO[:3, 3], w, x, y, z]
        moves = np.zeros(6) if velocity is None else velocity
        data.qvel[v : v + 6] = [*moves[:3], *(X_WO[:3, :3].T @ moves[3:])]

    def _pose(self, id: str) -> Array:
        """X_WO (4, 4) of an object, whatever it is."""
        if id in self._inertias:
            return self.state(id)[0]
        data, mocap = self._engine.data, self._engine.model.body_mocapid[self._bodies[id]]
        X: Array = pin.SE3(pin.Quaternion(*data.mocap_quat[mocap]).matrix(), data.mocap_pos[mocap]).homogeneous
        return X

    def _addresses(self, body: int) -> tuple[int, int]:
        """Where positions and velocities of a free body, or of a part, begin."""
        model: Any = self._engine.model
        joint = model.body_jntadr[body]
        return int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
