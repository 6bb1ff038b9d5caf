from __future__ import annotations

import exploring
import numpy as np
import pytest

from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.session.session import simulate


@pytest.mark.pages
@pytest.mark.pictures
def test_what_can_be_seen_is_the_furniture_and_where_one_can_go_is_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """From few places; none of them is in the table, and the table can be seen."""
    monkeypatch.setattr(exploring, "PLACES", 6)
    with simulate("bandit", "sparse", seed=0, perception="map") as session:
        reached = exploring.places(session)
        cells, corner = exploring.visible(session)
        assert exploring.judge_of(session).are_free(reached).all()
        table = session.world.objects["table"]
        low, high = bounding_box(table.shapes, session.world.poses["table"])
        assert not ((reached[:, :2] > low[:2]) & (reached[:, :2] < high[:2])).all(axis=1).any()
        seen = corner + np.argwhere(cells) * 0.025
        assert ((seen > low - 0.05) & (seen < high + 0.05)).all(axis=1).sum() > 100
