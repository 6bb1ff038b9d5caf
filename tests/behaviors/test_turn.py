"""Turning on the spot."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Reach, Turn
from taskmatrix.behaviors.locomotion.turn import LEAST
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Contact, Plan
from taskmatrix.testing import Bench

from .truth import Truth


def test_headings_are_drawn_by_lot_and_kept_within_the_bases_range() -> None:
    """Over many turns of one robot, which never leaves its place."""
    bench, headings = Bench(seed=3), []
    turn = Turn()
    for _ in range(40):
        assert bench.run(turn).success
        headings.append(bench.plant.sense().q[2])
    assert np.ptp(np.mod(headings, 2 * np.pi)) > 5.0
    assert np.all(np.abs(headings) <= bench.skills.limits()[1][2])
    np.testing.assert_array_equal(bench.plant.sense().q[:2], 0.0)


def test_headings_that_touch_something_are_not_taken() -> None:
    """Half of them are bad."""
    for seed in range(10):
        bench = Bench(seed=seed)
        bench.skills.contact = lambda q: Contact("hand", "wall", -0.01) if q[2] < 0.0 else None
        assert bench.run(Turn()).success
        assert bench.plant.sense().q[2] > 0.0


def test_what_stands_in_the_way_of_a_turn_is_not_turned_into() -> None:
    """A free heading behind a wall is not one that it can turn to."""
    for seed in range(10):
        bench = Bench(seed=seed)
        bench.skills.contact = lambda q: Contact("hand", "wall", -0.01) if 0.3 < abs(q[2]) < 0.5 else None
        assert bench.run(Turn()).success
        assert 0.0 < abs(bench.plant.sense().q[2]) <= 0.3


def test_it_turns_by_more_than_a_little() -> None:
    """A heading drawn beside the present one is no turn."""
    bench, headings = Bench(seed=4), [0.0]
    for _ in range(60):
        assert bench.run(Turn()).success
        headings.append(bench.plant.sense().q[2])
    assert np.abs(np.diff(headings)).min() >= LEAST - 1e-6
    assert np.abs(np.diff(headings)).min() < 2 * LEAST


@pytest.mark.parametrize(("room", "turns"), [(0.4, True), (0.15, False)])
def test_it_turns_to_the_side_where_there_is_room_for_a_turn(room: float, turns: bool) -> None:
    """There is a wall close by on the other one."""
    bench = Bench(seed=4)
    bench.skills.contact = lambda q: None if -0.1 < q[2] < room else Contact("hand", "wall", -0.01)
    assert bench.run(Turn()).success is turns
    assert bool(bench.plant.sense().q[2] >= LEAST - 1e-6) is turns


def test_it_takes_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where its base, that has turned many times the same way round, turns no further."""
    bench, last = Bench(seed=6), 0.0
    lower, *others = bench.skills.limits()
    narrow = np.where(np.arange(len(lower)) == 2, -0.5, lower)
    monkeypatch.setattr(bench.skills, "limits", lambda: (narrow, *others))
    for _ in range(20):
        assert bench.run(Turn()).success
        heading = bench.plant.sense().q[2]
        assert heading >= -0.5 - 1e-6
        assert abs(heading - last) <= np.pi
        last = heading


def test_what_is_thin_is_seen_on_the_way() -> None:
    """The edge of a board, thinner than what a fingertip moves by in three degrees."""
    for seed in range(10):
        bench = Bench(seed=seed)
        bench.skills.contact = lambda q: Contact("hand", "board", -0.01) if 0.311 < abs(q[2]) < 0.335 else None
        assert bench.run(Turn()).success
        assert LEAST - 1e-6 <= abs(bench.plant.sense().q[2]) <= 0.311


@pytest.mark.parametrize("seed", range(5))
def test_it_turns_to_where_there_is_room_ahead_if_there_is(seed: int) -> None:
    """A wall before it, then walls all round."""
    bench = Bench(seed=seed)
    bench.skills.contact = lambda q: Contact("chest", "wall", -0.01) if q[0] > 0.2 else None
    assert bench.run(Turn(ahead=0.5)).success
    assert 0.5 * np.cos(bench.plant.sense().q[2]) <= 0.2
    bench.skills.contact = lambda q: Contact("chest", "wall", -0.01) if np.hypot(*q[:2]) > 0.2 else None
    assert bench.run(Turn(ahead=0.5)).success


def test_a_base_that_leaves_its_place_has_not_turned_on_the_spot() -> None:
    """It is told by how much: wheels that slip by 3 cm in each second."""
    with simulate("mannequin", seed=2, drift=lambda time: np.array([0.03 * time, 0.0, 0.0])) as session:
        failure = session.run(Turn()).failure
        assert failure is not None
        assert failure.kind is FailureKind.NOT_ACHIEVED
        assert "left its place by" in failure.message


@pytest.mark.parametrize(("retreat_end", "achieved"), [(1.5, True), (0.5, False)])
def test_the_place_on_which_it_turns_is_where_it_is_clear_of_what_it_was_in(retreat_end: float, achieved: bool) -> None:
    """A plan first comes out of contact, with the base where it has nothing else."""
    bench = Bench()
    away = bench.skills.straight({0: -0.2, 2: 0.5}, 1.0)
    assert not isinstance(away, Failure)
    contact, end = Contact("hand", "table", -0.01), retreat_end * away.duration
    bench.skills.plans.append(Plan(away, None, 0.0, False, {}, retreat_end=end, initial_contacts=(contact,)))
    assert bench.run(Turn()).success is achieved


def test_with_no_heading_free_it_fails_with_a_pair() -> None:
    """Of the last that was tried."""
    bench = Bench()
    bench.skills.contact = lambda q: Contact("hand", "wall", -0.01) if q[2] != 0.0 else None
    failure = bench.run(Turn()).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.facts["pair"] == ("hand", "wall")


def test_a_turn_that_would_be_late_is_not_begun() -> None:
    """It waits for the time to come."""
    bench = Bench()
    outcome = bench.run(Turn(until=0.9), timeout=5.0)
    assert outcome.success
    assert bench.context.clock.now() == pytest.approx(0.9, abs=0.03)
    np.testing.assert_array_equal(bench.plant.sense().q[:3], 0.0)


def test_a_robot_between_furniture_turns_without_touching_it() -> None:
    """Right at the table."""
    with simulate("mannequin", seed=2, start=(1.0, 0.2, 0.0)) as session:
        truth = Truth(session)
        session.run(Turn())
        truth.assert_no_contact(every=1)
        truth.assert_limits_held()


def test_a_base_that_does_not_turn_has_not_turned() -> None:
    """It is told by how much."""
    bench = Bench()
    bench.plant.jammed = {2}
    failure = bench.run(Turn()).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert failure.facts["joint"] == "base_2"


def test_a_hand_backs_off_before_the_turn() -> None:
    """With the base, where the arm does not reach: its place is where it begins to turn."""
    with simulate("mannequin", world="sparse", seed=783, second_robot="asimo") as session:
        assert session.run(Reach(object="broom")).success
        before = session.skills.position()[:2]
        assert session.run(Turn()).success
        assert np.linalg.norm(session.skills.position()[:2] - before) > 0.05
