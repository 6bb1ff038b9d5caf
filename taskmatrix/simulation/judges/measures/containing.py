"""Whether an object stands in another, from ground truth."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import ObjectModel

from ..ground_truth import Record, Step
from .boxes import Box, box, inside
from .holding import tilt

TOP = 0.005  # [m] what is no further below the top of a thing is not in it
BESIDE = 0.005  # [m] by which an object may stick out


def outside(record: Record, step: Step, id: str, into: str, facts: dict[str, object]) -> str:
    """Why an object does not stand upright in another at a step; empty if it does.

    It does if the projection of its box lies in that of the other, and in that of one of its solid shapes, which ends
    lower than the other does; its underside is as far above that as may be; and it is upright within 2 degrees.
    """
    for name in (id, into):
        if name not in step.poses:
            return f"'{name}' is not there at the end"
    model, X_WC, allowed = record.objects[into], step.poses[into], record.tolerance
    own, whole = box(record.objects[id], step.poses[id]), box(model, X_WC)
    if not inside(own, whole, BESIDE):
        return f"'{id}' sticks out of '{into}'"
    heights = [float(own[0][2] - top) for top in _bottoms(model, step, into, own, whole[1][2])]
    if not heights:
        return f"there is nothing of '{into}' under '{id}'"
    height, lean = min(heights, key=abs), tilt(record.objects[id], step.poses[id])
    facts.update(height=height, tilt=lean)
    if not -allowed.penetration <= height <= allowed.rest:
        return f"'{id}' is {height * 1000:.1f} mm above what is under it in '{into}'"
    return f"'{id}' leans by {np.rad2deg(lean):.1f} deg" if lean > allowed.upright else ""


def _bottoms(model: ObjectModel, step: Step, into: str, own: Box, top: float) -> list[float]:
    """[m] Heights of the shapes over which an object is."""
    solid = [box(ObjectModel(into, "", (shape,)), step.poses[into]) for shape in model.shapes if shape.collides]
    return [float(piece[1][2]) for piece in solid if piece[1][2] < top - TOP and inside(own, piece, BESIDE)]
