"""Whether an object is in another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Space, Upright
from taskmatrix.core.world.objects import Array

from .places import along, bottoms, bounded, inside, level_with, missing
from .tolerances import GAP, TOUCHING


def contained(context: Context, container: str, type: str | None = None) -> tuple[str, ...]:
    """Ids, in order, of the objects of a type that stand in another and are in no hand."""
    seen = context.perception.percepts
    found = sorted(id for id in context.perception.objects(type) if id != container and seen[id].held_by is None)
    return tuple(id for id in found if Inside(id, container).evaluate(context))


class Inside(Condition):
    """An object stands in another: on a bottom or a shelf of it, with its centre over that.

    Bottoms and shelves are the level tops of its solid shapes that are lower than the highest of them, with room above:
    what a drawer, a cupboard, a rack or a tray consists of tells where its inside is. With a frame of ``y``, it is on
    that of them which is at the frame's height, within 3 cm.

    Inverted, it proposes upright poses of ``x`` on one of these, 1 mm above it, with all of its box over it, where it
    is clear of all that is there.

    Args:
        x: Id of an object.
        y: Id of another.
        at: Name of a frame of ``y``, such as ``shelf``; any bottom or shelf unless given.
    """

    def __init__(self, x: object, y: object, at: object = None) -> None:
        super().__init__(x=x, y=y, at=at)

    def evaluate(self, context: Context) -> Verdict:
        """Look for a bottom that the object stands on."""
        x, y, at = self._names()
        unknown = missing(context, x, y)
        if unknown is not None:
            return unknown
        lower, upper = context.perception.object(x).box
        try:
            floors = bottoms(context.perception.object(y), at)
        except NotFoundError as error:
            return Verdict(False, str(error))
        if not floors:
            return Verdict(False, f"'{y}' has no inside" + (f" at its '{at}'" if at else ""))
        centre = (lower + upper)[:2] / 2
        heights = [float(lower[2]) - height for polygon, height in floors if bool(inside(polygon, centre))]
        if not heights:
            return Verdict(False, f"'{x}' is beside the inside of '{y}'")
        height = min(heights, key=abs)
        side = "above" if height >= 0 else "below"
        why = f"the underside of '{x}' is {abs(height) * 1000:.1f} mm {side} a bottom of '{y}'"
        return Verdict(abs(height) <= TOUCHING, why, {"height": height})

    def _names(self) -> tuple[str, str, str | None]:
        at = self.arguments["at"]
        return str(self.arguments["x"]), str(self.arguments["y"]), None if at is None else str(at)

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """On the bottoms of ``y``."""
        x, y, at = self._names()
        context.perception.object(x)
        floors = bottoms(context.perception.object(y), at)

        def fits(upright: Upright, p_WO: Array) -> NDArray[np.bool_]:
            corners = upright.corners() + p_WO[:, None, :2]
            over = [
                inside(polygon, corners).all(axis=1) & (np.abs(p_WO[:, 2] + upright.lower[:, 2] - height - GAP) < GAP)
                for polygon, height in floors
            ]
            found: NDArray[np.bool_] = np.any(over, axis=0)
            return found

        pieces = tuple((bounded(polygon), level_with(polygon, height + GAP)) for polygon, height in floors)
        return (Space(x, pieces, (fits,), along([polygon for polygon, _ in floors])),) if floors else ()
