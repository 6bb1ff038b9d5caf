"""What people change in a program while it runs: parameters, modulations and frequencies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from py_trees.behaviour import Behaviour

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.parameter import Setting
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.components.component import Component
from taskmatrix.core.trees.activation_tree import ActivationTree

FREQUENCY = "frequency"
Value = str | float | bool | None


class Adjustment(NamedTuple):
    """One value that somebody set."""

    where: str
    """The path of a behavior, or of a component."""
    name: str
    """Of a parameter or modulation; ``frequency`` for that of a component."""
    value: Value


class Adjustments:
    """Sets values in the program that runs, and keeps which ones were set.

    A modulation that is set here stays, whatever the parents of the component ask. A parameter counts from where the
    behavior looks at it next; those of a machine, from when it starts the state that is wired to them.

    Args:
        running: The root of what runs, if anything does.
    """

    def __init__(self, running: Callable[[], Behaviour | None]) -> None:
        self._running = running
        self._before: dict[tuple[str, str], Value] = {}
        self._made: dict[tuple[str, str], Value] = {}

    @property
    def made(self) -> tuple[Adjustment, ...]:
        """What was set and still is, in the order in which it was set first."""
        return tuple(Adjustment(where, name, value) for (where, name), value in self._made.items())

    def clear(self) -> None:
        """Forget all: the program has ended."""
        self._before.clear()
        self._made.clear()

    def set(self, where: str, name: str, value: Value) -> Adjustment:
        """Set a parameter, a modulation or the frequency; texts are read in the type that is declared.

        Args:
            where: A path, or the end of one that only one behavior or component has.
            name: Of the parameter or modulation, or ``frequency``.
            value: None for a frequency is every cycle.

        Raises:
            ParameterError: Nothing runs, there is no such name, or the value is of another type or out of range.
        """
        found = self._find(where)
        key, before = (found.path, name), _value(found, name)
        if isinstance(value, str) and name != FREQUENCY:
            setting = _setting(found, name)
            value = value if setting.type is str else setting.parse(value)
        _put(found, name, value)
        self._before.setdefault(key, before)
        self._made[key] = now = _value(found, name)
        return Adjustment(*key, now)

    def unset(self, where: str, name: str) -> Adjustment:
        """Have a value as it was before it was set here; a modulation is left to the parents of the component.

        Raises:
            ParameterError: Nothing runs, or it was not set here.
        """
        found = self._find(where)
        key = (found.path, name)
        if key not in self._made:
            listed = ", ".join(f"{at} {what}" for at, what in self._made) or "nothing"
            raise ParameterError(f"'{name[:60]}' of '{found.path}' was not set from here; what was: {listed}"[:300])
        if isinstance(found, Component) and name in found.modulated:
            found.end_override(name)
        else:
            _put(found, name, self._before[key])
        del self._made[key], self._before[key]
        return Adjustment(*key, _value(found, name))

    def there(self) -> dict[str, TaskBehavior | Component]:
        """The behaviors and components of what runs, by path; the root of a tree takes the place of the tree."""
        root, found = self._running(), dict[str, TaskBehavior | Component]()
        for each in root.iterate() if root is not None else ():
            if isinstance(each, TaskBehavior):
                found[each.path] = each
            if isinstance(each, ActivationTree):
                found |= {component.path: component for component in each.components.values()}
        return found

    def _find(self, where: str) -> TaskBehavior | Component:
        """What has this path, or the one whose path ends so."""
        there = self.there()
        if not there:
            raise ParameterError("nothing runs in which anything could be set")
        if where in there:
            return there[where]
        ending = [path for path in there if path.endswith(f"/{where}")]
        if len(ending) > 1:
            raise ParameterError(f"'{where[:60]}' may be {' or '.join(ending[:6])}")
        if not ending:
            raise NotFoundError("behavior or component", where[:60], there)
        return there[ending[0]]


def _value(of: TaskBehavior | Component, name: str) -> Value:
    """What a parameter, a modulation or the frequency is now."""
    if isinstance(of, Component) and name == FREQUENCY:
        return of.frequency
    values: dict[str, Value] = of.modulations if isinstance(of, Component) and name in of.modulated else of.parameters
    return values.get(name)


def _put(of: TaskBehavior | Component, name: str, value: Value) -> None:
    """Set it; raises ParameterError."""
    if isinstance(of, Component) and name == FREQUENCY:
        of.frequency = _number(value)
        of.changed()
    elif isinstance(of, Component) and name in of.modulated:
        of.override(name, value)
    else:
        _setting(of, name)
        of.set_parameters(**{name: value})


def _setting(of: TaskBehavior | Component, name: str) -> Setting[Any]:
    known: dict[str, Setting[Any]] = dict(of.declared)
    if isinstance(of, Component):
        known |= of.modulated
    if name not in known:
        more = [FREQUENCY] if isinstance(of, Component) else []
        raise NotFoundError("parameter", name[:60], [*known, *more], of.path)
    return known[name]


def _number(value: Value) -> float | None:
    if value is None or value == "none":
        return None
    try:
        return float(value)
    except ValueError:
        raise ParameterError(f"a frequency is a number of Hz, or none, not '{str(value)[:40]}'") from None
