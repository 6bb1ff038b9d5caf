"""Mistakes show the line where they were written."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.core import Machine, MachineError, State, on, start
from taskmatrix.core.base.source import SourceLine, caller, mistake

from .samples import Probe


def asked() -> SourceLine:
    return caller()


def test_a_line_is_the_one_of_the_call() -> None:
    """With its text, and the path from the working folder where it lies below it."""
    line = asked()
    assert line.file == __file__
    assert str(line).endswith("test_source.py:21: line = asked()")


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
    with pytest.raises(MachineError) as error:

        class Wrong(Machine):
            first = State(Probe, numbr=1, final=True)
            transitions = (start(first), on(first.failed, start=first))

    assert "test_source.py:47: first = State(Probe, numbr=1, final=True)" in str(error.value)
