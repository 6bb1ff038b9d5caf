"""Conditions: Boolean functions of the state with symbolic arguments, which say why (thesis 3.4)."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .context import Context

Resolver = Callable[[object], object]


@dataclass(frozen=True)
class Verdict:
    """The answer of a condition."""

    satisfied: bool
    """Whether it holds."""
    why: str
    """A clause that says why or why not, with the values."""
    values: Mapping[str, object] = field(default_factory=dict)
    """The values that decided."""

    def __bool__(self) -> bool:
        return bool(self.satisfied)


class Condition(ABC):
    """A Boolean function of robot, world and time.

    A condition has no side effects. Its arguments are symbols (ids of objects, names of hands); in a machine they
    can be the machine's own parameters, which are resolved when the condition is asked. Compose with ``&``, ``|``
    and ``~``.
    """

    def __init__(self, **arguments: object) -> None:
        self.arguments = arguments

    @abstractmethod
    def evaluate(self, context: Context) -> Verdict:
        """Ask; called only when all arguments are values."""

    def bind(self, resolve: Resolver) -> Condition:
        """The same condition with every argument passed through ``resolve``."""
        bound = copy.copy(self)
        bound.arguments = {name: resolve(value) for name, value in self.arguments.items()}
        return bound

    def __and__(self, other: Condition) -> Condition:
        return All(self, other)

    def __or__(self, other: Condition) -> Condition:
        return Any_(self, other)

    def __invert__(self) -> Condition:
        return Not(self)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={_shown(value)}" for name, value in self.arguments.items() if value is not None)
        return f"{type(self).__name__.lower()}({arguments})"


class _Composite(Condition):
    word = ""

    def __init__(self, *parts: Condition) -> None:
        super().__init__()
        self.parts = parts

    def bind(self, resolve: Resolver) -> Condition:
        return type(self)(*(part.bind(resolve) for part in self.parts))

    def __repr__(self) -> str:
        return "(" + f" {self.word} ".join(map(repr, self.parts)) + ")"

    def _verdicts(self, context: Context) -> list[Verdict]:
        return [part.evaluate(context) for part in self.parts]


class All(_Composite):
    """Holds when all parts hold."""

    word = "&"

    def evaluate(self, context: Context) -> Verdict:
        """Ask every part; the reason is that of the parts that do not hold."""
        verdicts = self._verdicts(context)
        failing = [verdict for verdict in verdicts if not verdict]
        return _joined(not failing, failing or verdicts, " and ")


class Any_(_Composite):  # noqa: N801 - `Any` is taken by typing
    """Holds when one part holds."""

    word = "|"

    def evaluate(self, context: Context) -> Verdict:
        """Ask every part; the reason is that of the parts that hold, or of all."""
        verdicts = self._verdicts(context)
        holding = [verdict for verdict in verdicts if verdict]
        return _joined(bool(holding), holding or verdicts, " and ")


class Not(_Composite):
    """Holds when its part does not."""

    def evaluate(self, context: Context) -> Verdict:
        """Ask the part and turn its answer round."""
        verdict = self.parts[0].evaluate(context)
        return Verdict(not verdict.satisfied, verdict.why, verdict.values)

    def __repr__(self) -> str:
        return f"~{self.parts[0]!r}"


def _joined(satisfied: bool, verdicts: list[Verdict], word: str) -> Verdict:
    values: dict[str, object] = {}
    for verdict in verdicts:
        values.update(verdict.values)
    return Verdict(satisfied, word.join(verdict.why for verdict in verdicts), values)


def _shown(value: Any) -> str:
    return getattr(value, "name", None) or repr(value)
