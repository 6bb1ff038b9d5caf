"""Conditions: Boolean functions of the state, by name."""

from .graspable import Graspable as Graspable
from .grasping import Grasping as Grasping
from .postural import InPosture as InPosture
from .ready_to_grasp import ReadyToGrasp as ReadyToGrasp

__all__ = ["Graspable", "Grasping", "InPosture", "ReadyToGrasp"]
