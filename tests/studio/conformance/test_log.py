"""What a check finds is told and kept as it comes."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from taskmatrix.studio.cli.command_line import app
from taskmatrix.studio.conformance import command
from taskmatrix.studio.conformance.finding import Finding, judged
from taskmatrix.studio.conformance.log import FindingLog

LONG = "a pair of links touches " * 10


def test_a_finding_is_a_line_and_in_the_file_before_the_next_is_looked_for(tmp_path: Path) -> None:
    """Plain, unbroken and not padded; and the file is whole at any time."""
    printed, path = io.StringIO(), tmp_path / "out" / "robot.json"

    def found() -> Iterator[Finding]:
        yield judged("skills", "2 [queries]", True, "as the plant's")
        assert printed.getvalue() == "passes    skills, 2 [queries]: as the plant's\n"
        assert [row["name"] for row in json.loads(path.read_text(encoding="utf-8"))] == ["2 [queries]"]
        yield judged("skills", "3 control", False, LONG)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), FindingLog(Console(file=printed, width=60), path) as log:
        log.take("skills", found())
    assert printed.getvalue().splitlines()[1:] == [f"fails     skills, 3 control: {LONG}"]
    assert json.loads(path.read_text(encoding="utf-8")) == json.loads(log.dumps())
    assert [entry.name for entry in path.parent.iterdir()] == ["robot.json"]


def test_a_check_that_is_interrupted_leaves_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In its file, and printed where that was asked for; it does not pass."""

    def interrupted(session: object) -> Iterator[Finding]:
        yield judged("postures and motions", "posture stand", True, "free of contact")
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "check_postures", interrupted)
    result = CliRunner().invoke(app, ["check", "mannequin", "--out", str(tmp_path), "--json"])
    assert result.exit_code == 1
    names = [finding["name"] for finding in json.loads(result.stdout)]
    assert (names[0], names[-1]) == ("chains", "posture stand")
    assert json.loads((tmp_path / "mannequin.json").read_text(encoding="utf-8")) == json.loads(result.stdout)
    assert "interrupted by Ctrl-C" in result.stderr
