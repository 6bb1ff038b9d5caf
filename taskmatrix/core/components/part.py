"""Parts: the components that a component steps, named in its class body."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar, overload

import numpy as np

from ..base.errors import ComponentError, ParameterError
from ..base.names import in_lower_case
from ..base.parameter import Parameter, find
from ..base.source import caller, mistake


class Steppable(Protocol):
    """What can be a part: a component."""

    declared: ClassVar[Mapping[str, Parameter[Any]]]
    """Its parameters."""

    def __init__(self, *, name: str | None = None, **parameters: Any) -> None: ...

    @property
    def frequency(self) -> float | None:
        """[Hz] At which it works; None: in every cycle."""
        ...

    @frequency.setter
    def frequency(self, value: float | None) -> None: ...


C = TypeVar("C", bound=Steppable)


def checked_frequency(frequency: object, who: str) -> float:
    """A frequency [Hz].

    Raises:
        ParameterError: It is no number above 0.
    """
    if isinstance(frequency, bool) or not isinstance(frequency, (int, float, np.number)):
        raise ParameterError(f"the frequency of {who} has to be a number of Hz, not {frequency!r}")
    if not (math.isfinite(frequency) and frequency > 0):
        raise ParameterError(f"the frequency of {who} has to be above 0 Hz and finite, not {frequency!r}")
    return float(frequency)


class Part(Generic[C]):
    """A component that another steps; as an attribute of an instance in a tree it is that component.

    Every tree has one component of a name: parts of that name, whoever declares them, are the same.

    Args:
        component: Its class.
        name: Its name; that of the class in lower case unless given.
        optional: Whether its failure leaves the one that declares it running.
        frequency: [Hz] At which it works, instead of what its class says.
        **parameters: Its parameters: values, or parameters of the one that declares it.
    """

    def __init__(
        self,
        component: type[C],
        /,
        *,
        name: str | None = None,
        optional: bool = False,
        frequency: float | None = None,
        **parameters: Any,
    ) -> None:
        if not (isinstance(component, type) and hasattr(component, "declared")):
            message = f"{type(self).__name__}(...) takes the class of a component, not {component!r}"
            raise mistake(message, caller(), error=ComponentError)
        self.component = component
        self.name = name
        self.optional = optional
        self.frequency = frequency
        self.parameters = parameters
        self.attribute = ""
        self.line = caller()

    @property
    def called(self) -> str:
        """The name of the component."""
        return self.name or in_lower_case(self.component.__name__, "-")

    def check(self) -> None:
        """Raise ParameterError where the component has no such parameters, or cannot work at that frequency."""
        if self.frequency is not None:
            checked_frequency(self.frequency, self.called)
        for name in self.parameters:
            find(self.component.declared, name, self.component.__name__, ("frequency", "name", "optional"))

    def is_same(self, other: Part[Any]) -> bool:
        """Whether another part of that name asks for the same, but for its parameters."""
        return (self.component, self.frequency) == (other.component, other.frequency)

    def make(self, instead: Mapping[type[Any], type[Any]], parameters: Mapping[str, Any]) -> Any:
        """The component, or what takes its place, with parameters."""
        made: Any = instead.get(self.component, self.component)(name=self.called, **parameters)
        if self.frequency is not None:
            made.frequency = self.frequency
        return made

    def __set_name__(self, owner: type, name: str) -> None:
        self.attribute = name

    @overload
    def __get__(self, instance: None, owner: type) -> Part[C]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> C: ...
    def __get__(self, instance: object | None, owner: type) -> Part[C] | C:
        if instance is None:
            return self
        raise ComponentError(f"{owner.__name__} has its part '{self.attribute}' once it runs in an ActivationTree")
