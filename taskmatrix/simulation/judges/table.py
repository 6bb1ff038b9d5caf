"""Which judge judges which behavior; third parties enter theirs by entry points."""

from __future__ import annotations

from importlib.metadata import entry_points

from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError

from .along.imitate import DemonstrateJudge, ImitateJudge
from .along.move import MoveJudge
from .along.open import MovePartJudge, OpenJudge
from .along.pour import PourJudge
from .along.push import PushJudge
from .along.rub import RubJudge
from .behaviors.canned import AperiodicCannedJudge, PeriodicCannedJudge
from .behaviors.clear import ClearJudge
from .behaviors.driving import ForwardJudge, ReverseJudge, TurnJudge
from .behaviors.find import FindJudge
from .behaviors.fixate import FixateJudge
from .behaviors.grasp import GraspJudge
from .behaviors.kick import KickJudge
from .behaviors.lift import LiftJudge
from .behaviors.pickup import PickupJudge
from .behaviors.position import PositionJudge
from .behaviors.postural import ComplyJudge, FollowCommandsJudge, PosturalJudge
from .behaviors.put_into import PutIntoJudge, StoreJudge, TakeOutJudge
from .behaviors.putdown import PickAndPlaceJudge, PutdownJudge
from .behaviors.random_walk import ExploreJudge, RandomWalkJudge
from .behaviors.reach import ReachJudge
from .behaviors.regrasp import RegraspJudge, TransferJudge
from .behaviors.release import ReleaseJudge
from .behaviors.scan import ScanJudge
from .behaviors.search import SearchJudge
from .force.contacts import GuideJudge, PressJudge
from .force.hand_over import HandOverJudge, OfferJudge
from .force.springs import AvoidBodyJudge, CartesianImpedanceJudge, PostureSpringJudge, VirtualSpringJudge
from .judge import Judge
from .tasks.bring import BringJudge
from .tasks.greet import GreetJudge
from .tasks.stack import StackJudge
from .tasks.unload import UnloadJudge
from .tasks.vacuum import VacuumJudge

ENTRY_POINTS = "taskmatrix.judges"
JUDGES: dict[str, type[Judge]] = {
    "aperiodic-canned": AperiodicCannedJudge,
    "avoid-body": AvoidBodyJudge,
    "bring": BringJudge,
    "cartesian-impedance": CartesianImpedanceJudge,
    "clear": ClearJudge,
    "close": OpenJudge,
    "comply": ComplyJudge,
    "demonstrate": DemonstrateJudge,
    "explore": ExploreJudge,
    "fetch": PickupJudge,
    "find": FindJudge,
    "fixate": FixateJudge,
    "follow-commands": FollowCommandsJudge,
    "forward": ForwardJudge,
    "grasp": GraspJudge,
    "greet": GreetJudge,
    "guide": GuideJudge,
    "hand-over": HandOverJudge,
    "imitate": ImitateJudge,
    "kick": KickJudge,
    "lift": LiftJudge,
    "move": MoveJudge,
    "move-part": MovePartJudge,
    "next-best-view": ExploreJudge,
    "offer": OfferJudge,
    "open": OpenJudge,
    "periodic-canned": PeriodicCannedJudge,
    "pick-and-place": PickAndPlaceJudge,
    "pickup": PickupJudge,
    "position": PositionJudge,
    "postural": PosturalJudge,
    "posture-spring": PostureSpringJudge,
    "pour": PourJudge,
    "press": PressJudge,
    "push": PushJudge,
    "put-into": PutIntoJudge,
    "putdown": PutdownJudge,
    "random-walk": RandomWalkJudge,
    "reach": ReachJudge,
    "regrasp": RegraspJudge,
    "release": ReleaseJudge,
    "reverse": ReverseJudge,
    "rub": RubJudge,
    "scan": ScanJudge,
    "search": SearchJudge,
    "shove": PushJudge,
    "stack": StackJudge,
    "store": StoreJudge,
    "take-out": TakeOutJudge,
    "tilt": PourJudge,
    "transfer": TransferJudge,
    "turn": TurnJudge,
    "unload": UnloadJudge,
    "vacuum": VacuumJudge,
    "virtual-spring": VirtualSpringJudge,
    "wipe": RubJudge,
}


def judge_of(behavior: str) -> Judge:
    """The judge of a behavior, by the behavior's name on the command line.

    Third parties name theirs, classes of judges, in the entry points ``taskmatrix.judges``.

    Raises:
        NotFoundError: Nobody judges this behavior.
        TaskMatrixError: Its entry point gives no judge.
    """
    if behavior in JUDGES:
        return JUDGES[behavior]()
    points = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if behavior not in points:
        raise NotFoundError("judge of", behavior, [*JUDGES, *points])
    made = points[behavior].load()()
    if not isinstance(made, Judge):
        raise TaskMatrixError(f"the entry point '{points[behavior].value}' of '{behavior}' gives no judge: {made!r}")
    return made
