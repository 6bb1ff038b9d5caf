"""Judges position."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from taskmatrix.core.objects import Array

from .boxes import Box, above, box, gap, over, resting_on
from .holding import holder
from .judge import Judge, Parameters
from .record import Record, Step

HEIGHT = 0.05  # [m] above the target's top at most
SLACK = 0.02  # [m] beyond its edge
LOW = 0.001  # [m] below its top, for rounding
CLOSE = 0.05  # [m] between boxes that are near, unless the task says


class PositionJudge(Judge):
    """Success of position (thesis 4.3.2).

    Given an object O grasped by hand h and a set Z of operational space configurations, here those that have a symbolic
    relation to a target: at the end O is at some X in Z, and h holds it still.

    - ``above``: the origin of O's task frame, or the middle of the underside of its box, is 0 to 5 cm above the top of
      the target's box and, within 2 cm, over it.
    - ``near``: the boxes are at most ``distance`` apart (5 cm unless given).
    - ``on``: the underside is within 3 mm of the target's top, with the centre over it.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not held in the goal set."""
        id, end = str(parameters["object"]), record.end
        before, now = holder(record.start, id), holder(end, id)
        if not now:
            return f"no hand holds '{id}' at the end"
        if before and now != before:
            return f"'{id}' is in the {now} hand and was in the {before}"
        facts["hand"] = now
        target = str(parameters.get("target") or parameters.get("on") or "")
        if not target:
            return "the task has no target that can be judged"
        if target not in end.poses:
            return f"'{target}' is not there at the end"
        relation = str(parameters.get("relation") or "above")
        if relation not in RELATIONS:
            return f"no relation '{relation}' can be judged"
        boxes = box(record.objects[id], end.poses[id]), box(record.objects[target], end.poses[target])
        point = frame_point(record, end, id, str(parameters.get("frame") or ""))
        holds = RELATIONS[relation](point, *boxes, parameters, facts)
        return "" if holds else f"'{id}' is not {relation} '{target}'"

    def supports(self, parameters: Parameters) -> list[str]:
        """What the object is put on, where that is asked for."""
        asked = parameters.get("relation") == "on" or parameters.get("on")
        return [str(parameters.get("target") or parameters.get("on"))] if asked else []


def frame_point(record: Record, step: Step, id: str, frame: str) -> Array:
    """(3,) [m] Origin of an object's task frame in the world; without one the middle of its underside."""
    X_WO, model = step.poses[id], record.objects[id]
    if frame in model.frames:
        point: Array = (X_WO @ model.frames[frame])[:3, 3]
        return point
    lower, upper = box(model, X_WO)
    return np.array([*(lower + upper)[:2] / 2, lower[2]])


def _above(point: Array, own: Box, target: Box, parameters: Parameters, facts: dict[str, object]) -> bool:
    height = float(point[2] - target[1][2])
    facts["height"] = height
    low = np.array([point[0], point[1], point[2] + LOW])
    return above((low, low), target) and height <= HEIGHT and over(point, target, SLACK)


def _near(point: Array, own: Box, target: Box, parameters: Parameters, facts: dict[str, object]) -> bool:
    distance = float(str(parameters.get("distance") or CLOSE))
    facts["distance"] = gap(own, target)
    return gap(own, target) <= distance + LOW


def _on(point: Array, own: Box, target: Box, parameters: Parameters, facts: dict[str, object]) -> bool:
    facts["height"] = float(own[0][2] - target[1][2])
    return resting_on(own, target)


RELATIONS: dict[str, Callable[[Array, Box, Box, Parameters, dict[str, object]], bool]] = {
    "above": _above,
    "near": _near,
    "on": _on,
}
