"""Judges search."""

from __future__ import annotations

from ..ground_truth import Record
from ..judge import Judge, Parameters


class SearchJudge(Judge):
    """Success of search.

    The object that it was to look for is there, it says that it saw it, and it moved no object.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why what was sought was not found."""
        id = str(parameters["object"])
        if id not in record.end.poses:
            return f"'{id}' is not there"
        return "" if record.published.get("noticed") == id else f"'{id}' was not noticed"

    def handled(self, record: Record, parameters: Parameters) -> list[str]:
        """No object: the behavior only looks."""
        return []
