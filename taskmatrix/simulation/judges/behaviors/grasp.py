"""Judges grasp."""

from __future__ import annotations

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.grasps import not_grasped
from ..measures.holding import displaced, holder, unaided


class GraspJudge(Judge):
    """Success of grasp (thesis 4.3.3).

    Given an object O at X: O is attached to a hand such that (a) O is still at X, within 1 mm and half a degree, and
    (b) the pose of O depends on the configuration: the hand holds it, at one of its grasps within 5 mm and 2 degrees,
    with its fingers closed to the grasp's width; what takes two hands is in both. It is the ``hand`` and the ``grasp``
    asked for, if any.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not held where it was."""
        id = str(parameters["object"])
        hand = holder(record.end, id)
        if not hand:
            return f"no hand holds '{id}' at the end"
        if parameters.get("hand") not in (None, hand):
            return f"the {hand} hand holds '{id}', not the {parameters['hand']}"
        name = parameters.get("grasp")
        reason = not_grasped(record, record.end, hand, id, facts, None if name is None else str(name))
        return displaced(record, id, facts) or reason or unaided(record, id)
