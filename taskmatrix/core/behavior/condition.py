"""Conditions: Boolean functions of the state with symbolic arguments, which say why (thesis 3.4)."""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import product
from operator import and_
from typing import TYPE_CHECKING, Any

import numpy as np

from ..base.errors import NotInvertibleError
from ..base.names import NameGuard, Spelled, in_lower_case
from ..world.objects import Array
from .context import Context
from .inversion import Space, draw

if TYPE_CHECKING:
    from .context import Context

REFUSALS = (50, 10)  # poses proposed that may turn out not to satisfy a condition: so many, and for each one wanted

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


class Condition(Spelled, NameGuard, ABC, hooks=("evaluate", "spaces"), attributes=("arguments",)):
    """A Boolean function of robot, world and time.

    A condition has no side effects. Its arguments are symbols (ids of objects, names of hands); in a machine they
    can be the machine's own parameters, which are resolved when the condition is asked. Compose with ``&``, ``|``
    and ``~``.

    Invertible conditions also find states that satisfy them: :meth:`sample`. A subclass is invertible when it
    overrides :meth:`spaces`.
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

    @property
    def invertible(self) -> bool:
        """Whether :meth:`sample` can find states that satisfy it."""
        return type(self).spaces is not Condition.spaces

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """Where to look for states that satisfy it, to be sampled in turn; called only when all arguments are values.

        All of one object, the condition's subject: its first argument. None where nothing can satisfy it.

        Raises:
            NotInvertibleError: Which part cannot be inverted, and why.
            NotFoundError: An object that it speaks of is not known.
        """
        raise NotInvertibleError(repr(self), "it tells whether a state satisfies it, but proposes none")

    def sample(
        self, context: Context, count: int, random: np.random.Generator, yaw: float | None = None
    ) -> tuple[Array, ...]:
        """Find poses of the subject, the first argument, that satisfy the condition, all else being as perceived.

        The subject stands upright (its z up), clear of everything solid that is perceived and of the floor. The work
        is bounded: where hardly a pose, or none, satisfies the condition, fewer are found than were asked for.

        Args:
            context: The robot and its world.
            count: How many poses.
            random: Where all choices come from.
            yaw: [rad] Of the subject; drawn unless given.

        Returns:
            X_WO (4, 4) each, ``count`` at most.

        Raises:
            NotInvertibleError: Which part cannot be inverted, and why.
            NotFoundError: An object that it speaks of is not known.
        """
        streams = [self.__satisfying(context, space, count, random, yaw) for space in self.spaces(context)]
        found: list[Array] = []
        while streams and len(found) < count:
            for stream in tuple(streams):
                X_WO = next(stream, None)
                if X_WO is None:
                    streams.remove(stream)
                elif len(found) < count:
                    found.append(X_WO)
        return tuple(found)

    def __satisfying(
        self, context: Context, space: Space, count: int, random: np.random.Generator, yaw: float | None
    ) -> Iterator[Array]:
        """Poses X_WO (4, 4) of a space that satisfy the condition."""
        refused = 0
        for X_WO in draw(space, context.perception, random, yaw, self):
            supposed = context.perception.supposing({space.subject: X_WO})
            if self._holds(replace(context, perception=supposed)):
                yield X_WO
                continue
            refused += 1
            if refused >= REFUSALS[0] + REFUSALS[1] * count:
                return

    def _holds(self, context: Context) -> bool:
        """As :meth:`evaluate`, without the reasons."""
        return bool(self.evaluate(context))

    def __and__(self, other: Condition) -> Condition:
        return All(self, other)

    def __or__(self, other: Condition) -> Condition:
        return Any_(self, other)

    def __invert__(self) -> Condition:
        return Not(self)

    def __repr__(self) -> str:
        arguments = ", ".join(f"{name}={_shown(value)}" for name, value in self.arguments.items() if value is not None)
        return f"{in_lower_case(type(self).__name__, '_')}({arguments})"


class _Composite(Condition, hooks=("bind", "word", "invertible", "_holds")):
    word = ""

    def __init__(self, *parts: Condition) -> None:
        super().__init__()
        self.parts = parts

    def bind(self, resolve: Resolver) -> Condition:
        return type(self)(*(part.bind(resolve) for part in self.parts))

    def __repr__(self) -> str:
        return "(" + f" {self.word} ".join(map(repr, self.parts)) + ")"

    @property
    def invertible(self) -> bool:
        """Whether one of its parts is; the others are asked about what that proposes."""
        return any(part.invertible for part in self.parts)

    def _proposals(self, context: Context) -> list[tuple[Space, ...]]:
        """What each of the invertible parts proposes."""
        proposals = [part.spaces(context) for part in self.parts if part.invertible]
        if not proposals:
            raise _none_invertible(self, context)
        _same_subject(self, proposals)
        return proposals

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

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """What the proposals of its invertible parts have in common."""
        return tuple(reduce(and_, spaces) for spaces in product(*self._proposals(context)))

    def _holds(self, context: Context) -> bool:
        quick_first = sorted(self.parts, key=lambda part: not part.invertible)
        return all(part._holds(context) for part in quick_first)


class Any_(_Composite):  # noqa: N801 - `Any` is taken by typing
    """Holds when one part holds."""

    word = "|"

    def evaluate(self, context: Context) -> Verdict:
        """Ask every part; the reason is that of the parts that hold, or of all."""
        verdicts = self._verdicts(context)
        holding = [verdict for verdict in verdicts if verdict]
        return _joined(bool(holding), holding or verdicts, " and ")

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """The proposals of its invertible parts, in turn."""
        return tuple(space for spaces in self._proposals(context) for space in spaces)

    def _holds(self, context: Context) -> bool:
        return any(part._holds(context) for part in self.parts)


class Not(_Composite):
    """Holds when its part does not."""

    def evaluate(self, context: Context) -> Verdict:
        """Ask the part and turn its answer round."""
        verdict = self.parts[0].evaluate(context)
        return Verdict(not verdict.satisfied, verdict.why, verdict.values)

    @property
    def invertible(self) -> bool:
        """Whether it denies a denial of something invertible."""
        denied = self.parts[0]
        return isinstance(denied, Not) and denied.parts[0].invertible

    def spaces(self, context: Context) -> tuple[Space, ...]:
        """What is denied twice is what it was."""
        denied = self.parts[0]
        if isinstance(denied, Not):
            return denied.parts[0].spaces(context)
        raise NotInvertibleError(repr(self), "what it leaves has no bounds; join it with & to what is invertible")

    def _holds(self, context: Context) -> bool:
        return not self.parts[0]._holds(context)

    def __repr__(self) -> str:
        return f"~{self.parts[0]!r}"


def _joined(satisfied: bool, verdicts: list[Verdict], word: str) -> Verdict:
    values: dict[str, object] = {}
    for verdict in verdicts:
        values.update(verdict.values)
    return Verdict(satisfied, word.join(verdict.why for verdict in verdicts), values)


def _same_subject(condition: Condition, proposals: list[tuple[Space, ...]]) -> None:
    subjects = list(dict.fromkeys(space.subject for spaces in proposals for space in spaces))
    if len(subjects) > 1:
        listed = " and ".join(f"'{subject}'" for subject in subjects)
        raise NotInvertibleError(
            repr(condition), f"its parts place different objects, {listed}, and one at a time can be"
        )


def _none_invertible(condition: _Composite, context: Context) -> NotInvertibleError:
    reasons = []
    for part in condition.parts:
        try:
            part.spaces(context)
        except NotInvertibleError as error:
            reasons.append(f"{error.part}: {error.why}")
    return NotInvertibleError(repr(condition), f"no part of it can be ({'; '.join(reasons)})")


def _shown(value: Any) -> str:
    return getattr(value, "name", None) or repr(value)


class ConditionMonitor:
    """Tells on the stream of events what a condition answers, when it is first asked and whenever that changes."""

    def __init__(self) -> None:
        self._last: dict[object, bool] = {}

    def clear(self) -> None:
        """Forget them, for a new run."""
        self._last.clear()

    def note(
        self, context: Context, source: str, role: str, key: object, condition: Condition, verdict: Verdict
    ) -> None:
        """Take note of an answer, and tell it if it is another than the last.

        Args:
            context: Leads to the stream.
            source: Path of the behavior that asked.
            role: What for: ``guard``, ``monitor``, ``precondition`` or ``incondition``.
            key: Which of the conditions of that role it is.
            condition: With its values.
            verdict: The answer.
        """
        holds, place = bool(verdict), (role, key)
        if self._last.get(place) is holds:
            return
        self._last[place] = holds
        facts = {"holds": holds, "why": verdict.why, "values": verdict.values}
        context.events.emit("condition", source, role=role, condition=repr(condition), **facts)
