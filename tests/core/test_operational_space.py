"""Masses, stiffness and damping of a frame instead of the joints."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core.robot.operational_space import (
    effective_mass,
    modal_damping,
    null_space_damping,
    null_space_projector,
    pose_offset,
)
from taskmatrix.core.world.geometry import pose


def arm(joints: int = 7) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(5)
    root = random.normal(size=(joints, joints))
    return root @ root.T + np.eye(joints), random.normal(size=(6, joints))


def test_the_effective_mass_is_what_a_push_accelerates() -> None:
    """By Newton's law; where no joint gives way it is infinite."""
    M, J = arm()
    direction = np.array([1.0, 2.0, -1.0])
    u = direction / np.linalg.norm(direction)
    acceleration = u @ J[:3] @ np.linalg.solve(M, J[:3].T @ u)
    assert effective_mass(M, J[:3], direction) == pytest.approx(1.0 / acceleration)
    assert effective_mass(np.eye(2), np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 0.0]]), np.array([0, 0, 1])) == np.inf


def test_what_is_projected_into_the_null_space_does_not_accelerate_the_frame() -> None:
    """Nor does its damping, and that takes energy away."""
    M, J = arm()
    N = null_space_projector(M, J)
    assert_allclose(J @ np.linalg.solve(M, N), 0.0, atol=1e-9)
    assert_allclose(N @ N, N, atol=1e-9)
    D = null_space_damping(M, J, 4.0)
    assert_allclose(J @ np.linalg.solve(M, D), 0.0, atol=1e-8)
    assert np.linalg.eigvalsh(D).min() > -1e-9
    free = np.linalg.svd(J)[2][-1]
    inside = np.linalg.solve(M, N @ M @ free)
    assert_allclose(np.linalg.solve(M, D @ inside), 4.0 * inside, atol=1e-8)


@pytest.mark.parametrize("ratio", [0.7, 1.0])
def test_every_mode_is_damped_with_the_ratio(ratio: float) -> None:
    """Of masses on springs: their characteristic numbers say so."""
    M, J = arm()
    K = J.T @ np.diag([300.0, 300.0, 300.0, 20.0, 20.0, 20.0]) @ J
    D = modal_damping(M, K, ratio)
    assert_allclose(D, D.T, atol=1e-6)
    inverse = np.linalg.inv(M)
    system = np.block([[np.zeros((7, 7)), np.eye(7)], [-inverse @ K, -inverse @ D]])
    found = np.linalg.eigvals(system)
    moving = found[np.abs(found) > 1e-2]
    assert len(moving) >= 11
    assert_allclose(-moving.real / np.abs(moving), ratio, atol=0.02)


def test_a_pose_is_off_by_what_takes_it_to_its_goal() -> None:
    """In its own axes."""
    X_WF, X_FG = pose((1, 2, 3), (0.1, 0.2, 0.3)), pose((0.1, 0.0, -0.2), (0.0, 0.0, 0.5))
    assert_allclose(pose_offset(X_WF, X_WF @ X_FG), [0.1, 0.0, -0.2, 0.0, 0.0, 0.5], atol=1e-12)
