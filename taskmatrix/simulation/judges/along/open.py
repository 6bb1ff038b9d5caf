"""Judges open, close and move-part."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.geometry import inverse, pose_error

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.holding import holder

NEAR = 0.03  # of its way, by which a part may be off
ON_JOINT = (0.002, np.deg2rad(1.0))  # [m], [rad] from where its joint leads it, at any step


class MovePartJudge(Judge):
    """Success of move-part: a hand holds the part, which moved along its joint only, and is as far open as asked."""

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the part is not where it should be."""
        id = str(parameters["object"])
        joint = record.objects[id].joint
        if joint is None:
            return f"'{id}' is no part that moves on another"
        positions = []
        for step in record.run:
            X_PO = inverse(step.poses[joint.parent]) @ step.poses[id]
            positions.append(joint.position(X_PO))
            off = pose_error(joint.at(positions[-1]), X_PO)
            if off[0] > ON_JOINT[0] or off[1] > ON_JOINT[1]:
                return f"'{id}' is {off[0] * 1000:.1f} mm and {np.rad2deg(off[1]):.1f} deg off its joint"
        facts["share"] = share = joint.share(positions[-1])
        if abs(share - float(str(parameters.get("share", 0.0)))) > NEAR:
            return f"'{id}' is {share:.0%} open"
        return self.in_hand(record, id)

    def in_hand(self, record: Record, id: str) -> str:
        """Why the part is not held at the end, where it should be."""
        return "" if holder(record.end, id) else f"no hand holds '{id}' at the end"


class OpenJudge(MovePartJudge):
    """Success of open and close: the part moved along its joint only, is as far open as asked, and in no hand."""

    def in_hand(self, record: Record, id: str) -> str:
        """Why the part is not free at the end."""
        hand = holder(record.end, id)
        return f"the {hand} hand still holds '{id}'" if hand else ""
