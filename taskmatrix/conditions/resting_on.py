"""Whether an object stands on another."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Space, Upright, standing_on
from taskmatrix.core.world.geometry import Box, bounding_box
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.symmetry import lean, symmetry_of

from .places import along, base, bounded, inside, level_with, missing, standing, tops
from .tolerances import GAP, TOUCHING

SNUG = 0.8  # of the size of a top, above which something fills it
TILTED = math.radians(10.0)  # from where an axis is up
APART = 0.02  # [m] between the boxes of an object that is put down and of what stands there already


class RestingOn(Condition):
    """The underside of an object touches the top of another, within 3 mm, and its centre projects into its box.

    Inverted, it proposes poses of ``x`` with its underside 1 mm above the top of ``y``, the corners and the
    middle of its box over what is solid there, and its box 2 cm or more from those of all that stands there already. Of
    what is about as large as the top of ``y``, a can on a can, it is the underside that has to be over what is solid.

    Args:
        x: Id of an object.
        y: Id of another.
        up: Which of the axes of ``x`` is up, within 10 degrees: x, -x, y, -y, z or -z; of what is round, turned as it
            may be. Unless given, any may be, and z is in what is proposed.
    """

    def __init__(self, x: object, y: object, up: object = None) -> None:
        if isinstance(up, str):
            standing_on(up)  # raises ParameterError where it is no axis
        super().__init__(x=x, y=y, **({} if up is None else {"up": up}))

    def evaluate(self, context: Context) -> Verdict:
        """Compare underside and top, and where the centre is."""
        x, y = self._ids()
        unknown = missing(context, x, y)
        if unknown is not None:
            return unknown
        height, over = standing(context.perception.object(x).box, context.perception.object(y).box)
        side = "above" if height >= 0 else "below"
        why = f"the underside of '{x}' is {abs(height) * 1000:.1f} mm {side} the top of '{y}'"
        if not over:
            why += ", and its centre is not over it"
        values = {"height": height, "over": over}
        rests, up = abs(height) <= TOUCHING and over, self.arguments.get("up")
        if up is not None and rests:
            seen = context.perception.object(x)
            values["tilt"] = tilt = lean(symmetry_of(seen.model.shapes), seen.X_WO, standing_on(str(up))[2, :3])
            rests, why = tilt <= TILTED, f"{up} of '{x}' is {math.degrees(tilt):.0f} deg from up"
        return Verdict(rests, why, values)

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """On the top of ``y``, beside what stands there."""
        x, y = self._ids()
        up = str(self.arguments.get("up") or "z")
        subject = context.perception.object(x)
        support = context.perception.object(y)
        places, height = tops(support), support.box[1][2] + GAP
        others = [other for id, other in context.perception.percepts.items() if id not in (x, y) and not other.held_by]
        standings = [(other.box, *standing(other.box, support.box)) for other in others]
        taken = [box for box, above, over in standings if abs(above) <= TOUCHING and over]

        if not places:
            return ()
        size = np.ptp(bounding_box(subject.model.shapes, standing_on(up)), axis=0)[:2]
        snug = bool((size > SNUG * np.ptp(np.vstack(places), axis=0)).any())

        def fits(upright: Upright, p_WO: Array) -> NDArray[np.bool_]:
            corners = base(upright) if snug else upright.corners()
            points = np.concatenate([corners, corners.mean(axis=1, keepdims=True)], axis=1) + p_WO[:, None, :2]
            supported: NDArray[np.bool_] = np.any([inside(polygon, points) for polygon in places], axis=0)
            apart = _apart((upright.lower + p_WO, upright.upper + p_WO), taken)
            return np.logical_and(supported.all(axis=1), apart)

        within = bounded(np.vstack(places))
        pieces = tuple((within, level_with(polygon, height)) for polygon in places)
        return (Space(x, pieces, (fits,), along(places), up=up),)

    def _ids(self) -> tuple[str, str]:
        return str(self.arguments["x"]), str(self.arguments["y"])


def _apart(boxes: Box, taken: list[Box]) -> NDArray[np.bool_]:
    """(m,) Whether boxes, (m, 3) each corner, are far enough from all that are there already."""
    apart = np.ones(len(boxes[0]), dtype=bool)
    for lower, upper in taken:
        between = np.maximum(0.0, np.maximum(boxes[0] - upper, lower - boxes[1]))
        apart &= np.linalg.norm(between, axis=1) >= APART
    return apart
