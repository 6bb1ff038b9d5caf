"""Judges a disturbed run: was it achieved all the same, or does the disturbance explain why not."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
from disturber import OBSTACLES, Disturber

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Record, judge_of
from taskmatrix.simulation.judges.judge import beyond_limits
from taskmatrix.simulation.judges.measures.contacts import contacts
from taskmatrix.simulation.judges.measures.grasps import nearest_grasp
from taskmatrix.simulation.judges.measures.intended_contacts import IntendedContacts

K = FailureKind
NEVER = (K.EXCEPTION, K.TIMEOUT, K.INTERRUPTED, K.DEAD_END, K.PARAMETER, K.NOT_ABLE, K.TRACKING)
IN_VAIN = (K.COLLISION, K.IK_EXHAUSTED, K.PLANNER_EXHAUSTED)  # of planning anew
LOST = (K.LOST_OBJECT, K.UNKNOWN_OBJECT, K.INCONDITION, K.PRECONDITION)
REASONS: Mapping[str, tuple[FailureKind, ...]] = {
    "removed": LOST,
    "taken": LOST,
    "push": (*IN_VAIN, K.INCONDITION, K.PRECONDITION),
    **dict.fromkeys(OBSTACLES, (*IN_VAIN, K.PRECONDITION)),
}
MOVED = (*LOST, *IN_VAIN)
GRASPED = 0.035  # [m] from a grasp a hand may touch what it reaches for
LASTING = 50  # steps without being looked at in which a contact lasts


class Evidence:
    """A reader of the event stream that keeps what a verdict needs."""

    def __init__(self) -> None:
        self._raised: list[Failure] = []
        self._told: list[str] = []
        self.replans = 0

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        if event.kind == "replan":
            self.replans += 1
        failure = event.data.get("failure")
        if isinstance(failure, Failure) and failure.root.kind is K.EXCEPTION:
            self._raised.append(failure)
        if event.kind not in ("step", "planning") and event.data.get("message") not in ("goal-achieved", "goal-failed"):
            words = {key: item.explain() if isinstance(item, Failure) else item for key, item in event.data.items()}
            self._told.append(f"{event.time:8.2f} {event.kind} {event.source} {words}")

    def write(self, path: Path) -> None:
        """Write what happened."""
        path.write_text("\n".join(self._told))

    def judge(
        self, record: Record, task: str, parameters: Mapping[str, object], outcome: Outcome, disturber: Disturber
    ) -> tuple[str, str, list[tuple[str, str]]]:
        """Verdict, its reason, and the contacts that the disturbance made."""
        if self._raised:
            failure = self._raised[0]
            return "unexplained", f"{failure.explain()}\n{failure.root.trace}", []
        own, made = _contacts(record, task, parameters, disturber)
        if own:
            return "unexplained", f"{own}; {outcome}", made
        if outcome.failure is not None:
            reason = outcome.failure.explain()
            right = explains(disturber, outcome.failure)
            return ("right reason" if right else "unexplained"), reason, made
        reason = judge_of(task).goal(record, parameters, {}) or beyond_limits(_unpushed(record, disturber))
        if reason:
            return "unexplained", f"claimed success, but {reason}", made
        return "recovered", "", made


def explains(disturber: Disturber, failure: Failure) -> bool:
    """Whether a disturbance explains a failure: by its kind, and by what it names."""
    chain = list(failure.chain())
    if any(item.kind in NEVER for item in chain):
        return False
    if failure.root.kind not in REASONS.get(disturber.disturbance, MOVED):
        return False
    words = failure.explain()
    if disturber.disturbance in OBSTACLES:
        return "obstacle_" in words
    if disturber.disturbance == "push":
        return any("pair" in item.facts for item in chain) or disturber.target in words
    return disturber.target in words


def _contacts(
    record: Record, task: str, parameters: Mapping[str, object], disturber: Disturber
) -> tuple[str, list[tuple[str, str]]]:
    """The first contact that the robot made, and all that the disturbance made."""
    judge = judge_of(task)
    asked = IntendedContacts(record, {disturber.target}, judge.supports(parameters))
    robot, target = record.robot, disturber.target
    links = {link: name for name, hand in robot.hands.items() for link in hand.touch}

    def excused(k: int, first: str, second: str, depth: float) -> bool:
        if asked(k, first, second, depth):
            return True
        hand = links.get(first if second == target else second if first == target else "")
        return hand is not None and nearest_grasp(record, record.steps[k], hand, target)[1] <= GRASPED

    made: dict[tuple[str, str], int] = {}
    for k, first, second in contacts(record, excused):
        pair = (first, second)
        moving = target in pair and disturber.step < k <= disturber.step + (disturber.until >= 0) * 2.5 / CONTROL_STEP
        lasts = pair in made and k - made[pair] <= LASTING
        if k != disturber.step + 1 and not lasts and not moving:
            return f"{first} touches {second} at step {k}, struck after {disturber.step}", list(made)
        made[pair] = k
    return "", list(made)


def _unpushed(record: Record, disturber: Disturber) -> Record:
    """The same record with the base where it would be without the push."""
    same, off = copy(record), np.zeros(record.robot.n)
    off[:3] = disturber.push
    same.steps = [step if k <= disturber.step else replace(step, q=step.q - off) for k, step in enumerate(record.steps)]
    return same
