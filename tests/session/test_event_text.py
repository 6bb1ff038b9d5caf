from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.components.cycle import Node
from taskmatrix.session.event_text import RepeatFilter, event_text

TOUCH = Failure(FailureKind.COLLISION, "planner", "the goal touches the table", {"pair": ("hand", "table")})
FAILED = Failure(TOUCH.kind, "pickup", "state 'reach' failed", cause=TOUCH)
STORY = "pickup: state 'reach' failed, because planner: the goal touches the table (pair: hand, table)."


@pytest.mark.parametrize(
    ("kind", "data", "text", "level"),
    [
        ("message", {"message": "task-successful"}, "task-successful", "success"),
        ("message", {"message": "parameter-set", "hand": "left"}, "parameter-set  hand left", "info"),
        ("message", {"message": "task-failed", "failure": FAILED}, "task-failed", "failure"),
        ("transition", {"trigger": "start", "start": ["a", "b"], "stop": []}, "on start: start a, b", "change"),
        ("transition", {"trigger": "t", "start": ["a"], "stop": ["b"]}, "on t: start a; stop b", "change"),
        ("planning", {"collision_checks": 3}, "planner: 3 collision checks", "quiet"),
        ("plan", {"duration": 2.0, "stretched": False}, "planned a motion of 2 s", "plan"),
        ("plan", {"duration": 2.0, "samples": [[0.0]]}, "planned a motion of 2 s", "plan"),
        ("plan", {"duration": 2.0, "narrow": True}, "planned a motion of 2 s, close to what is in the way", "plan"),
        ("failure", {"failure": FAILED}, STORY, "failure"),
        ("failure", {"failure": FAILED, "optional": True}, STORY, "warning"),
        ("failure", {"failure": None}, "failed", "failure"),
        ("blocked", {"failure": TOUCH}, f"held: {TOUCH.explain()}", "warning"),
        (
            "reflex",
            {"did": "veto", "pair": ("hand", "desk"), "distance": 0.004},
            "veto: hand and desk would come too near, 4.0 mm apart",
            "warning",
        ),
        ("reflex", {"did": "back", "pair": ("hand", "desk")}, "back at the safe pose", "change"),
        ("reflex", {"did": "stuck"}, "stuck on the way back", "change"),
        ("distances", {"distances": np.array([0.02, 0.01])}, "2 pairs are near, the nearest at 10.0 mm", "quiet"),
        ("solid", {"object": "cup", "solid": False}, "collisions with cup are ignored", "change"),
        ("solid", {"object": "cup", "solid": True}, "collisions with cup count again", "change"),
        ("distances", {"distances": []}, "0 pairs are near", "quiet"),
        ("overrun", {"late": 0.25}, "control step late by 0.25 s", "warning"),
        ("grant", {"chains": ["base"], "shared": {"base": ["b"]}}, "gets base; base shared with b", "quiet"),
        ("moved", {"object": "cup", "X_WO": np.eye(4)}, "cup is moved to 0, 0, 0 m", "change"),
        ("tree", {"nodes": [Node("a", 0, (), "active", 0.0, {}), {"name": "b"}]}, "active: a, b", "quiet"),
        (
            "condition",
            {"role": "incondition", "condition": "near(a)", "holds": False, "why": "far"},
            "incondition near(a) does not hold: far",
            "info",
        ),
        ("outcome", {"success": False, "failure": FAILED}, f"failure: {STORY}", "failure"),
        ("something new", {"a": 1.23456}, "a 1.23", "quiet"),
    ],
)
def test_an_event_in_words(kind: str, data: dict[str, Any], text: str, level: str) -> None:
    """One line, and how much it matters."""
    assert event_text(kind, data) == (text, level)


@pytest.mark.parametrize("kind", ["failure", "blocked", "recovery", "outcome"])
def test_a_recorded_failure_reads_as_the_live_one(kind: str) -> None:
    """From a file it comes as plain data."""
    assert event_text(kind, {"failure": FAILED}) == event_text(kind, {"failure": FAILED.to_dict()})


@pytest.mark.parametrize("kind", ["message", "transition", "plan", "condition", "moved", "map", "tree", "outcome"])
def test_what_is_missing_is_left_out(kind: str) -> None:
    """A recording of another version is still shown."""
    assert isinstance(event_text(kind, {}).text, str)


def test_goal_messages_are_news_when_they_change() -> None:
    """One comes every control step; that of another behavior, and of a run anew, is news."""
    news = RepeatFilter()

    def said(source: str, message: str) -> bool:
        return news("message", source, {"message": message})

    assert said("a", "goal-failed")
    assert not said("a", "goal-failed")
    assert said("b", "goal-failed")
    assert said("a", "goal-achieved")
    assert said("a", "task-complete")
    assert said("a", "goal-achieved")
    assert news("plan", "a", {})
    assert news("plan", "a", {})
    assert news("run", "c", {})
    assert said("a", "goal-achieved")
