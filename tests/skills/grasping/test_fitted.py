"""Grasps of tables, fitted to the hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import scipy

from taskmatrix.core.base.errors import WorldError
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Grasp, ObjectModel
from taskmatrix.simulation.scenes.object_loader import read_object
from taskmatrix.skills.grasping.closure import Friction
from taskmatrix.skills.grasping.fitted import BACK, SHARES, SLACK, TURNED_BACK, fitted
from taskmatrix.skills.grasping.floating_hand import FloatingHand

from .setting import OBJECTS, SIMPLE, robot

SMOOTH = Friction(0.2)
SIDE = pose((0.0, 0.0, 0.0), (np.pi, np.pi / 2, 0.0))  # a hand that comes along -x and closes along y


def tabled(name: str) -> ObjectModel:
    return read_object(read_table(OBJECTS / f"{name}.toml", WorldError), name).model


def drawn(
    offset: float, model: ObjectModel = SIMPLE["sphere"], name: str = "asimo", friction: Friction | None = None
) -> float | None:
    """[m] How far a grasp is drawn back that is ``offset`` [m] too deep in an object; None where it is left out."""
    X = SIDE.copy()
    X[:3, 3] += offset * X[:3, 2]
    found = fitted(robot(name), "left", replace(model, grasps=(Grasp("side", X, 0.05),)), friction)
    return None if not found else float(-(found[0].X_OH - X)[:3, 3] @ X[:3, 2])


def test_what_fits_stays_as_it_is() -> None:
    """Also what the hand only just touches."""
    assert drawn(0.0) == 0.0
    for grasp, own in zip(fitted(robot("pr2"), "left", tabled("soda_can")), tabled("soda_can").grasps, strict=True):
        assert grasp.name == own.name
        np.testing.assert_array_equal(grasp.X_OH, own.X_OH)


def test_a_hand_that_is_inside_is_drawn_back_as_far_as_it_takes() -> None:
    """Millimetre by millimetre; deeper by one, further by one."""
    deep, deeper = drawn(0.016), drawn(0.019)
    assert deep is not None
    assert deeper is not None
    assert 0.0 < deep <= BACK
    assert deeper == pytest.approx(deep + 0.003, abs=1.1e-3)


def test_what_would_be_drawn_too_far_is_left_out() -> None:
    """The palm is in the middle of the object."""
    assert drawn(0.060) is None


def test_where_fingers_would_slip_off_is_no_grasp() -> None:
    """10 mm off the axis of a thin cylinder smooth ones do; a hand without fingers sticks to it all the same."""
    assert drawn(0.016, SIMPLE["cylinder"]) == pytest.approx(0.006, abs=1e-3)
    assert drawn(0.016, SIMPLE["cylinder"], friction=SMOOTH) is None
    assert drawn(0.016, SIMPLE["cylinder"], "mannequin", SMOOTH) == pytest.approx(0.011, abs=2e-3)


@pytest.mark.parametrize("name", ["asimo", "bandit", "mannequin", "talos"])
def test_no_open_hand_is_in_a_can(name: str) -> None:
    """All that is offered is free of overlap, from all sides, and keeps its names."""
    model = tabled("soda_can")
    found = fitted(robot(name), "left", model)
    assert {grasp.name.split("/")[0] for grasp in found} == {"side", "tilted20", "tilted40", "tilted60", "above"}
    assert FloatingHand(robot(name), "left", model).fits(np.array([grasp.X_OH for grasp in found])).all()


@pytest.mark.parametrize("name", ["asimo", "bandit", "talos"])
def test_fingers_meet_a_can_with_their_pads(name: str) -> None:
    """Hardly wider than the can, they are clear of it all the same: not their roots are what meets its rim first."""
    model = tabled("soda_can")
    found = np.array([grasp.X_OH for grasp in fitted(robot(name), "left", model) if grasp.name.startswith("tilted60")])
    assert len(found)
    assert FloatingHand(robot(name), "left", model).fits(found, 0.066 + SLACK).all()


def test_what_is_too_wide_for_the_hand_is_left_out() -> None:
    """By the width of the grasp, as ever."""
    assert fitted(robot("asimo"), "left", replace(SIMPLE["box"], grasps=(Grasp("wide", SIDE, 0.5),))) == ()


def test_a_hand_with_a_slope_takes_a_can_turned_as_well() -> None:
    """About its direction of approach, the other hand the other way; not where it would hold by its tips only."""
    model = tabled("soda_can")
    own = {grasp.name: grasp for grasp in model.grasps}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        found = fitted(robot("romeo"), side, model)
        turned = {grasp.name: grasp for grasp in found if "/sloped/" in grasp.name}
        assert "tilted60/0/sloped/1" in turned
        assert {grasp.name for grasp in found} - set(turned) <= set(own)
        for name, grasp in turned.items():
            before, _, share = name.rpartition("/sloped/")
            X = np.linalg.inv(own[before].X_OH) @ grasp.X_OH
            angle = scipy.spatial.transform.Rotation.from_matrix(X[:3, :3]).as_rotvec()
            np.testing.assert_allclose(angle, (0.0, 0.0, sign * 0.8 * SHARES[int(share)]), atol=1e-9)
            np.testing.assert_allclose(X[:2, 3], 0.0, atol=1e-9)
            depth = X[2, 3] + robot("romeo").hands[side].between(grasp.width)[2]
            assert -TURNED_BACK - 1e-9 <= depth <= 1e-9
    assert not any("sloped" in grasp.name for grasp in fitted(robot("talos"), "left", model))


def test_what_is_between_the_pads_is_where_they_meet() -> None:
    """Romeo's fingers close on a thin stick near its palm, far from its grasp frame: it holds there, drawn back."""
    found, model = fitted(robot("romeo"), "left", tabled("broom")), tabled("broom")
    hand, own = robot("romeo").hands["left"], {grasp.name: grasp for grasp in model.grasps}
    assert len(found) >= len(own)
    for grasp in found:
        middle = grasp.X_OH[:3, 3] + grasp.X_OH[:3, :3] @ hand.between(grasp.width)
        off = np.linalg.norm(middle - own[grasp.name.split("/sloped")[0]].X_OH[:3, 3])
        assert off <= BACK + 1e-9
        assert np.linalg.norm(grasp.X_OH[:3, 3] - middle) > 0.02


