"""How a component and its parts become one tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..base.errors import ComponentError
from ..base.parameter import Parameter
from ..base.source import mistake
from .component import Component
from .part import Part


def assemble(root: Component, instead: Mapping[type[Component], type[Component]]) -> dict[str, Component]:
    """Make the parts of a component, their parts, and so on; one component of each name.

    Args:
        root: The component at the top; its attributes become its parts.
        instead: What takes the place of components wherever those are parts.

    Returns:
        All components by their names, the root first.

    Raises:
        ComponentError: What takes a place is no subclass of what it takes it from; two parts have one name and are
            not the same; a component is a part of itself.
        ParameterError: A parameter of a part is wrong.
    """
    for place, taken in instead.items():
        if not (isinstance(taken, type) and issubclass(taken, place)):
            raise ComponentError(f"{taken!r} cannot take the place of {place.__name__}: it is no subclass of it")
    made: dict[str, Component] = {root.name: root}
    _fill(root, made, {}, instead, [root.name])
    return made


def _fill(
    owner: Component,
    made: dict[str, Component],
    origins: dict[str, tuple[Part[Any], dict[str, Any]]],
    instead: Mapping[type[Component], type[Component]],
    way: list[str],
) -> None:
    for part in owner.parts.values():
        name = part.called
        if name in way:
            circle = " > ".join([*way[way.index(name) :], name])
            raise mistake(f"a component cannot be a part of itself: {circle}", part.line, error=ComponentError)
        wanted = {
            key: owner.parameters.get(value.name) if isinstance(value, Parameter) else value
            for key, value in part.parameters.items()
        }
        if name not in made:
            made[name] = part.make(instead, wanted)
            origins[name] = part, wanted
            _fill(made[name], made, origins, instead, [*way, name])
        else:
            other, given = origins[name]
            if not part.is_same(other) or given != wanted:
                message = f"two different components of one tree are called '{name}'; give one of them another name=..."
                raise mistake(message, other.line, part.line, error=ComponentError)
        owner.take(part, made[name])
