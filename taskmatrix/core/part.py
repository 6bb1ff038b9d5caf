"""Parts: the components that a component steps, named in its class body."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from .errors import ComponentError
from .source import caller

if TYPE_CHECKING:
    from .component import Component

C = TypeVar("C", bound="Component")


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
        self.component = component
        self.name = name
        self.optional = optional
        self.frequency = frequency
        self.parameters = parameters
        self.attribute = ""
        self.line = caller()

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
