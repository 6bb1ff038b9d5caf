"""Judges release."""

from __future__ import annotations

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import box, resting_on
from ..measures.containing import outside
from ..measures.holding import displaced, holder


class ReleaseJudge(Judge):
    """Success of release (thesis 4.3.4).

    Given a grasped object O at X: at the end (a) O is at X, within 1 mm and half a degree, (b) its pose does not depend
    on the configuration: no hand holds it; and the fingers that held it are open, or in the hand's resting posture.
    With ``using`` that hand does not hold it and is open; another may have taken it over. With ``on`` it rests there:
    its underside is within 3 mm of the support's top, with its centre over it.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not free."""
        id = str(parameters["object"])
        before = holder(record.start, id)
        if not before:
            return f"no hand held '{id}' at the start"
        hand = str(parameters.get("using") or before)
        if hand not in record.robot.hands:
            return f"the robot has no hand '{hand}'"
        holders = record.end.holders(id)
        if holders and (hand in holders or hand == before):
            return f"the {holders[0]} hand still holds '{id}'"
        facts["hand"] = hand
        into = str(parameters.get("into") or "")
        return (
            displaced(record, id, facts)
            or self._afloat(record, id, parameters)
            or (outside(record, record.end, id, into, facts) if into else "")
            or self._closed(record, hand)
        )

    def _afloat(self, record: Record, id: str, parameters: Parameters) -> str:
        on, poses, models = str(parameters.get("on") or ""), record.end.poses, record.objects
        if not on:
            return ""
        rests = on in poses and resting_on(
            box(models[id], poses[id]), box(models[on], poses[on]), record.tolerance.rest
        )
        return "" if rests else f"'{id}' does not rest on '{on}'"

    def _closed(self, record: Record, hand: str) -> str:
        robot, model = record.robot, record.robot.hands[hand]
        worst = ""
        for goal in (model.open, model.rest):
            off = {joint: abs(float(record.end.q[robot.joints.index(joint)]) - goal[joint]) for joint in goal}
            joint = max(off, key=lambda name: off[name], default="")
            if not joint or off[joint] <= record.tolerance.fingers:
                return ""
            worst = f"finger joint {joint} is {off[joint]:.2f} from the open hand"
        return worst
