"""Judges bring."""

from __future__ import annotations

from collections.abc import Collection

from ..behaviors.putdown import fell
from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.holding import standing_on, unsettled


class BringJudge(Judge):
    """Success of bring: all things of the type that stood on the source were carried by a hand, and stand on the other.

    Each stands there as after putdown.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why one of them is not where it should be."""
        ids = self.handled(record, parameters)
        facts["things"] = len(ids)
        if not ids:
            return f"nothing of type '{parameters['type']}' stood on '{parameters['source']}'"
        return not_brought(record, ids, str(parameters["on"]))

    def handled(self, record: Record, parameters: Parameters) -> Collection[str]:
        """What stood on the source as the run began."""
        return standing_on(record, str(parameters["type"]), str(parameters["source"]))


def not_brought(record: Record, ids: Collection[str], on: str) -> str:
    """Why one of some objects was not carried by a hand, or does not stand on a surface; empty if all were and do."""
    for id in ids:
        if not any(step.holders(id) for step in record.run):
            return f"no hand held '{id}' at any time"
        reason = unsettled(record, id, on, {}) or fell(record, id)
        if reason:
            return reason
    return ""
