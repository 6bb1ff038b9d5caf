"""What the soccer world promises: the field, the goals, a ball that rolls, rests, is seen, and stays in the net."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.behaviors import Fixate, Scan
from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import load_robot
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.scenes.world_loader import load_world

SPOT = (0.0, 0.0)
ASIDE = (-1.5, 1.2, 0.0)


def roll(session: Session, start: Array, speed: float, seconds: float) -> Array:
    """(steps, 3) [m] Where the ball is while it rolls along x."""
    plant, q = session.plant, session.plant.sense().q
    assert isinstance(plant, BulletPlant)
    radius = session.world.objects["ball"].shapes[0].size[0]
    velocity = np.array([speed, 0.0, 0.0, 0.0, speed / radius, 0.0])
    plant._place("ball", pose((*start, session.world.poses["ball"][2, 3])), velocity)
    way = []
    for _ in range(round(seconds * 120)):
        plant.apply(Command(q, 0 * q, 0 * q), 1 / 120)
        way.append(plant.truth()["poses"]["ball"][:3, 3])  # type: ignore[index]
    return np.array(way)


@pytest.mark.parametrize("name", ["nao", "talos"])
def test_ball_comes_in_the_size_of_its_player_and_the_goals_do_not(name: str) -> None:
    """65 mm and 55 g for Nao; about a seventh of the height to the shoulder for anybody."""
    robot = load_robot(name)
    world = load_world("soccer", robot.shoulder_height)
    ball, size = world.objects["ball"], robot.shoulder_height / load_robot("nao").shoulder_height
    assert ball.shapes[0].size[0] == pytest.approx(0.0325 * size, rel=1e-3)
    assert ball.mass == pytest.approx(0.055 * size**2, rel=2e-3)
    assert np.allclose(world.poses["ball"][:2, 3], SPOT)
    lower, upper = world.box("yellow_goal")
    assert lower[0] == pytest.approx(3.0)
    assert upper[1] - lower[1] == pytest.approx(1.6)


def test_start_of_the_ball_can_be_drawn_by_the_seed() -> None:
    """Anywhere within the jitter; without one it lies in the middle."""
    world = load_world("soccer").jittered("ball", 2.5, 1.5)
    places = np.array([world.sampled(np.random.default_rng(seed)).poses["ball"][:2, 3] for seed in range(40)])
    assert (np.abs(places) <= (2.5, 1.5)).all()
    assert np.ptp(places, axis=0) == pytest.approx([4.5, 2.7], abs=0.8)


def test_jitter_of_what_is_not_there_or_is_no_number_is_an_error() -> None:
    """With the names that there are."""
    with pytest.raises(NotFoundError, match="ball"):
        load_world("soccer").jittered("bal", 1.0, 1.0)
    with pytest.raises(ParameterError, match="from 0"):
        load_world("soccer").jittered("ball", -1.0, 1.0)


@pytest.mark.pictures
@pytest.mark.parametrize("name", ["nao", "talos"])
def test_ball_pushed_to_two_metres_a_second_comes_to_rest_after_four_metres(name: str) -> None:
    """At 5 % of gravity, 4.08 m, whatever its size; then it lies where it lies."""
    with simulate(name, "soccer", start=ASIDE, sim="bullet") as session:
        way = roll(session, np.array([-2.5, 0.0]), 2.0, 6.0)
    assert way[-1, 0] - way[0, 0] == pytest.approx(2.0**2 / (2 * 0.05 * 9.81), rel=0.04)
    assert np.ptp(way[-60:], axis=0).max() < 1e-5


@pytest.mark.pictures
def test_net_stops_the_ball() -> None:
    """Faster than anybody kicks."""
    with simulate("nao", "soccer", start=ASIDE, sim="bullet") as session:
        way = roll(session, np.array([2.0, 0.3]), 4.0, 3.0)
    assert 3.0 < way[-1, 0] < 3.48
    assert way[:, 0].max() < 3.48


@pytest.mark.pictures
def test_ball_that_nobody_touches_lies_still() -> None:
    """To a hundredth of a millimetre."""
    with simulate("nao", "soccer", start=ASIDE, sim="bullet") as session:
        way = roll(session, np.zeros(2), 0.0, 2.0)
    assert np.abs(way - session.world.poses["ball"][:3, 3]).max() < 2e-5


@pytest.mark.pictures
def test_camera_finds_the_ball_on_the_grass() -> None:
    """In front of Nao's feet, where it looks for it."""
    with simulate("nao", "soccer", start=(-0.6, 0.0, 0.0), perception="camera") as session:
        assert "yellow_goal" in session.context.perception
        assert "ball" not in session.context.perception
        session.run(Scan(duration=8.0))
        assert "ball" in session.context.perception
        assert session.run(Fixate(target="ball"))
        seen = session.context.perception.pose("ball")[:3, 3]
    assert seen == pytest.approx(session.world.poses["ball"][:3, 3], abs=3e-3)
