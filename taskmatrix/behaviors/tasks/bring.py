"""Bring things from one place to another."""

from __future__ import annotations

from taskmatrix.conditions import Carrying, Grasping, Inside, RestingOn
from taskmatrix.conditions.carrying import carried
from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..looking.find import Find
from ..looking.fixate import Fixate
from .pick_and_place import PickAndPlace

HINDRANCES = ("collision", "planner_exhausted", "ik_exhausted", "no_grasp", "no_place", "lost_object", "not_achieved")


def unknown_type(context: Context, type: str) -> str:
    """That nothing that is perceived is of a type, and which type was meant perhaps; empty if something is."""
    seen = context.perception.percepts.values()
    words = {word for percept in seen for word in percept.model.type.split("/")}
    return "" if type in words else not_found("type", type, sorted(words))


class Bring(Machine):
    """Bring all things of a type from one surface to another, one after the other: to set a table, or to clear it.

    What cannot be brought is tried as often as ``attempts`` says and then left; the machine fails and says what is
    left, in the hand perhaps. What a hand holds at first is put there as well. In the end it looks at where they stand.
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
        upon(look.task_complete, fail="things are left", when=Carrying(source, type) | Grasping()),
    )

    def plan(self) -> Failure | None:
        """See whether there is any, and a place for each."""
        seen, context = self.context.perception.percepts, self.context
        if unknown := unknown_type(context, self.type):
            return self.fail(FailureKind.PARAMETER, unknown)
        if self.source == self.on:
            return self.fail(FailureKind.PARAMETER, f"'{self.on}' is where they are to be brought from, too")
        things = carried(context.perception, self.source, self.type)
        if not things:
            within = [id for id in seen if seen[id].model.is_a(self.type) and Inside(id, self.source).evaluate(context)]
            also = f"; {', '.join(within)} can be taken out of it" if within else ""
            message = f"there is nothing to bring: none of type '{self.type}' on '{self.source}'{also}"
            return self.fail(FailureKind.NOTHING_FOUND, message, type=self.type)
        for id in things:
            if not RestingOn(id, self.on).sample(context, 1, self.random):
                return self.fail(FailureKind.NO_PLACE, f"'{self.on}' has no room for '{id}'", object=id, on=self.on)
        return super().plan()
