"""Judges lift."""

from __future__ import annotations

import numpy as np

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.grasps import hand_in_object
from ..measures.holding import holder, unaided

SLIPPED = 0.02  # [m]
SUNK = 0.002  # [m]


class LiftJudge(Judge):
    """Success of lift: a hand holds the object all the while, where it held it, and it is not lower than it was.

    How high it can be lifted depends on the room above it, which the behavior tells and the judge does not know.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object was not lifted."""
        id, hand = str(parameters["object"]), holder(record.start, str(parameters["object"]))
        if not hand:
            return f"no hand held '{id}' at the start"
        if any(holder(step, id) != hand for step in record.run):
            return f"the {hand} hand did not hold '{id}' all the while"
        places = [hand_in_object(record, step, hand, id)[:3, 3] for step in (record.start, record.end)]
        facts["slipped"] = slipped = float(np.linalg.norm(places[1] - places[0]))
        facts["lifted"] = lifted = float(record.end.poses[id][2, 3] - record.start.poses[id][2, 3])
        if slipped > SLIPPED:
            return f"'{id}' slipped by {slipped * 1000:.0f} mm in the {hand} hand"
        return f"'{id}' is {-lifted * 1000:.0f} mm lower" if lifted < -SUNK else unaided(record, id)
