"""The kinematic simulation: worlds from files, the plant, perception that knows everything, and the judges."""

from .judges import Judgement as Judgement
from .judges import Record as Record
from .judges import judge_of as judge_of
from .kinematic import KinematicPlant as KinematicPlant
from .scenes.object_motion import FigureEight as FigureEight
from .scenes.object_motion import Roll as Roll
from .scenes.object_motion import Route as Route
from .scenes.object_motion import Walk as Walk
from .scenes.script import Script as Script
from .scenes.world import World as World
from .scenes.world_loader import load_world as load_world
from .scenes.world_loader import world_descriptions as world_descriptions
from .scenes.world_loader import world_names as world_names
from .simulated_plant import Omniscient as Omniscient

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
