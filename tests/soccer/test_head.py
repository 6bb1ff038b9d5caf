"""Turning the eyes."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors.common.pursuit import CRUISING
from taskmatrix.core import ActivationTree, Component, Parameter, Part
from taskmatrix.core.world.objects import Array
from taskmatrix.soccer import Head, Turn
from taskmatrix.testing import Bench

from .field import field

CLOSE = 2e-3  # [rad]


class Looks(Component):
    """Looks somewhere, and on from there to the left, while the body turns."""

    pan = Parameter(float, default=0.0)
    tilt = Parameter(float, default=0.0)
    pace = Parameter(float, default=None)
    rate = Parameter(float, default=0.0)
    spin = Parameter(float, default=0.0)

    head = Part(Head)
    turn = Part(Turn)

    def work(self) -> None:
        self.head.pan, self.head.tilt = self.pan + self.rate * self.elapsed, self.tilt
        self.head.pace, self.turn.speed = self.pace, self.spin

    def act(self) -> None:
        self.head.step()
        self.turn.step()


def looked(root: Looks, ticks: int) -> tuple[Bench, Head, Array]:
    """The robot, its head, and where pan and tilt were and went (1 + ticks, 2)."""
    made, tree = field(), ActivationTree(root)
    made.ticks(tree, ticks)
    way = [made.skills.robot.stance[3:5], *(command.q[3:5] for command in made.plant.commands)]
    return made, head_of(tree), np.array(way)


def head_of(tree: ActivationTree) -> Head:
    head = tree.components["head"]
    assert isinstance(head, Head)
    return head


@pytest.mark.parametrize("spin", [0.0, 0.8])
def test_eyes_look_to_the_left_and_below_the_horizon(spin: float) -> None:
    """As seen from the base, wherever that turns to."""
    made, head, _ = looked(Looks(pan=0.6, tilt=0.3, spin=spin), 150)
    assert (head.looks.pan, head.looks.tilt) == pytest.approx((0.6, 0.3), abs=CLOSE)
    assert head.looks_at(0.6, 0.3, CLOSE)
    assert not head.looks_at(0.6, 0.4, CLOSE)
    assert made.skills.position()[2] == pytest.approx(1.5 * spin, abs=0.1)


def test_eyes_of_a_real_robot_look_there_too() -> None:
    """They move with the head; the joints are not those of the direction."""
    with simulate("nao", "soccer", start=(-1.0, 0.0, 0.5)) as session:
        tree = ActivationTree(Looks(pan=-0.9, tilt=0.4))
        session.run(tree, 1.5)
        head = head_of(tree)
        assert (head.looks.pan, head.looks.tilt) == pytest.approx((-0.9, 0.4), abs=CLOSE)
        assert head.arrived


def test_head_turns_as_fast_as_it_may_and_stops_without_going_too_far() -> None:
    """It has arrived when the eyes have."""
    made, head, way = looked(Looks(pan=1.2, tilt=0.3), 200)
    speed = np.diff(way, axis=0) / 0.01
    assert speed.max() == pytest.approx(CRUISING * made.skills.robot.velocity[3])
    assert np.abs(np.diff(speed, axis=0)).max() <= made.skills.robot.acceleration[3] * 0.01 + 1e-9
    assert way[:, 0].max() <= 1.2 + CLOSE
    assert head.arrived
    assert not looked(Looks(pan=1.2, tilt=0.3), 100)[1].arrived


def test_pace_holds_the_head_back() -> None:
    """As long as it is asked for."""
    _, _, way = looked(Looks(pan=1.2, pace=0.4), 100)
    assert np.diff(way[:, 0]).max() / 0.01 == pytest.approx(0.4)


def test_direction_that_moves_is_followed_without_falling_behind() -> None:
    """By less than it moves in two control steps."""
    _, head, _ = looked(Looks(pan=-0.5, rate=0.5), 250)
    assert head.looks.pan == pytest.approx(-0.5 + 0.5 * 2.49, abs=0.5 * 0.02)


def test_direction_out_of_reach_is_looked_at_as_nearly_as_the_head_goes() -> None:
    """The fake robot's goes 1.5 rad to each side and 1 rad down."""
    _, head, _ = looked(Looks(pan=3.0, tilt=1.4), 250)
    assert (head.widest, head.lowest) == (1.5, 1.0)
    assert (head.looks.pan, head.looks.tilt) == pytest.approx((1.5, 1.0), abs=CLOSE)
    assert head.arrived
    assert head.looks_at(3.0, 1.4, CLOSE)
    assert not head.looks_at(-3.0, 1.4, CLOSE)


def test_head_begins_where_it_is() -> None:
    """Whoever turned it before: it does not jump."""
    made = field()
    made.run(ActivationTree(Looks(pan=0.6, tilt=0.3)), 1.5)
    count = len(made.plant.commands)
    made.run(ActivationTree(Looks(pan=-0.6, tilt=0.3)), 0.05)
    way = np.array([command.q[3:5] for command in made.plant.commands[count - 2 : count + 4]])
    assert way[0] == pytest.approx((0.6, -0.3), abs=CLOSE)  # the fake robot tilts upwards
    assert np.abs(np.diff(way, 2, axis=0)).max() <= made.skills.robot.acceleration[3] * 0.01**2 + 1e-9
    assert way[-1, 0] < way[0, 0] - CLOSE
