"""Whether the robot sees an object."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.world.geometry import Box, angle_between, bounding_box
from taskmatrix.core.world.objects import Array

from .places import missing, number

HALF_ANGLE = float(np.deg2rad(17.5))  # [rad] half the field of view of the thesis' camera, 35 degrees (thesis 5.4)


class Visible(Condition):
    """In the present configuration an object is in the field of view, and no other object hides it.

    The centre of its bounding box has to be within an angle of the viewing direction and, where that is known, within
    the range of the view; and the line of sight to it must not meet a shape of another perceived object. Shapes count
    as their bounding boxes.

    Args:
        target: Id of the object.
        half_angle: [rad] Of the field of view.
    """

    def __init__(self, target: object, half_angle: object = HALF_ANGLE) -> None:
        super().__init__(target=target, half_angle=half_angle)

    def evaluate(self, context: Context) -> Verdict:
        """Compare directions, and look for what is between."""
        skills, target = context.skills, str(self.arguments["target"])
        limit = number("half_angle", self.arguments["half_angle"])
        unknown = missing(context, target)
        if unknown is not None:
            return unknown
        if not skills.able_to_view():
            return Verdict(False, "the robot has no view")
        eye, centre = skills.view_position(), context.perception.object(target).centre
        angle = angle_between(skills.view()[:, 0], centre - eye)
        blocker = _blocker(context, target, eye, centre)
        why = f"'{target}' is {np.rad2deg(angle):.1f} deg off the viewing direction, and {np.rad2deg(limit):.1f} count"
        if blocker is not None:
            why += f"; '{blocker}' hides it"
        values: dict[str, object] = {"angle": angle, "blocker": blocker}
        sharp, view = True, skills.capabilities.view
        if view is not None and view.range is not None:
            (near, far), distance = view.range, float(np.linalg.norm(centre - eye))
            sharp, values = near <= distance <= far, {**values, "distance": distance}
            why += f", and {distance:.2f} m away; the robot sees from {near:g} to {far:g} m"
        return Verdict(angle <= limit and blocker is None and sharp, why, values)


def _blocker(context: Context, target: str, eye: Array, centre: Array) -> str | None:
    """The object that the line of sight meets first, or None."""
    met: list[tuple[float, str]] = []
    for id, percept in context.perception.percepts.items():
        if id == target:
            continue
        for shape in percept.model.shapes:
            along = _meets(eye, centre, bounding_box([shape], percept.X_WO))
            if along is not None:
                met.append((along, id))
    return min(met)[1] if met else None


def _meets(start: Array, end: Array, box: Box) -> float | None:
    """Share of a segment after which it enters a box; None if it never does."""
    way = np.where(np.abs(end - start) < 1e-12, 1e-12, end - start)
    first, second = (box[0] - start) / way, (box[1] - start) / way
    enters = max(0.0, float(np.max(np.minimum(first, second))))
    leaves = min(1.0, float(np.min(np.maximum(first, second))))
    return enters if enters <= leaves else None
