"""How a run ended, on a screen."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.behavior.executive import Outcome
from taskmatrix.studio.cli.terminal import show_outcome

from .glass import Glass

DEEP = Failure(
    FailureKind.COLLISION,
    "planner",
    "neither the hand at a goal nor any of 3 configurations found there will do",
    {"pair": ("left_hand", "table"), "most_often": "left_hand and table (12 times), right_hand and table (7 times)"},
)
REACH = Failure(DEEP.kind, "pickup/reach", "planning failed", cause=DEEP)
FAILED = Failure(DEEP.kind, "pickup", "state 'reach' failed", cause=REACH, earlier=(REACH,))


def test_the_chain_of_a_failure_has_a_line_for_each_cause_and_fact() -> None:
    """Further in what led to it; last what the machine had recovered from."""
    glass = Glass(80, 40)
    show_outcome(Outcome(False, FAILED, 1.234, 100), glass.console)
    root = [
        "planner: neither the hand at a goal nor any of 3 configurations",
        "    pair: left_hand, table",
        "    most often: left_hand and table (12 times), right_hand",
    ]
    lines = glass.lines()
    assert lines[:4] == [
        "failure after 1.23 s",
        "  pickup: state 'reach' failed",
        "    because pickup/reach: planning failed",
        "      because planner: neither the hand at a goal nor any of 3 configurations",
    ]
    assert "          pair: left_hand, table" in lines
    assert lines[lines.index("  before that:") + 1] == "    pickup/reach: planning failed"
    assert sum(root[1].strip() in line for line in lines) == 2


@pytest.mark.parametrize("width", [40, 60, 100, 200])
def test_no_word_is_lost_at_any_width(width: int) -> None:
    """However narrow; and every line begins where its text stands."""
    glass = Glass(width, 80)
    show_outcome(Outcome(False, FAILED, 1.0, 100), glass.console)
    lines = glass.lines()
    shown = " ".join(" ".join(lines).split())
    for part in (DEEP.message, "left_hand and table (12 times), right_hand and table (7 times)", "before that:"):
        assert part in shown
    assert all(line.startswith("  ") for line in lines[1:])
    assert all(len(line) <= width for line in lines)


def test_what_is_no_terminal_gets_one_line() -> None:
    """For logs and programs."""
    file = StringIO()
    show_outcome(Outcome(False, FAILED, 1.0, 100), Console(file=file, width=10_000))
    assert file.getvalue() == f"failure after 1.00 s: {FAILED.explain()}\n"


def test_success_is_one_line_everywhere() -> None:
    """With how long it took."""
    glass = Glass(60)
    show_outcome(Outcome(True, None, 5.83, 583), glass.console)
    assert glass.lines() == ["success after 5.83 s"]
