"""Task behaviors: primitives and the machines composed of them."""

from .fixate import Fixate as Fixate
from .grasp import Grasp as Grasp
from .pickup import Pickup as Pickup
from .postural import Postural as Postural
from .reach import Reach as Reach

__all__ = ["Fixate", "Grasp", "Pickup", "Postural", "Reach"]
