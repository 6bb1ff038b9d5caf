"""Judges stack."""

from __future__ import annotations

from collections.abc import Collection

from ..behaviors.putdown import fell
from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import box, resting_on
from ..measures.holding import holder, tilt


class StackJudge(Judge):
    """Success of stack: of all things of the type one stands on the surface, and on each but the last one another.

    They are upright within 2 degrees, no hand holds one, and none has moved since it was let go.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why they are not stacked."""
        end, ids = record.end, self.handled(record, parameters)
        facts["things"] = len(ids)
        below, left = str(parameters["on"]), set(ids)
        while left:
            support = box(record.objects[below], end.poses[below])
            on_it = [
                id
                for id in sorted(left)
                if resting_on(box(record.objects[id], end.poses[id]), support, record.tolerance.rest)
            ]
            if len(on_it) != 1:
                return f"on '{below}' stand {len(on_it)} of {sorted(left)}"
            (below,) = on_it
            left.remove(below)
        for id in ids:
            if tilt(record.objects[id], end.poses[id]) > record.tolerance.upright:
                return f"'{id}' is not upright"
            if holder(end, id):
                return f"the {holder(end, id)} hand still holds '{id}'"
            if reason := fell(record, id):
                return reason
        return ""

    def handled(self, record: Record, parameters: Parameters) -> Collection[str]:
        """All of the type."""
        return sorted(id for id in record.start.poses if str(parameters["type"]) in record.objects[id].type.split("/"))

    def supports(self, parameters: Parameters) -> Collection[str]:
        """The surface."""
        return [str(parameters["on"])]
