"""Looking for the net."""

from __future__ import annotations

import numpy as np

from taskmatrix.core import ActivationTree, Part
from taskmatrix.soccer import Body, SearchNet
from taskmatrix.soccer.seeing import Seeing
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


def test_net_that_is_known_to_be_behind_is_not_looked_for() -> None:
    """Which the head does not turn to, one way or the other."""

    class Root(Seeing):
        body, search_net = Part(Body), Part(SearchNet, ball=Seeing.ball, net=Seeing.net)

        def inform(self) -> None:
            self.perception.step()

        def work(self) -> bool:
            self.body.angular = 1.0
            return self.search_net.complete

        def act(self) -> None:
            behind = self.perception.net_known and abs(self.perception.net_direction.pan) > 3.0
            (self.search_net if behind else self.body).step()

    made, root = field(), Root()
    assert made.run(ActivationTree(root), 10.0).success
    assert root.search_net.found
    assert abs(root.search_net.head.looks.pan) < 0.01


def test_scan_without_a_net_is_complete_when_all_was_looked_at() -> None:
    """And tells that nothing was found."""
    made = field()
    made.plant.set_pose("yellow_goal", made.context.perception.pose("yellow_goal") - 8.0 * _X)
    root = searched(made)
    assert root.complete
    assert not root.found


_X = np.zeros((4, 4))
_X[0, 3] = 1.0
