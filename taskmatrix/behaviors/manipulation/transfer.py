"""Pass an object from one hand to the other (MTM-1's transfer grasp, which thesis 4.3.3 calls readily possible)."""

from __future__ import annotations

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, on, start

from .grasp import Grasp
from .meet import Meet
from .release import Release


class Transfer(Machine):
    """Bring the hands together over an object, take it with the free one, and let go with the other."""

    object = Parameter(str, known=True, doc="id of the object, which a hand holds")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of the movement")

    meet = State(Meet, object=object, duration=duration)
    grasp = State(Grasp, object=object, hand=meet.hand, grasp=meet.grasp)
    release = State(Release, object=object, using=meet.giver, final=True)

    transitions = (
        start(meet),
        on(meet.failed(kind=("collision", "planner_exhausted", "ik_exhausted")), start=meet, times=2),
        on(grasp.failed(kind="collision"), start=meet, times=2),
        on(meet.task_successful, start=grasp),
        on(grasp.task_successful, start=release),
    )

    def achieved(self) -> Failure | bool:
        """Whether a hand still holds it."""
        held = Grasping(self.object).evaluate(self.context)
        return True if held else self.fail(FailureKind.LOST_OBJECT, f"it was lost: {held.why}", object=self.object)
