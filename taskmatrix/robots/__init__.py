"""Robots: the adapter format, its loader, and one folder per robot with its model, postures and motions."""

from __future__ import annotations

from .hand import Hand as Hand
from .keyframes import KeyframeMotion as KeyframeMotion
from .loading.loader import load_robot as load_robot
from .loading.loader import robot_descriptions as robot_descriptions
from .loading.loader import robot_names as robot_names
from .pairs import ExcludedPair as ExcludedPair
from .robot import Robot as Robot
from .view import View as View

__all__ = ["ExcludedPair", "Hand", "KeyframeMotion", "Robot", "View", "load_robot", "robot_descriptions", "robot_names"]
