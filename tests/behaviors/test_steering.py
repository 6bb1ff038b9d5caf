"""Corrections of a base that only turns and rolls."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Forward, Reach
from taskmatrix.behaviors.locomotion.steering import feasible, steering, unicycle_step
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array

DT, GAIN, RATE = 0.01, 2.0, 0.05
OFF = [(0.03, 0.02, 0.05), (-0.02, 0.03, -0.05), (0.0, -0.05, 0.0)]


def driven(off: Array, speed: float, seconds: float) -> Array:
    """(3,) How far a base is off a straight path along x at the end, that was off by (3,) where it began."""
    base, place = np.array(off), np.zeros(3)
    ahead = np.array([speed * DT, 0.0, 0.0])
    for _ in range(round(seconds / DT)):
        step = steering(ahead, base - place, float(base[2]), GAIN, RATE, DT)
        place = place + ahead
        base = unicycle_step(base, step)
    return base - place


@pytest.mark.parametrize("speed", [0.4, -0.4])
@pytest.mark.parametrize("off", OFF)
def test_a_base_that_rolls_comes_back_to_its_path(off: tuple[float, float, float], speed: float) -> None:
    """Forwards and backwards, and sideways by steering."""
    assert np.abs(driven(np.array(off), speed, 10.0)).max() < 1e-3


@pytest.mark.parametrize("off", OFF)
def test_a_base_that_stands_comes_back_as_far_as_it_can(off: tuple[float, float, float]) -> None:
    """What is left is across its heading."""
    left = driven(np.array(off), 0.0, 10.0)
    assert abs(left[2]) < 1e-6
    assert abs(left[0]) < 1e-6
    assert abs(left[1]) <= np.hypot(off[0], off[1]) + 1e-9


def test_a_step_is_along_the_heading() -> None:
    """In its middle; a change across it is not feasible."""
    base = unicycle_step(np.array([1.0, 2.0, 0.5]), np.array([0.1, 0.2]))
    np.testing.assert_allclose(base, [1.0 + 0.1 * np.cos(0.6), 2.0 + 0.1 * np.sin(0.6), 0.7])
    np.testing.assert_allclose(feasible(np.array([0.0, 0.3, 0.1]), 0.0), [0.0, 0.1])


def slips(recorded: list[Array], pushed: int = 0) -> Array:
    """(s,) [m] How far each step took the base across its heading; none where it was pushed."""
    base = np.array(recorded)[:, :3]
    steps, yaw = np.diff(base, axis=0), (base[1:, 2] + base[:-1, 2]) / 2
    across = np.abs(-np.sin(yaw) * steps[:, 0] + np.cos(yaw) * steps[:, 1])
    if pushed:
        across[pushed - 1 : pushed + 1] = 0.0
    return across


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 3])
def test_a_push_is_made_up_for_without_slipping(seed: int) -> None:
    """Rolling and steering, by the arm, and where that is too little by a new plan."""
    recorded: list[Array] = []
    pushed: list[int] = []
    with simulate("bandit", seed=seed) as session:

        def push(event: Event) -> None:
            if event.kind == "step":
                recorded.append(np.array(event.data["q"]))
                if not pushed and event.time >= 2.0:
                    session.plant.push(np.array([0.03, -0.04, 0.05]))
                    pushed.append(len(recorded))

        session.events.subscribe(push)
        outcome = session.run(Reach(object="vacuum"))
        assert outcome.success, outcome
    assert slips(recorded, pushed[0]).max() < 1e-6


def test_going_straight_ahead_is_along_the_sensed_heading() -> None:
    """A base that has drifted round goes where it really heads."""
    recorded: list[Array] = []
    with simulate("bandit", seed=1, drift=lambda time: np.array([0.0, 0.0, 0.02])) as session:
        session.events.subscribe(
            lambda event: recorded.append(np.array(event.data["q"])) if event.kind == "step" else None
        )
        assert session.run(Forward(distance=0.3)).success
    assert np.ptp(np.array(recorded)[:, :2], axis=0).max() > 0.1
    assert slips(recorded[3:]).max() < 1e-9
