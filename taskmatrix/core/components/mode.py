"""Modes of a component: what it steps and does while it is in one, and what takes it to another (BICA V)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from ..base.errors import ComponentError
from ..base.names import spelled
from ..base.source import SourceLine, caller
from .part import Part

F = TypeVar("F", bound=Callable[..., object])


@dataclass(eq=False)
class Switch:
    """A transition from one mode to another."""

    target: Mode
    """Where it leads."""
    after: float
    """[s] That the component has to have been in the mode before."""
    line: SourceLine
    """Where it is written."""
    asks: Callable[[Any], object] | None = None
    """Whether it is taken: a method without arguments. Time alone decides where there is none."""

    def __call__(self, function: F) -> F:
        """Decorate the method that decides."""
        if self.asks is not None:
            raise ComponentError(f"one method decides on a transition, not two\n  {self.line}")
        self.asks = function
        return function

    @property
    def description(self) -> str:
        """What triggers it: the name of its method in words, the time, or both."""
        asked = [self.asks.__name__.strip("_").replace("_", " ")] if self.asks is not None else []
        return " ".join([*asked, *([f"after {self.after:g} s"] if self.after else [])]) or "at once"


class Mode:
    """A state of a modal component; the first in its body is the one in which it begins.

    Args:
        inform: Parts that are stepped first, for what they know.
        act: Parts that are stepped last, as they are modulated.
        achieved: Whether what the component is there for is achieved in it.
    """

    @spelled
    def __init__(
        self, *, inform: Sequence[Part[Any]] = (), act: Sequence[Part[Any]] = (), achieved: bool = False
    ) -> None:
        self.inform = tuple(inform)
        self.act = tuple(act)
        self.achieved = achieved
        self.name = ""
        self.line = caller()
        self.switches: list[Switch] = []
        self.run: Callable[[Any], object] | None = None

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @spelled
    def to(self, target: Mode, after: float = 0.0) -> Switch:
        """A transition to another mode; as a decorator, of the method that decides whether it is taken.

        The method returns whether it is; if it returns a string or a condition's verdict, the event tells that too.

        Args:
            target: The other mode.
            after: [s] That the component has been in this mode for at least.

        Raises:
            ComponentError: The target is no mode, or the time is negative.
        """
        line = caller()
        if not isinstance(target, Mode):
            raise ComponentError(f"a transition leads to a mode, not to {target!r}\n  {line}")
        if isinstance(after, bool) or not isinstance(after, (int, float, np.number)) or not after >= 0.0:
            raise ComponentError(f"a transition is taken after a time of 0 s or more, not {after!r}\n  {line}")
        self.switches.append(Switch(target, float(after), line))
        return self.switches[-1]

    def code(self, function: F) -> F:
        """Decorate the method that is run, when the component is due, while it is in this mode.

        It takes no arguments, and may return a failure of the component.
        """
        if self.run is not None:
            raise ComponentError(f"mode '{self.name}' has its code already\n  {self.line}")
        self.run = function
        return function
