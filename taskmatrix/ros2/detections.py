"""Objects that a ROS 2 robot detects, as percepts: 3D detections, placed in the world by its transforms."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ..core.base.errors import ParameterError
from ..core.world.objects import Array, ObjectModel, Shape
from ..core.world.perception import Percept
from .messages import DETECTIONS, TRANSFORMS
from .node import NANO, Subscriber
from .plant import Ros2Plant

WORLD = "odom"  # frame of the world where no base is driven
KEPT = 500  # transforms of a frame
DEEPEST = 50  # frames from one that is detected in to the world
UNIT = 0.1  # off a length of one, up to which a quaternion is a rotation


class Ros2Detections:
    """Perception by ``vision_msgs/msg/Detection3DArray``, for ``connect(robot, plant, Ros2Detections(plant, ...))``.

    What was detected is known until it has not been for a while. An object is named by the detection's ``id``, or by
    its class where that is empty; a second one of the class is ``class-2``. A detection whose class has a model is that
    model at the pose of the most likely hypothesis, or at the centre of the box where that has no pose; any other is
    an obstacle, a box. Velocities are not told; everything counts as at rest.

    Args:
        plant: Whose node listens. The world is the frame in which its odometry is.
        models: Of what is known, by class.
        topic: Of the detections.
        forget: [s] After which an object that is not detected any more is not known any more.

    Raises:
        ParameterError: The time to forget is no number above zero.

    Attributes:
        unplaced: Why detections could not be placed, by their frame.
    """

    def __init__(
        self,
        plant: Ros2Plant,
        models: Mapping[str, ObjectModel] | None = None,
        topic: str = "/detections",
        forget: float = 2.0,
    ) -> None:
        if isinstance(forget, bool) or not isinstance(forget, (int, float)) or not forget > 0.0:
            raise ParameterError(f"forget is a number of seconds above 0, not {forget!r}")
        self._models, self._forget, self._clock = dict(models or {}), forget, plant.clock
        self._world = plant.names.base.frame if plant.names.base is not None else WORLD
        node = plant.node
        self._detections = node.subscriber(topic, DETECTIONS)
        self._transforms = [node.subscriber("/tf", TRANSFORMS), node.subscriber("/tf_static", TRANSFORMS, latched=True)]
        self._tree: dict[str, tuple[str, deque[tuple[float, Array]]]] = {}
        self._known: dict[str, tuple[float, Percept]] = {}
        self.unplaced: dict[str, str] = {}

    def __call__(self) -> tuple[Percept, ...]:
        """All objects that are known now.

        Raises:
            Ros2Error: What came is no such message.
        """
        for source in self._transforms:
            for message in _taken(source):
                for each in message.transforms:
                    self._note(each)
        now = self._clock.now()
        for message in _taken(self._detections):
            names: dict[str, int] = {}
            for detection in message.detections:
                percept = self._percept(detection, message.header, names)
                if percept is not None:
                    self._known[percept.model.id] = now, percept
        self._known = {id: known for id, known in self._known.items() if now - known[0] <= self._forget}
        return tuple(percept for _, percept in self._known.values())

    def _note(self, transform: Any) -> None:
        """Keep a transform."""
        child, parent = transform.child_frame_id.lstrip("/"), transform.header.frame_id.lstrip("/")
        X = _pose(transform.transform.translation, transform.transform.rotation)
        if X is None:
            return
        if child not in self._tree or self._tree[child][0] != parent:
            self._tree[child] = parent, deque(maxlen=KEPT)
        self._tree[child][1].append((_time(transform.header.stamp), X))

    def _percept(self, detection: Any, header: Any, names: dict[str, int]) -> Percept | None:
        """A detection in the world; None if it cannot be placed."""
        frame = (detection.header.frame_id or header.frame_id).lstrip("/")
        stamp = detection.header.stamp if detection.header.frame_id else header.stamp
        X_WF = self._in_world(frame, _time(stamp))
        likely = max(detection.results, key=lambda each: each.hypothesis.score, default=None)
        kind = likely.hypothesis.class_id if likely is not None else "unknown"
        box = _pose(detection.bbox.center.position, detection.bbox.center.orientation)
        told = likely.pose.pose if likely is not None else None
        posed = told is not None and any(getattr(told.position, axis) for axis in "xyz")
        X_FO = _pose(told.position, told.orientation) if posed and kind in self._models and told is not None else box
        if X_WF is None:
            self.unplaced[frame] = f"no transform leads from '{frame}' to '{self._world}'"
            return None
        if X_FO is None:
            self.unplaced[frame] = f"a '{kind}' in '{frame}' has a pose that is none"
            return None
        names[kind] = names.get(kind, 0) + 1
        id = detection.id or (kind if names[kind] == 1 else f"{kind}-{names[kind]}")
        model = self._models.get(kind)
        if model is None:
            size = tuple(max(getattr(detection.bbox.size, axis), 1e-3) for axis in "xyz")
            model = ObjectModel(id, f"obstacle/{kind}", (Shape("box", size, np.eye(4)),))
        return Percept(replace(model, id=id), X_WF @ X_FO)

    def _in_world(self, frame: str, time: float) -> Array | None:
        """(4, 4) Pose of a frame in the world at a time [s], by the transforms that are nearest; None: nobody tells."""
        X: Array = np.eye(4)
        for _ in range(DEEPEST):
            if frame == self._world:
                return X
            if frame not in self._tree:
                return None
            frame, kept = self._tree[frame]
            X = min(kept, key=lambda each: abs(each[0] - time))[1] @ X
        return None


def _taken(source: Subscriber) -> list[Any]:
    """All messages that have come."""
    messages = []
    while (received := source.take()) is not None:
        messages.append(received.message)
    return messages


def _time(stamp: Any) -> float:
    """[s] Of a stamp."""
    return float(stamp.sec + stamp.nanosec * NANO)


def _pose(position: Any, rotation: Any) -> Array | None:
    """(4, 4) Of a position and a quaternion; None if they are none."""
    x, y, z, w = (getattr(rotation, name) for name in "xyzw")
    p = np.array([position.x, position.y, position.z])
    length = float(np.sqrt(x * x + y * y + z * z + w * w))
    if not (abs(length - 1.0) < UNIT and np.isfinite(p).all()):
        return None
    x, y, z, w = (value / length for value in (x, y, z, w))
    X = np.eye(4)
    X[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
    ]
    X[:3, 3] = p
    return X
