"""Movement primitives: into a motion from anywhere."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.dmp import Limits, MovementPrimitive, Phase, converge
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.world.objects import Array

WAVE = Motion.through("wave", {1: [(0, 0.0), (0.5, 0.3), (1.5, -0.3), (2, 0.0)], 2: [(0, 1.0), (2, 1.0)]}, True)
NOD = Motion.through("nod", {1: [(0, 0.0), (0.6, 0.25), (1.2, 0.0)], 2: [(0, 0.0), (0.5, 0.1), (1.2, 0.2)]}, False)
LIMITS = Limits(np.full(2, -1.6), np.full(2, 1.6), np.full(2, 2.0), np.full(2, 8.0))


def played(motion: Motion, q: list[float], v: list[float] | None = None, limits: Limits = LIMITS) -> MovementPrimitive:
    found = converge(motion, 0.3 if motion.periodic else 0.0, 8.0, np.array(q), np.array(v or [0.0, 0.0]), limits)
    assert isinstance(found, MovementPrimitive), found
    return found


@pytest.mark.parametrize("motion", [WAVE, NOD])
@pytest.mark.parametrize("q", [[0.0, 1.0], [1.5, -1.5], [-0.4, 0.2]])
def test_it_starts_where_the_joints_are_and_ends_on_the_motion(motion: Motion, q: list[float]) -> None:
    """At rest at both ends."""
    found = played(motion, q)
    start, speed, _ = found.sample(0.0)
    np.testing.assert_allclose(start, q)
    np.testing.assert_allclose(speed, 0.0, atol=1e-9)
    end, speed, _ = found.sample(found.duration)
    phase = float(found.phase.sample(np.array(found.duration))[0])
    np.testing.assert_allclose(end, motion.sample(phase)[0], atol=5e-3)
    np.testing.assert_allclose(speed, 0.0, atol=5e-3)


@pytest.mark.parametrize("motion", [WAVE, NOD])
@pytest.mark.parametrize("seed", range(8))
def test_limits_hold_at_every_step(motion: Motion, seed: int) -> None:
    """By differences of the commanded positions, from random places and speeds."""
    random = np.random.default_rng(seed)
    q, v = random.uniform(-1.5, 1.5, 2), random.uniform(-0.2, 0.2, 2)
    found = played(motion, q.tolist(), v.tolist())
    path = found.sample(np.arange(0.0, found.duration + 0.05, 0.01))[0]
    speeds = np.diff(path, axis=0) / 0.01
    assert np.all(np.abs(speeds) <= LIMITS.velocity)
    assert np.all(np.abs(np.diff(speeds, axis=0) / 0.01) <= LIMITS.acceleration)
    assert np.all((path >= LIMITS.lower - 1e-6) & (path <= LIMITS.upper + 1e-6))


@pytest.mark.parametrize("motion", [WAVE, NOD])
def test_velocity_and_acceleration_are_derivatives(motion: Motion) -> None:
    """By finite differences."""
    found, step = played(motion, [0.9, 0.1], [0.1, -0.2]), 1e-5
    for time in np.linspace(0.02, found.duration - 0.02, 40):
        (before, _, _), (q, v, a), (after, _, _) = (found.sample(time + k * step) for k in (-1, 0, 1))
        np.testing.assert_allclose(v, (after - before) / (2 * step), atol=1e-5)
        np.testing.assert_allclose(a, (after - 2 * q + before) / step**2, atol=2e-2)


def test_it_is_the_solution_of_the_primitives_equations() -> None:
    """The transformation system of Ijspeert et al. 2013, integrated, with the forcing term of the motion."""
    found = played(WAVE, [0.9, 0.1], [0.1, 0.0])
    alpha, goal = 2 * found.rate, np.array([0.3, -0.2])
    beta = alpha / 4

    def slope(time: float, state: Array) -> Array:
        s, ds, dds = (float(x) for x in found.phase.sample(np.array(time)))
        m, dm, ddm = WAVE.sample(s)
        velocity, acceleration = dm * ds, ddm * ds**2 + dm * dds
        forcing = acceleration - alpha * (beta * (goal - m) - velocity)
        y, dy = state[:2], state[2:]
        return np.concatenate([dy, alpha * (beta * (goal - y) - dy) + forcing])

    times = np.linspace(0.0, 4.0, 30)
    state = np.concatenate(found.sample(0.0)[:2])
    solution = solve_ivp(slope, (0.0, 4.0), state, t_eval=times, rtol=1e-8, atol=1e-9, max_step=0.02)
    np.testing.assert_allclose(solution.y[:2].T, found.sample(times)[0], atol=1e-5)


def test_far_off_it_converges_more_slowly() -> None:
    """Because the limits ask for it."""
    assert played(WAVE, [1.5, -1.0]).rate < played(WAVE, [0.1, 1.0]).rate


def test_a_rhythmic_phase_starts_and_stops_softly_on_time() -> None:
    """However short it is."""
    for duration in (8.0, 0.1):
        phase = converge(WAVE, 0.0, duration, np.array([0.0, 1.0]), np.zeros(2), LIMITS)
        assert isinstance(phase, MovementPrimitive)
        assert phase.duration == pytest.approx(duration)
        s, ds, _ = phase.phase.sample(np.linspace(0.0, duration, 500))
        assert ds[0] == ds[-1] == 0.0
        assert np.all(np.diff(s) >= 0.0)
        assert np.max(ds) <= 1.0
    assert Phase(0.0, 1.0, 0.5, 4.0).sample(np.array(0.9))[1] == 0.0


def test_without_a_way_within_the_limits_it_says_how_far_it_is() -> None:
    """A joint that can hardly accelerate."""
    limits = LIMITS._replace(acceleration=np.full(2, 0.3))
    motion = WAVE.lasting(WAVE.shortest(limits.velocity, limits.acceleration))
    failure = converge(motion, 0.0, 5.0, np.array([1.5, -1.5]), np.zeros(2), limits)
    assert isinstance(failure, Failure)
    assert failure.kind is FailureKind.JOINT_LIMIT
    assert failure.facts["furthest"] == pytest.approx(2.5)
