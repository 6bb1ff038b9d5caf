"""The kinematic simulation: worlds from files, the plant, perception that knows everything, and the judges."""

from .judges import Judgement as Judgement
from .judges import Record as Record
from .judges import judge_of as judge_of
from .kinematic import KinematicPlant as KinematicPlant
from .omniscient import Omniscient as Omniscient
from .world import World as World
from .world_loader import load_world as load_world
from .world_loader import world_descriptions as world_descriptions
from .world_loader import world_names as world_names

__all__ = [
    "Judgement",
    "KinematicPlant",
    "Omniscient",
    "Record",
    "World",
    "judge_of",
    "load_world",
    "world_descriptions",
    "world_names",
]
