"""Judges push and shove."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from taskmatrix.core.world.geometry import planar

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import box, centre, gap, resting_on
from ..measures.contacts import apart
from ..measures.holding import holder

OFF, SHARE = 0.01, 0.1  # [m], and of its way, that the object may be from where it was to go
NEAR = 0.05  # [m] beyond its way, at which others are looked at
TILTED = np.deg2rad(10.0)  # [rad] by which it may have come to lean


class PushJudge(Judge):
    """Success of push and shove.

    The object is within 1 cm, or a tenth of its way, of where it was to go, no hand held it, it leans by less than 10
    degrees against how it stood, nothing else was moved but what stood on it, and it went into nothing beside it.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why it is elsewhere."""
        id, start, end = str(parameters["object"]), record.start.poses, record.end.poses
        yaw = float(record.start.q[2]) if parameters.get("relative_to", "world") == "robot" else 0.0
        way = planar(0.0, 0.0, yaw)[:2, :2] @ [float(str(parameters[axis])) for axis in "xy"]
        gone = centre(record.objects[id], end[id]) - centre(record.objects[id], start[id])
        facts["off"] = off = float(np.linalg.norm(gone[:2] - way))
        if off > max(OFF, SHARE * float(np.linalg.norm(way))):
            return f"'{id}' is {off * 100:.1f} cm from where it was to be pushed"
        leans = float(np.arccos(np.clip(start[id][:3, 2] @ end[id][:3, 2], -1.0, 1.0)))
        if leans > TILTED:
            return f"'{id}' leans by {np.rad2deg(leans):.0f} deg"
        if any(holder(step, id) for step in record.run):
            return f"a hand held '{id}'"
        in_hands = {held for step in record.run for held in step.held.values()}
        for other in sorted(set(record.still or start) & set(start) & set(end) - {id, *in_hands}):
            own, its = box(record.objects[id], start[id]), box(record.objects[other], start[other])
            moved = float(np.linalg.norm((end[other] - start[other])[:3, 3]))
            if moved > record.tolerance.still and not resting_on(its, own):
                return f"'{other}' was moved by {moved * 1000:.0f} mm"
            if 0.0 < gap(own, its) < NEAR + float(np.linalg.norm(way)):
                between = apart(record, id, other)
                if between is not None and between < -record.tolerance.penetration:
                    return f"'{id}' went {-between * 1000:.0f} mm into '{other}'"
        return ""

    def touched(self, record: Record, parameters: Parameters) -> Collection[frozenset[str]]:
        """What hands touch with, and the object."""
        links = [link for hand in record.robot.hands.values() for link in hand.touch]
        return [frozenset((link, str(parameters["object"]))) for link in links]
