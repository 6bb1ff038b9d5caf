"""The scene that a simulated camera looks at: the world's objects and the robot, each pixel of which is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.depth_image import NOTHING, OWN, Image32, Labels
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.robots import Robot

from ..render_scene import Lens, RenderScene
from ..scenes.world import World

ROUGH = 400
"""Triangles of a link of the robot, which is only to hide what is behind it."""
FINE = 4000
"""Triangles of a shape of an object, at most."""
AHEAD = 0.1  # [m] in front of the camera that the middle of its image is
Booleans = NDArray[np.bool_]


class LabelledScene:
    """Visual shapes of a world and a robot to draw, placed as a plant's truth says; close it when done.

    Args:
        robot: The robot.
        world: The objects; those that a truth does not place are absent.
        solid: Whether the robot's own body is there, and hides what is behind it.
    """

    def __init__(self, robot: Robot, world: World, solid: bool = True) -> None:
        self._stage = RenderScene()
        self._robot, self._gaits = robot, world.gaits
        self.names = tuple(world.objects)
        shapes: list[Shape] = list(robot.visuals) if solid else []
        self._of_robot = len(shapes)
        self._rows: dict[str, slice] = {}
        for id, model in world.objects.items():
            start = len(shapes)
            shapes += model.shapes
            self._rows[id] = slice(start, len(shapes))
        self._X_OS = np.array([shape.X_OS for shape in shapes]).reshape(-1, 4, 4)
        self._seen = np.array([shape.color[3] > 0.0 for shape in shapes], dtype=bool)
        self._bodies = [self._stage.add(shape, ROUGH if k < self._of_robot else FINE) for k, shape in enumerate(shapes)]
        balls = [self._stage.ball(body) for body in self._bodies]
        self._centres = np.array([centre for centre, _ in balls]).reshape(-1, 3)
        self._radii = np.array([radius for _, radius in balls])
        self._labels = np.full(len(shapes) + 1, NOTHING, dtype=np.int16)  # the last is for pixels that show nothing
        self._labels[: self._of_robot] = OWN
        for label, rows in enumerate(self._rows.values()):
            self._labels[rows] = label
        self._X = np.tile(np.eye(4), (len(shapes), 1, 1))
        self._there = np.zeros(len(shapes), dtype=bool)
        self._shown = np.ones(len(shapes), dtype=bool)
        self._placed = np.full((len(shapes), 4, 4), np.nan)

    def update(self, truth: Mapping[str, object], time: float) -> None:
        """Place everything.

        Args:
            truth: As of :meth:`taskmatrix.core.robot.plant.Plant.truth`: ``q`` (n,) and ``poses`` by id.
            time: [s] For what walks.
        """
        poses = cast(Mapping[str, Array], truth["poses"])
        if self._of_robot:
            self._X[: self._of_robot] = self._robot.visual_placements(cast(Array, truth["q"]))
            self._there[: self._of_robot] = True
        for id, rows in self._rows.items():
            self._there[rows] = id in poses
            if id in poses:
                X_OS = self._X_OS[rows]
                if id in self._gaits:
                    X_OS = np.concatenate([placed := self._gaits[id].placements(time), X_OS[len(placed) :]])
                self._X[rows] = poses[id] @ X_OS

    def look(self, X_WC: Array, size: tuple[int, int], lens: Lens) -> tuple[Image32, Labels]:
        """What there is to see, exactly.

        Args:
            X_WC: (4, 4) Pose of the camera: x is the viewing direction, y points up.
            size: [pixels] Width and height.
            lens: What it projects with.

        Returns:
            (h, w) [m] Depth along the viewing direction, ``inf`` where there is nothing, and (h, w) labels: indices
            into ``names``, or those of :class:`~taskmatrix.core.world.depth_image.DepthImage`.
        """
        self._draw_only(self._there & self._seen & self._in_view(X_WC, size, lens))
        eye = X_WC[:3, 3]
        drawn = self._stage.draw(eye, eye + AHEAD * X_WC[:3, 0], X_WC[:3, 1], size, lens)
        depth = np.where(drawn.body >= 0, drawn.depth, np.float32(np.inf))
        return depth, self._labels[drawn.body]

    def _draw_only(self, wanted: Booleans) -> None:
        """Show some bodies where they are, and no others."""
        for row in np.flatnonzero(wanted != self._shown):
            self._stage.show(self._bodies[row], bool(wanted[row]))
        self._shown = wanted
        moved = np.flatnonzero(wanted & (self._placed != self._X).any(axis=(1, 2)))
        self._stage.place([self._bodies[row] for row in moved], self._X[moved])
        self._placed[moved] = self._X[moved]

    def _in_view(self, X_WC: Array, size: tuple[int, int], lens: Lens) -> Booleans:
        """(k,) Whether the ball around each shape reaches into the view."""
        centres = np.einsum("kij,kj->ki", self._X[:, :3, :3], self._centres) + self._X[:, :3, 3]
        local = (centres - X_WC[:3, 3]) @ X_WC[:3, :3]
        up = np.tan(np.radians(lens.field_of_view / 2))
        inside = (local[:, 0] > lens.near - self._radii) & (local[:, 0] < lens.far + self._radii)
        for axis, slope in ((1, up), (2, up * size[0] / size[1])):
            beyond = (np.abs(local[:, axis]) - slope * local[:, 0]) / np.hypot(1.0, slope)
            inside &= beyond < self._radii
        result: Booleans = inside
        return result
