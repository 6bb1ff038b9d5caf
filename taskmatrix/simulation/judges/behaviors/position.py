"""Judges position."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Array

from ..ground_truth import Record, Step
from ..judge import Judge, Parameters
from ..measures.boxes import Box, above, box, over, resting_on
from ..measures.containing import outside
from ..measures.grasps import at_grasp
from ..measures.holding import holder, is_ball, tilt, unaided

HEIGHT = 0.05  # [m] above the target's top at most
SLACK = 0.02  # [m] beyond its edge
LOW = 0.001  # [m] below its top, for rounding


class PositionJudge(Judge):
    """Success of position (thesis 4.3.2).

    Given an object O grasped by hand h and a set Z of operational space configurations: at the end O is at some X in Z,
    and h holds it still. Z is

    - ``above`` a target: the origin of O's task frame, or the middle of the underside of its box, is 0 to 5 cm above
      the top of the target's box and, within 2 cm, over it; a target that is gone counts where it was last;
    - ``into`` a target: O stands in it, on one of its shapes;
    - ``on`` a target: the underside is within 3 mm of the target's top, with the centre over it, and the axis ``up``,
      if given, is up within 2 degrees;
    - ``x``, ``y``, ``z``: the origin is there within 5 mm, upright within 2 degrees if it is no ball;

    and, if given, O is at ``yaw`` about the vertical within 2 degrees.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not held in the goal set."""
        id = str(parameters["object"])
        end = record.end
        before, now = holder(record.start, id), holder(end, id)
        if not now:
            return f"no hand holds '{id}' at the end"
        if before and now != before:
            return f"'{id}' is in the {now} hand and was in the {before}"
        facts["hand"] = now
        if unaided(record, id):
            return unaided(record, id)
        if parameters.get("into"):
            return outside(record, end, id, str(parameters["into"]), facts) or _turned(
                record, end.poses[id], parameters, facts
            )
        relation = next((name for name in RELATIONS if parameters.get(name) is not None), None)
        if relation is None:
            return _at_place(record, end.poses[id], parameters, facts, is_ball(record.objects[id]))
        target = str(parameters[relation])
        seen = next((step.poses[target] for step in reversed(record.steps) if target in step.poses), None)
        if seen is None:
            return f"'{target}' was never there"
        point = frame_point(record, end, id, str(parameters.get("frame") or ""))
        own, other = box(record.objects[id], end.poses[id]), box(record.objects[target], seen)
        if not RELATIONS[relation](record, point, own, other, facts):
            return f"'{id}' is not {relation} '{target}'"
        leans = tilt(record.objects[id], end.poses[id], str(parameters.get("up") or "z"))
        if parameters.get("up") and leans > record.tolerance.upright:
            return f"{parameters['up']} of '{id}' is {np.rad2deg(leans):.0f} deg from up"
        return _turned(record, end.poses[id], parameters, facts)


def _at_place(record: Record, X_WO: Array, parameters: Parameters, facts: dict[str, object], ball: bool = False) -> str:
    wanted = [parameters.get(name) for name in ("x", "y", "z")]
    if None in wanted:
        return "the task has no goal that can be judged"
    yaw = parameters.get("yaw")
    X = pose([float(str(value)) for value in wanted], (0.0, 0.0, _yaw(X_WO) if yaw is None else float(str(yaw))))
    distance, angle = pose_error(X, X_WO)
    angle = 0.0 if yaw is None and ball else angle
    facts.update(distance=distance, angle=angle)
    close = at_grasp(record, distance, angle)
    return "" if close else f"the object is {distance * 1000:.1f} mm and {np.rad2deg(angle):.1f} deg from the place"


def _turned(record: Record, X_WO: Array, parameters: Parameters, facts: dict[str, object]) -> str:
    if parameters.get("yaw") is None:
        return ""
    off = float(abs(np.angle(np.exp(1j * (_yaw(X_WO) - float(str(parameters["yaw"])))))))
    facts["turned"] = off
    if off <= record.tolerance.grasp_angle:
        return ""
    return f"the object is turned {np.rad2deg(off):.1f} deg from the yaw asked for"


def _yaw(X_WO: Array) -> float:
    return float(np.arctan2(X_WO[1, 0], X_WO[0, 0]))


def frame_point(record: Record, step: Step, id: str, frame: str) -> Array:
    """(3,) [m] Origin of an object's task frame in the world; without one the middle of its underside."""
    X_WO, model = step.poses[id], record.objects[id]
    if frame in model.frames:
        point: Array = (X_WO @ model.frames[frame])[:3, 3]
        return point
    lower, upper = box(model, X_WO)
    return np.array([*(lower + upper)[:2] / 2, lower[2]])


def _above(record: Record, point: Array, own: Box, target: Box, facts: dict[str, object]) -> bool:
    height = float(point[2] - target[1][2])
    facts["height"] = height
    low = np.array([point[0], point[1], point[2] + LOW])
    return above((low, low), target) and height <= HEIGHT and over(point, target, SLACK)


def _on(record: Record, point: Array, own: Box, target: Box, facts: dict[str, object]) -> bool:
    facts["height"] = float(own[0][2] - target[1][2])
    return resting_on(own, target, record.tolerance.rest)


RELATIONS: dict[str, Callable[[Record, Array, Box, Box, dict[str, object]], bool]] = {"above": _above, "on": _on}
