"""The command that proposes an adapter."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from PIL import Image

from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.anatomy.notes import Note
from taskmatrix.studio.cli import adopt as adopt_command
from taskmatrix.studio.cli.adopt import _gathered
from taskmatrix.studio.cli.command_line import main
from taskmatrix.studio.conformance.finding import FAILS, PASSES, UNABLE, Finding
from tests.robots.adoption.made import plain_arm, urdf_of

BLOCK = "".join(f"v {x} {y} {z}\n" for x in (-0.03, 0.03) for y in (-0.05, 0.05) for z in (-0.02, 0.02)) + (
    "f 1 2 4\nf 1 4 3\nf 5 7 8\nf 5 8 6\nf 1 5 6\nf 1 6 2\nf 3 4 8\nf 3 8 7\nf 1 3 7\nf 1 7 5\nf 2 6 8\nf 2 8 4\n"
)


def call(*arguments: str) -> int:
    """Run the command in this process; its exit code."""
    with pytest.raises(SystemExit) as stop:
        main(["adopt", *arguments])
    return int(stop.value.code or 0)


@pytest.mark.pictures
def test_a_humanoid_is_adopted_and_loads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Three files and a picture; the exit code says that nothing is missing."""
    assert call(str(urdf_of("mannequin")), "--out", str(tmp_path / "figure"), "--no-try") == 0
    shown = capsys.readouterr().out
    assert "left_arm: 6 (left_shoulder_pitch ... left_wrist_pitch)" in shown
    assert "It loads" in shown
    assert load_robot(tmp_path / "figure").name == "figure"
    with Image.open(tmp_path / "figure" / "adopted.png") as picture:
        assert picture.width > 1000
        assert sum(count > 0 for count in picture.convert("L").histogram()) > 100


def test_an_arm_is_told_what_it_lacks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 1, and as JSON on request."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    out = str(tmp_path / "arm")
    assert call(str(tmp_path / "arm.urdf"), "--out", out, "--no-picture", "--no-try", "--json") == 1
    report = json.loads(capsys.readouterr().out)
    assert report["loads"] is True
    assert report["view"] is None
    assert any(note["kind"] == "unsure" and "pedestal" in note["text"] for note in report["notes"])
    files = ["arm.urdf", "motions.toml", "pairs.toml", "postures.toml", "robot.toml"]
    assert sorted(Path(file).name for file in report["files"]) == files


def test_an_adopted_robot_is_whole_in_its_folder(tmp_path: Path) -> None:
    """The URDF and its meshes are copied there, from wherever they are: it loads when all else is gone."""
    source, mesh = tmp_path / "arm_description" / "urdf" / "arm.urdf", "package://arm_description/meshes/palm.obj"
    source.parent.mkdir(parents=True)
    source.write_text(plain_arm().replace('<box size="0.06 0.1 0.04"/>', f'<mesh filename="{mesh}"/>'))
    (source.parents[1] / "meshes").mkdir()
    (source.parents[1] / "meshes" / "palm.obj").write_text(BLOCK)
    assert call(str(source), "--out", str(tmp_path / "arm"), "--no-picture", "--no-try") == 1
    shutil.rmtree(source.parents[1])
    moved = (tmp_path / "arm").rename(tmp_path / "moved")
    assert load_robot(moved).hands


def test_an_adapter_is_not_overwritten_unasked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What a person has corrected is worth more."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm" / "robot.toml").write_text("# mine\n")
    arguments = (str(tmp_path / "arm.urdf"), "--out", str(tmp_path / "arm"), "--no-picture", "--no-try")
    assert call(*arguments) == 2
    assert "--force" in capsys.readouterr().err
    assert (tmp_path / "arm" / "robot.toml").read_text() == "# mine\n"
    assert call(*arguments, "--force") == 1
    assert load_robot(tmp_path / "arm").hands


def test_no_picture_of_an_earlier_proposal_is_left(tmp_path: Path) -> None:
    """Where none is drawn anew there is none."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    (tmp_path / "arm").mkdir()
    (tmp_path / "arm" / "adopted.png").write_bytes(b"old")
    assert call(str(tmp_path / "arm.urdf"), "--out", str(tmp_path / "arm"), "--no-picture", "--no-try", "--force") == 1
    assert not (tmp_path / "arm" / "adopted.png").exists()


def test_many_remarks_on_pairs_are_one_line() -> None:
    """One of a kind with the number of the others, after what is said about hands."""
    pairs = [Note("unsure", "pairs", f"a and {other}: they share a joint") for other in "bcd"]
    gathered = _gathered([*pairs, Note("unsure", "hands", "it affixes")])
    assert [note.text for note in gathered] == [
        "it affixes",
        "a and b: they share a joint (2 more like it in pairs.toml)",
    ]


def test_a_missing_urdf_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 2."""
    assert call(str(tmp_path / "none.urdf"), "--out", str(tmp_path / "none")) == 2
    assert "none.urdf does not exist" in " ".join(capsys.readouterr().err.split())


def test_what_fails_when_tried_is_in_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a comment with what to change, and in the last line; the file still loads."""
    findings = [
        Finding("tried", "stand", PASSES, "its lowest point is 0 mm above the floor"),
        Finding("tried", "hand only", FAILS, "no way; see origin"),
    ]
    monkeypatch.setattr(adopt_command, "try_out", lambda robot, source: iter(findings))
    (tmp_path / "arm.urdf").write_text(plain_arm())
    assert call(str(tmp_path / "arm.urdf"), "--out", str(tmp_path / "arm"), "--no-picture") == 1
    assert "It loads; 1 of 2 trials pass, not hand only" in " ".join(capsys.readouterr().out.split())
    text = (tmp_path / "arm" / "robot.toml").read_text()
    assert "\n# stand: passes: its lowest point" in text
    assert "\n# ! hand only: fails: no way; see origin\n" in text
    assert load_robot(tmp_path / "arm").hands


@pytest.mark.parametrize(("verdict", "code"), [(PASSES, 0), (UNABLE, 0), (FAILS, 1)])
def test_the_exit_code_tells_a_trial_that_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, verdict: str, code: int
) -> None:
    """A robot that loads and grasps nothing is not done; what it has no parts for is no failure."""
    monkeypatch.setattr(adopt_command, "try_out", lambda robot, source: iter([Finding("tried", "x", verdict, "why")]))
    assert call(str(urdf_of("bandit")), "--out", str(tmp_path / "figure"), "--no-picture") == code
