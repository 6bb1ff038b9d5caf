"""Whether an object is above another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.behavior.inversion import Bounds, Space, Upright
from taskmatrix.core.world.geometry import Box
from taskmatrix.core.world.objects import Array

from .places import extent, inside, missing, outline, upright_extent

CLEARANCE = 0.005  # [m] sampled at least between a reference point and what it is above


class Above(Condition):
    """The underside of an object's bounding box is above the top of another's (thesis 3.4.2.3).

    Where a task frame is named, its origin takes the place of the box.

    Inverted, it proposes poses of ``x`` right over ``y``: the horizontal projection of the smaller bounding box lies
    within that of the larger (thesis 5.7.2), and a frame's origin is over the box of ``y``, at least 5 mm. Where
    nothing else bounds the height, it is at most 0.5 m more.

    Args:
        x: Id of an object.
        y: Id of another.
        frame: Task frame of ``x``.
    """

    def __init__(self, x: object, y: object, frame: object = None) -> None:
        super().__init__(x=x, y=y, frame=frame)

    def evaluate(self, context: Context) -> Verdict:
        """Compare the heights of the objects, and their places."""
        x, y, frame = self._asked()
        unknown = missing(context, x, y)
        if unknown is not None:
            return unknown
        try:
            underside = extent(context.perception.object(x), frame)[0][2]
        except NotFoundError as error:
            return Verdict(False, str(error))
        height = float(underside - context.perception.object(y).box[1][2])
        what = f"the underside of '{x}'" if frame is None else f"the {frame} of '{x}'"
        side = "above" if height >= 0 else "below"
        why = f"{what} is {abs(height) * 1000:.1f} mm {side} the top of '{y}'"
        return Verdict(height >= 0, why, {"height": height})

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """The space over the box of ``y``."""
        x, y, frame = self._asked()
        context.perception.object(x)
        target = context.perception.object(y)
        if frame is not None:
            return (Space(x, ((_over_box(target.box, frame),),)),)
        polygon = outline(target)

        def projects(upright: Upright, p_WO: Array) -> NDArray[np.bool_]:
            within = inside(polygon, upright.corners() + p_WO[:, None, :2]).all(axis=1)
            from_x = (polygon - p_WO[:, None, :2]) @ upright.R[:, :2, :2]
            around = inside(upright.rectangle(), from_x).all(axis=1)
            return np.logical_or(within, around)

        return (Space(x, ((_within(target.box),), (_around(target.box),)), (projects,)),)

    def _asked(self) -> tuple[str, str, str | None]:
        x, y, frame = self.arguments.values()
        return str(x), str(y), None if frame is None else str(frame)


def _over_box(box: Box, frame: str) -> Bounds:
    """Where a reference point is over a box."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        point = upright_extent(upright, frame)[0]
        lower, upper = [*box[0][:2], box[1][2] + CLEARANCE], [*box[1][:2], np.inf]
        return lower - point, upper - point

    return bounds


def _within(box: Box) -> Bounds:
    """Where an object's box is over a larger box, and nowhere beside it."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        lower, upper = box[0] - upright.lower, box[1] - upright.upper
        lower[:, 2], upper[:, 2] = box[1][2] - upright.lower[:, 2], np.inf
        return lower, upper

    return bounds


def _around(box: Box) -> Bounds:
    """Where an object's box is over a smaller box, and everywhere over it."""

    def bounds(upright: Upright) -> tuple[Array, Array]:
        lower, upper = box[1] - upright.upper, box[0] - upright.lower
        lower[:, 2], upper[:, 2] = box[1][2] - upright.lower[:, 2], np.inf
        return lower, upper

    return bounds
