"""Perception: what a robot sees becomes objects of its perceptual model, and a map of space."""

from .camera_perception import CameraPerception as CameraPerception
from .octree import Octree as Octree
from .point_cloud_track import PointCloudTrack as PointCloudTrack
from .track import Track as Track

__all__ = [
    "CameraPerception",
    "Octree",
    "PointCloudTrack",
    "Track",
]
