from __future__ import annotations

import pickle

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.world.objects import Array
from taskmatrix.kernel.timing.spline import resample
from taskmatrix.skills.trajectories.trajectory import COARSE, FINE, Limits, TimedPath, time_parameterise

from .setting import kinematics_of, robot_of

VELOCITY, ACCELERATION = np.array([0.6, 2.0, 2.0]), np.array([0.8, 8.0, 8.0])
FREE = Limits(np.full(3, -9.0), np.full(3, 9.0), VELOCITY, ACCELERATION)
WEIGHTS = np.array([1.0, 0.6, 0.3])
INDICES = np.array([0, 5, 6])
ZIGZAG = np.array([[0, 0, 0], [0.5, 1, 0], [0.6, -0.5, 1], [1.2, 0.3, 0.5]], dtype=float)
PATHS = {
    "line": [np.array([[0, 0, 0], [1, 1, -1.0]])],
    "zigzag": [ZIGZAG],
    "there and back": [np.array([[0, 0, 0], [0.5, 1, 1], [0, 0, 0.0]])],
    "tiny": [np.array([[0, 0, 0], [1e-5, 0, 0.0]])],
    "two legs": [ZIGZAG, np.array([ZIGZAG[-1], ZIGZAG[-1] + 0.03, ZIGZAG[-1] + 0.06])],
}


def timed(paths: list[Array], duration: float = 0.0, spacing: float = COARSE) -> TimedPath:
    result = time_parameterise(paths, INDICES, FREE, WEIGHTS, duration, spacing)
    assert not isinstance(result, Failure)
    return result


@pytest.mark.parametrize("spacing", [COARSE, FINE])
@pytest.mark.parametrize("name", PATHS)
def test_limits_hold_at_every_instant(name: str, spacing: float) -> None:
    """Velocities and accelerations as sampled, and velocities as they come out of the positions."""
    trajectory = timed(PATHS[name], spacing=spacing)
    times = np.arange(0.0, trajectory.duration, 5e-4)
    q, v, a = trajectory.sample(times)
    assert np.all(np.abs(v) <= VELOCITY + 1e-6)
    assert np.all(np.abs(a) <= ACCELERATION + 1e-6)
    assert np.all(np.abs(np.diff(q, axis=0)) <= VELOCITY * 5e-4 + 1e-9)


@pytest.mark.parametrize("name", PATHS)
def test_it_starts_and_ends_at_rest_on_the_ends_of_the_path(name: str) -> None:
    """Before its start and after its end it stays there."""
    trajectory, path = timed(PATHS[name], 3.0), np.vstack(PATHS[name])
    for time, point in ((0.0, path[0]), (trajectory.duration, path[-1]), (trajectory.duration + 1, path[-1])):
        q, v, _ = trajectory.sample(time)
        np.testing.assert_allclose(q, point, atol=1e-6)
        np.testing.assert_allclose(v, 0.0, atol=1e-3)
    np.testing.assert_array_equal(trajectory.sample(trajectory.duration + 1)[2], 0.0)


def test_the_duration_is_a_minimum() -> None:
    """Longer is granted exactly; shorter than the limits allow is not."""
    fastest = timed(PATHS["zigzag"]).duration
    assert timed(PATHS["zigzag"], 10.0).duration == pytest.approx(10.0)
    assert timed(PATHS["zigzag"], 0.1).duration == pytest.approx(fastest)
    assert fastest > 1.2 / 0.6


def test_a_straight_line_is_not_much_slower_than_the_limits() -> None:
    """A metre at 0.6 m/s and 0.8 m/s^2 takes 2.42 s at the limits, and at most a fifth more with the headroom."""
    trajectory = timed([np.array([[0, 0, 0], [1.0, 0, 0]])])
    fastest = 1.0 / 0.6 + 0.6 / 0.8
    assert fastest < trajectory.duration < 1.2 * fastest


@pytest.mark.parametrize(("spacing", "near"), [(COARSE, 0.02), (FINE, 0.006)])
def test_waypoints_are_passed_and_the_curve_stays_near_the_path(spacing: float, near: float) -> None:
    """Every waypoint within a centimetre of displacement; every point within a little more of the polyline."""
    trajectory = timed([ZIGZAG], spacing=spacing)
    times = np.linspace(0.0, trajectory.duration, 4000)
    curve = trajectory.sample(times)[0] * WEIGHTS
    for waypoint in ZIGZAG * WEIGHTS:
        assert np.linalg.norm(curve - waypoint, axis=1).min() < 0.01
    polyline = resample(ZIGZAG, WEIGHTS, 0.002) * WEIGHTS
    for point in curve[::20]:
        assert np.linalg.norm(polyline - point, axis=1).min() < near


