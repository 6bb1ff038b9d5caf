"""Walking about."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import RandomWalk
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench

from .truth import Truth

REGION: dict[str, Any] = {"xmin": -1.2, "ymin": -2.0, "xmax": 3.5, "ymax": 2.0}


@pytest.mark.parametrize("robot", ["mannequin", "bandit"])
def test_it_walks_about_in_its_region_and_touches_nothing(robot: str) -> None:
    """For the duration, within all limits, and stands still at the end."""
    with simulate(robot, seed=4) as session:
        truth = Truth(session)
        outcome = session.run(RandomWalk(duration=25.0, **REGION))
        assert outcome.success, outcome
        assert outcome.duration == pytest.approx(25.0)
        truth.assert_limits_held()
        truth.assert_no_contact()
        place = truth.q[:, :2]
        assert np.all((place >= [-1.2, -2.0]) & (place <= [3.5, 2.0]))
        assert np.sum(np.linalg.norm(np.diff(place, axis=0), axis=1)) > 2.0
        legs = [joint for leg in session.robot.legs for joint in leg.joints]  # which come to a stand after the base
        np.testing.assert_array_equal(np.delete(truth.q[-1], legs), np.delete(truth.q[-3], legs))


def test_where_it_can_neither_turn_nor_go_ahead_it_goes_back() -> None:
    """As the dotted lines of figure 4.12."""
    bench = Bench()

    def corner(q: Array) -> Contact | None:
        stuck = q[0] > -0.3 and abs(q[2]) > 0.05
        return Contact("arm", "corner", -0.01) if q[0] > 0.02 or stuck else None

    bench.skills.contact = corner
    assert bench.run(RandomWalk(duration=20.0), timeout=25.0).success
    said = bench.messages()
    failed = said.index("random-walk/turn task-failed-to-start")
    assert "random-walk/reverse task-successful" in said[failed:]
    assert min(command.q[0] for command in bench.plant.commands) < -0.3


def test_where_it_can_neither_turn_nor_go_back_it_goes_ahead() -> None:
    """Somebody has come up behind it."""
    bench = Bench()

    def behind(q: Array) -> Contact | None:
        return Contact("leg", "somebody", -0.01) if q[0] < -0.02 or (q[0] < 0.3 and abs(q[2]) > 0.05) else None

    bench.skills.contact = behind
    assert bench.run(RandomWalk(duration=12.0)).success
    said = bench.messages()
    assert said.index("random-walk/reverse task-failed-to-start") < said.index("random-walk/ahead task-successful")


@pytest.mark.parametrize("seed", range(6))
def test_one_turn_is_enough_for_a_walk(seed: int) -> None:
    """Where the way ahead is free for all of the time there is no other one."""
    bench = Bench(seed=seed)
    assert bench.run(RandomWalk(duration=4.0)).success


def test_a_robot_that_cannot_move_at_all_goes_on_trying_until_the_time_is_up_and_says_that_it_did_not_walk() -> None:
    """The failure tells what was in the way."""
    bench = Bench()
    bench.skills.contact = lambda q: Contact("arm", "wall", -0.01) if np.any(q[:3]) else None
    outcome = bench.run(RandomWalk(duration=3.0))
    assert outcome.duration == pytest.approx(3.0, abs=0.05)
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.NOT_ACHIEVED
    assert outcome.failure.message == "the base went 0.00 m in 3 s and turned by 0 deg in all"
    assert "would bring arm and wall into contact" in outcome.failure.explain()
    np.testing.assert_array_equal(bench.plant.sense().q[:3], 0.0)


@pytest.mark.parametrize("stuck", [{0, 1}, {2}])
def test_wheels_that_do_not_drive_or_turn_are_no_walk(stuck: set[int]) -> None:
    """What the base was told is not what it did."""
    bench = Bench()
    bench.plant.jammed = stuck
    failure = bench.run(RandomWalk(duration=8.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ACHIEVED


def test_the_same_seed_is_the_same_walk() -> None:
    """Another is another."""

    def end(seed: int) -> list[float]:
        bench = Bench(seed=seed)
        assert bench.run(RandomWalk(duration=8.0, xmin=-3.0, xmax=3.0, ymin=-3.0, ymax=3.0)).success
        return [float(x) for x in bench.plant.sense().q[:3]]

    assert end(1) == end(1)
    assert end(1) != end(2)
