from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = [pytest.mark.pictures, pytest.mark.slow, pytest.mark.pages]


def test_motors_follow_and_the_plot_shows_it(tmp_path: Path) -> None:
    """The mean error is under a twentieth of a degree; parts of the torques are as many as steps."""
    pytest.importorskip("matplotlib")
    from tracking import PARTS, plot, track  # noqa: PLC0415  # after the path is set

    run = track("mannequin", "postural")
    assert run.errors.mean() < 0.05
    steps = len(run.desired["position"])
    assert all(run.torques[part].shape == run.desired["position"].shape for part in PARTS)
    np.testing.assert_array_equal([len(values) for values in run.true.values()], steps)
    plot(run, tmp_path / "plot.png")
    assert (tmp_path / "plot.png").stat().st_size > 1000
