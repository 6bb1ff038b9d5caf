"""Fakes for unit tests of behaviors, without a robot, a planner or a simulation.

:class:`Bench` puts all of them together. Its clock is :class:`FakeClock`, which is simulated time itself.
"""

from taskmatrix.core.clock import SimulatedClock as FakeClock

from .bench import Bench as Bench
from .fake_network import FakeNetwork as FakeNetwork
from .fake_plant import FakePlant as FakePlant
from .fake_skills import FakeSkills as FakeSkills
from .gantry import Gantry as Gantry
from .line import FakeJob as FakeJob
from .line import Line as Line
from .scripted_perception import ScriptedPerception as ScriptedPerception
from .things import thing as thing

__all__ = [
    "Bench",
    "FakeClock",
    "FakeJob",
    "FakeNetwork",
    "FakePlant",
    "FakeSkills",
    "Gantry",
    "Line",
    "ScriptedPerception",
    "thing",
]
