"""Judges fixate."""

from __future__ import annotations

import numpy as np

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import centre
from ..measures.gaze import FACING, gaze_error, least_gaze_error


class FixateJudge(Judge):
    """Success of fixate (thesis 4.3.5).

    Given an object O whose centre is at X, and phi(c) the angle between the viewing direction at configuration c and
    the direction to X: at the end phi(c) < 3 degrees, or no configuration of base and neck does, and c is as good as
    the best of them within 3 degrees; of the neck alone if ``base`` is false.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not faced."""
        robot, end, id = record.robot, record.end, str(parameters["target"])
        if robot.view is None:
            return "the robot has no view"
        if id not in end.poses:
            return f"'{id}' is not there at the end"
        point = centre(record.objects[id], end.poses[id])
        error = gaze_error(robot, end.q, point)
        facts["gaze"] = error
        if error <= FACING:
            return ""
        base = robot.chains["base"] if parameters.get("base", True) else ()
        joints = [*base, *robot.chains.get("head", ())]
        least = least_gaze_error(robot, end.q, point, joints)
        facts["least_gaze"] = least
        if error <= least + FACING:
            return ""
        return f"the view is {np.rad2deg(error):.1f} deg off '{id}', and could be {np.rad2deg(least):.1f}"
