"""Judges pickup."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.core.world.objects import Array

from ..ground_truth import Record, Step
from ..judge import Judge, Parameters
from ..measures.boxes import centre
from ..measures.contacts import in_contact
from ..measures.gaze import FACING, gaze_error, least_gaze_error
from ..measures.grasps import not_grasped
from ..measures.holding import holder, unaided
from ..measures.scene import Scene


class PickupJudge(Judge):
    """Success of pickup (thesis 4.3.1 and 4.3.3, figure 5.39).

    At the end a hand holds the object, at one of its grasps within 5 mm and 2 degrees; and when it was grasped the view
    was within 3 degrees of it, wherever the neck's limits allow that at that posture without a further contact, there
    and on the straight way there.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object was not fetched with open eyes."""
        id = str(parameters["object"])
        hand = holder(record.end, id)
        if not hand:
            return f"no hand holds '{id}' at the end"
        lost = not_grasped(record, record.end, hand, id, facts) or unaided(record, id)
        return lost or self._gaze(record, id, facts)

    def _gaze(self, record: Record, id: str, facts: dict[str, object]) -> str:
        robot = record.robot
        grasped = next(step for step in record.run if step.holders(id))
        neck = robot.chains.get("head", ())
        if robot.view is None or not neck or grasped is record.start:
            facts.update(gaze=None, gaze_possible=False)
            return ""
        point = centre(record.objects[id], grasped.poses[id])
        error = gaze_error(robot, grasped.q, point)
        possible = error <= FACING or self._least(record, grasped, point, neck) <= FACING
        facts.update(gaze=error, gaze_possible=possible)
        if possible and error > FACING:
            return f"the view is {np.rad2deg(error):.1f} deg off '{id}' at the grasp, although the neck could face it"
        return ""

    def _least(self, record: Record, grasped: Step, point: Array, neck: Sequence[int]) -> float:
        """[rad] The least error that the neck can turn to without touching anything else than at the grasp."""
        scene = Scene(record.robot, record.objects)
        touched = in_contact(scene, grasped)

        def free(q: Array) -> bool:
            return in_contact(scene, replace(grasped, q=q)) <= touched

        return least_gaze_error(record.robot, grasped.q, point, neck, FACING, free)