@pytest.mark.parametrize("path", [[[0.1, 0.2, 0.3]], [[0.1, 0.2, 0.3]] * 2, [[0.1, 0.2, 0.3]] * 5])
def test_where_nothing_is_to_move_it_takes_no_time(path: list[list[float]]) -> None:
    """A single point, and equal points, stay where they are."""
    trajectory = timed([np.array(path)], 2.0)
    assert trajectory.duration == 0.0
    q, v, a = trajectory.sample(0.0)
    np.testing.assert_array_equal(q, path[0])
    assert not v.any()
    assert not a.any()


def test_no_joints_at_all() -> None:
    """A hand without fingers closes at once."""
    none = np.zeros(0)
    result = time_parameterise([np.zeros((2, 0))], none.astype(np.intp), Limits(none, none, none, none), none, 1.0)
    assert isinstance(result, TimedPath)
    assert result.duration == 0.0


def test_legs_meet_at_rest_and_keep_their_order() -> None:
    """Where the second begins the joints stand still, at the last point of the first."""
    trajectory = timed(PATHS["two legs"], 8.0)
    meeting = trajectory.starts(1)
    assert trajectory.starts(0) == 0.0
    assert 0.0 < meeting < trajectory.duration == pytest.approx(8.0)
    q, v, _ = trajectory.sample(meeting)
    np.testing.assert_allclose(q, ZIGZAG[-1], atol=1e-6)
    np.testing.assert_allclose(v, 0.0, atol=1e-3)
    before, after = trajectory.sample(meeting - 1e-4)[0], trajectory.sample(meeting + 1e-4)[0]
    np.testing.assert_allclose(before, after, atol=1e-4)


def test_a_leg_that_does_not_move_is_skipped() -> None:
    """The others take the whole time."""
    still = np.array([[0.0, 0, 0], [0, 0, 0]])
    trajectory = timed([still, ZIGZAG], 6.0)
    assert trajectory.starts(1) == 0.0
    assert trajectory.duration == pytest.approx(6.0)
    np.testing.assert_allclose(trajectory.sample(6.0)[0], ZIGZAG[-1], atol=1e-6)


def test_it_survives_pickling() -> None:
    """It is planned in one process and played in another."""
    trajectory = timed(PATHS["two legs"], 5.0)
    copy = pickle.loads(pickle.dumps(trajectory))
    times = np.linspace(0.0, 5.0, 50)
    for one, two in zip(trajectory.sample(times), copy.sample(times), strict=True):
        np.testing.assert_array_equal(one, two)


def test_many_times_are_sampled_as_each_is() -> None:
    """Of any shape and in any order, before the start and after the end too."""
    trajectory = timed(PATHS["two legs"], 5.0)
    times = np.random.default_rng(0).permutation(np.linspace(-0.5, 5.5, 60)).reshape(5, 12)
    for whole, part in zip(trajectory.sample(times), range(3), strict=True):
        each = [[trajectory.sample(float(time))[part] for time in row] for row in times]
        np.testing.assert_array_equal(whole, each)


@pytest.mark.parametrize(("velocity", "acceleration"), [(0.0, 1.0), (1.0, 0.0)])
def test_a_joint_that_may_not_move_fails(velocity: float, acceleration: float) -> None:
    """If it is to; if it is not, the others do."""
    limits = Limits(FREE.lower, FREE.upper, np.array([velocity, 1, 1]), np.array([acceleration, 1, 1]))
    result = time_parameterise([ZIGZAG], INDICES, limits, WEIGHTS, 0.0)
    assert isinstance(result, Failure)
    assert result.kind is FailureKind.JOINT_LIMIT
    still = time_parameterise([ZIGZAG * [0, 1, 1]], INDICES, limits, WEIGHTS, 0.0)
    assert isinstance(still, TimedPath)
    assert 0.0 < still.duration < 20.0


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_a_path_that_is_not_finite_is_refused(wrong: float) -> None:
    """By name, before anything is computed of it."""
    path = ZIGZAG.copy()
    path[1, 2] = wrong
    with pytest.raises(ParameterError, match="finite"):
        time_parameterise([path], INDICES, FREE, WEIGHTS, 1.0)


def test_a_robots_own_limits_hold_on_random_paths() -> None:
    """Paths of whole limbs with corners, as planners return them."""
    robot, random = robot_of("mannequin"), np.random.default_rng(0)
    joints = np.array(robot.indices("base", "torso", "left_arm"))
    lower, upper = robot.lower[joints].copy(), robot.upper[joints].copy()
    lower[:3], upper[:3] = -1.5, 1.5
    for _ in range(5):
        path = random.uniform(lower, upper, (5, len(joints)))
        weights = kinematics_of("mannequin").displacement[joints]
        result = time_parameterise([path], joints, Limits.of(robot, joints), weights, 1.0)
        assert isinstance(result, TimedPath)
        q, v, a = result.sample(np.linspace(0.0, result.duration, 1500))
        assert np.all(q >= robot.lower[joints] - 1e-6)
        assert np.all(q <= robot.upper[joints] + 1e-6)
        assert np.all(np.abs(v) <= robot.velocity[joints] + 1e-6)
        assert np.all(np.abs(a) <= robot.acceleration[joints] + 1e-6)
