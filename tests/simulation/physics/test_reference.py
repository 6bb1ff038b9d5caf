from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.physics.reference import Reference

DT = 1 / 120


def command(q: Array, v: Array) -> Command:
    return Command(q, v, np.zeros(len(q)))


def wave(t: float) -> Command:
    return command(np.array([0.2 * np.sin(3 * t), 0.1 * t]), np.array([0.6 * np.cos(3 * t), 0.1]))


@pytest.mark.parametrize("steps", [1, 2, 8])
def test_its_accelerations_lead_to_its_positions(steps: int) -> None:
    """Integrated step by step as a physics engine does, to rounding, across all commands."""
    start = wave(0.0)
    reference = Reference(start.q)
    q = v = None
    for k in range(1, 60):
        positions, velocities, accelerations = reference.towards(wave(k * DT), DT, steps)
        assert positions.shape == velocities.shape == accelerations.shape == (steps, 2)
        if q is None or v is None:
            q, v = positions[0], velocities[0]
        for wanted in zip(positions, velocities, accelerations, strict=True):
            np.testing.assert_allclose(q, wanted[0], atol=1e-12)
            np.testing.assert_allclose(v, wanted[1], atol=1e-9)
            v = v + wanted[2] * DT / steps
            q = q + v * DT / steps
        np.testing.assert_allclose(q, wave(k * DT).q, atol=1e-12)


def test_between_commands_that_agree_it_is_smooth() -> None:
    """A sampled sine comes out as the sine, to a thousandth of a degree; velocities to a promille."""
    reference = Reference(wave(0.0).q)
    reference.towards(wave(DT), DT, 8)
    for k in range(2, 60):
        positions, velocities, _ = reference.towards(wave(k * DT), DT, 8)
        for i in range(8):
            t = (k - 1 + i / 8) * DT
            np.testing.assert_allclose(positions[i], wave(t).q, atol=2e-5)
            if i > 0:
                np.testing.assert_allclose(velocities[i], wave(t - DT / 16).v, atol=2e-3)


def test_a_velocity_that_contradicts_the_positions_does_not_count() -> None:
    """Joints that a filter holds, with a velocity in the command all the same, stay where they are."""
    reference = Reference(np.zeros(1))
    for _ in range(3):
        positions, _, accelerations = reference.towards(command(np.zeros(1), np.ones(1)), DT, 4)
        np.testing.assert_allclose(positions, 0.0, atol=1e-12)
        np.testing.assert_allclose(accelerations, 0.0, atol=1e-6)


def test_a_restart_begins_at_rest() -> None:
    """For the joints named; the others go on."""
    reference = Reference(wave(0.0).q)
    for k in range(1, 4):
        reference.towards(wave(k * DT), DT, 2)
    reference.restart(np.array([0]), np.array([1.0]))
    positions, velocities, _ = reference.towards(command(np.array([1.0, 0.4 * DT]), np.array([0.0, 0.1])), DT, 2)
    np.testing.assert_allclose(positions[:, 0], 1.0)
    np.testing.assert_allclose(velocities[0], [0.0, 0.1], atol=1e-9)


def governed(commands: list[Command]) -> tuple[list[float], list[float], list[float]]:
    """Positions, velocities and accelerations of a joint that may move at 1 rad/s and accelerate with 6 rad/s^2."""
    reference = Reference(np.zeros(1), np.ones(1), np.full(1, 6.0))
    told = [reference.towards(each, DT, 2) for each in commands]
    q, v, a = (np.concatenate([step[k][:, 0] for step in told]).tolist() for k in range(3))
    return q, v, a


def test_what_stops_dead_brakes_and_comes_back() -> None:
    """Commands that come late: it passes where it was told to be by the way that it brakes, and comes to rest there."""
    moving = [command(np.full(1, t), np.full(1, v)) for v in [0.8] for t in 0.8 * DT * np.arange(1, 60)]
    ramp = [command(np.full(1, 3 * t * t), np.full(1, 6 * t)) for t in DT * np.arange(1, 17)]
    start = ramp[-1].q
    run_up = [*ramp, *(command(start + each.q, each.v) for each in moving)]
    stopped = [command(run_up[-1].q, np.zeros(1))] * 120
    q, v, a = governed([*run_up, *stopped])
    assert max(map(abs, a)) <= 2 * 6.0  # within a step; from step to step 6
    assert max(map(abs, v)) <= 1.0
    assert max(q) - run_up[-1].q[0] == pytest.approx(0.8**2 / 2 / 6.0, rel=0.1)
    assert q[-1] == pytest.approx(run_up[-1].q[0], abs=1e-4)
    assert abs(v[-1]) < 1e-3


def test_a_leap_is_caught_up_with_within_the_limits() -> None:
    """And then the command is followed as before."""
    q, v, a = governed([command(np.full(1, 0.5 + 0.1 * t), np.full(1, 0.1)) for t in DT * np.arange(1, 240)])
    assert max(map(abs, a)) <= 2 * 6.0  # within a step; from step to step 6
    assert max(map(abs, v)) <= 1.0 + 1e-9
    assert q[-1] == pytest.approx(0.5 + 0.1 * DT * 238.5, abs=1e-4)
    assert v[-1] == pytest.approx(0.1, abs=1e-6)
    assert max(q) <= q[-1]
