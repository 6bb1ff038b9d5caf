"""Which judge judges which behavior; third parties enter theirs by entry points."""

from __future__ import annotations

from importlib.metadata import entry_points

from taskmatrix.core.errors import NotFoundError, TaskMatrixError

from .canned import AperiodicCannedJudge, PeriodicCannedJudge
from .clear import ClearJudge
from .driving import ForwardJudge, ReverseJudge, TurnJudge
from .explore import ExploreJudge
from .find import FindJudge
from .fixate import FixateJudge
from .grasp import GraspJudge
from .greet import GreetJudge
from .judge import Judge
from .kick import KickJudge
from .lift import LiftJudge
from .pickup import PickupJudge
from .position import PositionJudge
from .postural import PosturalJudge
from .putdown import PickAndPlaceJudge, PutdownJudge
from .random_walk import RandomWalkJudge
from .reach import ReachJudge
from .regrasp import RegraspJudge, TransferJudge
from .release import ReleaseJudge
from .scan import ScanJudge
from .search import SearchJudge
from .vacuum import VacuumJudge

ENTRY_POINTS = "taskmatrix.judges"
JUDGES: dict[str, type[Judge]] = {
    "aperiodic-canned": AperiodicCannedJudge,
    "clear": ClearJudge,
    "explore": ExploreJudge,
    "fetch": PickupJudge,
    "find": FindJudge,
    "fixate": FixateJudge,
    "forward": ForwardJudge,
    "grasp": GraspJudge,
    "greet": GreetJudge,
    "kick": KickJudge,
    "lift": LiftJudge,
    "next-best-view": ExploreJudge,
    "periodic-canned": PeriodicCannedJudge,
    "pick-and-place": PickAndPlaceJudge,
    "pickup": PickupJudge,
    "position": PositionJudge,
    "postural": PosturalJudge,
    "putdown": PutdownJudge,
    "random-walk": RandomWalkJudge,
    "reach": ReachJudge,
    "regrasp": RegraspJudge,
    "release": ReleaseJudge,
    "reverse": ReverseJudge,
    "scan": ScanJudge,
    "search": SearchJudge,
    "transfer": TransferJudge,
    "turn": TurnJudge,
    "vacuum": VacuumJudge,
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
