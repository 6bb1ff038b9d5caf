"""Task behaviors: primitives and the machines composed of them."""

from .fixate import Fixate as Fixate
from .grasp import Grasp as Grasp
from .meet import Meet as Meet
from .pick_and_place import PickAndPlace as PickAndPlace
from .pickup import Pickup as Pickup
from .position import Position as Position
from .postural import Postural as Postural
from .putdown import Putdown as Putdown
from .reach import Reach as Reach
from .regrasp import Regrasp as Regrasp
from .release import Release as Release
from .transfer import Transfer as Transfer

__all__ = [
    "Fixate",
    "Grasp",
    "Meet",
    "PickAndPlace",
    "Pickup",
    "Position",
    "Postural",
    "Putdown",
    "Reach",
    "Regrasp",
    "Release",
    "Transfer",
]
