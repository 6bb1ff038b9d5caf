"""Sessions: a robot, a plant and a perception put together, ready to run task programs."""

from typing import TYPE_CHECKING

from taskmatrix.core.base.lazy import lazy, listing

if TYPE_CHECKING:
    from .connection import connect as connect
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

# Loaded when they are first asked for: the processes that show a run need nothing of a robot.
__getattr__ = lazy(
    __name__,
    {
        ".connection": "connect",
        ".graph": "graph_of",
        ".multi_robot": "MultiRobotSession simulate_robots",
        ".perception_pipeline": "CameraPipeline",
        ".plants": "PlantInputs",
        ".session": "CONTROL_STEP Session simulate",
        ".settings": "RunSettings",
    },
)
__dir__ = listing(__name__)
