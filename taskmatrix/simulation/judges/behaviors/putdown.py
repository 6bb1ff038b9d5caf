"""Judges putdown and pick-and-place."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from ..ground_truth import Record
from ..judge import Judge, Parameters
from ..measures.holding import holder, unsettled

ELSEWHERE = 0.01  # [m]


class PutdownJudge(Judge):
    """Success of putdown (thesis 5.7.2).

    Given an object O that a hand holds, and a support S: at the end no hand holds O, its underside is at most 3 mm
    above the top of S's box and 1 mm below it, the projection of its box lies inside that of S, and its z, or the
    axis that was to be, is up within 2 degrees if it is no ball. It lies from the step on at which it was let go: it
    does not move by more than 1 mm after that.
    """

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object does not rest where it should."""
        id = str(parameters["object"])
        if not holder(record.start, id):
            return f"no hand held '{id}' at the start"
        return _put(record, id, parameters, facts)


class PickAndPlaceJudge(Judge):
    """Success of pick-and-place (thesis figure 3.3).

    A hand holds the object at some step. At the end it rests on the support as after putdown, and is more than 1 cm
    from where it was at the start. What else a hand held at the start is held still, or rests on the support too.
    """

    clears: ClassVar[bool] = True

    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the object does not rest somewhere else."""
        id, on = str(parameters["object"]), str(parameters["on"])
        if not any(step.holders(id) for step in record.run):
            return f"no hand held '{id}' at any time"
        others = set(record.start.held.values()) - {id, *record.end.held.values()}
        for other in sorted(others):
            if reason := _put(record, other, {"on": on}, {}):
                return reason
        if reason := _put(record, id, parameters, facts):
            return reason
        distance = float(np.linalg.norm(record.end.poses[id][:3, 3] - record.start.poses[id][:3, 3]))
        facts["carried"] = distance
        return "" if distance > ELSEWHERE else f"'{id}' is where it was at the start"


def _put(record: Record, id: str, parameters: Parameters, facts: dict[str, object]) -> str:
    """Why an object does not lie as it was to lie, where it was let go; empty if it does."""
    on, up = str(parameters["on"]), str(parameters.get("up") or "z")
    return unsettled(record, id, on, facts, up) or fell(record, id)


def fell(record: Record, id: str) -> str:
    """Why an object did not stay where it was let go last; empty if it did, or was never held."""
    run = record.run
    last = max((k for k, step in enumerate(run) if holder(step, id)), default=None)
    if last is None:
        return ""
    drop = float(np.linalg.norm(run[-1].poses[id][:3, 3] - run[last].poses[id][:3, 3]))
    return f"'{id}' moved by {drop * 1000:.1f} mm after it was let go" if drop > record.tolerance.settle else ""
