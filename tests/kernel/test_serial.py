from __future__ import annotations

import math

import numpy as np
import pinocchio as pin
from hypothesis import given, settings
from hypothesis import strategies as st

from taskmatrix.kernel.ik.chain import Chain
from taskmatrix.kernel.ik.serial import difference, fold, forward, jacobian, sine_cosine

from .setting import TIP, configuration_of, pose_of, random_model, random_placement

seeds = st.integers(0, 2**32 - 1)


@settings(deadline=None)  # the first call compiles
@given(angle=st.floats(-100.0, 100.0))
def test_sine_and_cosine_are_those_of_the_library(angle: float) -> None:
    """To rounding, over many turns."""
    np.testing.assert_allclose(sine_cosine(angle), (math.sin(angle), math.cos(angle)), atol=3e-14)


def test_sine_and_cosine_at_the_quarters() -> None:
    """Where the polynomials change over."""
    for k in range(-17, 18):
        for shift in (-1e-12, 0.0, 1e-12):
            angle = k * math.pi / 4 + shift
            np.testing.assert_allclose(sine_cosine(angle), (math.sin(angle), math.cos(angle)), atol=3e-15)


@settings(max_examples=40, deadline=None)
@given(seed=seeds, length=st.integers(1, 9))
def test_the_jacobian_is_that_of_pinocchio(seed: int, length: int) -> None:
    """In the world's axes at the frame, rotations times the lever; some joints folded away."""
    random, lever = np.random.default_rng(seed), 0.15
    model = random_model(random, length)
    chain = Chain.from_model(model, TIP, np.flatnonzero(random.uniform(size=model.nv) < 0.7))
    q = random.uniform(-3.0, 3.0, model.nv)
    folded = fold(chain.joints, q)
    axes, T, J = np.empty((folded.size, 6)), np.empty(12), np.empty((len(chain.indices), 6))
    forward(folded, q[chain.indices], axes, T)
    jacobian(folded, axes, T, lever, J)
    data, full = model.createData(), configuration_of(model, q)
    expected = pin.computeFrameJacobian(model, data, full, model.getFrameId(TIP), pin.LOCAL_WORLD_ALIGNED)
    np.testing.assert_allclose(J, (np.diag([1, 1, 1, lever, lever, lever]) @ expected[:, chain.indices]).T, atol=1e-12)


@settings(max_examples=60, deadline=None)
@given(seed=seeds, angle=st.floats(0.0, math.pi - 1e-3))
def test_a_difference_points_along_the_rotation(seed: int, angle: float) -> None:
    """Distance and angle are exact; the error is twice the sine of half the angle, along the axis in the world."""
    random = np.random.default_rng(seed)
    axis = random.normal(size=3)
    axis /= np.linalg.norm(axis)
    here, shift = random_placement(random), random.normal(size=3)
    there = pin.SE3(pin.exp3(angle * axis) @ here.rotation, here.translation + shift)
    error = np.empty(6)
    distance, turned = difference(_rows(here), _rows(there), True, error)
    np.testing.assert_allclose([distance, turned], [float(np.linalg.norm(shift)), angle], atol=1e-7)
    if angle < 3.12:  # near half a turn it is made shorter, so that it stays finite
        np.testing.assert_allclose(error, [*shift, *(2.0 * math.sin(angle / 2.0) * axis)], atol=1e-9)


def test_a_difference_of_half_a_turn_is_finite() -> None:
    """Though its direction is not determined."""
    error = np.empty(6)
    half = pin.SE3(np.diag([1.0, -1.0, -1.0]), np.zeros(3))
    distance, angle = difference(_rows(pin.SE3.Identity()), _rows(half), True, error)
    assert distance == 0.0
    np.testing.assert_allclose(angle, math.pi)
    assert np.isfinite(error).all()


def test_orientation_may_not_count() -> None:
    """Then only the position is compared."""
    random, error = np.random.default_rng(0), np.empty(6)
    here, there = random_placement(random), random_placement(random)
    distance, angle = difference(_rows(here), _rows(there), False, error)
    assert angle == 0.0
    np.testing.assert_allclose(distance, np.linalg.norm(there.translation - here.translation))
    np.testing.assert_array_equal(error[3:], 0.0)


def test_what_stays_is_folded_away() -> None:
    """Only the joints that move are left, in their order."""
    random = np.random.default_rng(4)
    model = random_model(random, 8)
    chain = Chain.from_model(model, TIP, [2, 6])
    q = random.uniform(-1.0, 1.0, model.nv)
    folded = fold(chain.joints, q)
    assert folded.size == len(chain.indices) == 2
    T = np.empty(12)
    forward(folded, q[chain.indices], np.empty((2, 6)), T)
    np.testing.assert_allclose(T.reshape(3, 4), pose_of(model, q)[:3], atol=1e-12)


def _rows(placement: pin.SE3) -> np.typing.NDArray[np.float64]:
    return np.ascontiguousarray(placement.homogeneous[:3].ravel())
