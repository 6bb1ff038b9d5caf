"""Open and close drawers and doors."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.conditions import Grasping, HasJoint
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..along.move_part import MovePart
from ..manipulation.grasp import Grasp
from ..manipulation.reach import Reach
from ..manipulation.release import Release

STUCK = ("collision", "ik_exhausted", "planner_exhausted")
SOME = 0.2  # of what is left of the way, at least


class Open(Machine):
    """Reach for the handle of a drawer or a door, open it by a share of its way, and let go.

    Where the hand cannot follow the part's way from a grasp, it lets go and takes another one, twice at most; where it
    cannot follow from these either, it goes as far as it can, and takes hold anew for the rest. With a stiffness the
    hand yields to a part that moves otherwise than it is believed to.
    """

    object = Parameter(str, known=True, doc="id of the part")
    share = Parameter(float, default=1.0, minimum=0.0, maximum=1.0, doc="how far open: 0 closed, 1 open")
    stiffness = Parameter(float, default=None, minimum=1.0, doc="[N/m] with which the hand follows the part")
    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of each movement")

    reach = State(Reach, object=object, share=share, duration=duration)
    grasp = State(Grasp, object=object, hand=reach.hand, grasp=reach.grasp)
    move = State(MovePart, object=object, share=share, stiffness=stiffness, duration=duration)
    some = State(MovePart, object=object, share=share, stiffness=stiffness, duration=duration, least=SOME)
    let_go = State(Release, object=object, optional=True)
    another = State(Reach, object=object, avoid=reach.grasp, share=share, duration=duration, optional=True)
    take = State(Grasp, object=object, hand=another.hand, grasp=another.grasp)
    release = State(Release, object=object, final=True)

    transitions = (
        start(reach, when=~Grasping(object)),
        start(move, when=Grasping(object)),
        on(reach.failed(kind=STUCK), start=reach, times=1),
        on(reach.task_successful, start=grasp),
        on(grasp.failed(kind=("incondition", "lost_object", "precondition")), start=reach, times=1),
        on(grasp.task_successful, start=move),
        on(move.failed(kind=STUCK), start=let_go, times=2),
        on(move.failed(kind=STUCK), start=some),
        on(some.task_successful, start=let_go),
        on(let_go.task_successful, start=another),
        on(another.task_successful, start=take),
        on(take.task_successful, start=move),
        on(move.task_successful, start=release),
    )

    def preconditions(self) -> Sequence[Condition]:
        """It is something that opens."""
        return [HasJoint(self.object)]


class Close(Machine):
    """Reach for the handle of a drawer or a door, close it, and let go."""

    object = Parameter(str, known=True, doc="id of the part")
    stiffness = Parameter(float, default=None, minimum=1.0, doc="[N/m] with which the hand follows the part")
    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of each movement")

    open = State(Open, object=object, share=0.0, stiffness=stiffness, duration=duration, final=True)

    transitions = (start(open),)

    def preconditions(self) -> Sequence[Condition]:
        """It is something that closes."""
        return [HasJoint(self.object)]
