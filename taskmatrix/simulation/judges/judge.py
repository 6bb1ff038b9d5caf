"""What all judges have in common: the claim, the goal, the limits and the contacts, in this order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping

import numpy as np

from .contacts import contacts
from .judgement import Judgement
from .record import Record
from .touching import Touching

SLACK = 1e-6  # on joint limits, for rounding
FAST = 1e-4  # on velocity limits, as a share of them

Parameters = Mapping[str, object]


class Judge(ABC):
    """Decides from ground truth whether a run of one behavior succeeded; shares no code with behaviors and skills.

    A run succeeds if it says so, reaches the goal of its behavior, and if at no step of the record - also of the runs
    that prepared it - a joint was outside its limits or faster than its (capped) velocity limit, or two things touched
    that the task did not ask to touch. Subclasses state the goal.
    """

    def __call__(self, record: Record, parameters: Parameters) -> Judgement:
        """Judge the last run of a record.

        Args:
            record: The run.
            parameters: Of the behavior, by name; an ``object`` that is None is what a hand held when the run began.
        """
        if "object" in parameters and parameters["object"] is None:
            parameters = {**parameters, "object": next(iter(record.start.held.values()), None)}
        facts: dict[str, object] = {"steps": len(record.run) - 1}
        if record.claimed is None:
            return Judgement(False, "the run did not end", "claim", facts)
        if not record.claimed:
            reason = record.failure.explain() if record.failure else "it failed without a reason"
            return Judgement(False, reason, "claim", facts)
        reason = self.goal(record, parameters, facts)
        if reason:
            return Judgement(False, reason, "goal", facts)
        reason = beyond_limits(record)
        if reason:
            return Judgement(False, reason, "limits", facts)
        touching = Touching(record, self.handled(parameters), self.supports(parameters))
        for k, first, second in contacts(record, touching):
            facts["contact"] = (first, second)
            return Judgement(False, f"{first} touches {second} at step {k - 1}", "contact", facts)
        return Judgement(True, "", "", facts)

    @abstractmethod
    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the goal is not reached; empty if it is. What is measured goes into ``facts``."""

    def handled(self, parameters: Parameters) -> Collection[str]:
        """Ids of the objects that hands may touch: that of the parameter ``object``."""
        return [str(parameters["object"])] if parameters.get("object") else []

    def supports(self, parameters: Parameters) -> Collection[str]:
        """Ids of what a held object may be put on: that of the parameter ``on``."""
        return [str(parameters["on"])] if parameters.get("on") else []


def beyond_limits(record: Record) -> str:
    """The first joint that is outside its limits or too fast, at any step of a record; empty if there is none."""
    robot = record.robot
    q = np.array([step.q for step in record.steps])
    outside = np.maximum(robot.lower - q[1:], q[1:] - robot.upper)
    fast = np.abs(np.diff(q, axis=0)) / record.dt / robot.velocity
    bad = (outside > SLACK).any(axis=1) | (fast > 1.0 + FAST).any(axis=1)
    if not bad.any():
        return ""
    k = int(np.argmax(bad))
    worst = int(np.argmax(outside[k]))
    if outside[k, worst] > SLACK:
        return f"joint {robot.joints[worst]} is {outside[k, worst]:.4f} outside its limits at step {k}"
    worst = int(np.argmax(fast[k]))
    return f"joint {robot.joints[worst]} moves at {fast[k, worst]:.3f} of its velocity limit at step {k}"
