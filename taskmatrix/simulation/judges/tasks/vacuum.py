"""Judges vacuum."""

from __future__ import annotations

import numpy as np

from ..behaviors.position import frame_point
from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import centre
from ..measures.holding import standing_on, unsettled

SUCTION = 0.06  # [m] between the tip and what vanishes, the step of the hand included


class VacuumJudge(Judge):
    """Success of vacuum (thesis 5.7.4).

    Given a vacuum V and a support S: at the end no object of the type ``debris`` (or ``type``) that was on S at the
    start is left; each of them vanished while a hand held V, within 6 cm of V's frame ``tip`` (or
    ``frame``); and V rests on S as after putdown.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the surface is not clean, or the vacuum not back."""
        id, on = str(parameters["object"]), str(parameters["on"])
        type = str(parameters.get("type") or parameters.get("debris") or "debris")
        end = record.end
        debris = standing_on(record, type, on)
        left = [piece for piece in debris if piece in end.poses]
        facts.update(debris=len(debris), left=len(left))
        if left:
            return f"{len(left)} of {len(debris)} pieces are left: {', '.join(left)}"
        for piece in debris:
            reason = self._cheated(record, id, str(parameters.get("frame") or "tip"), piece)
            if reason:
                return reason
        return unsettled(record, id, on, facts)

    def _cheated(self, record: Record, id: str, frame: str, piece: str) -> str:
        run = record.run
        last = max(k for k, step in enumerate(run) if piece in step.poses)
        if not run[last + 1].holders(id):
            return f"'{piece}' vanished while no hand held '{id}'"
        tip = frame_point(record, run[last + 1], id, frame)
        distance = float(np.linalg.norm(tip - centre(record.objects[piece], run[last].poses[piece])))
        return f"'{piece}' vanished {distance * 100:.0f} cm from the {frame}" if distance > SUCTION else ""
