"""What became of one step of a program: judged, and its reason held against the world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from taskmatrix.core.base.failure import Failure, FailureKind, plain
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.simulation.judges import Record, judge_of
from taskmatrix.simulation.judges.measures.contacts import apart

from ..case import FAILURE, SUCCESS

FALSE_SUCCESS = "false success"
UNEXPLAINED = "unexplained"
LOCK_UP = "lock-up"
NEAR = 0.10  # [m] between the two that a failure names, at most, if it is to be believed
NO_REASON = (FailureKind.EXCEPTION, FailureKind.TIMEOUT, FailureKind.DEAD_END, FailureKind.PRECONDITION)
"""Kinds that explain nothing: what was chosen could start, and has to end by itself."""


@dataclass(frozen=True)
class Told:
    """What became of one step."""

    step: str
    """The step, in words."""
    verdict: str
    """``success``; ``failure`` with a reason that the world agrees with; ``unexplained``: a failure with another one,
    or in which something was done that no behavior may do; ``false success``: it says so, and the judge denies it."""
    kind: str = ""
    """Of the failure, or ``judge/`` and the judge's check."""
    reason: str = ""
    """Why it is no success."""
    root: str = ""
    """The last cause of a failure alone."""
    pair: tuple[str, str] | None = None
    """The two that the last cause names, if it does."""
    planned: bool = False
    """Whether it came to a plan."""
    duration: float = 0.0
    """[s] On the clock of the run."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """What the judge measured."""

    def to_dict(self) -> dict[str, Any]:
        """The verdict as plain data for JSON."""
        data: dict[str, Any] = plain(asdict(self))  # type: ignore[assignment]
        return {name: value for name, value in data.items() if value not in ("", {}, None, False)}


def judged(step: str, name: str, parameters: Mapping[str, object], record: Record, outcome: Outcome) -> Told:
    """Judge the run of one behavior, from the state before it.

    Args:
        step: The step in words.
        name: Of its behavior on the command line.
        parameters: With which it ran.
        record: Of this run alone.
        outcome: What it says of itself.
    """
    duration, judge = (len(record.steps) - 1) * record.dt, judge_of(name)
    if outcome.failure is None:
        judgement = judge(record, parameters)
        if judgement.success:
            return Told(step, SUCCESS, duration=duration, facts=judgement.facts)
        check = f"judge/{judgement.check}"
        return Told(step, FALSE_SUCCESS, check, judgement.reason, duration=duration, facts=judgement.facts)
    root, reason = outcome.failure.root, outcome.failure.explain()
    pair = named(root)
    verdict, kind, doubt = FAILURE, root.kind.value, doubted(root, record)
    if doubt:
        verdict, reason = UNEXPLAINED, f"{reason} But {doubt}."
    conduct = judge.conduct(record, parameters)
    if not conduct.success:
        verdict, kind = UNEXPLAINED, f"judge/{conduct.check}"
        reason = f"{conduct.reason}; it failed: {reason}"
    return Told(step, verdict, kind, reason, root.message, pair, duration=duration)


def doubted(root: Failure, record: Record) -> str:
    """What speaks against the last cause of a failure, in the world as it is; empty if nothing does.

    The two that a collision names have to be within 10 cm of each other at some time of the run, if it is one where
    the robot is: its facts say ``at`` what. What is not known must not be there; and who has no arm free holds
    something in each hand. Of other causes the world says nothing.
    """
    if root.kind in NO_REASON:
        return f"'{root.kind.value}' explains nothing: its preconditions held, and it has to end by itself"
    pair = named(root)
    if root.kind is FailureKind.COLLISION and pair and "at" in root.facts:
        distance = apart(record, *pair)
        if distance is not None and distance > NEAR:
            return f"{pair[0]} and {pair[1]} are never nearer than {distance:.2f} m"
    if root.kind is FailureKind.UNKNOWN_OBJECT:
        there = [id for id in record.end.poses if f"object '{id}'" in root.message and id in record.start.poses]
        if there:
            return f"'{there[0]}' is there"
    if root.kind is FailureKind.CHAIN_BUSY and len(record.start.held) < len(record.robot.hands):
        return "a hand is free, and nothing else runs"
    return ""


def named(root: Failure) -> tuple[str, str] | None:
    """The pair that a failure names, if it names one."""
    pair = root.facts.get("pair")
    return (str(pair[0]), str(pair[1])) if isinstance(pair, (tuple, list)) and len(pair) == 2 else None
