"""Judges find."""

from __future__ import annotations

from taskmatrix.core.perception import Region

from .boxes import box, centre, in_region, over
from .judge import Judge, Parameters
from .record import Record

SIDES = ("x", "y", "z")


class FindJudge(Judge):
    """Success of find (thesis 5.7.4).

    The object that it publishes is there, is of the type asked for and, if a region is given (``xmin`` ... ``zmax`` as
    far as given, or over the object ``on``), the centre of its box is in it.
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
        point = centre(model, X_WO)
        on = parameters.get("on")
        if on and not over(point, box(record.objects[str(on)], record.start.poses[str(on)])):
            return f"'{id}' is not over '{on}'"
        return "" if in_region(point, _region(parameters)) else f"'{id}' is outside the region"

    def handled(self, parameters: Parameters) -> list[str]:
        """It touches nothing."""
        return []


def _region(parameters: Parameters) -> Region:
    def corner(suffix: str, unbounded: float) -> tuple[float, float, float]:
        values = [parameters.get(f"{side}{suffix}") for side in SIDES]
        x, y, z = (unbounded if value is None else float(str(value)) for value in values)
        return x, y, z

    return Region(corner("min", -1e9), corner("max", 1e9))
