"""Robots that speak ROS 2, without a ROS install: over the wire of ``rmw_zenoh``."""

from .detections import Ros2Detections as Ros2Detections
from .diagnostics import Ros2Diagnostics as Ros2Diagnostics
from .names import Base as Base
from .names import Controller as Controller
from .names import Ros2Names as Ros2Names
from .plant import Ros2Plant as Ros2Plant
from .wire import Ros2Error as Ros2Error

__all__ = ["Base", "Controller", "Ros2Detections", "Ros2Diagnostics", "Ros2Error", "Ros2Names", "Ros2Plant"]
