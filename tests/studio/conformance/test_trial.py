"""What an adapter proposes is tried, and what fails says what to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.core.base.errors import WorldError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.session import simulate
from taskmatrix.studio.conformance import advice, trial
from taskmatrix.studio.conformance.finding import FAILS, PASSES, UNABLE
from tests.robots.adoption.made import plain_arm


def test_a_gripper_on_a_pedestal_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It stands, and gets to three places; without a view it is not able to look, and nothing to grasp is a failure."""
    monkeypatch.setattr(trial, "GRASPED", ())
    (tmp_path / "arm.urdf").write_text(plain_arm())
    write(propose(tmp_path / "arm.urdf"), tmp_path / "arm")
    found = {finding.name: finding for finding in trial.try_out(load_robot(tmp_path / "arm"), str(tmp_path / "arm"))}
    assert set(found) == {"stand", "hand only", "reach only", "view"}
    assert found["stand"].verdict == PASSES
    assert found["view"].verdict == UNABLE
    assert found["hand only"].verdict == FAILS
    assert "see origin, z, aperture, open and closed of [hands.only]" in found["hand only"].text


def test_a_stance_above_the_floor_fails(tmp_path: Path) -> None:
    """With how high it is, and the key to look at."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    write(propose(tmp_path / "arm.urdf"), tmp_path / "arm")
    text = (tmp_path / "arm" / "robot.toml").read_text()
    (tmp_path / "arm" / "robot.toml").write_text(text.replace('floor = ["plate"]', 'floor = ["plate"]\nheight = 0.1'))
    session = simulate(load_robot(tmp_path / "arm"), "sparse", 0)
    finding = trial._stands(session)
    assert finding.verdict == FAILS
    assert "100 mm above the floor" in finding.text
    assert "[base] floor" in finding.text


def test_a_robot_that_no_world_takes_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing else is tried then."""

    def refuse(*arguments: object) -> None:
        raise WorldError("no free place")

    monkeypatch.setattr(trial, "simulate", refuse)
    (finding,) = trial.try_out(load_robot("mannequin"), "mannequin")
    assert finding.verdict == FAILS
    assert finding.text.startswith("no free place; see stand")


def test_the_keys_of_a_mirrored_hand_are_those_of_the_other(tmp_path: Path) -> None:
    """It has none of its own to look at."""
    (tmp_path / "robot.toml").write_text('[hands.left]\narm = "left_arm"\n[hands.right]\nmirror = "left"\n')
    assert advice.hand_table(str(tmp_path), "left") == "[hands.left]"
    assert advice.hand_table(str(tmp_path), "right") == "[hands.left], of which 'right' is the mirror image"


@pytest.mark.parametrize(
    ("model", "told"),
    [
        (
            'collide_as_drawn = ["chest"]',
            "chest collides by its hull, which fills what is hollow: try",
        ),
        ("hulls = true", "chest and shoulder collide by their hulls, which fill what is hollow"),
        ('hulls = true\ncollide_as_meshes = ["chest", "shoulder"]', ""),
        ('collide_as_drawn = ["arm"]', ""),
    ],
)
def test_a_hull_that_is_in_the_way_is_named(tmp_path: Path, model: str, told: str) -> None:
    """With the key that frees the way; where none is, nothing is said."""
    (tmp_path / "robot.toml").write_text(f"[model]\n{model}\n")
    problem = "planner: no path found (in the way: chest and shoulder (22174 times), wrist and palm (398 times); more)"
    said = advice.about_hulls(str(tmp_path), problem)
    assert told in said
    assert bool(said) == bool(told)
    assert advice.about_hulls(str(tmp_path), "planner: no path found") == ""
