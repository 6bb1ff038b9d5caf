"""Motions as smooth functions of time."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from taskmatrix.core.robot.joint_motion import HEADROOM, Motion

TRACKS = {7: [(0, 0.2), (0.5, 0.5), (1.5, -0.1), (2, 0.2)], 4: [(0, 1.0), (0.8, 1.4), (2, 1.0)]}


def motion(periodic: bool) -> Motion:
    return Motion.through("try", TRACKS, periodic)


@pytest.mark.parametrize("periodic", [True, False])
def test_it_goes_through_its_keyframes(periodic: bool) -> None:
    """Of joints with different times."""
    given = motion(periodic)
    for column, (joint, track) in enumerate(TRACKS.items()):
        assert given.indices[column] == joint
        for time, position in track:
            assert given.sample(time)[0][column] == pytest.approx(position)


@pytest.mark.parametrize("periodic", [True, False])
def test_velocity_and_acceleration_are_its_derivatives(periodic: bool) -> None:
    """At any pace, by finite differences."""
    given, step = motion(periodic).lasting(3.3), 1e-5
    for time in np.linspace(0.1, 3.2, 23):
        (before, _, _), (q, v, a), (after, _, _) = (given.sample(time + k * step) for k in (-1, 0, 1))
        np.testing.assert_allclose(v, (after - before) / (2 * step), atol=1e-6)
        np.testing.assert_allclose(a, (after - 2 * q + before) / step**2, atol=1e-3)


def test_acceleration_is_continuous_across_the_end_of_a_period() -> None:
    """And the second period is as the first."""
    given = motion(periodic=True)
    for one, other in zip(given.sample(2.0 - 1e-9), given.sample(2.0 + 1e-9), strict=True):
        np.testing.assert_allclose(one, other, atol=1e-6)
    np.testing.assert_allclose(given.sample(0.7)[0], given.sample(4.7)[0])


def test_a_motion_with_ends_is_at_rest_there_and_beyond() -> None:
    """Where it began, and where it ended."""
    given = motion(periodic=False)
    for time in (-1.0, 0.0, 2.0, 9.0):
        assert np.allclose(given.sample(time)[1], 0.0)
    np.testing.assert_allclose(given.sample(9.0)[0], given.sample(2.0)[0])


def test_at_its_shortest_duration_it_uses_its_share_of_the_limits_and_no_more() -> None:
    """Of velocity or of acceleration, whichever is harder."""
    given = motion(periodic=True)
    velocity, acceleration = np.array([1.0, 2.0]), np.array([5.0, 3.0])
    fastest = given.lasting(given.shortest(velocity, acceleration))
    _, v, a = fastest.sample(np.linspace(0.0, fastest.duration, 2001))
    used = max(np.max(np.abs(v) / velocity), np.max(np.abs(a) / acceleration))
    assert used == pytest.approx(HEADROOM, rel=1e-3)


def test_the_nearest_point_of_a_period_and_the_beginning_of_the_rest() -> None:
    """A joint on the motion is no way from it."""
    periodic = motion(periodic=True)
    time, away = periodic.nearest(periodic.sample(1.3)[0], np.ones(2))
    assert time == pytest.approx(1.3, abs=0.01)
    assert away < 0.01
    time, away = motion(periodic=False).nearest(np.array([0.5, 1.0]), np.ones(2))
    assert time == 0.0
    assert away == pytest.approx(0.3)


def test_the_mirror_image_does_at_every_instant_what_the_mirror_does_to_a_posture() -> None:
    """Signs, other joints and the travel of unlike fingers."""

    def mirror(posture: Mapping[int, float]) -> dict[int, float]:
        return {joint + 10: (0.3 + 2.0 * value if joint == 4 else -value) for joint, value in posture.items()}

    given = motion(periodic=True)
    image = given.mirrored(mirror)
    assert image is not None
    for time in np.linspace(0.0, 3.0, 17):
        wanted = mirror(dict(zip(given.indices.tolist(), given.sample(time)[0].tolist(), strict=True)))
        np.testing.assert_allclose(image.sample(time)[0], [wanted[int(joint)] for joint in image.indices])
    assert given.mirrored(lambda posture: None) is None
