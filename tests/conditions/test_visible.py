"""The condition visible."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Fixate
from taskmatrix.conditions import RestingOn, Visible
from taskmatrix.testing import Bench, box_percept

EYE = 1.5  # [m] height of the fake robot's view, which looks along x


@pytest.mark.parametrize(("angle", "holds"), [(0, True), (17, True), (-17, True), (18, False), (180, False)])
def test_the_centre_has_to_be_in_the_field_of_view(angle: float, holds: bool) -> None:
    """17.5 degrees on each side, as the thesis' camera."""
    place = (2 * np.cos(np.deg2rad(angle)), 2 * np.sin(np.deg2rad(angle)), EYE)
    verdict = Visible("cup").evaluate(Bench([box_percept("cup", place)]).context)
    assert bool(verdict) is holds
    assert verdict.values["angle"] == pytest.approx(np.deg2rad(abs(angle)), abs=1e-9)
    assert f"{abs(angle):.1f} deg off" in verdict.why


def test_the_field_of_view_can_be_given() -> None:
    """[rad] half of it."""
    bench = Bench([box_percept("cup", (1, 1, EYE))])
    assert Visible("cup", 0.8).evaluate(bench.context)
    assert not Visible("cup", 0.7).evaluate(bench.context)


@pytest.mark.parametrize(
    ("wall", "size", "hides"),
    [
        ((1, 0, EYE), (0.1, 1, 1), True),
        ((1, 0.6, EYE), (0.1, 1, 1), False),
        ((3, 0, EYE), (0.1, 1, 1), False),
        ((-1, 0, EYE), (0.1, 1, 1), False),
        ((1, 0, EYE - 0.6), (0.1, 1, 1), False),
    ],
)
def test_what_is_between_hides_it(
    wall: tuple[float, float, float], size: tuple[float, float, float], hides: bool
) -> None:
    """Not what is beside, behind or below the line of sight, nor what is behind the robot."""
    bench = Bench([box_percept("cup", (2, 0, EYE)), box_percept("wall", wall, size)])
    verdict = Visible("cup").evaluate(bench.context)
    assert bool(verdict) is not hides
    assert verdict.values["blocker"] == ("wall" if hides else None)
    assert ("'wall' hides it" in verdict.why) is hides


def test_the_nearest_of_what_hides_it_is_named() -> None:
    """Of two walls the first."""
    walls = [box_percept("far", (1.5, 0, EYE), (0.1, 1, 1)), box_percept("close", (1, 0, EYE), (0.1, 1, 1))]
    verdict = Visible("cup").evaluate(Bench([box_percept("cup", (2, 0, EYE)), *walls]).context)
    assert verdict.values["blocker"] == "close"


def test_an_unknown_object_and_a_blind_robot_are_said() -> None:
    """Neither is an error."""
    bench = Bench([box_percept("cup", (2, 0, EYE))])
    assert "did you mean 'cup'" in Visible("cub").evaluate(bench.context).why
    bench.skills.sees = False
    assert Visible("cup").evaluate(bench.context).why == "the robot has no view"


@pytest.mark.parametrize("robot", ["mannequin", "talos"])
def test_what_a_robot_fixates_it_sees(robot: str) -> None:
    """Behind it at first; and a place on the table can be chosen so that it sees it there."""
    with simulate(robot, start=(0.0, 0.0, np.pi)) as session:
        context = session.context
        assert session.run(Fixate(target="stool"))
        assert not Visible("vacuum").evaluate(context)
        assert session.run(Fixate(target="vacuum")).success
        verdict = Visible("vacuum").evaluate(context)
        assert verdict, verdict.why
        assert np.deg2rad(1.5) > float(str(verdict.values["angle"]))
        seen = RestingOn("soda_can", "table") & Visible("soda_can")
        assert len(seen.sample(context, 5, np.random.default_rng(0))) == 5


@pytest.mark.parametrize(("distance", "holds"), [(0.2, False), (2.0, True), (5.0, False)])
def test_it_has_to_be_within_the_range_of_the_view(distance: float, holds: bool) -> None:
    """Where that is known."""
    bench = Bench([box_percept("cup", (distance, 0, EYE))])
    assert Visible("cup").evaluate(bench.context)
    bench.skills.view_range = (0.3, 4.0)
    verdict = Visible("cup").evaluate(bench.context)
    assert bool(verdict) is holds
    assert verdict.values["distance"] == pytest.approx(distance)
    assert "the robot sees from 0.3 to 4 m" in verdict.why
