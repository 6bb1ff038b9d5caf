"""Virtual springs: their laws, what they go to, and the torques that feel like them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.robot.plant import JointState
from taskmatrix.core.robot.springs import (
    BoundedSpring,
    Feature,
    GaussianSpring,
    Line,
    LinearSpring,
    Plane,
    Point,
    Spring,
    SpringLaw,
    joint_torques,
    pull,
    push_apart,
)
from taskmatrix.testing import Bench
from taskmatrix.testing.fake_skills import FakeSkills

DT = 0.01
LAWS = [LinearSpring(80.0, 3.0), BoundedSpring(10.0, 0.2, 3.0), GaussianSpring(5.0, 0.05, 3.0)]
FEATURES = [Point((0.3, -0.5, 1.2)), Line((0.3, -0.5, 1.2), (1.0, 0.2, 0.0)), Plane((0.3, -0.5, 0.8), (0.1, 0.0, 2.0))]


def skills_at(q: np.ndarray, v: np.ndarray | None = None) -> FakeSkills:
    bench = Bench()
    bench.skills.sense(JointState(q, np.zeros(len(q)) if v is None else v, np.zeros(len(q))))
    return bench.skills


def posture() -> np.ndarray:
    q = Bench().skills.position()
    q[:3] = 0.2, -0.1, 0.4
    q[12:18] += 0.1, -0.05, 0.2, 0.3, -0.2, 0.5
    return q


def test_a_bounded_spring_pushes_with_its_peak_at_contact_and_with_nothing_beyond_its_range() -> None:
    """And in between by Domo's formula."""
    law = BoundedSpring(12.0, 0.1)
    assert law.force(0.0) == 12.0
    assert law.force(-0.3) == 12.0
    assert law.force(0.05) == pytest.approx(6.0)
    assert law.force(0.1) == law.force(7.0) == 0.0
    assert law.force(0.03) == pytest.approx(6.0 * (1.0 + math.cos(0.3 * math.pi)))


def test_a_gaussian_spring_pulls_most_one_width_away() -> None:
    """And not at all at its goal, or far from it."""
    law = GaussianSpring(5.0, 0.05)
    lengths = np.linspace(0.0, 0.5, 501)
    forces = np.array([law.force(x) for x in lengths])
    assert lengths[forces.argmin()] == pytest.approx(0.05)
    assert forces.min() == pytest.approx(-5.0)
    assert forces[0] == 0.0
    assert abs(forces[-1]) < 1e-9


def test_a_linear_spring_pulls_no_harder_than_it_may() -> None:
    """From either side."""
    law = LinearSpring(100.0, most=20.0)
    assert [law.force(x) for x in (0.1, 1.0, -1.0)] == [-10.0, -20.0, 20.0]


@pytest.mark.parametrize("law", LAWS)
def test_no_spring_is_steeper_than_it_says(law: SpringLaw) -> None:
    """By central differences; and somewhere it is."""
    lengths = np.linspace(0.0, 0.4, 2001)
    slopes = np.abs(np.gradient([law.force(x) for x in lengths], lengths))
    assert slopes.max() == pytest.approx(law.slope, rel=0.01)


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: LinearSpring(-1.0), "stiffness of a LinearSpring is a finite number from 0, not -1.0"),
        (lambda: LinearSpring(1.0, -2.0), "damping of a LinearSpring"),
        (lambda: LinearSpring(1.0, most=0.0), "most of a LinearSpring is a force above 0"),
        (lambda: BoundedSpring(float("nan"), 0.1), "peak of a BoundedSpring"),
        (lambda: BoundedSpring(1.0, 0.0), "range of a BoundedSpring is a finite number above 0"),
        (lambda: GaussianSpring(1.0, -0.1), "width of a GaussianSpring"),
        (lambda: Point((0.0, 1.0)), "p of a Point is three finite numbers"),  # type: ignore[arg-type]
        (lambda: Line((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "direction of a Line has a direction"),
        (lambda: Plane((0.0, 0.0, float("inf"))), "p of a Plane"),
        (lambda: Spring("left", LAWS[0], FEATURES[0], attachment=(1.0,)), "attachment of a Spring"),  # type: ignore[arg-type]
    ],
)
def test_a_spring_that_cannot_be_says_what_is_wrong_with_it(make: Any, problem: str) -> None:
    """When it is made."""
    with pytest.raises(ParameterError, match=problem):
        make()


