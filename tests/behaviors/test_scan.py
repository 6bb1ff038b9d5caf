"""Letting the view wander."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Postural, Scan
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.robot.plans import Contact
from taskmatrix.testing import Bench

from .judged import Run
from .truth import Truth


@pytest.mark.usefixtures("usual_control_step")
@pytest.mark.parametrize("robot", ["mannequin", "talos"])
def test_every_robot_looks_to_both_sides_up_and_down(robot: str) -> None:
    """Periodically, within its limits, with nothing but its head."""
    with simulate(robot, seed=1) as session:
        truth, events = Truth(session), list[Event]()
        session.events.subscribe(events.append)
        assert session.run(Scan(duration=21.0)).success
        truth.assert_limits_held()
        truth.assert_no_contact(every=10)
        views = np.array([session.skills.view(q)[:, 0] for q in truth.q])
        ahead = truth.q[0][2]
        side = np.arctan2(views[:, 1], views[:, 0]) - ahead
        side = np.mod(side + np.pi, 2 * np.pi) - np.pi
        height = np.arcsin(views[:, 2])
        assert side.max() > 0.6
        assert side.min() < -0.6
        assert np.ptp(height) > 0.5
        (period,) = [float(str(event.data["period"])) for event in events if event.kind == "motion"]
        later = 300 + round(period * 100)
        np.testing.assert_allclose(side[300:900], side[later : later + 600], atol=0.02)
        rest = np.setdiff1d(np.arange(session.robot.n), session.skills.joints("head"))
        np.testing.assert_array_equal(np.ptp(truth.q[:, rest], axis=0), 0.0)


def test_a_head_on_a_bent_trunk_scans_as_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Up and down twice in a period, though the neck does not turn as far as the base faces; see the judge."""
    run = Run("talos")
    skills = run.session.skills
    bent = dict(zip(skills.joints("torso").tolist(), (0.83, 0.55), strict=True))
    monkeypatch.setattr(skills, "posture", lambda name: bent)
    run.prepare(Postural(posture="bent", mirror=False))
    run.judged(Scan(duration=5.0))
    (period,) = [float(str(event.data["period"])) for event in run.events if event.kind == "motion"]
    assert period < 10.0


@pytest.mark.parametrize("sweeps", [2, 3])
def test_sweeps_are_rows_that_leave_out_nothing_between_them(sweeps: int) -> None:
    """Wherever it looks to the side, no two heights next to each other are further apart than two rows."""
    width, up, down, height = 0.8, 0.4, 0.8, 1.2
    with simulate("bandit", seed=1) as session:
        truth = Truth(session)
        assert session.run(Scan(periods=1, sweeps=sweeps, width=width, up=up, down=down)).success
        views = np.array([session.skills.view(q)[:, 0] for q in truth.q])
        side, rise = np.arctan2(views[:, 1], views[:, 0]) - truth.q[0][2], np.arcsin(views[:, 2])
        side = np.mod(side + np.pi, 2 * np.pi) - np.pi
        for column in np.linspace(-0.5, 0.5, 5):
            heights = np.sort(rise[np.abs(side - column) < 0.1])
            assert heights[0] < -down + 0.1
            assert heights[-1] > up - 0.1
            assert np.diff(heights).max() < 1.3 * height / (2 * sweeps - 1)


def test_without_a_duration_it_goes_on_until_it_is_told_to_quit() -> None:
    """And says in every step that it does."""
    bench = Bench()
    failure = bench.run(Scan(), timeout=20.0).failure
    assert failure is not None
    assert failure.kind is FailureKind.TIMEOUT
    assert bench.messages("scan").count("goal-achieved") == pytest.approx(2000, abs=2)


def test_a_robot_without_a_head_is_not_able() -> None:
    """It says so before anything moves."""
    bench = Bench()
    bench.skills.sees = False
    failure = bench.run(Scan(duration=1.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE


def test_it_stops_before_it_would_touch_something_and_goes_on_later() -> None:
    """The goal is not achieved meanwhile, and the guard has nothing to do."""
    bench = Bench()
    bench.skills.contact = lambda q: Contact("head", "hat", -0.01) if q[3] > 0.5 else None
    assert bench.run(Scan(duration=12.0)).success
    pan = np.array([command.q[3] for command in bench.plant.commands])
    assert 0.45 < pan.max() <= 0.5
    assert pan[700:].min() < -0.5
    said = bench.messages("scan")
    assert said.count("goal-failed") > 10
    assert said.count("goal-achieved") > 600
    assert not [event for event in bench.events if event.kind == "blocked"]


def test_a_head_that_cannot_sweep_its_share_is_no_scan() -> None:
    """The joint, how little it swept, and what held it are told."""
    blocked, jammed = Bench(), Bench()
    blocked.skills.contact = lambda q: Contact("head", "hat", -0.01) if abs(q[3]) > 0.2 else None
    failure = blocked.run(Scan(duration=12.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.COLLISION
    assert failure.facts["joint"] == "head_0"
    assert failure.facts["pair"] == ("head", "hat")
    jammed.plant.jammed = {4}
    failure = jammed.run(Scan(duration=12.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert failure.message == "head_1 swept only 0% of what it was to"


def test_a_period_that_leaves_no_time_for_its_share_is_no_scan() -> None:
    """Twice through the figure in two seconds is more than the head can: it says how long once takes."""
    failure = Bench().run(Scan(duration=2.0, period=1.0)).failure
    assert failure is not None
    assert failure.kind is FailureKind.TRACKING
    assert "of what it was to: once through the figure takes" in failure.message


def test_it_begins_where_the_head_is_and_ends_at_rest() -> None:
    """No jump at either end."""
    bench = Bench()
    assert bench.run(Scan(duration=3.0)).success
    path = np.array([command.q[3:5] for command in bench.plant.commands])
    assert np.max(np.abs(path[0])) < 2e-3
    assert np.max(np.abs(path[-1] - path[-2])) < 1e-4


def test_so_many_sweeps_leave_nothing_out_and_end_after_so_many_periods() -> None:
    """Whatever is between the edges comes within half the field of view of the thesis, 17.5 degrees."""
    with simulate("bandit", seed=1) as session:
        truth, events = Truth(session), list[Event]()
        session.events.subscribe(events.append)
        outcome = session.run(Scan(periods=1, sweeps=3, up=0.3, down=1.0))
        assert outcome.success
        (period,) = [float(str(event.data["period"])) for event in events if event.kind == "motion"]
        assert outcome.duration == pytest.approx(period, abs=1.0)
        views = np.array([session.skills.view(q)[:, 0] for q in truth.q[::5]])
        side = (np.arctan2(views[:, 1], views[:, 0]) - truth.q[0][2] + np.pi) % (2 * np.pi) - np.pi
        height = np.arcsin(views[:, 2])
        for azimuth in (-0.8, 0.0, 0.8):
            for elevation in (-1.0, -0.6, -0.3, 0.0, 0.3):
                assert (np.hypot((side - azimuth) * np.cos(elevation), height - elevation) < np.radians(20)).any()
