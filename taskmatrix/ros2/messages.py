"""The messages of ROS 2 as bytes and back: CDR, and the hashes of their types, by ``rosbags``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..core.base.errors import MissingDependencyError, NotFoundError, how_to_install
from .wire import UNHASHED, Ros2Error

DISTROS = ("humble", "jazzy", "kilted", "lyrical")
"""Distributions of ROS 2 of which ``rmw_zenoh`` is there."""
JOINT_STATE = "sensor_msgs/msg/JointState"
ODOMETRY = "nav_msgs/msg/Odometry"
TRAJECTORY = "trajectory_msgs/msg/JointTrajectory"
POSITIONS = "std_msgs/msg/Float64MultiArray"
TWIST = "geometry_msgs/msg/Twist"
TWIST_STAMPED = "geometry_msgs/msg/TwistStamped"
BOOL = "std_msgs/msg/Bool"
TRANSFORMS = "tf2_msgs/msg/TFMessage"
DETECTIONS = "vision_msgs/msg/Detection3DArray"
DIAGNOSTICS = "diagnostic_msgs/msg/DiagnosticArray"
VISION = {  # which rosbags does not bring along
    "vision_msgs/msg/ObjectHypothesis": "string class_id\nfloat64 score",
    "vision_msgs/msg/ObjectHypothesisWithPose": (
        "vision_msgs/ObjectHypothesis hypothesis\ngeometry_msgs/PoseWithCovariance pose"
    ),
    "vision_msgs/msg/BoundingBox3D": "geometry_msgs/Pose center\ngeometry_msgs/Vector3 size",
    "vision_msgs/msg/Detection3D": (
        "std_msgs/Header header\nvision_msgs/ObjectHypothesisWithPose[] results\n"
        "vision_msgs/BoundingBox3D bbox\nstring id"
    ),
    DETECTIONS: "std_msgs/Header header\nvision_msgs/Detection3D[] detections",
}

_BASE, _NAMED, _ARRAY = 1, 2, 3  # kinds of fields, as rosbags numbers them; what is left is a sequence


class Messages:
    """Types of messages, as one distribution of ROS 2 defines them.

    Args:
        distro: Its name.

    Raises:
        NotFoundError: No distribution has this name.
        MissingDependencyError: rosbags is not installed; says how to get it.
    """

    def __init__(self, distro: str) -> None:
        if distro not in DISTROS:
            raise NotFoundError("ROS 2 distribution", distro, DISTROS)
        try:
            from rosbags import typesys  # noqa: PLC0415 - only who talks to ROS 2 needs it
        except ImportError:
            message = "ROS 2 robots need rosbags, which is not installed; install it "
            raise MissingDependencyError(message + how_to_install("ros2")) from None
        self._store = typesys.get_typestore(typesys.Stores[f"ROS2_{distro.upper()}"])
        for name, definition in VISION.items():
            self._store.register(typesys.get_types_from_msg(definition, name))
        self._hashed = distro != "humble"

    def hash(self, type: str) -> str:
        """Hash of a type's definition (REP 2016), as it stands in the key of a topic."""
        return self._store.hash_rihs01(type) if self._hashed else UNHASHED

    def make(self, type: str, **fields: object) -> Any:
        """A message; fields that are not given are zero or empty."""
        made: Any = self._store.types[type]
        defaults = {name: self._default(*kind) for name, kind in self._store.fielddefs[type][1]}
        return made(**{**defaults, **fields})

    def header(self, time: float, frame: str = "") -> Any:
        """A header with a stamp, ``time`` in seconds, and a frame."""
        whole = int(time)
        stamp = self.make("builtin_interfaces/msg/Time", sec=whole, nanosec=min(int((time - whole) * 1e9), 999_999_999))
        return self.make("std_msgs/msg/Header", stamp=stamp, frame_id=frame)

    def encode(self, message: Any) -> bytes:
        """A message as CDR, little-endian."""
        return bytes(self._store.serialize_cdr(message, message.__msgtype__))

    def decode(self, data: bytes, type: str, topic: str) -> Any:
        """A message from CDR of either byte order.

        Raises:
            Ros2Error: The bytes are no message of this type; says on which topic they came.
        """
        try:
            return self._store.deserialize_cdr(data, type)
        except Exception as error:
            said = f"what came on '{topic}' is no {type}: {type_name(error)}: {error}, in {len(data)} bytes"
            raise Ros2Error(said) from error

    def _default(self, node: int, of: Any) -> object:
        """What a field is unless it is given; from its kind and type as rosbags describes them."""
        if node == _BASE:
            empty: Mapping[str, object] = {"string": "", "bool": False, "float64": 0.0, "float32": 0.0}
            return empty.get(of[0], 0)
        if node == _NAMED:
            return self.make(of)
        (element, name), count = of
        numbers = element == _BASE and name[0] != "string"
        return np.zeros(count if node == _ARRAY else 0, name[0]) if numbers else []


def type_name(error: Exception) -> str:
    """Name of the class of an error."""
    return type(error).__name__
