"""Fakes for unit tests of behaviors, without a robot, a planner or a simulation, and questions about what a run told.

:class:`Bench` puts all fakes together. Its clock is :class:`FakeClock`, which is simulated time itself. What a test may
ask about the events of a bench or of a session is in :class:`EventLog`. Whoever has a plant tests it by
:class:`PlantContract`.
"""

from taskmatrix.core.base.clock import SimulatedClock as FakeClock

from .bench import Bench as Bench
from .box_camera import BoxCamera as BoxCamera
from .box_camera import looking as looking
from .event_log import EventLog as EventLog
from .event_match import EventMatch as EventMatch
from .fake_network import FakeNetwork as FakeNetwork
from .fake_plant import FakePlant as FakePlant
from .fake_robot import FakeRobot as FakeRobot
from .fake_skills import FakeSkills as FakeSkills
from .line_trajectory import FakeJob as FakeJob
from .line_trajectory import LineTrajectory as LineTrajectory
from .plant_contract import PlantContract as PlantContract
from .scripted_perception import ScriptedPerception as ScriptedPerception
from .test_objects import box_percept as box_percept

__all__ = [
    "Bench",
    "BoxCamera",
    "EventLog",
    "EventMatch",
    "FakeClock",
    "FakeJob",
    "FakeNetwork",
    "FakePlant",
    "FakeRobot",
    "FakeSkills",
    "LineTrajectory",
    "PlantContract",
    "ScriptedPerception",
    "box_percept",
    "looking",
]
