"""Sensors of the simulations: what they deliver is computed from the plant's truth."""

from .depth_camera import DepthCamera as DepthCamera
from .faults import Faults as Faults
from .labelled_scene import LabelledScene as LabelledScene

__all__ = ["DepthCamera", "Faults", "LabelledScene"]
