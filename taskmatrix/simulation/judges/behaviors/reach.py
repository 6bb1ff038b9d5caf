"""Judges reach."""

from __future__ import annotations

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.grasps import nearest_grasp, off_grasp


class ReachJudge(Judge):
    """Success of reach (thesis 4.3.1).

    Given an object O at X_WO and its feasible grasps Z = {X_OH}: at the end there is a hand h that holds nothing, or
    O as at the start, and a grasp X_OH in Z no wider than h opens, with X_Wh = X_WO X_OH within 5 mm and 2 degrees. The
    hand is the one of ``using``, and the grasp not that of ``avoid``, if given.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why no free hand is at a grasp."""
        id, end = str(parameters["object"]), record.end
        if id not in end.poses:
            return f"'{id}' is not there at the end"
        using, avoid = (None if parameters.get(name) is None else str(parameters[name]) for name in ("using", "avoid"))
        kept = {hand for hand, held in record.start.held.items() if held == end.held.get(hand) == id}
        free = [h for h in record.robot.hands if using in (None, h) and (h in kept or h not in end.held)]
        if not free:
            return f"{'no' if using is None else f'the {using}'} hand is free at the end"
        best = min(free, key=lambda hand: nearest_grasp(record, end, hand, id, avoid=avoid)[1])
        return off_grasp(record, end, best, id, facts, avoid=avoid)
