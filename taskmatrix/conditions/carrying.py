"""Whether something carries objects of a type."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.geometry import Box
from taskmatrix.core.world.perception import PerceptualModel, Region

from .places import missing

RESTING = 0.03  # [m] between the bottom of an object and the top of what carries it


class Carrying(Condition):
    """Some object of a type lies on another, and no hand holds it.

    Its bottom is within 3 cm of the top of the other's box, and its centre projects into that box.

    Args:
        support: Id of an object.
        type: A word of the objects' taxonomy, such as debris; any object unless given.
    """

    def __init__(self, support: object, type: object = None) -> None:
        super().__init__(support=support, type=type)

    def evaluate(self, context: Context) -> Verdict:
        """Look for such objects."""
        support, type = str(self.arguments["support"]), self.arguments["type"]
        unknown = missing(context, support)
        if unknown is not None:
            return unknown
        found = carried(context.perception, support, None if type is None else str(type))
        kind, none = ("objects", "no objects") if type is None else (f"of type '{type}'", f"none of type '{type}'")
        why = f"{len(found)} {kind} on '{support}': {', '.join(found)}" if found else f"{none} on '{support}'"
        return Verdict(bool(found), why, {"carried": found})


def carried(
    perception: PerceptualModel, support: str, type: str | None = None, region: Region | None = None
) -> tuple[str, ...]:
    """Ids, in order, of the objects of a type that lie on a support, touch a region and are in no hand."""
    seen, box = perception.percepts, perception.object(support).box
    found = sorted(id for id in perception.objects(type, region) if id != support and seen[id].held_by is None)
    return tuple(id for id in found if _lies_on(seen[id].box, box))


def _lies_on(upper: Box, lower: Box) -> bool:
    """Whether the bottom of a box is at the top of another, and its centre above it."""
    centre = (upper[0] + upper[1]) / 2
    over = bool(np.all((centre >= lower[0])[:2] & (centre <= lower[1])[:2]))
    return over and abs(float(upper[0][2] - lower[1][2])) <= RESTING
