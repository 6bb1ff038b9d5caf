"""The perceptual model and its four queries."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix.core import NotFoundError, ObjectModel, ParameterError, Percept, PerceptualModel, Region
from taskmatrix.core.world.geometry import pose
from taskmatrix.testing import box_percept


@pytest.fixture
def model() -> PerceptualModel:
    found = PerceptualModel()
    ball = Percept(ObjectModel("ball", "obstacle/toy/ball", ()), pose((0, 0, 3)), np.arange(6.0), held_by="left")
    found.update(
        [box_percept("cup", (1, 0, 1), type="vessel/cup"), box_percept("mug", (2, 0, 1), type="vessel/mug"), ball], 4.5
    )
    return found


def test_pose_velocity_and_time(model: PerceptualModel) -> None:
    """Three of the four queries of thesis 3.3."""
    assert_allclose(model.pose("cup"), pose((1, 0, 1)))
    assert_allclose(model.velocity("ball"), np.arange(6.0))
    assert_allclose(model.velocity("cup"), np.zeros(6))
    assert model.time() == 4.5
    assert model.object("ball").held_by == "left"


@pytest.mark.parametrize(
    ("type_", "region", "found"),
    [
        (None, None, ("cup", "mug", "ball")),
        ("vessel", None, ("cup", "mug")),
        ("toy", None, ("ball",)),
        ("ves", None, ()),
        (None, Region((0.5, -1, 0), (1.5, 1, 2)), ("cup",)),
        (None, Region((1.03, -1, 0), (1.97, 1, 2)), ("cup", "mug")),
        (None, Region((1.04, -1, 0), (1.96, 1, 2)), ()),
        ("vessel", Region((-9, -9, -9), (9, 9, 9)), ("cup", "mug")),
        ("ball", Region((0, 0, 0), (1, 1, 1)), ()),
    ],
)
def test_objects_of_a_type_within_a_region(
    model: PerceptualModel, type_: str | None, region: Region | None, found: tuple[str, ...]
) -> None:
    """The fourth: by any whole word of the taxonomy, and by whether the box touches the region."""
    assert model.objects(type_, region) == found


@pytest.mark.parametrize("query", ["object", "pose", "velocity"])
def test_an_unknown_object_is_answered_with_the_nearest(model: PerceptualModel, query: str) -> None:
    """Every query for an object that is not known names what is."""
    with pytest.raises(NotFoundError, match="no object 'cupp' in the perceptual model; did you mean 'cup'"):
        getattr(model, query)("cupp")
    assert "cupp" not in model
    assert "cup" in model


def test_an_update_replaces_everything(model: PerceptualModel) -> None:
    """What is not perceived any more is not known any more; who kept the old records keeps them."""
    before = model.percepts
    model.update([box_percept("pen")], 5.0)
    assert list(model.percepts) == ["pen"]
    assert "cup" in before


def test_the_centre_is_that_of_the_bounding_box(model: PerceptualModel) -> None:
    """Of an object's box, and of a place without a body its point."""
    assert_allclose(model.object("cup").centre, [1, 0, 1])
    assert_allclose(model.object("ball").centre, [0, 0, 3])


def test_a_supposed_model_differs_in_what_is_supposed_and_nowhere_else(model: PerceptualModel) -> None:
    """Somebody asks what would be; what is stays as it is."""
    elsewhere = pose((5, 0, 1))
    supposed = model.supposing({"ball": elsewhere})
    assert_allclose(supposed.pose("ball"), elsewhere)
    assert_allclose(supposed.velocity("ball"), np.zeros(6))
    assert supposed.object("ball").held_by == "left"
    assert supposed.object("cup") is model.object("cup")
    assert supposed.time() == 4.5
    assert list(supposed.percepts) == list(model.percepts)
    assert_allclose(model.pose("ball"), pose((0, 0, 3)))
    with pytest.raises(NotFoundError, match="did you mean 'cup'"):
        model.supposing({"cupp": elsewhere})


@pytest.mark.parametrize(
    ("lower", "upper"),
    [((1.0, 0.0, 0.0), (-1.0, 1.0, 1.0)), ((0.0, 0.0, 0.0), (1.0, 1.0, np.nan)), ((np.nan,) * 3, (np.nan,) * 3)],
)
def test_a_region_with_wrong_bounds_is_refused(
    lower: tuple[float, float, float], upper: tuple[float, float, float]
) -> None:
    """Everything would be in it, or nothing. Without end it may be."""
    with pytest.raises(ParameterError, match="a region goes from a smaller to a larger"):
        Region(lower, upper)
    assert Region((-np.inf,) * 3, (np.inf,) * 3).lower[0] == -np.inf


def test_an_object_may_be_made_not_solid_and_solid_again(model: PerceptualModel) -> None:
    """Whatever is perceived meanwhile; what is as it was is the same percept, and another object is left as it is."""
    cup, mug = model.object("cup"), model.object("mug")
    end, end_too = model.ignore_collisions("cup"), model.ignore_collisions("cup")
    hollow = model.object("cup")
    assert not any(shape.collides for shape in hollow.model.shapes)
    model.update([cup, mug], 5.0)
    assert model.object("cup") is hollow
    assert model.object("mug") is mug
    moved = Percept(cup.model, pose((1, 0, 2)))
    model.update([moved, mug], 6.0)
    assert_allclose(model.pose("cup"), pose((1, 0, 2)))
    assert model.object("cup").model is hollow.model
    assert not end()
    assert not end()
    assert model.object("cup").model is hollow.model
    assert end_too()
    assert model.object("cup") is moved
    model.update([cup], 7.0)
    assert model.object("cup") is cup
    end = model.ignore_collisions("cup")
    model.update([mug], 8.0)
    assert end()
    model.update([cup], 9.0)
    assert model.object("cup") is cup
    with pytest.raises(NotFoundError, match="no object 'jug'"):
        model.ignore_collisions("jug")
