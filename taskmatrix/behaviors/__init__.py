"""Task behaviors: primitives and the machines composed of them."""

from .aperiodic_canned import AperiodicCanned as AperiodicCanned
from .find import Find as Find
from .fixate import Fixate as Fixate
from .forward import Forward as Forward
from .grasp import Grasp as Grasp
from .periodic_canned import PeriodicCanned as PeriodicCanned
from .pickup import Pickup as Pickup
from .postural import Postural as Postural
from .random_walk import RandomWalk as RandomWalk
from .reach import Reach as Reach
from .reverse import Reverse as Reverse
from .scan import Scan as Scan
from .timer import Timer as Timer
from .turn import Turn as Turn

__all__ = [
    "AperiodicCanned",
    "Find",
    "Fixate",
    "Forward",
    "Grasp",
    "PeriodicCanned",
    "Pickup",
    "Postural",
    "RandomWalk",
    "Reach",
    "Reverse",
    "Scan",
    "Timer",
    "Turn",
]
