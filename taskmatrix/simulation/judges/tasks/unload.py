"""Judges unload."""

from __future__ import annotations

from collections.abc import Collection

from taskmatrix.core.world.geometry import inverse

from ..behaviors.putdown import fell
from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.containing import outside
from ..measures.holding import unsettled

SHUT = 0.03  # of its way, by which a door may be open and count as closed


class UnloadJudge(Judge):
    """Success of unload: all of the type that stood in the source were held, and stand on the surface; it is closed."""

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why one of them is not where it should be, or the door open."""
        ids, end = _contents(record, parameters), record.end
        facts["things"] = len(ids)
        for id in ids:
            if not any(step.holders(id) for step in record.run):
                return f"no hand held '{id}' at any time"
            reason = unsettled(record, id, str(parameters["on"]), {}) or fell(record, id)
            if reason:
                return reason
        door = _door(parameters)
        joint = record.objects[door].joint
        if joint is None:
            return ""
        share = joint.share(joint.position(inverse(end.poses[joint.parent]) @ end.poses[door]))
        facts["share"] = share
        return f"'{door}' is {share:.0%} open" if share > SHUT else ""

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
