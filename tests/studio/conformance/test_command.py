"""The command ``taskmatrix check``: what it finds of a robot, and what it leaves."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.studio.cli.command_line import app
from taskmatrix.studio.conformance import command
from taskmatrix.studio.validation.task import tasks

EXAMPLES = Path(__file__).resolve().parent.parent.parent.parent / "examples"


def checked(robot: str | Path, out: Path, *more: str) -> tuple[int, dict[str, dict[str, Any]]]:
    """The exit code, and the findings by name."""
    result = CliRunner().invoke(app, ["check", str(robot), "--out", str(out), "--json", *more], catch_exceptions=False)
    return result.exit_code, {finding["name"]: finding for finding in json.loads(result.stdout)}


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pictures, which take half of the time."""
    monkeypatch.setattr(command, "_drawn", lambda *_: [])


def test_a_robot_that_conforms(tmp_path: Path) -> None:
    """All eleven definitions pass, for both hands, and the page tells it."""
    code, findings = checked("mannequin", tmp_path, "--no-behaviors")
    assert code == 0
    assert "affixes, opens 120 mm" in findings["left hand"]["text"]
    assert {finding["verdict"] for finding in findings.values()} == {"passes", "told"}
    definitions = {int(name.split()[0]) for name, finding in findings.items() if finding["part"] == "skills"}
    assert definitions == set(range(1, 12))
    for hand in ("left", "right"):
        assert findings[f"5 inverse kinematics, {hand}"]["figures"]["median_ms"] > 0.0
        assert 0.1 < findings[hand]["figures"]["volume_m3"] < 1.0
    page = (tmp_path / "mannequin.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "posture wave_ready_left" in page
    assert len(json.loads((tmp_path / "mannequin.json").read_text(encoding="utf-8"))) == len(findings)


@pytest.mark.usefixtures("undrawn")
def test_what_a_robot_lacks_is_no_failure(tmp_path: Path) -> None:
    """Without a head it looks nowhere, and says so; without hands nothing is said of hands."""
    folder = Path(shutil.copytree(find_adapter("mannequin").parent, tmp_path / "robot"))
    adapter = folder / "robot.toml"
    text = adapter.read_text(encoding="utf-8")
    adapter.write_text(text[: text.index("[hands.left]")], encoding="utf-8")
    code, findings = checked(folder, tmp_path / "out", "--no-behaviors")
    assert code == 0
    assert findings["view"]["text"] == "there is none"
    assert findings["view"]["verdict"] == findings["hands"]["verdict"] == "not able"
    assert findings["10 view"]["verdict"] == "not able"
    assert findings["4 to 7, 9 and 11"]["verdict"] == "not able"


@pytest.mark.usefixtures("undrawn")
def test_a_posture_in_which_it_touches_itself_fails(tmp_path: Path) -> None:
    """With the pair, and once: what tries motion control takes another posture, though this is the first."""
    folder = Path(shutil.copytree(find_adapter("mannequin").parent, tmp_path / "robot"))
    postures = folder / "postures.toml"
    hug = "[hug]\nleft_shoulder_roll = -0.25\nleft_elbow = 1.95\nleft_shoulder_yaw = 1.57\n\n"
    postures.write_text(hug + postures.read_text(encoding="utf-8"), encoding="utf-8")
    code, findings = checked(folder, tmp_path / "out", "--no-behaviors")
    assert code == 1
    assert findings["posture hug"]["verdict"] == "fails"
    assert "touch" in findings["posture hug"]["text"]
    assert findings["3 motion control"]["verdict"] == "passes"
    assert "posture 'rest'" in findings["3 motion control"]["text"]


@pytest.mark.usefixtures("undrawn")
def test_behaviors_are_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the post, which has one arm: it can fetch a thing, and not pass it from hand to hand."""
    some = {name: task for name, task in tasks().items() if name in {"pickup", "transfer", "scan"}}
    monkeypatch.setattr(command, "tasks", lambda: some)
    code, findings = checked(EXAMPLES / "post", tmp_path)
    assert findings["pickup"]["verdict"] == "passes"
    assert findings["transfer"]["verdict"] == "not able"
    assert "two hands" in findings["transfer"]["text"]
    assert code == (1 if any(finding["verdict"] == "fails" for finding in findings.values()) else 0)
