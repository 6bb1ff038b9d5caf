"""Whether an object is near another."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Bounds, Space, Upright
from taskmatrix.core.world.geometry import Box, box_distance
from taskmatrix.core.world.objects import Array

from .places import extent, missing, number, upright_extent
from .tolerances import ROUNDING


class Near(Condition):
    """An object is no further than a distance from another (thesis 3.4.2.2).

    Measured between their bounding boxes; where a task frame is named, its origin takes the place of the box. Every
    object has the frame ``centre``, the centre of its box.

    Inverted, it proposes poses of ``x``: beside, over and under the box of ``y`` as well as within it, in turn.

    Args:
        x: Id of an object.
        y: Id of another.
        distance: [m] At most.
        frame: Task frame of ``x``.
        frame_of_y: Task frame of ``y``.
    """

    def __init__(self, x: object, y: object, distance: object, frame: object = None, frame_of_y: object = None) -> None:
        super().__init__(x=x, y=y, distance=distance, frame=frame, frame_of_y=frame_of_y)

    def evaluate(self, context: Context) -> Verdict:
        """Measure the distance between the objects, and compare it with the limit."""
        x, y, limit, frame, frame_of_y = self._asked()
        unknown = missing(context, x, y)
        if unknown is not None:
            return unknown
        try:
            first = extent(context.perception.object(x), frame)
            second = extent(context.perception.object(y), frame_of_y)
        except NotFoundError as error:
            return Verdict(False, str(error))
        distance = box_distance(first, second)
        why = f"{_name(x, frame)} is {distance * 1000:.1f} mm from {_name(y, frame_of_y)}, and {limit * 1000:.1f} count"
        return Verdict(distance <= limit, why, {"distance": distance})

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """The layers on the faces of the box of ``y``, and what is within; around a point a cube."""
        x, y, limit, frame, frame_of_y = self._asked()
        context.perception.object(x)
        lower, upper = extent(context.perception.object(y), frame_of_y)
        around = _over(frame, (lower - limit, upper + limit))
        if frame is not None or frame_of_y is not None:
            return (Space(x, ((around,),)),)
        layers = tuple((around, _layer((lower, upper), limit, axis, side)) for axis in range(3) for side in (0, 1))
        within = _over(frame, (lower + ROUNDING, upper - ROUNDING))  # what only touches is in a layer
        return Space(x, layers), Space(x, ((within,),))

    def _asked(self) -> tuple[str, str, float, str | None, str | None]:
        x, y, distance, frame, frame_of_y = self.arguments.values()
        named = [None if name is None else str(name) for name in (frame, frame_of_y)]
        return str(x), str(y), number("distance", distance), named[0], named[1]


def _over(frame: str | None, box: Box) -> Bounds:
    """Where an object's box overlaps a box, or its reference point is in it."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        low, high = upright_extent(upright, frame)
        return box[0] - high, box[1] - low

    return bounds


def _layer(box: Box, thickness: float, axis: int, side: int) -> Bounds:
    """Where an object's box ends, along an axis, in the layer on the lower (0) or the upper (1) face of a box."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        lower, upper = np.full_like(upright.lower, -np.inf), np.full_like(upright.lower, np.inf)
        if side:
            lower[:, axis] = box[1][axis] - upright.lower[:, axis]
            upper[:, axis] = lower[:, axis] + thickness
        else:
            upper[:, axis] = box[0][axis] - upright.upper[:, axis]
            lower[:, axis] = upper[:, axis] - thickness
        return lower, upper

    return bounds


def _name(id: str, frame: str | None) -> str:
    return f"'{id}'" if frame is None else f"the {frame} of '{id}'"
