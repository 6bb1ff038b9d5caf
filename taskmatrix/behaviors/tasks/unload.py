"""Empty what contains things."""

from __future__ import annotations

from typing import Any

from taskmatrix.conditions import HasJoint, Opened, RestingOn
from taskmatrix.conditions.carrying import carried
from taskmatrix.conditions.inside import contained
from taskmatrix.conditions.places import bottoms
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..looking.find import Find
from ..looking.fixate import Fixate
from .bring import HINDRANCES, unknown_type
from .open import Close, Open
from .pick_and_place import PickAndPlace
from .store import WIDE


class Unload(Machine):
    """Put all things of a type that are in a drawer, a cupboard or a rack on a surface, one after the other.

    What has a door is opened first, unless it is open already, and closed in the end. What cannot be taken out is tried
    as often as ``attempts`` says and then left: it closes the door, fails with ``not_achieved`` and says what is left.
    Where there was nothing it fails with ``nothing_found``.
    """

    source = Parameter(str, known=True, doc="id of what they are in")
    on = Parameter(str, known=True, doc="id of the surface to put them on")
    type = Parameter(
        str, default="graspable", doc="a word of the objects' taxonomy; all that hands can hold unless given"
    )
    door = Parameter(str, known=True, doc="id of the part that opens; ``source`` itself unless given, if that opens")
    attempts = Parameter(int, default=2, minimum=1, doc="how often one thing is tried")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    open = State(Open, object=door)
    find = State(Find, type=type, inside=source, attempts=attempts)
    place = State(PickAndPlace, object=find.object, on=on, duration=duration)
    close = State(Close, object=door)
    look = State(Fixate, target=on, optional=True, final=True)

    transitions = (
        start(open, when=HasJoint(door) & ~Opened(door, WIDE)),
        start(find, when=~HasJoint(door) | Opened(door, WIDE)),
        upon(open.task_successful, start=find),
        upon(find.task_successful, start=place),
        upon(place.task_successful, start=find),
        upon(place.failed(kind=HINDRANCES), start=find),
        upon(find.failed(kind="nothing_found"), start=close, when=HasJoint(door)),
        upon(find.failed(kind="nothing_found"), start=look, when=~HasJoint(door)),
        upon(close.task_successful, start=look),
    )

    def set_parameters(self, **values: Any) -> None:
        """Set parameters; a drawer is its own door."""
        if values.get("source") is not None and values.get("door") is None:
            values["door"] = values["source"]
        super().set_parameters(**values)

    def plan(self) -> Failure | None:
        """See whether it has an inside and a door, and whether there is room for what is known to be in it."""
        context, seen = self.context, self.context.perception.object
        if unknown := unknown_type(context, self.type):
            return self.fail(FailureKind.PARAMETER, unknown)
        if self.source == self.on:
            return self.fail(FailureKind.PARAMETER, f"'{self.on}' is what they are to be taken out of")
        joint, doors = seen(self.door).model.joint, parts_of(context, self.source)
        if self.door != self.source and (joint is None or joint.parent != self.source):
            return self.fail(FailureKind.PARAMETER, f"'{self.door}' is no door of '{self.source}'")
        if self.door == self.source and joint is None and doors:
            message = f"'{self.source}' has parts that open, {', '.join(doors)}: name one as its door, or as the source"
            return self.fail(FailureKind.PARAMETER, message)
        if not bottoms(seen(self.source)):
            return self.fail(FailureKind.PARAMETER, f"'{self.source}' has no inside")
        for id in contained(context, self.source, self.type):
            if not RestingOn(id, self.on).sample(context, 1, self.random):
                return self.fail(FailureKind.NO_PLACE, f"'{self.on}' has no room for '{id}'", object=id, on=self.on)
        hands = context.skills.hands
        if all(context.skills.held(hand) is not None for hand in hands):
            return self.fail(FailureKind.PRECONDITION, "no hand is free", hands=tuple(hands))
        self._before = {*carried(context.perception, self.on, self.type)}
        return super().plan()

    def achieved(self) -> Failure | bool:
        """Whether all of them are out."""
        perception, skills = self.context.perception, self.context.skills
        held = [
            id for hand in skills.hands if (id := skills.held(hand)) and perception.object(id).model.is_a(self.type)
        ]
        left = [*contained(self.context, self.source, self.type), *held]
        if not left and {*carried(perception, self.on, self.type)} - self._before:
            return True
        if not left:
            message = f"there was nothing of type '{self.type}' in '{self.source}'"
            return self.fail(FailureKind.NOTHING_FOUND, message, type=self.type)
        message = f"{' and '.join(repr(id) for id in left)} did not get from '{self.source}' onto '{self.on}'"
        return self.fail(FailureKind.NOT_ACHIEVED, message, left=tuple(left))


def parts_of(context: Context, id: str) -> list[str]:
    """Ids of the parts of an object that open."""
    seen = context.perception.percepts
    return [part for part, each in seen.items() if each.model.joint is not None and each.model.joint.parent == id]
