"""Failure as a paragraph and as data."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind, plain, readable

DEEP = Failure(FailureKind.COLLISION, "planner", "the goal touches the table", {"pair": ("left hand", "table")})
MIDDLE = Failure(DEEP.kind, "pickup/reach", "no way was found", {"nearest_distance": 0.123456}, DEEP)
TOP = Failure(DEEP.kind, "pickup", "state 'reach' failed", cause=MIDDLE)


def test_explain_tells_the_whole_chain_in_one_sentence() -> None:
    """Who, what and the facts, from the machine down to the pair of links."""
    assert TOP.explain() == (
        "pickup: state 'reach' failed, because pickup/reach: no way was found (nearest distance: 0.123), "
        "because planner: the goal touches the table (pair: left hand, table)."
    )


@pytest.mark.parametrize(
    ("kind", "message", "facts", "told"),
    [
        (FailureKind.CHAIN_BUSY, "chain 'arm' is taken by 'x'", {"chain": "arm", "held_by": "x"}, ""),
        (FailureKind.IK_EXHAUSTED, "3 of 0.25 m", {"distance": 0.2500001, "found": 3, "tried": 25}, " (tried: 25)"),
        (FailureKind.COLLISION, "left hand hits", {"pair": ("left", "hand")}, " (pair: left, hand)"),
        (FailureKind.PRECONDITION, "at(x) does not hold: 5.0 mm from x", {"distance": 0.005}, ""),
        (FailureKind.INCONDITION, "at(x) no longer holds: 5.0 mm from x", {"distance": 0.005}, ""),
    ],
)
def test_explain_says_nothing_twice(kind: FailureKind, message: str, facts: dict[str, object], told: str) -> None:
    """Facts that the message has, and the values of a condition, which says them in its verdict, are left out."""
    assert Failure(kind, "x", message, facts).explain() == f"x: {message}{told}."


def test_what_led_to_a_verdict_tells_its_facts() -> None:
    """Of the kind of its cause, it is no verdict itself."""
    verdict = Failure(FailureKind.PRECONDITION, "x", "no room", {"height": 0.1})
    wrapped = Failure(verdict.kind, "x", "the way is blocked", {"pair": ("hand", "lamp")}, verdict)
    assert wrapped.explain() == "x: the way is blocked (pair: hand, lamp), because x: no room."


def test_the_root_is_the_last_cause() -> None:
    """The chain runs from the failure to its root."""
    assert list(TOP.chain()) == [TOP, MIDDLE, DEEP]
    assert TOP.root is DEEP
    assert DEEP.root is DEEP


def test_to_dict_is_json_and_keeps_everything() -> None:
    """The structure goes through JSON unchanged, with all causes."""
    data = json.loads(json.dumps(TOP.to_dict(), allow_nan=False))
    assert data["kind"] == "collision"
    assert data["cause"]["facts"] == {"nearest_distance": 0.123456}
    assert data["cause"]["cause"]["facts"] == {"pair": ["left hand", "table"]}
    assert data["cause"]["cause"]["cause"] is None


def test_a_failure_crosses_a_process_boundary() -> None:
    """Planning fails in another process; its failure arrives as it was."""
    assert pickle.loads(pickle.dumps(TOP)) == TOP


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.123456, "0.123"),
        (np.float32(2.0), "2"),
        (np.array([1.0, 0.5]), "1, 0.5"),
        (("hand", "table"), "hand, table"),
        ({"left": "busy", "right": 0.25}, "left busy, right 0.25"),
        (None, "none"),
        ({}, "none"),
        ((), "none"),
        (3, "3"),
    ],
)
def test_facts_are_readable(value: object, text: str) -> None:
    """Numbers are short and sequences are lists of words."""
    assert readable(value) == text


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (np.array([[1.0, 2.0]]), [[1.0, 2.0]]),
        (np.int64(3), 3),
        (FailureKind.TIMEOUT, "timeout"),
        ({1: (True, None)}, {"1": [True, None]}),
        (DEEP, DEEP.to_dict()),
        (float("inf"), "inf"),
        (np.array([np.nan]), ["nan"]),
        ({3}, "{3}"),
    ],
)
def test_plain_data_is_what_json_knows(value: object, expected: object) -> None:
    """Whatever a fact is, it can be written down as strict JSON."""
    assert plain(value) == expected
    json.dumps(plain(value), allow_nan=False)


def test_explain_tells_what_was_recovered_from_before() -> None:
    """After the chain, in order; what came several times is said once."""
    earlier = Failure(FailureKind.TIMEOUT, "pickup/look", "still running")
    told = replace(TOP, earlier=(MIDDLE, earlier, MIDDLE))
    assert told.explain() == (
        f"{TOP.explain().removesuffix('.')}; before that: {MIDDLE.explain().removesuffix('.')} (2 times); then: "
        "pickup/look: still running."
    )
    data = json.loads(json.dumps(told.to_dict(), allow_nan=False))
    assert [each["kind"] for each in data["earlier"]] == ["collision", "timeout", "collision"]


@pytest.mark.parametrize(("name", "named"), [("table", True), ("left hand", True), ("tab", False), ("hand-l", False)])
def test_what_a_failure_names_is_a_word_of_it(name: str, named: bool) -> None:
    """In its message or facts, or in those of what led to it."""
    assert TOP.names(name) is named
