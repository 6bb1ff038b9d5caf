"""Who modulates from another process."""

from __future__ import annotations

from taskmatrix.core import ActivationTree, Component
from taskmatrix.core.components.cycle import Cycle
from taskmatrix.core.remote.remote_modulator import RemoteModulator
from taskmatrix.testing import Bench

from .remotes import Player


def test_what_it_names_no_more_is_withdrawn_and_what_is_wrong_is_told() -> None:
    """The rest stays."""
    player, bench = Player(), Bench()
    tree = ActivationTree(player)
    bench.ticks(tree, 1)
    cycle = Cycle[Component]()
    for component in tree.components.values():
        component.bind(cycle, bench.context, component.name)
    visitor = RemoteModulator("captain")
    visitor.attend(cycle)
    cycle.current = visitor
    assert visitor.modulates(player, {"speed": 0.5, "goal": "blue"}) == []
    assert (player.speed, player.goal) == (0.5, "blue")
    (wrong,) = visitor.modulates(player, {"goal": 3})
    assert "modulation 'goal' has to be a string" in wrong
    assert (player.speed, player.goal) == (0.1, "blue")
    assert visitor.modulates(player, {}) == []
    assert player.goal is None
