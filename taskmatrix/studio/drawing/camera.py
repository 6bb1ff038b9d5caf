"""Where pictures are taken from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from taskmatrix.core.world.objects import Array

FIELD_OF_VIEW = 34.0
"""[deg] Vertical; narrow, so that bodies are not distorted."""
_ELEVATION = np.radians(20.0)
_AROUND = 0.2  # [m] to each side of the target
_NEAR = 0.1  # [m] the points of a robot are inside its body
_PLACES = 12  # of a run at which a robot is not hidden behind a wall


@dataclass(frozen=True, eq=False)
class Camera:
    """A camera that keeps the horizon level."""

    eye: Array
    """(3,) [m] Where it is, in the world."""
    look_at: Array
    """(3,) [m] The point in the middle of the picture."""
    subject: Array | None = None
    """(k, 3) [m] Points that a wall must not hide; None for the middle of the picture."""
    field_of_view: float = FIELD_OF_VIEW
    """[deg] Vertical."""

    def is_hidden_by(self, box: tuple[Array, Array]) -> bool:
        """Whether a box, its lower and upper corner, hides some of the subject or comes near to it."""
        larger = (box[0] - _NEAR, box[1] + _NEAR)
        points = [self.look_at] if self.subject is None else self.subject
        return any(_hides(larger, self.eye, point) for point in points)


def facing(azimuth: float, center: Array, radius: float) -> Camera:
    """A camera that sees a ball.

    Args:
        azimuth: [rad] Direction from the ball to the camera, about z.
        center: (3,) [m] Of the ball.
        radius: [m] Of the ball.
    """
    distance = radius / np.sin(np.radians(FIELD_OF_VIEW / 2))
    direction = np.array(
        [np.cos(azimuth) * np.cos(_ELEVATION), np.sin(azimuth) * np.cos(_ELEVATION), np.sin(_ELEVATION)]
    )
    return Camera(center + distance * direction, center)


def best_azimuth(
    forward: float, points: Array, center: Array, radius: float, obstacles: Sequence[tuple[Array, Array]]
) -> float:
    """The side from which most is seen: a robot that faces ``forward`` from its front and side, not behind furniture.

    Args:
        forward: [rad] Where the robot faces when it matters.
        points: (k, 3) [m] What should not be hidden.
        center: (3,) [m] Of the ball that the camera will see.
        radius: [m] Of the ball.
        obstacles: Boxes that hide, each its lower and upper corner.

    Returns:
        [rad] For :func:`facing`.
    """
    best, lowest = 0.0, np.inf
    for turn in np.radians(np.arange(-180, 180, 15)):
        eye = facing(forward + turn, center, radius).eye
        hidden = np.mean([any(_hides(box, eye, point) for box in obstacles) for point in points])
        cost = 2.0 * float(hidden) + abs(abs(turn) - np.radians(60.0)) + 0.05 * (turn > 0)
        if cost < lowest:
            best, lowest = forward + turn, cost
    return best


def _hides(box: tuple[Array, Array], eye: Array, point: Array) -> bool:
    """Whether the straight line from the eye to the point meets the box."""
    ray = point - eye
    ray = np.where(np.abs(ray) < 1e-12, 1e-12, ray)
    t0, t1 = (box[0] - eye) / ray, (box[1] - eye) / ray
    enter = float(np.minimum(t0, t1).max())
    leave = float(np.maximum(t0, t1).min())
    return enter < leave and leave > 0.0 and enter < 0.98


def follow(robot: Sequence[Array], target: Array, obstacles: Sequence[tuple[Array, Array]]) -> list[Camera]:
    """Cameras that keep a robot and what it works on in the picture, from one side, moving slowly.

    Args:
        robot: (k, 3) [m] points of the robot for each picture.
        target: (pictures, 3) [m] where the object is.
        obstacles: Boxes that may hide them, each its lower and upper corner.

    Returns:
        One camera for each picture.
    """
    points = [np.vstack([body, place]) for body, place in zip(robot, target, strict=True)]
    lower = np.array([p.min(axis=0) for p in points])
    upper = np.array([p.max(axis=0) for p in points])
    lower[:, :2] = np.minimum(lower[:, :2], target[:, :2] - _AROUND)
    upper[:, :2] = np.maximum(upper[:, :2], target[:, :2] + _AROUND)
    lower[:, 2] = 0.0
    upper[:, 2] += 0.15  # the points are inside the body
    extent = upper - lower
    needed = np.maximum(0.55 * extent[:, 2], 0.42 * np.linalg.norm(extent, axis=1)) + 0.08
    sigma = len(points) / 12
    centers = scipy.ndimage.gaussian_filter1d((lower + upper) / 2, sigma, axis=0, mode="nearest")
    radii = scipy.ndimage.gaussian_filter1d(needed, sigma, mode="nearest")
    ahead = target[-1] - robot[-1].mean(axis=0)
    azimuth = best_azimuth(float(np.arctan2(ahead[1], ahead[0])), points[-1], centers[-1], radii[-1], obstacles)
    some = np.unique(np.linspace(0, len(points) - 1, _PLACES).astype(int))
    subject = np.vstack([points[i] for i in some])
    cameras = [facing(azimuth, center, radius) for center, radius in zip(centers, radii, strict=True)]
    return [replace(camera, subject=subject) for camera in cameras]
