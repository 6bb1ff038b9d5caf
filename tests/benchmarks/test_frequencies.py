from __future__ import annotations

import pytest
from frequencies import RATES, run


@pytest.mark.pages
def test_it_measures_every_rate() -> None:
    """And knows ahead whether that can be met."""
    found = run(0.1, 1.0)
    assert [row["asked"] for row in found["rates"].values()] == list(RATES)
    assert all(row["rate"] > 0.0 for row in found["rates"].values())
    assert found["problems"] == []
    assert 0.0 < found["load"] <= 1.0
