"""What differs between two recordings, in words."""

from __future__ import annotations

from pathlib import Path

from taskmatrix.studio.recording import compare, differences, summary

from .test_comparison import recorded


def test_the_same_run_is_said_to_be_the_same(tmp_path: Path) -> None:
    """With how it ended, and nothing else."""
    found = compare(recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap"))
    assert summary(found).startswith("The same run: all 5 messages and transitions")
    (outcome,) = differences(found)
    assert outcome.first == outcome.second == "0.04 s, 3 control steps: succeeded"


def test_what_differs_is_said_with_its_time(tmp_path: Path) -> None:
    """The end first, then what happened, then what was given."""
    first = recorded(tmp_path / "a.mcap", hand="left")
    second = recorded(tmp_path / "b.mcap", hand="right", push=0.25, fails="it touches", seed=2)
    found = compare(first, second)
    assert summary(found) == (
        "The first 3 messages and transitions are the same, with other values and motions; then the runs part."
    )
    rows = {each.name: each for each in differences(found)}
    assert list(rows) == ["outcome", "they part", "other values from", "other motion from", "seed"]
    assert rows["outcome"].second.endswith("failed: pickup/reach: it touches (distance: 0).")
    assert rows["they part"].time == 0.04
    assert rows["they part"].first == "0.04 s  pickup/reach: task-successful"
    assert rows["other motion from"].first == "0.01 s  turn differs by 0.25 rad"
    assert (rows["seed"].first, rows["seed"].second, rows["seed"].time) == ("1", "2", None)


def test_runs_of_other_behaviors_have_nothing_in_common(tmp_path: Path) -> None:
    """It is said at once."""
    first, second = recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap")
    second.kinds[2] = "other"  # its first transition is none
    assert summary(compare(first, second)).startswith("Nothing is the same")
