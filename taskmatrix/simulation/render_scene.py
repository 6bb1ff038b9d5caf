"""Bodies that are drawn: their surfaces, where they are, and what a camera sees of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.kernel.rendering.rasterizer import Meshes, Pixels, View, draw

from .triangles import MOST_TRIANGLES, Triangles, triangles

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
    """Bodies to draw, by the rasterizer of the kernel."""

    def __init__(self) -> None:
        self._bodies: list[Triangles] = []
        self._poses = np.empty((0, 4, 4))
        self._shown = np.empty(0, dtype=bool)
        self._meshes: Meshes | None = None

    def add(self, shape: Shape, most: int = MOST_TRIANGLES) -> int:
        """A body that looks like a shape, with ``most`` triangles; bodies are numbered from 0."""
        self._bodies.append(triangles(shape, most))
        self._poses = np.concatenate([self._poses, np.eye(4)[None]])
        self._shown = np.append(self._shown, True)
        self._meshes = None
        return len(self._bodies) - 1

    def ball(self, body: int) -> tuple[Array, float]:
        """Centre (3,) and radius [m] of a ball around a body, in its frame."""
        vertices = self._bodies[body].vertices
        lower, upper = vertices.min(axis=0), vertices.max(axis=0)
        return (lower + upper) / 2, float(np.linalg.norm(upper - lower)) / 2

    def place(self, bodies: Sequence[int], X: Array) -> None:
        """Put bodies at world poses X (k, 4, 4)."""
        self._poses[list(bodies)] = X

    def show(self, body: int, shown: bool) -> None:
        """Draw a body, or leave it out."""
        self._shown[body] = shown

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
        width, height = size
        X_CW, tangent = _looking(eye, look_at, up), float(np.tan(np.radians(lens.field_of_view / 2)))
        towards = np.array([0.0, 0.0, 1.0]) if light is None else np.asarray(light, dtype=float)
        drawn = Drawn(
            X_CW=X_CW,
            tangent=tangent,
            depth=np.full((height, width), lens.far, dtype=np.float32),
            light=np.ones((height, width), dtype=np.float32),
            body=np.full((height, width), -1, dtype=np.int32),
        )
        if self._bodies:
            self._meshes = self._meshes or _joined(self._bodies)
            view = View(X_CW, tangent, float(lens.near), float(lens.far), towards)
            draw(self._meshes, self._poses, self._shown, view, Pixels(drawn.depth, drawn.light, drawn.body))
        return drawn


def _looking(eye: Array, look_at: Array, up: Array) -> Array:
    """X_CW (4, 4) of a camera at ``eye`` that looks along its -z."""
    back = (eye - look_at) / np.linalg.norm(eye - look_at)
    right = np.cross(up, back)
    right = right / np.linalg.norm(right)
    X_CW = np.eye(4)
    X_CW[:3, :3] = right, np.cross(back, right), back
    X_CW[:3, 3] = -X_CW[:3, :3] @ eye
    return X_CW


def _joined(bodies: Sequence[Triangles]) -> Meshes:
    """All triangles in one table."""
    counts = np.array([[0, 0], *((len(each.vertices), len(each.faces)) for each in bodies)], dtype=np.int64)
    first = np.cumsum(counts, axis=0)
    return Meshes(
        np.ascontiguousarray(np.concatenate([each.vertices for each in bodies]), dtype=float),
        np.ascontiguousarray(np.concatenate([each.normals for each in bodies]), dtype=float),
        np.concatenate([each.faces + start for each, start in zip(bodies, first[:-1, 0], strict=True)]).astype(
            np.int64
        ),
        first,
    )
