"""Pour what is in a held object into another."""

from __future__ import annotations

import math
from collections.abc import Sequence

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State, on, start

from ..along.tilt import HoldOver, Tilt


class Pour(Machine):
    """Take a held object upright over another, tilt it until its rim is 5 cm over the middle of that, and back.

    On the way there it is tilted by no more than ``tilt``. It turns about the axis along which the hand has grasped it;
    where that cannot be gone from where it is held, it is held over the other thing otherwise, three times at most.
    """

    object = Parameter(str, default=None, known=True, doc="id of the object; what a hand holds unless given")
    into = Parameter(str, known=True, doc="id of what to pour into")
    angle = Parameter(float, default=2.0, minimum=0.1, maximum=3.0, doc="[rad] by which it is tilted")
    pause = Parameter(float, default=1.0, minimum=0.0, doc="[s] for which it stays so")
    duration = Parameter(float, default=3.0, minimum=0.0, doc="[s] shortest time of each movement")
    tilt = Parameter(
        float, default=0.17, minimum=0.02, maximum=math.pi, doc="[rad] by which it may be off upright before"
    )

    bring = State(HoldOver, object=object, into=into, angle=angle, duration=duration, tilt=tilt)
    pour = State(
        Tilt, object=object, into=into, angle=angle, pause=pause, left=bring.left, duration=duration, final=True
    )

    transitions = (
        start(bring),
        on(bring.task_successful, start=pour),
        on(pour.failed(kind=("ik_exhausted", "collision", "planner_exhausted")), start=bring, times=3),
    )

    def preconditions(self) -> Sequence[Condition]:
        """It is held."""
        return [Grasping(self.object)]
