"""The camera on a robot's head: depth, and which object each pixel shows (thesis 5.4)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import NOTHING, DepthImage
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from ..render_scene import Lens
from ..scenes.world import World
from .faults import Faults
from .labelled_scene import LabelledScene

SIZE = (160, 124)
"""[pixels] Width and height (thesis 5.4)."""
FIELD_OF_VIEW = math.radians(35.0)
"""[rad] Vertical, where the adapter does not say. The thesis does not say of which direction its 35 degrees are;
vertical is what renderers take, and then all that the condition ``visible`` counts as seen, a cone of 35 degrees, is in
the image."""
RANGE = (0.2, 1.5)
"""[m] The nearest and the furthest that is measured, where the adapter does not say (thesis 5.4)."""
NEAREST = 0.02  # [m] what is nearer hides nothing: it may be the camera's own housing


class DepthCamera:
    """A camera where the robot views from; close it when done.

    Args:
        robot: The robot; its adapter may state the view's range and field of view.
        world: What there is to see.
        faults: What goes wrong; nothing unless given.
        seed: Of the faults.
        size: [pixels] Width and height.
        solid: Whether the robot's own body is seen, and hides what is behind it.

    Raises:
        ParameterError: The robot has no view.
    """

    def __init__(
        self,
        robot: Robot,
        world: World,
        faults: Faults | None = None,
        seed: int = 0,
        size: tuple[int, int] = SIZE,
        solid: bool = True,
    ) -> None:
        if robot.view is None:
            raise ParameterError(f"robot '{robot.name}' has no camera: its adapter has no section [view]")
        self._robot, self._view, self._size = robot, robot.view, size
        self._faults = Faults() if faults is None else faults
        self._random = np.random.default_rng([seed, 3])
        self._scene = LabelledScene(robot, world, solid)
        self._frame = robot.model.getFrameId(robot.view.frame)
        self._range = robot.view.range or RANGE
        self._field_of_view = robot.view.field_of_view or FIELD_OF_VIEW
        self._before: DepthImage | None = None

    def take(self, truth: Mapping[str, object], time: float) -> DepthImage | None:
        """Take an image; None where faults let none arrive.

        Args:
            truth: As of :meth:`taskmatrix.core.robot.plant.Plant.truth`.
            time: [s]
        """
        near, far = self._range
        X_WC = self.pose(cast(Array, truth["q"]))
        self._scene.update(truth, time)
        lens = Lens(math.degrees(self._field_of_view), NEAREST, far + 0.01)
        depth, labels = self._scene.look(X_WC, self._size, lens)
        depth[depth > far] = np.inf
        depth[depth < near] = np.nan
        labels[(depth > far) & (labels >= 0)] = NOTHING
        image = DepthImage(depth, labels, self._scene.names, X_WC, self._field_of_view, self._range, time)
        arrived = self._faults.spoil(image, self._before, self._random)
        self._before = self._before if arrived is None else arrived
        return arrived

    def pose(self, q: Array) -> Array:
        """X_WC: (4, 4) pose of the camera at joint positions q (n,)."""
        pin.forwardKinematics(self._robot.model, self._robot.data, self._robot.expand(q))
        X_WL = np.asarray(pin.updateFramePlacement(self._robot.model, self._robot.data, self._frame).homogeneous)
        X_WC: Array = X_WL @ self._view.X_LV
        return X_WC
