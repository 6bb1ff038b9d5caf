"""Body activates one of two components, and those share the base."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree, Component, Part
from taskmatrix.soccer import Body

from .field import field


class Driver(Component):
    """Asks for one thing after the other."""

    body = Part(Body)

    def work(self) -> None:
        self.body.forward = 0.5
        self.body.angular = 0.4 if self.elapsed >= 1.0 else 0.0

    def act(self) -> None:
        self.body.step()


def test_body_goes_straight_until_it_is_to_turn() -> None:
    """One of the two is active, and the base changes its speed within its limits."""
    made, tree = field(), ActivationTree(Driver())
    made.ticks(tree, 95)
    assert [node.name for node in tree.nodes] == ["driver", "body", "go-straight", "locomotion"]
    made, tree = field(), ActivationTree(Driver())
    made.ticks(tree, 200)
    assert [node.name for node in tree.nodes] == ["driver", "body", "turn", "locomotion"]
    way = np.array([command.q[:3] for command in made.plant.commands])
    speed = np.diff(way, axis=0) / 0.01
    assert speed[80, 0] == pytest.approx(0.5)
    assert speed[-1] == pytest.approx([0.0, 0.0, 0.4], abs=1e-9)
    assert np.abs(np.diff(speed, axis=0)).max() <= 10.0 * 0.01 + 1e-9
    assert not [event for event in made.events if event.kind == "failure"]
