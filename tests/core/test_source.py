"""Mistakes show the line where they were written."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core import Machine, MachineError, Plan, State, on, start
from taskmatrix.core.base.source import SourceLine, mistake, raised_at

from .samples import Probe, untyped


def test_a_line_is_the_one_that_led_into_the_library() -> None:
    """With its text, and the path from the working folder where it lies below it."""
    line = State(Probe).line
    assert line.file == __file__
    assert str(line).endswith(f"test_source.py:{line.number}: line = State(Probe).line")


def test_an_exception_is_located_in_the_users_own_code() -> None:
    """Where that called Python, a package or the library, if one of those raised."""
    own, found = Path(__file__).name, []
    for fault in (
        lambda: 1 / 0,
        lambda: json.loads("{"),
        lambda: np.zeros(2) @ np.zeros(3),
        lambda: untyped(Plan)("no"),
    ):
        try:
            fault()
        except (ArithmeticError, ValueError, TypeError) as error:
            found.append(raised_at(error))
    assert [line is not None and line.path.endswith(own) for line in found] == [True] * 4


def test_a_line_without_source_has_its_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is shown that cannot be read."""
    monkeypatch.chdir(tmp_path)
    assert str(SourceLine("<console>", 3)) == "<console>:3"
    Path("kitchen.py").write_text("one\n  two\n", encoding="utf-8")
    assert str(SourceLine(str(tmp_path / "kitchen.py"), 2)) == "kitchen.py:2: two"


def test_a_line_is_shown_once() -> None:
    """Also where two things of it are wrong."""
    assert (
        str(mistake("wrong", SourceLine("<a>", 1), SourceLine("<a>", 1), SourceLine("<b>", 2)))
        == "wrong\n  <a>:1\n  <b>:2"
    )


def test_a_machines_mistake_shows_transition_and_state() -> None:
    """The lines of both in this file."""
    with pytest.raises(MachineError, match=r"test_source.py:\d+: first = State\(Probe, number=True, final"):

        class Wrong(Machine):
            first = State(Probe, number=True, final=True)
            transitions = (start(first), on(first.failed, start=first))
