"""Measures that the judges of handling share: who holds what, and whether it moved or rests."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array, ObjectModel

from ..ground_truth import Record, Step
from .boxes import box, inside, resting_on

STANDS = 0.03  # [m] of an underside from the top that it stands on
EDGE = 0.001  # [m] of the box beyond the support's edge, for rounding


def holder(step: Step, id: str) -> str:
    """The hand that holds an object; empty if none does."""
    hands = step.holders(id)
    return hands[0] if hands else ""


def unaided(record: Record, id: str) -> str:
    """Why an object that takes two hands is not held by both at the end; empty if it is, or takes one."""
    holders, needed = record.end.holders(id), record.objects[id].hands
    lacking = needed > 1 and len(holders) < needed
    return f"'{id}' takes two hands, and the {' and '.join(holders)} holds it" if lacking else ""


def displaced(record: Record, id: str, facts: dict[str, object]) -> str:
    """Why an object is not where it was when the run began, within 1 mm and half a degree; empty if it is."""
    if id not in record.end.poses:
        return f"'{id}' is not there at the end"
    distance, angle = pose_error(record.start.poses[id], record.end.poses[id])
    facts.update(moved=float(distance), turned=float(angle))
    if distance > record.tolerance.still or angle > record.tolerance.still_angle:
        return f"'{id}' moved by {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg"
    return ""


def standing_on(record: Record, type: str, support: str) -> list[str]:
    """Ids of all of a type that stood or lay on an object as the run began, in alphabetical order."""
    poses, models = record.start.poses, record.objects
    surface = box(models[support], poses[support])
    return [
        id
        for id, X_WO in sorted(poses.items())
        if type in models[id].type.split("/") and resting_on(box(models[id], X_WO), surface, STANDS)
    ]


def is_ball(model: ObjectModel) -> bool:
    """Whether the solid shapes of an object are spheres about its origin: nobody sees how it is turned."""
    solid = [shape for shape in model.shapes if shape.collides]
    return bool(solid) and all(shape.kind == "sphere" and not shape.X_OS[:3, 3].any() for shape in solid)


def tilt(model: ObjectModel, X_WO: Array, up: str = "z") -> float:
    """[rad] Between one of an object's axes, such as -x, and the vertical.

    A ball is upright however it is turned, and what is round about its z lies whichever way it is turned about that.
    """
    if is_ball(model):
        return 0.0
    if up[-1] != "z" and _is_round(model):
        return abs(float(np.arcsin(np.clip(X_WO[2, 2], -1.0, 1.0))))
    axis = X_WO[:3, "xyz".index(up[-1])] * (-1.0 if up[0] == "-" else 1.0)
    return float(np.arctan2(np.linalg.norm(axis[:2]), axis[2]))


def _is_round(model: ObjectModel) -> bool:
    """Whether the solid shapes of an object are round about its z."""
    solid = [shape for shape in model.shapes if shape.collides]
    return all(
        shape.kind in ("cylinder", "capsule", "sphere")
        and not shape.X_OS[:2, 3].any()
        and (shape.kind == "sphere" or abs(shape.X_OS[2, 2]) > 1.0 - 1e-9)
        for shape in solid
    )


def unsettled(record: Record, id: str, on: str, facts: dict[str, object], up: str = "z") -> str:
    """Why an object does not rest on another at the end; empty if it does.

    It rests if its underside is at most 3 mm above the top of the support's box and 1 mm below it, the projection of
    its box lies inside the support's, its axis ``up`` is up within 2 degrees, and no hand holds it.
    """
    end, allowed = record.end, record.tolerance
    for name in (id, on):
        if name not in end.poses:
            return f"'{name}' is not there at the end"
    own, support = box(record.objects[id], end.poses[id]), box(record.objects[on], end.poses[on])
    height = float(own[0][2] - support[1][2])
    lean = tilt(record.objects[id], end.poses[id], up)
    facts.update(height=height, tilt=lean)
    hand = holder(end, id)
    if hand:
        return f"the {hand} hand still holds '{id}'"
    if not -allowed.penetration <= height <= allowed.rest:
        return f"'{id}' is {height * 1000:.1f} mm above the top of '{on}'"
    if not inside(own, support, EDGE):
        return f"'{id}' sticks out over the edge of '{on}'"
    if lean > allowed.upright:
        return f"'{id}' leans by {np.rad2deg(lean):.1f} deg"
    return ""
