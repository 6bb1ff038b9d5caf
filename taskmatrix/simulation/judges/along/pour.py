"""Judges tilt and pour."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.world.objects import Array, ObjectModel

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import box, over
from ..measures.holding import holder

POURS = np.deg2rad(60.0)  # of tilt, from which on something comes out
SHORT = np.deg2rad(3.0)  # by which it may be tilted less than asked, or still be tilted in the end
BESIDE = 0.01  # [m] of the rim beside what it pours into


class PourJudge(Judge):
    """Success of tilt and pour.

    One hand holds the object all the while. It is tilted by the angle asked for, within 3 degrees; as long as it is
    tilted by more than 60 degrees, the lowest point of its rim is above the top of the target's box, and over it within
    1 cm; and in the end it is tilted no more than in the beginning.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why nothing would have got there."""
        id, into = str(parameters["object"]), str(parameters["into"])
        hand = holder(record.start, id)
        if not hand or any(step.held.get(hand) != id for step in record.run):
            return f"no hand held '{id}' all the while"
        tilts = [_tilt(step.poses[id]) for step in record.run]
        facts.update(tilt=max(tilts), left=tilts[-1])
        if max(tilts) < float(str(parameters.get("angle", 2.0))) - SHORT:
            return f"'{id}' was tilted by {np.rad2deg(max(tilts)):.1f} deg at most"
        model = record.objects[id]
        for step, tilt in zip(record.run, tilts, strict=True):
            if tilt > POURS:
                rim, target = _rim(model, step.poses[id]), box(record.objects[into], step.poses[into])
                if rim[2] < target[1][2] or not over(rim, target, BESIDE):
                    return f"the rim of '{id}' is not over '{into}' when it is tilted by {np.rad2deg(tilt):.0f} deg"
        still = max(SHORT, tilts[0] + SHORT)
        return f"'{id}' stays tilted by {np.rad2deg(tilts[-1]):.1f} deg" if tilts[-1] > still else ""


def _tilt(X_WO: Array) -> float:
    """[rad] Of an object's z from the vertical."""
    return float(np.arccos(np.clip(X_WO[2, 2], -1.0, 1.0)))


def _rim(model: ObjectModel, X_WO: Array) -> Array:
    """(3,) [m] The point of the rim of its top that is lowest, in the world."""
    lower, upper = box(model, np.eye(4))
    down = -X_WO[2, :2] / max(float(np.linalg.norm(X_WO[2, :2])), 1e-9)
    radius = float((upper - lower)[:2].min()) / 2
    point = np.array([*((lower + upper)[:2] / 2 + radius * down), upper[2]])
    p: Array = X_WO[:3, :3] @ point + X_WO[:3, 3]
    return p
