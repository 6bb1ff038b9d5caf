"""Judges put-into, store and take-out."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

from taskmatrix.core.world.geometry import inverse

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.boxes import box
from ..measures.containing import outside
from ..measures.grasps import not_grasped
from ..measures.holding import holder
from .putdown import fell

SHUT = 0.03  # of its way, by which a part may be open and count as closed
ON_SHELF = 0.03  # [m] of an underside from the frame of the shelf that was asked for


class PutIntoJudge(Judge):
    """Success of put-into.

    Given an object O that a hand holds, and a container C: at the end no hand holds O, and it stands upright in C, on
    one of C's solid shapes, from the step on at which it was let go; on the shelf ``at``, if one is named.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not in it."""
        id = str(parameters["object"])
        if not holder(record.start, id):
            return f"no hand held '{id}' at the start"
        return _put(record, id, parameters, facts) or fell(record, id)


class TakeOutJudge(Judge):
    """Success of take-out: a hand holds the object in the end, at one of its grasps, and what opened is closed."""

    clears: ClassVar[bool] = True

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why it was not taken out."""
        id, door = str(parameters["object"]), str(parameters["door"])
        if not any(step.holders(id) for step in record.run):
            return f"no hand held '{id}' at any time"
        return left_open(record, door, facts) or self.at_end(record, id, parameters, facts)

    def at_end(self, record: Record, id: str, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not where it should be in the end."""
        hand = holder(record.end, id)
        return not_grasped(record, record.end, hand, id, facts) if hand else f"no hand holds '{id}' at the end"

    def handled(self, record: Record, parameters: Parameters) -> Collection[str]:
        """The object, and what opens."""
        return [str(parameters["object"]), str(parameters["door"])]


class StoreJudge(TakeOutJudge):
    """Success of store: a hand held the object, which stands in the container in the end; what opened is closed."""

    def at_end(self, record: Record, id: str, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object is not in the container."""
        return _put(record, id, parameters, facts)


def left_open(record: Record, door: str, facts: dict[str, object]) -> str:
    """Why a drawer or a door is not closed in the end; empty if it is."""
    joint, end = record.objects[door].joint, record.end
    if joint is None:
        return f"'{door}' is no part that moves on another"
    share = joint.share(joint.position(inverse(end.poses[joint.parent]) @ end.poses[door]))
    facts["share"] = share
    return f"'{door}' is {share:.0%} open" if share > SHUT else ""


def _put(record: Record, id: str, parameters: Parameters, facts: dict[str, object]) -> str:
    hand = holder(record.end, id)
    if hand:
        return f"the {hand} hand still holds '{id}'"
    into, at = str(parameters["into"]), parameters.get("at")
    reason = outside(record, record.end, id, into, facts)
    if reason or at is None:
        return reason
    shelf = record.end.poses[into] @ record.objects[into].frames[str(at)]
    off = float(box(record.objects[id], record.end.poses[id])[0][2] - shelf[2, 3])
    return f"'{id}' is {abs(off) * 100:.0f} cm from the '{at}' of '{into}'" if abs(off) > ON_SHELF else ""
