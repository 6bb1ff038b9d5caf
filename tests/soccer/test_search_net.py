"""Looking for the net."""

from __future__ import annotations

import numpy as np

from taskmatrix.core import ActivationTree
from taskmatrix.soccer import SearchNet
from taskmatrix.testing import Bench

from .field import field


def searched(made: Bench, seconds: float = 30.0) -> SearchNet:
    tree = ActivationTree(SearchNet())
    assert made.run(tree, seconds).success
    found = tree.components["search-net"]
    assert isinstance(found, SearchNet)
    return found


def test_scan_is_complete_when_the_net_is_seen() -> None:
    """In front it takes no sweep."""
    made = field()
    assert searched(made).found
    assert made.context.clock.now() < 5.0


def test_scan_without_a_net_is_complete_when_all_was_looked_at() -> None:
    """And tells that nothing was found."""
    made = field()
    made.plant.set_pose("yellow_goal", made.context.perception.pose("yellow_goal") - 8.0 * _X)
    root = searched(made)
    assert root.complete
    assert not root.found


_X = np.zeros((4, 4))
_X[0, 3] = 1.0
