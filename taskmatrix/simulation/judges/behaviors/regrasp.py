"""Judges regrasp and transfer."""

from __future__ import annotations

from taskmatrix.core.world.geometry import pose_error

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.grasps import at_grasp, hand_in_object, not_grasped
from ..measures.holding import holder


class RegraspJudge(Judge):
    """Success of regrasp (the MTM-1 element, thesis 4.2.2.4).

    Given an object O held with X_Oh: at the end a hand holds it at one of its grasps, and it is another hand, or X_Oh
    differs by more than 5 mm or 2 degrees.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not held in another way."""
        id, start, end = str(parameters["object"]), record.start, record.end
        before, now = holder(start, id), holder(end, id)
        if not before:
            return f"no hand held '{id}' at the start"
        if not now:
            return f"no hand holds '{id}' at the end"
        reason = not_grasped(record, end, now, id, facts)
        if reason or now != before:
            return reason
        distance, angle = pose_error(hand_in_object(record, start, before, id), hand_in_object(record, end, now, id))
        facts.update(changed=float(distance), turned=float(angle))
        same = at_grasp(record, distance, angle)
        return f"the {now} hand holds '{id}' as it did at the start" if same else ""


class TransferJudge(Judge):
    """Success of transfer (the MTM-1 element, thesis 4.2.2.4).

    Given an object O held by hand h: at the end another hand holds it, at one of its grasps within 5 mm and 2 degrees.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not in another hand."""
        id = str(parameters["object"])
        before, now = holder(record.start, id), holder(record.end, id)
        if not before:
            return f"no hand held '{id}' at the start"
        if not now:
            return f"no hand holds '{id}' at the end"
        if now == before:
            return f"the {now} hand holds '{id}' still"
        return not_grasped(record, record.end, now, id, facts)
