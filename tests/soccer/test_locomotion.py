"""The base moves with a velocity."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core import ActivationTree, Component, Part
from taskmatrix.core.robot.plans import Contact
from taskmatrix.soccer import Locomotion
from taskmatrix.testing import Bench

from .field import field


class Walker(Component):
    """Goes aside as it heads."""

    locomotion = Part(Locomotion)

    def work(self) -> None:
        self.locomotion.left = 5.0

    def act(self) -> None:
        self.locomotion.step()


def walked(made: Bench, ticks: int) -> Locomotion:
    tree = ActivationTree(Walker())
    made.ticks(tree, ticks)
    found = tree.components["locomotion"]
    assert isinstance(found, Locomotion)
    return found


def test_base_goes_as_fast_as_it_may_and_no_faster() -> None:
    """To the left of where it heads."""
    made = field()
    assert walked(made, 200).velocity == pytest.approx([0.0, 0.9, 0.0])
    x, y, yaw = made.skills.position()[:3].tolist()
    assert (x, yaw) == (0.0, 0.0)
    assert 1.6 < y < 1.8


def test_base_says_for_how_long_something_is_in_the_way() -> None:
    """And begins anew from rest."""
    made = field()
    made.skills.contact = lambda q: Contact("foot", "post", -0.01) if q[1] > 0.5 else None
    found = walked(made, 150)
    assert found.held == pytest.approx(0.86, abs=0.1)
    assert np.abs(found.velocity).max() <= 0.1
    assert made.skills.position()[1] <= 0.5


def test_base_brakes_in_time() -> None:
    """It touches nothing, and no step changes its speed by more than it may."""
    made = field()
    made.skills.contact = lambda q: Contact("foot", "post", -0.01) if q[1] > 0.5 else None
    tree, places = ActivationTree(Walker()), []
    made.executive.prepare(tree)
    for _ in range(150):
        made.executive.step(tree)
        made.context.clock.sleep_until(made.context.clock.now() + made.context.dt)
        places.append(float(made.skills.position()[1]))
    found = tree.components["locomotion"]
    speeds = np.diff(places) / made.context.dt
    assert speeds.max() > 0.5
    assert np.abs(np.diff(speeds)).max() <= 1.001 * made.skills.limits()[3][1] * made.context.dt
    assert 0.49 < places[-1] <= 0.5
    assert isinstance(found, Locomotion)
    assert found.obstacle == "foot would touch post"


@pytest.mark.parametrize("side", [1.0, -1.0])
def test_base_that_touches_something_can_leave_it(side: float) -> None:
    """And does not go deeper."""
    made = field()
    made.skills.contact = lambda q: Contact("hand", "post", float(side * q[1]) - 0.004)
    walked(made, 60)
    assert made.skills.position()[1] == (pytest.approx(0.49, abs=0.05) if side > 0.0 else 0.0)
