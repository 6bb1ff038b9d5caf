from __future__ import annotations

import numpy as np
import pytest

pytestmark = [pytest.mark.pictures, pytest.mark.pages]


@pytest.mark.parametrize("direction", ["front", "diagonal", "lateral"])
def test_ball_goes_about_where_and_as_far_as_the_plan_tells(direction: str) -> None:
    """Though it lies off its place: within 10 degrees, and a quarter of the distance."""
    from kicks import run  # noqa: PLC0415  # after the path is set

    found = run("nao", "right", direction, 0)
    assert found["success"], found["reason"]
    assert abs(np.rad2deg(found["heading"] - found["told"]["heading"])) < 10.0
    assert found["distance"] == pytest.approx(found["told"]["distance"], rel=0.25)
