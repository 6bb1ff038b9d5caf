"""Judges release."""

from __future__ import annotations

from .holding import displaced, holder
from .judge import Judge, Parameters
from .record import Record

OPEN = 0.05  # [rad] or [m] of a finger joint from where it is in the open or the resting hand


class ReleaseJudge(Judge):
    """Success of release (thesis 4.3.4).

    Given a grasped object O at X: at the end (a) O is at X, within 1 mm and half a degree, (b) its pose does not depend
    on the configuration: no hand holds it; and the fingers that held it are open, or in the hand's resting posture.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not free."""
        id = str(parameters["object"])
        hand = holder(record.end, id)
        if hand:
            return f"the {hand} hand still holds '{id}'"
        before = holder(record.start, id)
        if not before:
            return f"no hand held '{id}' at the start"
        facts["hand"] = before
        return displaced(record, id, facts) or self._closed(record, before)

    def _closed(self, record: Record, hand: str) -> str:
        robot, model = record.robot, record.robot.hands[hand]
        worst = ""
        for goal in (model.open, model.rest):
            off = {joint: abs(float(record.end.q[robot.joints.index(joint)]) - goal[joint]) for joint in goal}
            joint = max(off, key=lambda name: off[name], default="")
            if not joint or off[joint] <= OPEN:
                return ""
            worst = f"finger joint {joint} is {off[joint]:.2f} from the open hand"
        return worst
