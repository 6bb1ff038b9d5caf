"""What a component offers to others."""

from __future__ import annotations

from typing import Any

import pytest

from taskmatrix.core import Component, ComponentError, ModalComponent, Mode, Modulation, Parameter, ParameterError, Part
from taskmatrix.core.components.interface import Interface, methods_of

from .components import Counter


class Player(ModalComponent):
    """Has something of everything."""

    wait, play = Mode(), Mode()
    wait.to(play, after=1.0)
    number = Parameter(int, default=1)
    speed = Modulation(float, default=0.0, maximum=1.0)
    counter = Part(Counter)
    limit = 3.0
    later: float
    _hidden = 1

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.ball = (1.0, 2.0)
        self.thing = object()

    @property
    def near(self) -> bool:
        return self.ball[0] < 2.0

    @property
    def broken(self) -> float:
        raise ValueError("no answer yet")

    def kick(self, power: float = 1.0) -> str:
        return f"kicked with {power}"

    def _secret(self) -> None:
        pass

    @staticmethod
    def helper() -> int:
        return 1


def test_methods_are_the_public_ones_of_the_component_itself() -> None:
    """None of the library's, such as step."""
    assert list(methods_of(Player)) == ["kick"]
    assert methods_of(Component) == {}


def test_the_state_has_all_attributes_that_can_be_sent() -> None:
    """Of the class, of the instance, parameters, modulations and properties."""
    assert Interface(Player(number=7)).state() == {
        "ball": (1.0, 2.0),
        "limit": 3.0,
        "near": True,
        "number": 7,
        "speed": 0.0,
    }


def test_attributes_are_got_by_name() -> None:
    """One that a class only announces too, once it is there."""
    player = Player()
    interface = Interface(player)
    player.later = 2.0
    assert interface.get("later") == 2.0
    with pytest.raises(ValueError, match="no answer yet"):
        interface.get("broken")


@pytest.mark.parametrize(
    "name", ["step", "_hidden", "__class__", "__dict__", "counter", "context", "kick", "parameters", "wait", "modes"]
)
def test_nothing_else_is_got(name: str) -> None:
    """Neither what every component has, nor what begins with an underscore, nor parts, nor methods."""
    with pytest.raises(ComponentError, match=f"no attribute '{name}' in Player"):
        Interface(Player()).get(name)


@pytest.mark.parametrize("name", ["step", "restart", "_secret", "__init__", "helper", "stop", "ball", "command"])
def test_nothing_else_is_called(name: str) -> None:
    """Not even what every component has."""
    with pytest.raises(ComponentError, match=f"no method '{name}' in Player. There are: kick"):
        Interface(Player()).call(name, [], {})


def test_modulations_are_set_and_checked() -> None:
    """And nothing else is."""
    player = Player()
    interface = Interface(player)
    interface.set("speed", 0.5)
    assert player.speed == 0.5
    with pytest.raises(ParameterError, match=r"largest allowed is 1\.0"):
        interface.set("speed", 2.0)
    for name in ("number", "ball", "failure", "_hidden"):
        with pytest.raises(ComponentError, match=f"no modulation '{name}'"):
            interface.set(name, 0.5)


def test_methods_are_called() -> None:
    """With what they take."""
    assert Interface(Player()).call("kick", [0.5], {}) == "kicked with 0.5"
    assert Interface(Player()).call("kick", [], {"power": 2.0}) == "kicked with 2.0"
