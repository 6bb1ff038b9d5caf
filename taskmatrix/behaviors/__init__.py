"""Task behaviors: primitives and the machines composed of them."""

from .aperiodic_canned import AperiodicCanned as AperiodicCanned
from .choose_view import ChooseView as ChooseView
from .clear import Clear as Clear
from .explore import Explore as Explore
from .fetch import Fetch as Fetch
from .find import Find as Find
from .fixate import Fixate as Fixate
from .forward import Forward as Forward
from .grasp import Grasp as Grasp
from .greet import Greet as Greet
from .kick import Kick as Kick
from .lift import Lift as Lift
from .meet import Meet as Meet
from .next_best_view import NextBestView as NextBestView
from .notice import Notice as Notice
from .periodic_canned import PeriodicCanned as PeriodicCanned
from .pick_and_place import PickAndPlace as PickAndPlace
from .pickup import Pickup as Pickup
from .position import Position as Position
from .postural import Postural as Postural
from .putdown import Putdown as Putdown
from .random_walk import RandomWalk as RandomWalk
from .reach import Reach as Reach
from .regrasp import Regrasp as Regrasp
from .release import Release as Release
from .reverse import Reverse as Reverse
from .scan import Scan as Scan
from .search import Search as Search
from .timer import Timer as Timer
from .transfer import Transfer as Transfer
from .travel import Travel as Travel
from .turn import Turn as Turn
from .vacuum import Vacuum as Vacuum

__all__ = [
    "AperiodicCanned",
    "ChooseView",
    "Clear",
    "Explore",
    "Fetch",
    "Find",
    "Fixate",
    "Forward",
    "Grasp",
    "Greet",
    "Kick",
    "Lift",
    "Meet",
    "NextBestView",
    "Notice",
    "PeriodicCanned",
    "PickAndPlace",
    "Pickup",
    "Position",
    "Postural",
    "Putdown",
    "RandomWalk",
    "Reach",
    "Regrasp",
    "Release",
    "Reverse",
    "Scan",
    "Search",
    "Timer",
    "Transfer",
    "Travel",
    "Turn",
    "Vacuum",
]
