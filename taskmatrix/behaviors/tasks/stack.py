"""Stack things."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.conditions import RestingOn
from taskmatrix.conditions.carrying import carried
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.machines.machine import Machine, State, start
from taskmatrix.core.machines.machine import on as upon  # `on` is the surface

from ..looking.fixate import Fixate
from .bring import HINDRANCES, unknown_type
from .pick_and_place import PickAndPlace


class NextOnStack(TaskBehavior):
    """Say what comes onto a stack next, and onto what.

    The stack is the highest of things of the type on the surface; the largest of the others comes next. Fails with
    ``nothing_found`` where all are on it.
    """

    type = Parameter(str, doc="a word of the objects' taxonomy, such as can")
    on = Parameter(str, known=True, doc="id of the surface on which the stack stands")

    object = Output(str, doc="id of what comes next")
    onto = Output(str, doc="id of what it is put on: the top of the stack, or the surface")

    def required_chains(self) -> Sequence[str]:
        """None: it only thinks."""
        return ()

    def step(self) -> Failure | bool:
        """Choose, and publish it."""
        stack = stack_on(self.context, self.type, self.on)
        chosen = largest(self.context, self.type, stack)
        if not chosen:
            return self.fail(FailureKind.NOTHING_FOUND, f"all of type '{self.type}' are stacked on '{self.on}'")
        self.publish(object=chosen, onto=stack[-1] if stack else self.on)
        return True


class Stack(Machine):
    """Stack all things of a type on one another, on a surface. What cannot stand on another is refused first.

    The first is put on the surface, each of the others on the top of the stack, the larger ones first; where a stack
    has been begun there, it goes on with the highest one. What is not got onto it is tried twice more.
    """

    type = Parameter(str, doc="a word of the objects' taxonomy, such as can")
    on = Parameter(str, known=True, doc="id of the surface on which to stack them")
    duration = Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time of each movement")

    next = State(NextOnStack, type=type, on=on)
    place = State(PickAndPlace, object=next.object, on=next.onto, duration=duration)
    look = State(Fixate, target=on, optional=True, final=True)

    transitions = (
        start(next),
        upon(next.task_successful, start=place),
        upon(place.task_successful, start=next),
        upon(place.failed(kind=HINDRANCES), start=next, times=2),
        upon(next.failed(kind="nothing_found"), start=look),
    )

    def plan(self) -> Failure | None:
        """See whether there are any, and whether each can stand on the one below it."""
        seen, context = self.context.perception.percepts, self.context
        if unknown := unknown_type(context, self.type):
            return self.fail(FailureKind.PARAMETER, unknown)
        if seen[self.on].model.is_a(self.type):
            return self.fail(FailureKind.PARAMETER, f"'{self.on}' is of type '{self.type}' itself")
        stack = list(stack_on(context, self.type, self.on))
        while next := largest(context, self.type, stack):
            below = stack[-1] if stack else self.on
            places = RestingOn(next, below).sample(context, 1, self.random)
            if not places:
                stands = "has no room for" if below == self.on else "does not carry"
                return self.fail(FailureKind.NO_PLACE, f"'{below}' {stands} '{next}'", object=next, on=below)
            context = replace(context, perception=context.perception.supposing({next: places[0]}))
            stack.append(next)
        return super().plan()

    def achieved(self) -> Failure | bool:
        """Whether all of them stand on one another."""
        stack = stack_on(self.context, self.type, self.on)
        left = sorted({*self.context.perception.objects(self.type)} - {*stack})
        if not left:
            return True
        message = f"{' and '.join(repr(id) for id in left)} came off the stack on '{self.on}'"
        return self.fail(FailureKind.NOT_ACHIEVED, message, left=left)


def stack_on(context: Context, type: str, on: str) -> Sequence[str]:
    """Ids of the highest stack of things of a type on a surface, from below."""
    stacks = []
    for id in carried(context.perception, on, type):
        stack = [id]
        while above := [each for each in carried(context.perception, stack[-1], type) if each not in stack]:
            stack.append(above[0])
        stacks.append(stack)
    return max(stacks, key=len, default=[])


def largest(context: Context, type: str, besides: Sequence[str] = ()) -> str:
    """Id of what comes onto a stack next: what a hand holds, or what is largest; empty if there is none."""
    seen = context.perception.percepts
    ids = [id for id in sorted(context.perception.objects(type)) if id not in besides]

    def covers(id: str) -> float:
        return np.inf if seen[id].held_by is not None else round(float(np.prod(np.ptp(seen[id].box, axis=0)[:2])), 5)

    return max(ids, key=covers, default="")