def test_a_palm_on_an_arm_of_few_joints_takes_a_stick_however_it_is_turned() -> None:
    """In steps of 45 degrees about its own z, none of them twice; an arm of six joints chooses that itself."""
    whole, model = robot("mannequin"), tabled("broom")
    arm = whole.hands["left"].arm
    short = replace(whole, chains={**whole.chains, arm: whole.chains[arm][:5]})
    plain, found = fitted(whole, "left", model), fitted(short, "left", model)
    assert not any("rolled" in grasp.name for grasp in plain)
    assert {grasp.name for grasp in plain} < {grasp.name for grasp in found}
    assert len({tuple(np.round(grasp.X_OH, 6).ravel()) for grasp in found}) == len(found) == 4 * len(plain)
    own = {grasp.name: grasp.X_OH for grasp in plain}
    for grasp in found:
        assert grasp.entry in own
        X = np.linalg.inv(own[grasp.entry]) @ grasp.X_OH
        np.testing.assert_allclose(X[:3, 2], (0.0, 0.0, 1.0), atol=1e-9)
        turns = np.degrees(np.arctan2(X[1, 0], X[0, 0])) / 45.0
        assert turns == pytest.approx(round(turns), abs=1e-6)


def test_a_palm_takes_a_grasp_the_other_way_round_where_the_table_does_not_have_it() -> None:
    """One grasp becomes eight."""
    whole = robot("mannequin")
    arm = whole.hands["left"].arm
    short = replace(whole, chains={**whole.chains, arm: whole.chains[arm][:5]})
    found = fitted(short, "left", replace(SIMPLE["sphere"], grasps=(Grasp("side", SIDE, 0.05),)))
    assert [grasp.name for grasp in found] == ["side", *(f"side/rolled/{k}" for k in range(7))]
