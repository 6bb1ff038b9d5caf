"""Conditions: Boolean functions of the state, by name."""

from .above import Above as Above
from .carrying import Carrying as Carrying
from .graspable import Graspable as Graspable
from .grasping import Grasping as Grasping
from .in_region import InRegion as InRegion
from .inside import Inside as Inside
from .known import Known as Known
from .near import Near as Near
from .opened import Closed as Closed
from .opened import HasJoint as HasJoint
from .opened import Opened as Opened
from .postural import InPosture as InPosture
from .reachable import Reachable as Reachable
from .ready_to_grasp import ReadyToGrasp as ReadyToGrasp
from .resting_on import RestingOn as RestingOn
from .visible import Visible as Visible

__all__ = [
    "Above",
    "Carrying",
    "Closed",
    "Graspable",
    "Grasping",
    "HasJoint",
    "InPosture",
    "InRegion",
    "Inside",
    "Known",
    "Near",
    "Opened",
    "Reachable",
    "ReadyToGrasp",
    "RestingOn",
    "Visible",
]
