"""Going straight forward and backward."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Fixate, Forward, Postural, Reverse
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench

from .judged import Run
from .truth import Truth


def wall(at: float, bench: Bench) -> None:
    """Something in the way at ``at`` [m] along x."""
    bench.skills.contact = lambda q: Contact("chest", "wall", -0.01) if q[0] * np.sign(at) > abs(at) else None


@pytest.mark.parametrize(("kind", "sign"), [(Forward, 1.0), (Reverse, -1.0)])
def test_it_stops_a_little_before_an_obstacle(kind: type[Forward | Reverse], sign: float) -> None:
    """As near as the clearance, and never blocked by the guard."""
    bench = Bench()
    wall(sign * 0.4, bench)
    assert bench.run(kind()).success
    assert 0.32 < sign * bench.plant.sense().q[0] <= 0.36
    assert not [event for event in bench.events if event.kind == "blocked"]


def test_it_goes_along_its_heading() -> None:
    """And no further than asked."""
    bench = Bench()
    bench.skills.postures["turned"] = {2: 2.0}
    assert bench.run(Postural(posture="turned", mirror=False)).success
    assert bench.run(Forward(distance=1.0)).success
    np.testing.assert_allclose(bench.plant.sense().q[:3], [np.cos(2.0), np.sin(2.0), 2.0], atol=2e-3)


def test_it_stays_in_its_region() -> None:
    """Of which one bound is enough."""
    bench = Bench()
    assert bench.run(Forward(xmax=1.5)).success
    assert 1.4 < bench.plant.sense().q[0] <= 1.5
    failure = bench.run(Forward(xmax=1.5)).failure
    assert failure is not None
    assert failure.kind is FailureKind.PRECONDITION


def test_from_outside_it_goes_towards_the_region_only() -> None:
    """Backwards here, not forwards."""
    assert not Bench().run(Forward(xmax=-0.2)).success
    bench = Bench()
    assert bench.run(Reverse(xmax=-0.2)).success
    assert bench.plant.sense().q[0] == pytest.approx(-0.5, abs=2e-3)


def test_with_no_room_at_all_it_does_not_start() -> None:
    """And tells the pair."""
    bench = Bench()
    wall(0.03, bench)
    failure = bench.run(Forward()).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.facts["pair"] == ("chest", "wall")


def test_it_stands_still_when_the_time_is_up() -> None:
    """Having braked before."""
    bench = Bench()
    assert bench.run(Forward(until=3.0)).success
    assert bench.context.clock.now() == pytest.approx(3.0, abs=0.05)
    path = np.array([command.q[0] for command in bench.plant.commands])
    speed = np.diff(path) / 0.01
    assert abs(speed[-1]) < 0.01
    assert np.max(np.abs(np.diff(speed))) / 0.01 <= 10.0


def test_it_brakes_for_what_steps_into_its_way() -> None:
    """Far enough ahead, so that the guard has nothing to do."""
    bench = Bench()

    def late(q: Array) -> Contact | None:
        return Contact("chest", "cat", -0.01) if bench.context.clock.now() > 2.0 and q[0] > 2.0 else None

    bench.skills.contact = late
    assert bench.run(Forward()).success
    assert 1.9 < bench.plant.sense().q[0] < 2.0


def test_what_steps_into_its_way_at_once_leaves_it_no_success() -> None:
    """It has gone nowhere, and says what is in the way."""
    bench = Bench()
    bench.skills.contact = lambda q: (
        Contact("chest", "person", -0.01) if bench.context.clock.now() > 0.02 and q[0] > 0.015 else None
    )
    failure = bench.run(Forward(distance=1.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.message == "driving on would bring chest and person into contact"


def test_a_robot_drives_up_to_the_table() -> None:
    """Without touching it, within its limits."""
    with simulate("talos", seed=1, start=(0.0, 0.2, 0.0)) as session:
        truth = Truth(session)
        assert session.run(Forward()).success
        truth.assert_limits_held()
        truth.assert_no_contact(every=1)
        assert truth.q[-1][0] > 0.3


def test_wheels_that_do_not_drive_are_no_success() -> None:
    """It says how far the base went of how far it was told to."""
    bench = Bench()
    bench.plant.jammed = {0, 1}
    failure = bench.run(Forward(distance=0.5)).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert failure.message == "the base went 0.000 m of 0.500 m"


@pytest.mark.parametrize(("drift", "told"), [((0.0, 0.04, 0.0), "cm beside its line"), ((0.0, 0.0, 0.05), "deg off")])
def test_a_base_that_leaves_its_line_or_its_heading_has_not_driven_straight_on(
    drift: tuple[float, float, float], told: str
) -> None:
    """By what it slips in each second, sideways or round; the judge would not let it pass."""
    with simulate("mannequin", seed=2, start=(-1.0, 0.0, 0.0), drift=lambda time: time * np.array(drift)) as session:
        failure = session.run(Forward(distance=0.5)).failure
        assert failure is not None
        assert failure.kind is FailureKind.TRACKING
        assert told in failure.message


def test_a_robot_that_was_pushed_goes_on_from_where_it_is() -> None:
    """It turns, drives and steps aside from there, and not from where it was told to be."""
    with simulate("mannequin", seed=2, start=(-1.0, 0.0, 0.0)) as session:
        session.plant.push(np.array([0.0, -0.3, 0.0]))
        stood = session.plant.sense().q.copy()
        assert session.run(Fixate(target="soda_can")).success
        turned = session.plant.sense().q.copy()
        np.testing.assert_allclose(turned[:2], stood[:2], atol=1e-3)
        assert session.run(Forward(distance=0.3)).success
        ahead = np.array([np.cos(turned[2]), np.sin(turned[2])])
        np.testing.assert_allclose(session.plant.sense().q[:2], turned[:2] + 0.3 * ahead, atol=5e-3)


def test_out_of_contact_it_may_drive() -> None:
    """What it touches already is in the way only where it would get deeper."""
    bench = Bench()
    bench.skills.contact = lambda q: Contact("thigh", "table", -0.01)
    assert bench.run(Reverse(distance=0.2)).success


def test_a_base_that_still_turns_comes_to_rest_first() -> None:
    """Its heading is the one at which it stands then, for the judge as well."""
    run = Run("tiago", world="sparse", seed=0)
    assert not run.session.run(Fixate(target="stool"), timeout=0.6).success  # in the middle of its turn
    yaw = run.session.plant.sense().q[2]
    run.judged(Reverse(distance=0.3))
    assert abs(run.session.plant.sense().q[2] - yaw) > np.deg2rad(2.0)
    run.session.close()
