"""What a component offers to others: its modulations, public attributes and public methods."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from ..base.errors import ComponentError, not_found
from ..base.wire import is_plain
from .component import Component
from .modal_component import ModalComponent
from .mode import Mode
from .modulation import Modulation
from .part import Part

NOT_SERVED = frozenset(dir(ModalComponent)) | frozenset(vars(Component()))  # as every component has it


def methods_of(component: type[Component]) -> dict[str, inspect.Signature]:
    """The public methods of a class that are not those of every component, by name; with ``self`` first."""
    found = {}
    for name in dir(component):
        function = inspect.getattr_static(component, name)
        if not name.startswith("_") and name not in NOT_SERVED and inspect.isfunction(function):
            found[name] = inspect.signature(function)
    return found


class Interface:
    """What others may ask of a component that runs.

    They may set its modulations, get its public attributes and properties, and call its public methods; nothing that
    begins with an underscore, none of its parts, and nothing that every component has, such as ``step``.

    Args:
        component: The component.
    """

    def __init__(self, component: Component) -> None:
        self._component = component
        cls = type(component)
        self._methods = frozenset(methods_of(cls))
        named = [name for name in dir(cls) if not name.startswith("_") and name not in NOT_SERVED]
        self._named = {name for name in named if _is_value(inspect.getattr_static(cls, name))}
        for base in cls.__mro__:
            noted = vars(base).get("__annotations__", {})
            self._named |= {name for name in noted if not name.startswith("_") and name not in NOT_SERVED}
        self._named -= set(cls.parts)

    @property
    def attributes(self) -> list[str]:
        """What can be got, in order: what the class names, and what the component has been given since."""
        given = [name for name in vars(self._component) if not name.startswith("_") and name not in NOT_SERVED]
        return sorted(self._named.union(given) - set(self._component.made))

    def state(self) -> dict[str, Any]:
        """All attributes that have a value which can be sent, by name."""
        values = {}
        for name in self.attributes:
            try:
                value = getattr(self._component, name)
            except Exception:  # noqa: S112 - such as a property that has no answer yet; who gets it alone is told
                continue
            if is_plain(value):
                values[name] = value
        return values

    def get(self, name: str) -> Any:
        """The value of an attribute; raises ComponentError where there is none, or whatever a property raises."""
        attributes = self.attributes
        if name not in attributes:
            raise ComponentError(not_found("attribute", name, attributes, type(self._component).__name__))
        return getattr(self._component, name)

    def set(self, name: str, value: object) -> None:
        """Set a modulation, checked; raises ComponentError where there is none, ParameterError for a wrong value."""
        modulated = type(self._component).modulated
        if name not in modulated:
            raise ComponentError(not_found("modulation", name, modulated, type(self._component).__name__))
        setattr(self._component, name, value)

    def call(self, name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Call a method; raises ComponentError where there is none, or whatever it raises."""
        if name not in self._methods:
            raise ComponentError(not_found("method", name, self._methods, type(self._component).__name__))
        return getattr(self._component, name)(*args, **kwargs)


def _is_value(found: object) -> bool:
    """Whether what a class has under a name is, or gives, a value of its instances."""
    if isinstance(found, (Modulation, property)):
        return True
    return not (isinstance(found, (Part, Mode, type, staticmethod, classmethod)) or callable(found))
