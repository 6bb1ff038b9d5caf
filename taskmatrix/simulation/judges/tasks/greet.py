"""Judges greet."""

from __future__ import annotations

import numpy as np

from ..behaviors.canned import repeated
from ..behaviors.postural import off_posture
from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import centre
from ..measures.gaze import gaze_error, least_gaze_error

FOLLOWING = float(np.deg2rad(5.0))  # [rad]
SHARE = 0.9  # of the steps in which the neck can face the target
EVERY = 5  # steps between two looks


class GreetJudge(Judge):
    """Success of greet (thesis 5.7.3).

    The motion ``wave`` (or ``motion``), or its mirror image, is played for the ``duration`` asked for, or once, at the
    pace that periodic-canned demands; of the steps of the wave in which the neck can face the moving target, the view
    is within 5 degrees of it in at least 90 %; and at the end the arms are in the posture ``rest`` (or what the
    parameter of that name says), or in its mirror image.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why nobody was greeted."""
        robot, id = record.robot, str(parameters["target"])
        found = repeated(record, str(parameters.get("motion") or "wave"), parameters, facts)
        if isinstance(found, str):
            return found
        waving = [step for step in record.run[found.begin : found.end + 1 : EVERY] if id in step.poses]
        if not waving:
            return f"'{id}' was not there during the wave"
        faced, possible = 0, 0
        neck = robot.chains.get("head", ())
        for step in waving if robot.view is not None and neck else ():
            point = centre(record.objects[id], step.poses[id])
            faces = gaze_error(robot, step.q, point) <= FOLLOWING
            faced += faces
            possible += faces or least_gaze_error(robot, step.q, point, neck, FOLLOWING) <= FOLLOWING
        facts.update(faced=faced, possible=possible, waving=len(waving))
        if faced < SHARE * possible:
            return f"the view was on '{id}' in {faced} of {possible} steps of the wave in which it could be"
        arms = {hand.arm for hand in robot.hands.values()}
        joints = {robot.joints[k] for k in robot.indices(*sorted(arms))}
        name = str(parameters.get("rest") or "rest")
        if name not in robot.postures:
            return f"the robot has no posture '{name}'"
        rest = {joint: position for joint, position in robot.postures[name].items() if joint in joints}
        return off_posture(record, rest, facts) if rest else ""

    def handled(self, record: Record, parameters: Parameters) -> list[str]:
        """No object: the behavior only waves."""
        return []
