"""The grammar of the messages."""

from __future__ import annotations

import pytest

from taskmatrix.core.base.message import FAILED, Message, MessageKind, grammar_violation

PLANNED = "planning-started planning-ended"
LOOP = f"{PLANNED} controlloop-started"
END = "controlloop-ended task-successful task-complete"


def said(text: str, sender: str = "reach") -> list[Message]:
    return [Message(MessageKind(word), sender, float(time)) for time, word in enumerate(text.split())]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "task-failed-to-start task-complete",
        f"{PLANNED} task-failed-to-start task-complete",
        f"{LOOP} {END}",
        f"{LOOP} controlloop-ended task-failed task-complete",
        f"{LOOP} goal-failed goal-achieved parameter-set goal-failed {END}",
        f"{LOOP} {END} {LOOP} {END}",
        "force-quit task-complete",
        "planning-started force-quit task-complete",
        f"{PLANNED} force-quit task-complete",
        f"{LOOP} goal-failed force-quit task-complete",
        f"{LOOP} controlloop-ended force-quit task-complete",
    ],
)
def test_a_run_by_the_grammar_is_accepted(text: str) -> None:
    """Every sentence of the grammar, also cut off by a force-quit, and one run after another, is right."""
    assert grammar_violation(said(text)) is None


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("planning-ended", "planning-ended"),
        ("controlloop-started", "controlloop-started"),
        ("task-successful task-complete", "task-successful"),
        ("task-complete", "task-complete"),
        ("planning-started controlloop-started", "controlloop-started"),
        ("planning-started task-failed-to-start task-complete", "task-failed-to-start"),
        ("planning-started goal-achieved", "goal-achieved"),
        ("planning-started parameter-set", "parameter-set"),
        (f"{PLANNED} task-failed", "task-failed"),
        (f"{LOOP} task-successful", "task-successful"),
        (f"{LOOP} task-failed-to-start", "task-failed-to-start"),
        (f"{LOOP} controlloop-ended goal-achieved", "goal-achieved"),
        (f"{LOOP} controlloop-ended task-complete", "task-complete"),
        (f"{LOOP} controlloop-ended task-successful task-failed", "task-failed"),
        ("task-failed-to-start force-quit", "force-quit"),
        ("task-failed-to-start task-complete task-complete", "task-complete"),
    ],
)
def test_a_message_out_of_place_is_named(text: str, culprit: str) -> None:
    """The first message that breaks the grammar is named with its sender and what would have been allowed."""
    violation = grammar_violation(said(text))
    assert violation is not None
    assert violation.startswith(f"reach sent {culprit} at ")
    assert "allowed: " in violation


@pytest.mark.parametrize("text", ["planning-started", PLANNED, LOOP, f"{LOOP} controlloop-ended", "force-quit"])
def test_a_run_without_its_task_complete_is_unfinished(text: str) -> None:
    """task-complete always comes last; only who looks in the middle of a run may do without it."""
    violation = grammar_violation(said(text))
    assert violation is not None
    assert "never sent task-complete" in violation
    assert grammar_violation(said(text), complete=False) is None


def test_senders_do_not_disturb_one_another() -> None:
    """Each behavior follows the grammar by itself, however the messages of several are mixed."""
    first, second = said(f"{LOOP} {END}", "reach"), said("planning-started force-quit task-complete", "fixate")
    mixed = [message for pair in zip(first, second, strict=False) for message in pair] + first[3:]
    assert grammar_violation(mixed) is None


def test_failed_means_both_failures() -> None:
    """A machine's ``state.failed`` catches a failure before and in the control loop."""
    assert set(FAILED) == {MessageKind.TASK_FAILED, MessageKind.TASK_FAILED_TO_START}
