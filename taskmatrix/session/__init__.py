"""Sessions: a robot, a plant and a perception put together, ready to run task programs."""

from .connect import connect as connect
from .graph import graph_of as graph_of
from .multi_robot import MultiRobotSession as MultiRobotSession
from .multi_robot import simulate_robots as simulate_robots
from .perception_pipeline import CameraPipeline as CameraPipeline
from .plants import PlantInputs as PlantInputs
from .session import CONTROL_STEP as CONTROL_STEP
from .session import Session as Session
from .session import simulate as simulate
from .settings import RunSettings as RunSettings

__all__ = [
    "CONTROL_STEP",
    "CameraPipeline",
    "MultiRobotSession",
    "PlantInputs",
    "RunSettings",
    "Session",
    "connect",
    "graph_of",
    "simulate",
    "simulate_robots",
]
