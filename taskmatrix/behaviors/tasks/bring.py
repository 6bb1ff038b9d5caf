"""Bring things from one place to another."""

from __future__ import annotations

from taskmatrix.conditions import Carrying
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..looking.find import Find
from ..looking.fixate import Fixate
from .pick_and_place import PickAndPlace

HINDRANCES = ("collision", "planner_exhausted", "ik_exhausted", "no_grasp", "no_place", "lost_object", "not_achieved")


class Bring(Machine):
    """Bring all things of a type from one surface to another, one after the other: to set a table, or to clear it.

    What cannot be brought is tried as often as ``attempts`` says and then left; the machine fails and says what is
    left. In the end it looks at where they stand now.
    """

    type = Parameter(str, doc="a word of the objects' taxonomy, such as bottle")
    source = Parameter(str, known=True, doc="id of the surface where they are")
    on = Parameter(str, known=True, doc="id of the surface to put them on")
    attempts = Parameter(int, default=2, minimum=1, doc="how often one thing is tried")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    find = State(Find, type=type, on=source, attempts=attempts)
    place = State(PickAndPlace, object=find.object, on=on, duration=duration)
    look = State(Fixate, target=on, optional=True, final=True)

    transitions = (
        start(find),
        upon(find.task_successful, start=place),
        upon(place.task_successful, start=find),
        upon(place.failed(kind=HINDRANCES), start=find),
        upon(find.failed(kind="nothing_found"), start=look),
        upon(look.task_complete, fail="things are left", when=Carrying(source, type)),
    )

    def plan(self) -> Failure | None:
        """See whether there is any."""
        there = Carrying(self.source, self.type).evaluate(self.context)
        if not there:
            return self.fail(FailureKind.NOTHING_FOUND, f"there is nothing to bring: {there.why}", type=self.type)
        if self.source == self.on:
            return self.fail(FailureKind.PARAMETER, f"'{self.on}' is where they are to be brought from, too")
        return super().plan()
