"""Judges unload."""

from __future__ import annotations

from collections.abc import Collection

from ..behaviors.put_into import left_open
from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.containing import outside
from .bring import not_brought


class UnloadJudge(Judge):
    """Success of unload: all of the type that stood in the source were held, and stand on the surface; it is closed."""

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why one of them is not where it should be, or the door open."""
        ids, door = _contents(record, parameters), _door(parameters)
        facts["things"] = len(ids)
        reason = not_brought(record, ids, str(parameters["on"]))
        return reason or ("" if record.objects[door].joint is None else left_open(record, door, facts))

    def handled(self, record: Record, parameters: Parameters) -> Collection[str]:
        """What was in it, and what opens."""
        return [*_contents(record, parameters), _door(parameters)]


def _door(parameters: Parameters) -> str:
    return str(parameters.get("door") or parameters["source"])


def _contents(record: Record, parameters: Parameters) -> list[str]:
    """Ids of all of the type that stood in the source as the run began."""
    type, source = str(parameters.get("type") or "graspable"), str(parameters["source"])
    return [
        id
        for id in sorted(record.start.poses)
        if type in record.objects[id].type.split("/") and not outside(record, record.start, id, source, {})
    ]
