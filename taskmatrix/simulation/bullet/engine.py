"""One world of PyBullet: the client, and what every body in it needs to be told."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.capabilities import GRAVITY

from ..engine import import_bullet, quiet

RESIDUAL = 1e-9  # at which the solver stops: at PyBullet's own 1e-7 what stands creeps by 0.1 mm a second


class Engine:
    """A PyBullet client without a window; every call goes to it.

    Attributes:
        bullet: The module.
        floor: Id of the ground, z = 0.
        numbers: PyBullet's numbers of each object: of the body, and of its link, -1 for the base.
        ids: The object of each of these.
    """

    def __init__(self, iterations: int) -> None:
        self.bullet = import_bullet("physics needs")
        with quiet():
            self.client: int = self.bullet.connect(self.bullet.DIRECT)
        self.numbers: dict[str, tuple[int, int]] = {}
        self.ids: dict[tuple[int, int], str] = {}
        self("setGravity", 0.0, 0.0, -GRAVITY)
        self("setPhysicsEngineParameter", numSolverIterations=iterations, solverResidualThreshold=RESIDUAL)
        self("setPhysicsEngineParameter", enableFileCaching=0, deterministicOverlappingPairs=1)
        plane = self("createCollisionShape", self.bullet.GEOM_PLANE)
        self.floor: int = self("createMultiBody", 0, plane)

    def __call__(self, name: str, *values: Any, **named: Any) -> Any:
        """Call a function of PyBullet by its name."""
        return getattr(self.bullet, name)(*values, physicsClientId=self.client, **named)

    def set(self, body: int, link: int = -1, **named: float) -> None:
        """Change the dynamics of a link, one property at a time: some of them undo others of the same call."""
        for name, value in named.items():
            self("changeDynamics", body, link, **{name: value})

    def load(self, write: Any, **flags: Any) -> int:
        """Load the body whose URDF ``write(folder)`` writes; the files are needed no longer."""
        with tempfile.TemporaryDirectory() as folder, quiet():
            body: int = self("loadURDF", str(write(Path(folder))), **flags)
        return body

    def put(self, body: int, X_WO: Array, velocity: Array | None = None) -> None:
        """Put a body somewhere, moving with ``velocity`` (6,) [m/s, rad/s]; at rest unless given."""
        turn = scipy.spatial.transform.Rotation.from_matrix(X_WO[:3, :3]).as_quat()
        self("resetBasePositionAndOrientation", body, X_WO[:3, 3].tolist(), turn.tolist())
        v = np.zeros(6) if velocity is None else velocity
        self("resetBaseVelocity", body, v[:3].tolist(), v[3:].tolist())

    def centre(self, body: int, link: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Position and quaternion of a link's centre of mass and principal axes; of the base for link -1."""
        name, numbers = ("getBasePositionAndOrientation", (body,)) if link < 0 else ("getLinkState", (body, link))
        p, turn = self(name, *numbers)[:2]
        return p, turn

    def step(self, dt: float) -> None:
        """One step of the physics."""
        self("setTimeStep", dt)
        self("stepSimulation")

    def close(self) -> None:
        """End the client; nothing can be called any more."""
        if self.client >= 0:
            self("disconnect")
            self.client = -1
