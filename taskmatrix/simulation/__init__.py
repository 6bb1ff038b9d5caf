"""The kinematic simulation: worlds from files, the plant, perception that knows everything, and the judges."""

from .judges import Judgement as Judgement
from .judges import Record as Record
from .judges import judge_of as judge_of
from .kinematic import KinematicPlant as KinematicPlant
from .motion import FigureEight as FigureEight
from .motion import Roll as Roll
from .motion import Route as Route
from .motion import Walk as Walk
from .omniscient import Omniscient as Omniscient
from .script import Script as Script
from .world import World as World
from .world_loader import load_world as load_world
from .world_loader import world_descriptions as world_descriptions
from .world_loader import world_names as world_names

__all__ = [
    "FigureEight",
    "Judgement",
    "KinematicPlant",
    "Omniscient",
    "Record",
    "Roll",
    "Route",
    "Script",
    "Walk",
    "World",
    "judge_of",
    "load_world",
    "world_descriptions",
    "world_names",
]
