"""Judges find."""

from __future__ import annotations

import numpy as np

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import Box, box, centre, gap, over

SIDES = ("x", "y", "z")


class FindJudge(Judge):
    """Success of find (thesis 5.7.4).

    The object that it publishes is there and is of the type asked for; if a region is given (``xmin`` ... ``zmax``, as
    far as given), its box touches it; and if ``on`` is given, its centre is over that object.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why what was found is not what was sought."""
        if not record.published.get("object"):
            return "no object was published"
        id, type = str(record.published["object"]), str(parameters["type"])
        facts["object"] = id
        if id not in record.start.poses:
            return f"'{id}' is not there"
        model, X_WO = record.objects[id], record.start.poses[id]
        if type not in model.type.split("/"):
            return f"'{id}' is of type {model.type}, not {type}"
        on = parameters.get("on")
        if on and not over(centre(model, X_WO), box(record.objects[str(on)], record.start.poses[str(on)])):
            return f"'{id}' is not over '{on}'"
        return "" if gap(box(model, X_WO), _region(parameters)) == 0 else f"'{id}' is outside the region"

    def handled(self, record: Record, parameters: Parameters) -> list[str]:
        """No object: the behavior only looks."""
        return []


def _region(parameters: Parameters) -> Box:
    def corner(suffix: str, unbounded: float) -> list[float]:
        values = [parameters.get(f"{side}{suffix}") for side in SIDES]
        return [unbounded if value is None else float(str(value)) for value in values]

    return np.array(corner("min", -1e9)), np.array(corner("max", 1e9))
