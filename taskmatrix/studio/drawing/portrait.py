"""A picture of a robot in some postures: its chains in colours, its hands' frames, its view, and what can collide."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pinocchio as pin
from PIL import Image, ImageDraw, ImageFont

from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.robots import Robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.triangles import triangles

from .camera import facing
from .outlines import outlines
from .renderer import Frame, Renderer

_PANEL = (480, 600)
_PAPER, _INK = (250, 249, 246), (38, 42, 50)
_LINE = 22
_COLORS = (
    (0.85, 0.30, 0.25), (0.20, 0.50, 0.85), (0.25, 0.68, 0.35), (0.95, 0.68, 0.15), (0.60, 0.35, 0.75),
    (0.10, 0.70, 0.70), (0.90, 0.45, 0.65), (0.55, 0.40, 0.25), (0.65, 0.75, 0.20), (0.35, 0.38, 0.55),
)  # fmt: skip
_BODY = (0.78, 0.78, 0.76)
_AXES = ((0.80, 0.10, 0.10), (0.10, 0.60, 0.10), (0.10, 0.20, 0.85))
_VIEW = (0.05, 0.05, 0.05)


def portrait(robot: Robot, path: Path, title: str, views: Sequence[tuple[str, float]], collision: bool = False) -> None:
    """Write a PNG of a robot: each chain has its colour, hands and view have their axes.

    Args:
        robot: The robot.
        path: The file to write; its folder is made.
        title: Above the panels.
        views: Posture, and from where it is seen: the azimuth [rad] off its front.
        collision: Whether the first view is shown once more with the hulls of its collision bodies.
    """
    colors = {chain: _COLORS[i % len(_COLORS)] for i, chain in enumerate(c for c in robot.chains if c != "base")}
    panels = _panels(robot, _Painted(robot, colors), [(*view, view[0]) for view in views])
    if collision:
        with tempfile.TemporaryDirectory() as folder:
            hulls = _Painted(robot, colors, Path(folder))
            panels += _panels(robot, hulls, [(*views[0], f"{views[0][0]}: hulls of what can collide")])
    columns = 4 if len(panels) == 4 else 3
    legend = [*colors.items(), ("z of a hand: out of the palm", _AXES[2]), ("y of a hand: closing", _AXES[1])]
    legend += [("view", _VIEW)] * (robot.view is not None)
    lines = -(-len(legend) // columns)
    bottom = 44 + -(-len(panels) // columns) * _PANEL[1]
    sheet = Image.new("RGB", (columns * _PANEL[0], bottom + lines * _LINE + 12), _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.text((12, 8), title, _INK, ImageFont.load_default(22))
    for i, panel in enumerate(panels):
        sheet.paste(panel, (i % columns * _PANEL[0], 44 + i // columns * _PANEL[1]))
    for i, (text, color) in enumerate(legend):
        x, y = 12 + (i // lines) * _PANEL[0], bottom + 8 + (i % lines) * _LINE
        draw.rectangle((x, y, x + 14, y + 14), tuple(round(255 * v) for v in color))
        draw.text((x + 22, y - 2), text, _INK, ImageFont.load_default(15))
    path.parent.mkdir(parents=True, exist_ok=True)
    sheet.save(path, optimize=True)


def _panels(robot: Robot, body: _Painted, views: Sequence[tuple[str, float, str]]) -> list[Image.Image]:
    """A robot in some postures, each seen from an azimuth [rad] off its front, with a text."""
    pictures = []
    renderer = Renderer(body, _nowhere(), *_PANEL)
    for posture, azimuth, text in views:
        q = robot.posture(posture)
        low, high = body.box(q)
        radius = 0.52 * float(np.linalg.norm(high - low)) + 0.03
        picture = renderer.image(Frame(0.0, q, {}, ""), facing(azimuth, (low + high) / 2, radius))
        ImageDraw.Draw(picture).text((10, 8), text, _INK, ImageFont.load_default(16))
        pictures.append(picture)
    return pictures


class _Painted:
    """A robot whose pieces have the colours of its chains, with arrows for its frames.

    Args:
        robot: The robot.
        colors: By chain.
        folder: Where the hulls of its collision bodies are written, if they are to be seen.
    """

    def __init__(self, robot: Robot, colors: dict[str, tuple[float, float, float]], folder: Path | None = None) -> None:
        self._robot = robot
        self._geometry = robot.visual_model if folder is None else robot.collision
        shapes = robot.visuals if folder is None else tuple(outlines(robot.collision, folder))
        chain_of = {robot.joints[i]: chain for chain, indices in robot.chains.items() for i in indices}
        followed = {
            name: robot.joints[int(np.argmax(np.abs(robot.S[_row(robot, name)])))] for name in robot.model.names[1:]
        }
        painted = []
        for body, shape in zip(self._geometry.geometryObjects, shapes, strict=True):
            chain = chain_of.get(followed.get(robot.model.names[body.parentJoint], ""), "base")
            painted.append(replace(shape, color=(*colors.get(chain, _BODY), 1.0)))
        size = 0.1 * max(robot.height, 0.5)
        arrow = [_arrow(size, axis) for axis in range(3)]
        self._frames = [(hand.frame, hand.X_LH, arrow[1:]) for hand in robot.hands.values()]
        if robot.view is not None:
            self._frames.append(
                (robot.view.frame, robot.view.X_LV, [replace(_arrow(2 * size, 0), color=(*_VIEW, 1.0))])
            )
        self._arrows = [shape for _, _, shapes in self._frames for shape in shapes]
        self.visuals: tuple[Shape, ...] = (*painted, *self._arrows)

        self._corners = [_corners(shape) for shape in self.visuals]

    def box(self, q: Array) -> tuple[Array, Array]:
        """(3,) and (3,) [m] Lowest and highest corner of the boxes around the pieces, in the world."""
        placed = zip(self._corners, self.visual_placements(q), strict=True)
        points = np.vstack([corners @ X[:3, :3].T + X[:3, 3] for corners, X in placed])
        return points.min(axis=0), points.max(axis=0)

    def visual_placements(self, q: Array) -> Array:
        """(len(visuals), 4, 4) World poses of the pieces and the arrows."""
        data = self._robot.model.createData()
        pin.framesForwardKinematics(self._robot.model, data, self._robot.expand(q))
        bodies = self._geometry.geometryObjects
        own = np.array([(data.oMi[body.parentJoint] * body.placement).homogeneous for body in bodies])
        arrows = []
        for frame, X_LF, shapes in self._frames:
            X_WF = data.oMf[self._robot.model.getFrameId(frame)].homogeneous @ X_LF
            arrows += [X_WF @ shape.X_OS for shape in shapes]
        return np.concatenate([own.reshape(-1, 4, 4), np.array(arrows).reshape(-1, 4, 4)])


def _corners(shape: Shape) -> Array:
    """(8, 3) [m] Corners of the box around what is drawn of a shape, in the shape's frame."""
    points = triangles(shape).vertices  # as it is drawn: its file, which may be large, is not read for this alone
    low, high = points.min(axis=0), points.max(axis=0)
    corners: Array = low + (high - low) * np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    return corners


def _row(robot: Robot, joint: str) -> int:
    return int(robot.model.joints[robot.model.getJointId(joint)].idx_q)


def _arrow(length: float, axis: int) -> Shape:
    """A thin rod along an axis, from the origin."""
    X = np.eye(4)
    X[:3, :3] = np.roll(np.eye(3), 2 - axis, axis=1)
    X[:3, 3] = 0.5 * length * np.eye(3)[axis]
    return Shape("cylinder", (0.05 * length, length), X, (*_AXES[axis], 1.0))


def _nowhere() -> World:
    """A floor without anything on it."""
    start = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return World("nowhere", "", "", {}, {}, "", start, (-1.0, -1.0, 1.0, 1.0), 1.0, {})
