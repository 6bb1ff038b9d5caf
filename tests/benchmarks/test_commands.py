"""Each command from problems to table, JSON and plot, with peers that are right, wrong and not there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import collision
import ik
import peers
import planning
import pytest
from options import chosen, main, runner
from problems.plans import GROUPS, PLANS
from runner import Runner

from taskmatrix.core.base.errors import NotFoundError, ParameterError

pytestmark = pytest.mark.usefixtures("pretenders")


def result_of(path: Path, peer: str) -> dict[str, Any]:
    results = json.loads(path.read_text())["results"]
    found: dict[str, Any] = next(item for item in results if item["peer"] == peer)
    return found


def test_inverse_kinematics(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A right peer has times and a ratio, a wrong one is counted as wrong, an absent one is skipped with a word."""
    known = {
        "taskmatrix": "peers.pinocchio:ik",
        "lazy": "pretender:lazy_ik",
        "absent": "pretender:absent",
        "broken": "pretender:crash",
    }
    monkeypatch.setitem(peers.PEERS, "ik", known)
    out, plot = tmp_path / "ik.json", tmp_path / "ik.png"
    ik.ik(robots=["panda"], problems=3, json=out, plot=plot, cache=tmp_path / "cache")
    assert result_of(out, "taskmatrix")["ratio"] == 1.0
    assert result_of(out, "taskmatrix")["figures"]["within_50_ms"] > 0
    assert result_of(out, "lazy")["figures"]["wrong"] == 3
    text = capsys.readouterr().out
    assert "absent: no_such_library is not installed" in text
    assert "broken: its process ended with 7" in text
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_collision(arm: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A peer that sees nothing has false free answers, coal has none; one that sees too much is not called fast."""
    known = {
        "coal": "peers.pinocchio:broadphase_collision",
        "blind": "pretender:blind_collision",
        "fearful": "pretender:fearful_collision",
    }
    monkeypatch.setitem(peers.PEERS, "collision", known)
    monkeypatch.setattr(collision, "scene_names", lambda: [(arm, "exact", "boxes")])
    out = tmp_path / "collision.json"
    collision.collision(problems=10, random=30, near=10, edges=6, json=out, cache=tmp_path / "cache")
    coal, blind, fearful = (result_of(out, peer)["figures"] for peer in known)
    assert (coal["false_hit"], coal["refused_edges"]) == (0, 0)
    assert coal["batch_rate"] is None
    assert coal["free_edge_ms"] > 0
    assert blind["false_free"] > blind["false_free_near"] > 0
    assert blind["false_free_depth_mm"] > 1.0
    assert coal["false_free_depth_mm"] is None or coal["false_free_depth_mm"] < 0.1
    assert blind["batch_rate"] > 0
    assert blind["missed_edges"] > 0
    assert blind["missed_mm"] > max(1.0, coal["missed_mm"])
    assert fearful["refused_edges"] + blind["missed_edges"] > 0
    assert fearful["false_hit"] > 0
    assert fearful["free_edge_ms"] is None
    assert "tells nothing" in result_of(out, "fearful")["note"]


def test_planning(arm: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A straight line solves no problem that has one, and the judge sees it."""
    monkeypatch.setitem(peers.PEERS, "planning", {"straight": "pretender:straight_planning"})
    monkeypatch.setattr(planning, "PLANS", [(arm, "arm", "table")])
    monkeypatch.setattr("problems.plans.PROBLEMS", 1)
    out = tmp_path / "planning.json"
    planning.planning(problems=1, limit=1.0, json=out, cache=tmp_path / "cache")
    figures = result_of(out, "straight")["figures"]
    assert (figures["solved"], figures["valid"], figures["length"]) == (100.0, 0.0, 1.0)


def test_names_that_do_not_exist(capsys: pytest.CaptureFixture[str]) -> None:
    """The nearest name is told, without a traceback."""
    with pytest.raises(NotFoundError, match="klampt"):
        chosen("peer", ["klamp"], ["klampt", "coal"])
    with pytest.raises(ParameterError, match="PEER=PATH"):
        runner(["klampt"])

    with pytest.raises(ParameterError, match="no row"):
        ik.ik(robots=["panda"], groups=["torso_arm"])
    with pytest.raises(ParameterError, match="does not exist"):
        ik.ik(json=Path("/no/such/folder/ik.json"))
    with pytest.raises(ParameterError, match=r"\.svg"):
        ik.ik(plot=Path("ik.docx"))

    def wrong() -> None:
        raise ParameterError("what is wrong")

    with pytest.raises(SystemExit):
        main(wrong)


def test_an_interpreter_that_is_not_there() -> None:
    """Its peer failed, the others go on."""
    told = Runner({"klampt": "/no/such/python"}).run("ik", "x:y", "klampt", Path("row.json"), 1.0)
    assert told == {"failed": "/no/such/python: No such file or directory"}


def test_the_harder_set_is_there() -> None:
    """Deep shelves, two arms through an opening, and a kitchen are rows of their own for three robots."""
    rows = [row for row in PLANS if row[2] in ("shelves", "opening", "kitchen")]
    assert {scene for _, _, scene in rows} <= set(GROUPS)
    assert len({(robot, scene) for robot, _, scene in rows}) == 9
