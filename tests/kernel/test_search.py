from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.ik.descent import Goals, workspace
from taskmatrix.kernel.ik.search import draw, nearest_first, uniform
from taskmatrix.kernel.ik.serial import fold

from .setting import chain_of, pose_by, robot_of


@settings(deadline=None)  # the first call compiles
@given(seed=st.integers(0, 2**62), counter=st.integers(0, 2**40))
def test_a_random_number_is_a_function_of_seed_and_counter(seed: int, counter: int) -> None:
    """And within the unit interval."""
    value = uniform(seed, counter)
    assert 0.0 <= value < 1.0
    assert value == uniform(seed, counter)


def test_random_numbers_fill_the_interval_evenly() -> None:
    """For neighbouring seeds and counters, without correlation."""
    table = np.array([[uniform(seed, counter) for counter in range(400)] for seed in range(50)])
    counts, _ = np.histogram(table, bins=10, range=(0.0, 1.0))
    assert np.all(np.abs(counts - 2000) < 200)
    correlation = np.corrcoef(table) - np.eye(50)
    assert np.max(np.abs(correlation)) < 0.3
    assert abs(np.corrcoef(table[:, :-1].ravel(), table[:, 1:].ravel())[0, 1]) < 0.03


def test_configurations_are_drawn_within_the_limits_and_near_them() -> None:
    """Those of the arm over the whole range; the base, which may go anywhere, around the start."""
    robot, chain = robot_of("talos"), chain_of("talos", "base", "left_arm")
    middle = np.clip(robot.posture(robot.stance, base=(3.0, -2.0, 0.5))[chain.indices], chain.lower, chain.upper)
    folded, drawn = fold(chain.joints, np.zeros(chain.n)), np.empty((2000, len(chain.indices)))
    for counter, x in enumerate(drawn):
        draw(folded, middle, 7, counter, x)
    assert np.all((drawn >= chain.lower) & (drawn <= chain.upper))
    assert np.all(np.abs(drawn[:, :2] - [3.0, -2.0]) <= 1.0)
    assert np.all(np.abs(drawn[:, 2] - 0.5) <= np.pi)
    share = (drawn[:, 3:] - chain.lower[3:]) / (chain.upper - chain.lower)[3:]
    np.testing.assert_allclose(np.mean((share < 0.1) | (share > 0.9), axis=0), 0.41, atol=0.05)


def test_targets_are_taken_in_the_order_of_their_distance() -> None:
    """From the frame where it is."""
    robot, chain, random = robot_of("talos"), chain_of("talos", "left_arm"), np.random.default_rng(0)
    q = robot.posture(robot.stance)
    X, away = pose_by(chain, q), random.permutation(np.linspace(0.1, 2.0, 12))
    targets = np.repeat(X[None, :3].reshape(1, 12), 12, axis=0)
    targets[:, 7] += away
    goals, folded = Goals(targets, True, np.empty(0), 1e-4, 1e-3), fold(chain.joints, q)
    order = nearest_first(folded, goals, q[chain.indices], workspace(folded.size, len(chain.indices)))
    np.testing.assert_array_equal(order, np.argsort(away))
