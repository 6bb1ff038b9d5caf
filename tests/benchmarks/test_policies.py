from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.pages


def test_reach_fixate_and_wave_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exclusive chains refuse; by null space the hand stays on its path, and the robot looks where it is to."""
    from policies import measure, run  # noqa: PLC0415  # after the path is set

    shared = run("null-space", "talos", "stool", 1)
    assert shared.success, shared.why
    assert shared.hand < 5.0
    assert shared.blocked == ()
    assert shared.gaze < 45.0  # with the reach alone it is 84
    measure("talos", "stool", "exclusive", 1, tmp_path / "policies.json")
    assert "0/1" in capsys.readouterr().out
    assert "chain 'base' is taken" in (tmp_path / "policies.json").read_text()
