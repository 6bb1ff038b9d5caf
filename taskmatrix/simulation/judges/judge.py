"""What all judges have in common: the claim, goal, handling, limits, what is kept and contacts, in this order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from typing import ClassVar

import numpy as np

from .ground_truth import Record
from .judgement import Judgement
from .measures.contacts import contacts
from .measures.external_contacts import ExternalContacts, Pushed
from .measures.handling import mishandled
from .measures.initial_contacts import InitialContacts
from .measures.intended_contacts import IntendedContacts
from .measures.keeping import unkept

EARLY = 0.1  # [s] by which a run may end before its time

Parameters = Mapping[str, object]


class Judge(ABC):
    """Decides from ground truth whether a run of one behavior succeeded; shares no code with behaviors and skills.

    A run succeeds if it says so, reaches the goal of its behavior, and if at no step of the record - also of the runs
    that prepared it - a hand took something elsewhere than at a grasp, a joint was outside its limits or faster than
    its (capped) velocity limit, or two things touched that the task did not ask to touch; and if in the last run what
    hands hold was turned no further than ``keep`` and ``tilt`` allow. What touched before the
    record began is excused while that lasts
    (:class:`~taskmatrix.simulation.judges.measures.initial_contacts.InitialContacts`), and so is who walks into the
    robot (:class:`~taskmatrix.simulation.judges.measures.external_contacts.ExternalContacts`). Subclasses state the
    goal.
    """

    clears: ClassVar[bool] = False
    """Whether the behavior may put down what was held at the start; others let go only what they handle."""
    gives: ClassVar[bool] = False
    """Whether somebody may pull what it lets go out of the hand."""

    def __call__(self, record: Record, parameters: Parameters) -> Judgement:
        """Judge the last run of a record.

        Args:
            record: The run.
            parameters: Of the behavior, by name; an ``object`` that is None is what a hand, that of ``using`` if that
                is given, held when the run began.
        """
        parameters = _completed(record, parameters)
        facts: dict[str, object] = {"steps": len(record.run) - 1, "acceleration": acceleration(record)}
        if record.robot.is_half_known:
            facts["unsolid"] = f"{len(record.robot.unsolid_links)} links are drawn and touch nothing"
        if record.claimed is None:
            return Judgement(False, "the run did not end", "claim", facts)
        if not record.claimed:
            reason = record.failure.explain() if record.failure else "it failed without a reason"
            return Judgement(False, reason, "claim", facts)
        reason = self.goal(record, parameters, facts)
        if reason:
            return Judgement(False, reason, "goal", facts)
        return self._conduct(record, parameters, facts)

    def conduct(self, record: Record, parameters: Parameters) -> Judgement:
        """Judge how the last run of a record went, whatever it says and whether it reached its goal or not."""
        return self._conduct(record, _completed(record, parameters), {})

    def _conduct(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> Judgement:
        had = record.start.held
        handled = set(self.handled(record, parameters))
        let_go = {*handled, *had.values()} if self.clears else handled
        reason = mishandled(record, handled, let_go, let_go if self.gives else ())
        if reason:
            return Judgement(False, reason, "handling", facts)
        reason = beyond_limits(record)
        if reason:
            return Judgement(False, reason, "limits", facts)
        reason = unkept(record, parameters, facts)
        if reason:
            return Judgement(False, reason, "kept", facts)
        touching = IntendedContacts(record, {*handled, *had.values()}, self.supports(parameters))
        touched, inherited, approached = (
            self.touched(record, parameters),
            InitialContacts(record),
            ExternalContacts(record),
        )
        for k, first, second in contacts(record, lambda *at: touching(*at) or inherited(*at) or approached(*at)):
            if frozenset((first, second)) in touched and k > record.begin:
                continue
            facts["contact"] = (first, second)
            return Judgement(False, f"{first} touches {second} at step {k - 1}", "contact", facts)
        if inherited.left:
            facts["inherited"] = inherited.left
        return Judgement(True, "", "", facts)

    @abstractmethod
    def goal(self, record: Record, parameters: Parameters, facts: dict[str, object]) -> str:
        """Why the goal is not reached; empty if it is. What is measured goes into ``facts``."""

    def handled(self, record: Record, parameters: Parameters) -> Collection[str]:
        """Ids of the objects that hands may take, touch and let go: that of the parameter ``object``."""
        return [str(parameters["object"])] if parameters.get("object") else []

    def supports(self, parameters: Parameters) -> Collection[str]:
        """Ids of what a held object may be put on or into: those of the parameters ``on`` and ``into``."""
        return [str(parameters[name]) for name in ("on", "into") if parameters.get(name)]

    def touched(self, record: Record, parameters: Parameters) -> Collection[frozenset[str]]:
        """Pairs of names that the behavior brings into contact, besides hands with what they handle: none."""
        return ()


def _completed(record: Record, parameters: Parameters) -> Parameters:
    """Parameters with an ``object`` that is None replaced by what a hand held when the run began."""
    if "object" not in parameters or parameters["object"] is not None:
        return parameters
    had, using = record.start.held, parameters.get("using")
    return {**parameters, "object": had.get(str(using)) if using else next(iter(had.values()), None)}


def too_short(record: Record, parameters: Parameters) -> str:
    """Why a run did not last the ``duration`` that was asked for, if one was, within 0.1 s; empty if it did."""
    if parameters.get("duration") is None:
        return ""
    lasted, asked = (len(record.run) - 1) * record.dt, float(str(parameters["duration"]))
    return "" if lasted >= asked - EARLY else f"the run took {lasted:.2f} s, not {asked:.2f}"


def beyond_limits(record: Record) -> str:
    """The first joint that is outside its limits or too fast, at any step of a record; empty if there is none.

    One that is too fast because somebody walks into the robot is none.
    """
    robot, allowed = record.robot, record.tolerance
    q = np.array([step.q for step in record.steps])
    outside = np.maximum(robot.lower - q[1:], q[1:] - robot.upper)
    fast = np.abs(np.diff(q, axis=0)) / record.dt / robot.velocity
    beyond, too_fast, pushed = (
        (outside > allowed.limits).any(axis=1),
        (fast > 1.0 + allowed.fast).any(axis=1),
        Pushed(record),
    )
    k = next((int(k) for k in np.flatnonzero(beyond | too_fast) if beyond[k] or not pushed(int(k) + 1)), None)
    if k is None:
        return ""
    worst = int(np.argmax(outside[k]))
    if outside[k, worst] > allowed.limits:
        return f"joint {robot.joints[worst]} is {outside[k, worst]:.4f} outside its limits at step {k}"
    worst = int(np.argmax(fast[k]))
    return f"joint {robot.joints[worst]} moves at {fast[k, worst]:.3f} of its velocity limit at step {k}"


def acceleration(record: Record) -> float:
    """[-] The worst acceleration of a joint at any step, from rest, as a share of its limit; told, not judged."""
    q = np.array([record.steps[0].q, *(step.q for step in record.steps)])
    change = np.abs(np.diff(q, n=2, axis=0)) / record.dt**2 / record.robot.acceleration
    return float(change.max(initial=0.0))
