"""Pictures of a robot in a world, without a display.

A rasterizer finds what each pixel shows, how far it is and how the light falls on it; colours, shadows, floor and
background are computed here from that.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import scipy
from PIL import Image

from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.simulation.render_scene import Drawn, Image32, Lens, RenderScene
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.triangles import stump

from .camera import Camera
from .ground import floor_colors

_LIGHT = (-0.50, 0.30, 0.81)  # towards the light: to the left of the camera, from behind it, from above
_KEY, _SKY, _GROUND = 0.62, 0.50, 0.26  # strength of the light, of the ambience from above and from below
_BOUNCE = 0.45  # of the light that walls get from each other
_HORIZON = np.array([0.88, 0.92, 0.96], dtype=np.float32)
_ZENITH = np.array([0.60, 0.74, 0.88], dtype=np.float32)
_FLOOR_END = 14.0  # [m] from the camera; there the floor has faded into the horizon
_NOWHERE = np.eye(4)  # where what is not there is put
_NOWHERE[2, 3] = -1000.0
_UP = np.array([0.0, 0.0, 1.0])
_LIGHT_DISTANCE = 40.0  # [m]
_SHADOW_PIXELS = 1024
_TAPS = ((-1.2, -0.5), (0.5, -1.2), (1.2, 0.5), (-0.5, 1.2))  # [shadow pixels] where a shadow's edge is sampled


class Body(Protocol):
    """What of a robot is needed for pictures of it."""

    @property
    def visuals(self) -> tuple[Shape, ...]:
        """The pieces that are seen."""
        ...

    def visual_placements(self, q: Array) -> Array:
        """(len(visuals), 4, 4) World poses of the pieces at ``q`` (n,)."""
        ...


@dataclass(frozen=True, eq=False)
class Frame:
    """What there is to see at one time."""

    time: float
    """[s]"""
    q: Array
    """(n,) [m, rad] Positions of the robot's active joints."""
    poses: Mapping[str, Array]
    """X_WO (4, 4) of every object."""
    caption: str
    """What happens, such as ``reach: control loop``."""


