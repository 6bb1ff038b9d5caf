from __future__ import annotations

from typing import Any

import orjson
import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.robots import load_robot
from taskmatrix.session.catalogue import behaviors
from taskmatrix.session.live.forms import forms, made
from taskmatrix.simulation.scenes.world_loader import load_world

ROBOT, WORLD = load_robot("mannequin"), load_world("sparse")


def field(behavior: str, name: str) -> dict[str, Any]:
    form = next(form for form in forms(WORLD, ROBOT) if form["name"] == behavior)
    found: dict[str, Any] = next(field for field in form["parameters"] if field["name"] == name)
    return found


def test_every_behavior_has_a_form() -> None:
    """As data for a page, with a line of what it does."""
    told = forms(WORLD, ROBOT)
    assert [form["name"] for form in told] == list(behaviors())
    assert all(form["doc"].endswith(".") for form in told)
    assert orjson.dumps(told)


def test_fields_say_what_they_take() -> None:
    """Type, default, meaning, and what there is to choose from."""
    assert field("pickup", "object")["choices"] == sorted(WORLD.objects)
    assert field("pickup", "object")["default"] == WORLD.default_object
    assert not field("pickup", "object")["required"]
    duration = field("pickup", "duration")
    assert (duration["type"], duration["default"], duration["required"]) == ("float", 4.0, False)
    assert duration["choices"] is None
    posture = field("postural", "posture")
    assert (posture["required"], posture["default"]) == (True, None)
    assert posture["choices"] == sorted(ROBOT.postures)


def test_a_filled_form_makes_the_behavior() -> None:
    """Numbers, truth values and texts as the page has them; what is empty is not given."""
    for duration in (5, 5.0, "5"):
        assert made("pickup", {"object": None, "duration": duration}, WORLD, ROBOT).parameters["duration"] == 5.0
    behavior = made("fixate", {"target": "vacuum", "recurrent": True, "max_diff": ""}, WORLD, ROBOT)
    assert behavior.parameters["recurrent"] is True


@pytest.mark.parametrize(
    ("name", "values", "error", "words"),
    [
        ("pickup", {"duraton": 1.0}, ParameterError, "did you mean 'duration'"),
        ("pickup", {"duration": "soon"}, ParameterError, "has to be a number"),
        ("postural", {}, ParameterError, "needs --param posture"),
        ("pikup", {}, NotFoundError, "did you mean 'pickup'"),
        ("os:system", {}, NotFoundError, "no behavior 'os:system'"),
        ("taskmatrix.behaviors:Pickup", {}, NotFoundError, "no behavior"),
    ],
)
def test_what_is_wrong_is_said(name: str, values: dict[str, Any], error: type[Exception], words: str) -> None:
    """As on the command line; but a name never leads to a module that would be loaded."""
    with pytest.raises(error, match=words):
        made(name, values, WORLD, ROBOT)