def test_lengths_are_the_shortest_to_a_point_a_line_and_a_plane() -> None:
    """Behind a plane they are negative."""
    offset = np.array([3.0, 4.0, -2.0])
    assert Point((0.0, 0.0, 0.0)).length(offset)[0] == pytest.approx(math.sqrt(29.0))
    assert Line((0.0, 0.0, 0.0)).length(offset)[0] == pytest.approx(5.0)
    length, normal = Plane((0.0, 0.0, 0.0)).length(offset)
    assert length == -2.0
    assert_allclose(normal, [0.0, 0.0, 1.0])
    assert_allclose(Point((0.0, 0.0, 0.0)).length(np.zeros(3))[1], 0.0)


def energy(spring: Spring, q: np.ndarray) -> float:
    """[J] Stored in a linear spring."""
    found = pull(spring, skills_at(q), np.arange(len(q)), DT)
    assert isinstance(spring.law, LinearSpring)
    return spring.law.stiffness * found.length**2 / 2.0


@pytest.mark.parametrize("reference", [None, "left"])
@pytest.mark.parametrize("feature", FEATURES)
def test_torques_are_those_that_give_the_energy_of_the_spring_back(feature: Feature, reference: str | None) -> None:
    """By central differences: also where what it goes to moves with the robot."""
    q = posture()
    spring = Spring("right", LinearSpring(80.0), feature, reference, (0.02, 0.0, -0.1))
    torque = pull(spring, skills_at(q), np.arange(len(q)), DT).torques.torque
    for joint in range(len(q)):
        step = 1e-5 * np.eye(len(q))[joint]
        slope = (energy(spring, q + step) - energy(spring, q - step)) / 2e-5
        assert torque[joint] == pytest.approx(-slope, rel=1e-3, abs=5e-3)
    assert np.abs(torque).max() > 1.0


@pytest.mark.parametrize("law", LAWS)
def test_the_force_is_that_of_the_law_with_its_damping(law: SpringLaw) -> None:
    """A hand that moves away from the plane is held back by so many newton seconds for each metre."""
    q, v = posture(), np.zeros(19)
    v[14] = 0.5  # the right hand goes up
    height = float(skills_at(q).forward_kinematics("right")[2, 3]) - 0.1
    found = pull(Spring("right", law, Plane((0.0, 0.0, height))), skills_at(q, v), np.arange(12, 18), DT)
    assert found.length == pytest.approx(0.1)
    assert_allclose(found.force, [0.0, 0.0, law.force(0.1) - 3.0 * 0.5], atol=1e-6)
    assert found.torques.torque[2] - (found.torques.damping - found.torques.extra)[2] * 0.5 == pytest.approx(
        found.force[2], abs=1e-6
    )


def test_an_unknown_frame_is_named_with_those_that_there_are() -> None:
    """Before anything is commanded."""
    with pytest.raises(NotFoundError, match="rihgt"):
        pull(Spring("rihgt", LAWS[0], FEATURES[0]), skills_at(posture()), np.arange(3), DT)


@pytest.mark.parametrize("stiffness", [1e1, 1e3, 1e6])
@pytest.mark.parametrize("damping", [0.0, 1e1, 1e6])
def test_no_stiffness_and_no_damping_is_too_great_for_the_control_step(stiffness: float, damping: float) -> None:
    """An arm on a spring whose force is computed every 10 ms loses energy, and gains none that matters."""
    random = np.random.default_rng(3)
    root, J = random.normal(size=(4, 4)), random.normal(size=(3, 4))
    M, joints = root @ root.T / 10.0 + 0.01 * np.eye(4), np.arange(4)
    q = np.asarray(0.05 * random.normal(size=4), dtype=float)
    v = np.zeros(4)
    K, D = stiffness * J.T @ J, damping * J.T @ J
    begin = q @ K @ q / 2.0
    for _ in range(500):
        done = joint_torques(-K @ q, D, K, v, joints, DT)
        for _ in range(4):  # the plant's steps: dampers act as at their end
            inertia = M + DT / 4 * np.diag(done.damping)
            v[:] = np.linalg.solve(inertia, M @ v + DT / 4 * done.torque)
            q += DT / 4 * v
        assert v @ M @ v / 2.0 + q @ K @ q / 2.0 < 1.05 * begin
    if damping < 1e3:
        assert q @ K @ q / 2.0 < 0.05 * begin


def test_springs_between_bodies_push_along_what_changes_their_distance() -> None:
    """And only within their range."""
    gradients = np.array([[1.0, -2.0, 0.0], [0.0, 0.0, 5.0]])
    law = BoundedSpring(10.0, 0.1)
    found = push_apart(law, np.array([0.05, 0.2]), gradients, np.zeros(3), np.array([0, 1, 2]), DT)
    assert_allclose(found.torque, [5.0, -10.0, 0.0])
    assert found.damping[2] == 0.0
    both = found.plus(found)
    assert_allclose(both.torque, 2.0 * found.torque)
    assert_allclose(both.damping, 2.0 * found.damping)