class Renderer:
    """Takes pictures of a robot in a world.

    Args:
        robot: The robot.
        world: The world.
        width: [pixels]
        height: [pixels]
    """

    def __init__(self, robot: Body, world: World, width: int = 640, height: int = 480) -> None:
        self._robot = robot
        self._size = (width, height)
        self._stage = RenderScene()
        self._colors: list[tuple[float, float, float]] = []
        self._grounds, self._gaits = world.grounds, world.gaits
        self._of_robot = [self._body(shape) for shape in robot.visuals]
        self._of_object = {name: self._pieces(model.shapes) for name, model in world.objects.items()}
        walls = {name: model for name, model in world.objects.items() if model.is_a("wall")}
        self._walls = {name: bounding_box(model.shapes, world.poses[name]) for name, model in walls.items()}
        self._wall_bodies = [body for name in walls for body, _ in self._of_object[name]]
        self._stumps = {name: self._pieces(map(stump, model.shapes)) for name, model in walls.items()}

    def image(self, frame: Frame, camera: Camera) -> Image.Image:
        """A picture of a frame, twice rendered as large and scaled down, so that edges are smooth.

        Walls between the camera and what it looks at are cut off near the floor.
        """
        self._stage.place(self._of_robot, self._robot.visual_placements(frame.q))
        cut = {name for name, box in self._walls.items() if camera.is_hidden_by(box)}
        for name, pieces in self._of_object.items():
            self._put_all(pieces, frame.poses.get(name, _NOWHERE) if name not in cut else _NOWHERE)
        for name in self._gaits.keys() & frame.poses.keys():
            placed = self._gaits[name].placements(frame.time)
            for (body, _), X_OS in zip(self._of_object[name], placed, strict=False):
                self._put(body, frame.poses[name] @ X_OS)
        for name, pieces in self._stumps.items():
            self._put_all(pieces, frame.poses[name] if name in cut else _NOWHERE)
        width, height = self._size
        pixels = self._shaded(camera, 2 * width, 2 * height)
        quads = pixels.reshape(height, 2, width, 2, 3)  # added up one by one: NumPy's mean takes five times as long
        half = (quads[:, 0, :, 0] + quads[:, 0, :, 1] + quads[:, 1, :, 0] + quads[:, 1, :, 1]) / 4
        return Image.fromarray((np.clip(half, 0, 1) * 255 + 0.5).astype(np.uint8))

    def _pieces(self, shapes: Iterable[Shape]) -> list[tuple[int, Array]]:
        """Bodies of what is seen, and their poses in the object."""
        return [(self._body(shape), shape.X_OS) for shape in shapes if shape.color[3] > 0.0]

    def _body(self, shape: Shape) -> int:
        self._colors.append(shape.color[:3])
        return self._stage.add(shape)

    def _put_all(self, pieces: Iterable[tuple[int, Array]], X_WO: Array) -> None:
        for body, X_OS in pieces:
            self._put(body, X_WO @ X_OS)

    def _put(self, body: int, X: Array) -> None:
        self._stage.place([body], X[None])

    def _view(self, camera: Camera, size: tuple[int, int], lens: Lens, light: Array) -> Drawn:
        return self._stage.draw(camera.eye, camera.look_at, _UP, size, lens, light)

    def _shaded(self, camera: Camera, width: int, height: int) -> Image32:
        """(height, width, 3) Colours in 0..1."""
        light = _towards_light(camera)
        view = self._view(camera, (width, height), Lens(camera.field_of_view, 0.2, 40.0), light)
        rays = view.rays()
        solid = view.body >= 0
        down = np.minimum(rays[:, :, 2], -1e-6)
        to_floor = -np.float32(camera.eye[2]) / down
        end = max(_FLOOR_END, 2.0 * float(np.linalg.norm(camera.eye - camera.look_at)))
        floor = ~solid & (to_floor < end)
        distance = np.where(solid, view.depth, np.where(floor, to_floor, 0))
        points = rays * distance[:, :, None] + camera.eye.astype(np.float32)

        walls = np.zeros(len(self._colors) + 1, dtype=bool)
        walls[self._wall_bodies] = True
        wall = walls[view.body]
        upward = np.where(floor, 1, _upward(points))
        lit = np.where(floor, np.float32(light[2]), view.light) * self._visibility(camera, points, light)
        lit = np.where(wall, _BOUNCE + (1 - _BOUNCE) * lit, lit)
        shade = (_GROUND + _SKY) / 2 + (_SKY - _GROUND) / 2 * upward + _KEY * lit
        palette = np.array([*self._colors, (1, 1, 1)], dtype=np.float32)  # what is no body is white
        color = palette.take(view.body, axis=0) * shade[:, :, None]
        there = np.flatnonzero(floor)
        color.reshape(-1, 3)[there] *= floor_colors(
            points.reshape(-1, 3)[there], distance.ravel()[there], self._grounds
        )

        elevation = np.clip(rays[:, :, 2] * 2.2, 0, 1)[:, :, None]
        sky = _HORIZON + (_ZENITH - _HORIZON) * elevation
        far = np.clip((distance - end / 3) / (end * 2 / 3), 0, 1)
        haze = np.where(floor, far * np.sqrt(far), ~solid)[:, :, None]
        result: Image32 = color + (sky - color) * haze
        return result

    def _visibility(self, camera: Camera, points: Image32, light: Array) -> Image32:
        """(h, w) How much of the light reaches points (h, w, 3), by a shadow map with soft edges."""
        reach = float(np.linalg.norm(camera.eye - camera.look_at)) * np.tan(np.radians(camera.field_of_view / 2)) * 2.4
        fov = 2 * float(np.degrees(np.arctan(reach / _LIGHT_DISTANCE)))
        lamp = Camera(camera.look_at + _LIGHT_DISTANCE * light, camera.look_at)
        for name in self._walls:  # rooms are lit as if their walls let the light in
            self._put_all([*self._of_object[name], *self._stumps[name]], _NOWHERE)
        near, far = _LIGHT_DISTANCE - 2 * reach, _LIGHT_DISTANCE + 2 * reach
        view = self._view(lamp, (_SHADOW_PIXELS, _SHADOW_PIXELS), Lens(fov, near, far), light)
        half = _SHADOW_PIXELS / 2
        limit = view.depth + np.float32(0.012 + 1.5 * reach / half)
        limit[view.body < 0] = np.inf
        limit[:2], limit[-2:], limit[:, :2], limit[:, -2:] = np.inf, np.inf, np.inf, np.inf

        X_CW = view.X_CW.astype(np.float32)
        local = points @ X_CW[:3, :3].T + X_CW[:3, 3]
        away = -local[:, :, 2]
        scale = half / (away * view.tangent)
        column = local[:, :, 0] * scale + (half - 0.5)
        row = (half - 0.5) - local[:, :, 1] * scale
        seen = np.zeros(away.shape, dtype=np.float32)
        for dx, dy in _TAPS:
            at_row = np.clip(row + (dy + 0.5), 0, _SHADOW_PIXELS - 1).astype(np.int32)
            at_column = np.clip(column + (dx + 0.5), 0, _SHADOW_PIXELS - 1).astype(np.int32)
            seen += away < limit.take(at_row * _SHADOW_PIXELS + at_column)
        soft: Image32 = scipy.ndimage.gaussian_filter(seen / len(_TAPS), 1.5, truncate=2.0)
        return soft


def _towards_light(camera: Camera) -> Array:
    """(3,) Unit vector towards the light, which goes along with the camera."""
    back = camera.eye - camera.look_at
    back = np.array([back[0], back[1], 0.0]) / max(float(np.hypot(back[0], back[1])), 1e-9)
    right = np.array([-back[1], back[0], 0.0])
    light: Array = _LIGHT[0] * right + _LIGHT[1] * back + np.array([0.0, 0.0, _LIGHT[2]])
    return light / np.linalg.norm(light)


def _upward(points: Image32) -> Image32:
    """(h, w) z of the normals of the surface through a grid of points (h, w, 3), slightly smoothed."""
    across = np.diff(points, axis=1, append=points[:, -1:])
    down = np.diff(points, axis=0, append=points[-1:])
    a, b, c = (down[:, :, i] * across[:, :, j] - down[:, :, j] * across[:, :, i] for i, j in ((1, 2), (2, 0), (0, 1)))
    smooth: Image32 = scipy.ndimage.gaussian_filter(
        c / np.sqrt(a * a + b * b + c * c + np.float32(1e-20)), 1.0, truncate=2.0
    )
    return smooth
