"""What a machine is made of, as data: what is checked of it before it runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..base.parameter import Parameter
from .state import State
from .transition import Transition


@dataclass(frozen=True, eq=False)
class Definition:
    """States, transitions and parameters of a machine's class."""

    cls: type
    """The class."""
    declared: Mapping[str, Parameter[Any]]
    """Parameters by name."""
    states: Mapping[str, State]
    """States by name, those of its base classes first."""
    transitions: Sequence[Transition]
    """In the order in which they are followed."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return self.cls.__name__
