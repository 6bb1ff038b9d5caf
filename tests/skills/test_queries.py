"""The frozen world that plans are made for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.skills.planning.queries import Snapshot

from .setting import start

NOTHING = np.array([], dtype=np.intp)


def with_at(snapshot: Snapshot, id: str, X_WO: Array) -> Snapshot:
    """The same world, with an object elsewhere."""
    return replace(snapshot, objects={**snapshot.objects, id: (snapshot.objects[id][0], X_WO)})


@pytest.mark.parametrize(("id", "same"), [("tennis_ball", True), ("soda_can", True), ("vacuum", False)])
def test_what_looks_the_same_turned_is_where_it_was(id: str, same: bool) -> None:
    """A ball and a can that spin in place leave the world as it is; what has a side does not."""
    before = start("mannequin")
    after = with_at(before, id, before.objects[id][1] @ pose(rpy=(0.0, 0.0, 0.5)))
    assert before.same(after, NOTHING) is same
    assert before.has_near_its_place(id, after) is same


def test_what_rolled_on_is_not_where_it_was() -> None:
    """However it looks: 1 mm is near, 3 mm are not."""
    before = start("mannequin")
    X_WO = before.objects["tennis_ball"][1] @ pose(rpy=(0.3, 0.2, 0.1))
    for way, near in ((0.001, True), (0.003, False)):
        after = with_at(before, "tennis_ball", pose((way, 0.0, 0.0)) @ X_WO)
        assert not before.same(after, NOTHING)
        assert before.has_near_its_place("tennis_ball", after) is near
