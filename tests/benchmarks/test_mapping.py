from __future__ import annotations

from functools import partial

import mapping
import numpy as np
import pytest

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN, States


@pytest.mark.pages
def test_figures_of_a_map(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a few images: nothing is free that is in a box, and the table has a column for each."""
    monkeypatch.setattr(mapping, "VIEWS", 3)
    boxes = mapping.furniture()
    found, octree = mapping.ours(1.5, 0.04, boxes)
    assert found["false_free"] == 0.0
    assert octree.version > 0
    mapping.show("the map", [found])
    assert "insert_ms" in capsys.readouterr().out


def answer(state: int, places: Array) -> States:
    return np.full(len(places), state, dtype=np.int8)


def test_false_free_is_the_share_of_free_cells_that_are_in_a_box() -> None:
    """Whoever calls all free is wrong where the boxes are, and who calls nothing free is not."""
    box = np.array([-3.0, -3.0, 0.0]), np.array([4.0, 0.0, 2.0])
    for state, share in ((FREE, 50.0), (OCCUPIED, np.nan), (UNKNOWN, np.nan)):
        found = mapping.false_free(partial(answer, state), [box], 0.5)
        assert found == pytest.approx(share, nan_ok=True)
