"""Modulations: what components set on their parts to change how those act (BICA IV)."""

from __future__ import annotations

from typing import Any, ClassVar, Protocol, TypeVar, overload

from ..base.parameter import Setting

T = TypeVar("T")


class Modulated(Protocol):
    """What a modulation is an attribute of."""

    modulations: dict[str, Any]
    """The present values, by their names."""

    def modulate(self, modulation: str, value: object, /) -> None:
        """Set one, for whoever has the turn."""
        ...


class Modulation(Setting[T]):
    """An argument that parents set on a component as they run, by assigning to it.

    It keeps its value while the parent that set it is active and, once that has stepped the component, goes on doing
    so; then it goes back to its default. Where two set one, the parent that was stepped first in the cycle is obeyed,
    and an event ``contest`` tells that it was so.

    Args:
        type: ``str``, ``int``, ``float`` or ``bool``; an int is taken where a float is asked for.
        default: Value while nobody sets one; None is allowed.
        doc: One line for people, with the unit.
        minimum: Smallest number allowed.
        maximum: Largest number allowed.

    Raises:
        ParameterError: The type is none of the four, or there is no default; when it is set, the value is of another
            type or out of range.
    """

    noun: ClassVar[str] = "modulation"

    @overload
    def __get__(self, instance: None, owner: type) -> Modulation[T]: ...
    @overload
    def __get__(self, instance: Modulated, owner: type) -> T: ...
    def __get__(self, instance: Modulated | None, owner: type) -> Modulation[T] | T:
        if instance is None:
            return self
        value: T = instance.modulations[self.name]
        return value

    def __set__(self, instance: Modulated, value: T) -> None:
        instance.modulate(self.name, self.validate(value))
