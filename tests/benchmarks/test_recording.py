from __future__ import annotations

from pathlib import Path

import pytest
from recording import CASES, run


@pytest.mark.pages
def test_it_measures_runs_with_and_without(tmp_path: Path) -> None:
    """The same run either way, and what its recording takes."""
    without, recorded = run(CASES["mannequin"], None), run(CASES["mannequin"], tmp_path / "run.mcap")
    assert without["success"]
    assert recorded["seconds"] == without["seconds"]
    assert 0.0 < recorded["recording"] < recorded["loop"]
    assert recorded["minute"] > 0.0
    assert recorded["events"] > recorded["seconds"] / 0.01
