from __future__ import annotations

import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.descent import (
    LARGEST_TURN,
    Goals,
    Work,
    descend,
    fill_normal,
    solve_normal,
    take_step,
    workspace,
)
from taskmatrix.kernel.ik.serial import fold

from .setting import TIP, chain_of, pose_by, random_placement, reachable

seeds = st.integers(0, 2**32 - 1)


@settings(deadline=None)  # the first call compiles
@given(seed=seeds, m=st.integers(0, 12))
def test_the_normal_equations_are_solved(seed: int, m: int) -> None:
    """As NumPy solves them."""
    random = np.random.default_rng(seed)
    J, shares, b = random.normal(size=(m, 6)), random.uniform(0.0, 2.0, m), random.normal(size=6)
    expected = J.T @ np.diag(shares) @ J + 0.1 * np.eye(6)
    M = np.zeros((6, 6))
    fill_normal(J, shares, 0.1, M)
    np.testing.assert_allclose(np.tril(M), np.tril(expected), atol=1e-12)
    y = b.copy()
    solve_normal(M, y)
    np.testing.assert_allclose(expected @ y, b, atol=1e-9)


def test_steps_stay_within_the_limits_and_are_better_than_clipped_ones() -> None:
    """Judged by a solver of bounded least squares, in narrow limits; where they are wide enough it is the best."""
    damping, ours, clipped = 0.02, [], []
    for seed in range(200):
        chain, x, work = _step_problem(np.random.default_rng(seed))
        J, error = work.J.copy(), work.error.copy()
        take_step(fold(chain.joints, np.zeros(chain.n)), work, damping, False)
        assert np.all((work.x >= chain.lower) & (work.x <= chain.upper))
        np.testing.assert_allclose(work.x, x + work.step, atol=1e-12)
        A, b = np.vstack([J.T, np.sqrt(damping) * np.eye(len(x))]), np.concatenate([error, np.zeros(len(x))])
        least = 2.0 * lsq_linear(A, b, (chain.lower - x - 1e-12, chain.upper - x + 1e-12)).cost
        naive = np.clip(x + np.linalg.lstsq(A, b, rcond=None)[0], chain.lower, chain.upper) - x
        range_ = b @ b - least
        ours.append((np.sum((A @ work.step - b) ** 2) - least) / range_)
        clipped.append((np.sum((A @ naive - b) ** 2) - least) / range_)
    assert np.mean(np.array(ours) < 1e-6) > 0.2
    assert np.median(ours) < 0.1
    assert np.median(ours) < 0.3 * np.median(clipped)


def test_a_step_far_from_the_limits_is_damped_least_squares() -> None:
    """And no joint turns further than allowed: the whole step is made shorter."""
    longest = 0.0
    for seed in range(20):
        chain, x, work = _step_problem(np.random.default_rng(seed), span=100.0)
        J, expected = work.J, np.linalg.solve(work.J @ work.J.T + 0.02 * np.eye(len(x)), work.J @ work.error)
        take_step(fold(chain.joints, np.zeros(chain.n)), work, 0.02, False)
        np.testing.assert_allclose(work.step, expected, atol=1e-9)
        largest = float(np.max(np.abs(expected)))
        np.testing.assert_allclose(work.x - x, expected * min(1.0, LARGEST_TURN / largest), atol=1e-9)
        assert J.shape == (7, 6)
        longest = max(longest, largest)
    assert longest > LARGEST_TURN


def test_a_wish_is_granted_where_the_task_leaves_freedom() -> None:
    """With no error and no limit near, the step is the wish without what would move the frame."""
    chain, x, work = _step_problem(np.random.default_rng(5), span=10.0)
    folded = fold(chain.joints, np.zeros(chain.n))
    work.error[:] = 0.0
    work.desired[:] = 0.1
    work.x[:] = 0.0
    J, before = work.J.copy(), work.x.copy()
    take_step(folded, work, 1e-9, True)
    step = work.x - before
    np.testing.assert_allclose(J.T @ step, 0.0, atol=1e-6)
    projection = np.eye(len(x)) - np.linalg.pinv(J.T) @ J.T
    np.testing.assert_allclose(step, projection @ np.full(len(x), 0.1), atol=1e-6)


@pytest.mark.parametrize("early", [True, False])
def test_a_descent_ends_nearer_to_its_reference(early: bool) -> None:
    """It keeps the target while the arm comes nearer to its reference posture than without one."""
    name, random = "talos", np.random.default_rng(2)
    chain = chain_of(name, "torso", "left_arm")
    nearer: list[bool] = []
    for _ in range(20):
        q, X_WT = reachable(name, chain, random)
        reference = 0.5 * (chain.lower + chain.upper)
        gaps, start = [], np.clip(q[chain.indices] + 0.1, chain.lower, chain.upper)
        for pull in (reference, np.empty(0)):
            goals = Goals(np.ascontiguousarray(X_WT[:3].reshape(1, 12)), True, pull, 1e-4, 1e-3)
            folded, best = fold(chain.joints, q), start.copy()
            found, _, _ = descend(
                folded, goals, goals.targets[0], 40, 10, early, workspace(folded.size, len(best)), best
            )
            if not found:
                continue
            q[chain.indices] = best
            assert np.linalg.norm(pose_by(chain, q)[:3, 3] - X_WT[:3, 3]) < 1e-4
            gaps.append(np.linalg.norm(best - reference))
        if len(gaps) == 2:
            nearer += [gaps[0] < gaps[1] + 1e-6]
    assert len(nearer) >= 15
    assert sum(nearer) >= len(nearer) - 1


def test_work_is_bounded() -> None:
    """No more steps than allowed, none at all if so, and the best of them is kept."""
    name = "talos"
    chain = chain_of(name, "left_arm")
    q, _ = reachable(name, chain, np.random.default_rng(0))
    target = np.array([1.0, 0, 0, 9.0, 0, 1.0, 0, 0, 0, 0, 1.0, 9.0])
    goals = Goals(target.reshape(1, 12), True, np.empty(0), 1e-4, 1e-3)
    folded, left = fold(chain.joints, q), []
    for iterations in (0, 1, 5, 20):
        best = q[chain.indices].copy()
        found, taken, square = descend(
            folded, goals, target, iterations, 100, True, workspace(folded.size, len(best)), best
        )
        assert not found
        assert taken == iterations
        left.append(square)
    assert left == sorted(left, reverse=True)


def _step_problem(random: np.random.Generator, span: float = 0.4) -> tuple[Chain, Array, Work]:
    """A chain of seven turning joints near its limits, and a random error and Jacobian."""
    model, parent = pin.Model(), 0
    for _ in range(7):
        parent = model.addJoint(parent, pin.JointModelRZ(), random_placement(random), f"joint_{parent}")
    model.addFrame(pin.Frame(TIP, parent, 0, pin.SE3.Identity(), pin.FrameType.OP_FRAME))
    limits = -span * random.uniform(0.3, 1.0, model.nv), span * random.uniform(0.3, 1.0, model.nv)
    chain = Chain.from_model(model, TIP, range(model.nv), S=np.eye(model.nv), limits=limits)
    m = len(chain.indices)
    work = workspace(len(chain.joints.slides), m)
    x = np.clip(random.uniform(-1.0, 1.0, m) * min(2 * span, 1.0), chain.lower, chain.upper)
    work.x[:], work.J[:], work.error[:], work.desired[:] = x, random.normal(size=(m, 6)), random.normal(size=6), 0.0
    return chain, x, work
