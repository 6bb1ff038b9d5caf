from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_reach_fixate_and_wave_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Exclusive chains refuse; by null space the hand stays on its path, and the robot looks where it is to."""
    from policies import measure, run  # noqa: PLC0415  # after the path is set

    refused = run("exclusive", "talos", "stool", 1)
    assert not refused.success
    assert "chain 'base' is taken" in refused.why
    alone, shared = (run(policy, "talos", "stool", 1) for policy in ("alone", "null-space"))
    assert alone.success
    assert shared.success, shared.why
    assert shared.hand < 5.0
    assert shared.blocked == ()
    assert shared.gaze < 0.5 * alone.gaze
    measure("talos", "stool", "exclusive", 1, tmp_path / "policies.json")
    assert "0/1" in capsys.readouterr().out
    assert (tmp_path / "policies.json").stat().st_size > 100
