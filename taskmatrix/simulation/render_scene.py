"""What PyBullet's software renderer is asked to draw: bodies without physics, in a client of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array, Shape

from .engine import call_with_lists, import_bullet
from .triangles import MOST_TRIANGLES, triangles

Image32 = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Lens:
    """What a view is projected with."""

    field_of_view: float
    """[deg] Vertical."""
    near: float
    """[m] What is nearer is left out."""
    far: float
    """[m] What is further is left out."""


@dataclass(frozen=True, eq=False)
class Drawn:
    """One rendered image: depth, light and bodies by pixel."""

    X_CW: Array
    """(4, 4) Of the world in the camera, which looks along its -z."""
    tangent: float
    """Of half the vertical field of view."""
    depth: Image32
    """(h, w) [m] Along the camera's axis."""
    light: Image32
    """(h, w) Cosine between the surface's normal and the light, not negative."""
    body: NDArray[np.int32]
    """(h, w) Which body; -1 for none."""

    def rays(self) -> Image32:
        """(h, w, 3) World directions of the pixels, of length 1 along the camera's axis."""
        height, width = self.depth.shape
        y = (1 - (np.arange(height) + 0.5) * 2 / height) * self.tangent
        x = ((np.arange(width) + 0.5) * 2 / width - 1) * self.tangent * width / height
        right, up, back = self.X_CW[:3, :3]
        rays: Image32 = (x[:, None] * right).astype(np.float32) + (y[:, None] * up - back).astype(np.float32)[:, None]
        return rays


class RenderScene:
    """Bodies to draw, in a PyBullet client; close it when done.

    Args:
        needed: Who needs it, as in ``pictures need``.

    Raises:
        MissingDependencyError: PyBullet is not installed.
    """

    def __init__(self, needed: str = "pictures need") -> None:
        self._bullet = import_bullet(needed)
        self._client = self._bullet.connect(self._bullet.DIRECT)
        self._balls: dict[int, tuple[Array, float]] = {}

    def close(self) -> None:
        """Give PyBullet's memory back; the stage cannot be used any more."""
        if self._client >= 0:
            self._bullet.disconnect(self._client)
            self._client = -1

    def add(self, shape: Shape, most: int = MOST_TRIANGLES) -> int:
        """A body that looks like a shape, with ``most`` triangles; bodies are numbered from 0."""
        mesh = triangles(shape, most)
        visual = call_with_lists(
            self._bullet.createVisualShape,
            self._bullet.GEOM_MESH,
            vertices=mesh.vertices.tolist(),
            indices=mesh.faces.reshape(-1).tolist(),
            normals=mesh.normals.tolist(),
            rgbaColor=(1, 1, 1, 1),
            physicsClientId=self._client,
        )
        body: int = self._bullet.createMultiBody(0, -1, visual, physicsClientId=self._client)
        lower, upper = mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)
        self._balls[body] = (lower + upper) / 2, float(np.linalg.norm(upper - lower)) / 2
        return body

    def ball(self, body: int) -> tuple[Array, float]:
        """Centre (3,) and radius [m] of a ball around a body, in its frame."""
        return self._balls[body]

    def place(self, bodies: Sequence[int], X: Array) -> None:
        """Put bodies at world poses X (k, 4, 4)."""
        if not len(bodies):
            return
        turns = scipy.spatial.transform.Rotation.from_matrix(X[:, :3, :3]).as_quat()
        for body, position, turn in zip(bodies, X[:, :3, 3].tolist(), turns.tolist(), strict=True):
            self._bullet.resetBasePositionAndOrientation(body, position, turn, physicsClientId=self._client)

    def show(self, body: int, shown: bool) -> None:
        """Draw a body, or leave it out, which also saves the time of drawing it."""
        color = (1, 1, 1, 1 if shown else 0)
        self._bullet.changeVisualShape(body, -1, rgbaColor=color, physicsClientId=self._client)

    def draw(
        self, eye: Array, look_at: Array, up: Array, size: tuple[int, int], lens: Lens, light: Array | None = None
    ) -> Drawn:
        """What a camera sees.

        Args:
            eye: (3,) [m] Where it is.
            look_at: (3,) [m] The point in the middle of the image.
            up: (3,) A direction that is upwards in the image.
            size: [pixels] Width and height.
            lens: What it projects with.
            light: (3,) Unit vector towards the light; from above unless given.
        """
        bullet, (width, height) = self._bullet, size
        matrix = bullet.computeViewMatrix(eye.tolist(), look_at.tolist(), up.tolist())
        near, far = lens.near, lens.far
        tangent = float(np.tan(np.radians(lens.field_of_view / 2)))
        x, y, shift = near * tangent * width / height, near * tangent, near * tangent / height
        # the renderer looks through the lower left corner of each pixel: shifted, through its middle
        projection = bullet.computeProjectionMatrix(-x + shift, x + shift, -y + shift, y + shift, near, far)
        _, _, color, depth, seen = bullet.getCameraImage(
            width,
            height,
            matrix,
            projection,
            lightDirection=(0.0, 0.0, 1.0) if light is None else light.tolist(),
            shadow=0,
            lightAmbientCoeff=0.0,
            lightDiffuseCoeff=1.0,
            lightSpecularCoeff=0.0,
            renderer=bullet.ER_TINY_RENDERER,
            physicsClientId=self._client,
        )
        shape = (height, width)
        buffer = np.reshape(depth, shape).astype(np.float32)
        return Drawn(
            X_CW=np.reshape(matrix, (4, 4)).T,
            tangent=tangent,
            depth=far * near / (far - (far - near) * buffer),
            light=np.reshape(color, (*shape, 4))[:, :, 0].astype(np.float32) / np.float32(255),
            body=np.reshape(seen, shape),
        )
