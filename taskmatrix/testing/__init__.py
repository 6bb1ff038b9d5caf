"""Fakes for unit tests of behaviors, without a robot, a planner or a simulation, and questions about what a run told.

:class:`Bench` puts all fakes together. Its clock is :class:`FakeClock`, which is simulated time itself. What a test may
ask about the events of a bench or of a session is in :class:`EventLog`.
"""

from taskmatrix.core.base.clock import SimulatedClock as FakeClock

from .bench import Bench as Bench
from .event_log import EventLog as EventLog
from .fake_network import FakeNetwork as FakeNetwork
from .fake_plant import FakePlant as FakePlant
from .fake_skills import FakeSkills as FakeSkills
from .gantry import Gantry as Gantry
from .happening import Happening as Happening
from .line import FakeJob as FakeJob
from .line import Line as Line
from .scripted_perception import ScriptedPerception as ScriptedPerception
from .things import thing as thing

__all__ = [
    "Bench",
    "EventLog",
    "FakeClock",
    "FakeJob",
    "FakeNetwork",
    "FakePlant",
    "FakeSkills",
    "Gantry",
    "Happening",
    "Line",
    "ScriptedPerception",
    "thing",
]
