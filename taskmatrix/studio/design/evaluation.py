"""Expressions of a program, evaluated as far as that runs none of its code.

Only the library's own nouns are called: states, parameters, outputs, transitions and conditions; parts, modulations and
modes. Whatever else is written, such as a call of the user's function, has a value that is not known.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.base.source import SourceLine
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition, Verdict
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.components.component import Component
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.components.part import Part
from taskmatrix.core.machines.machine import State, all_of, on, start, whenever
from taskmatrix.core.machines.state import Trigger
from taskmatrix.core.machines.transition import Transition
from taskmatrix.core.trees.behavior_part import BehaviorPart

ROOMS = frozenset({"behaviors", "conditions", "core", "soccer"})  # whose modules do nothing when they are imported
MAKERS: tuple[Any, ...] = (State, Parameter, Output, Mode, Modulation, start, on, whenever, all_of)
_MATH = {"pi": math.pi, "tau": math.tau, "inf": math.inf, "radians": math.radians}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_LOGIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {ast.BitAnd: operator.and_, ast.BitOr: operator.or_}


@dataclass(frozen=True)
class Unknown:
    """A value that is known only when the program runs."""

    text: str
    """How it is written."""


@dataclass(frozen=True)
class WrittenLine(SourceLine):
    """A line of a text that may not have been saved."""

    text: str = ""
    """The line."""

    def __str__(self) -> str:
        return f"{self.path}:{self.number}: {self.text.strip()}"


class UnreadCondition(Condition):
    """A condition of which only the words are known."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def evaluate(self, context: Context) -> Verdict:
        """Not to be asked: it is drawn."""
        return Verdict(False, f"{self.words} was not read")

    def __repr__(self) -> str:
        return self.words


class UnreadBehavior(TaskBehavior):
    """What is run by a state of which the class is not known without running other code."""


class UnreadComponent(Component):
    """What is stepped as a part of which the class is not known without running other code."""


Scope = Mapping[str, Any]


class Evaluator:
    """Evaluates expressions of one file.

    Args:
        file: Its path, for errors.
        lines: Its lines.
        lookup: The value of a name that the whole module knows.
    """

    def __init__(self, file: str, lines: list[str], lookup: Callable[[str], Any]) -> None:
        self._file, self._lines, self._lookup = file, lines, lookup

    def line(self, node: ast.stmt | ast.expr) -> WrittenLine:
        """Where something is written."""
        return WrittenLine(self._file, node.lineno, self._lines[node.lineno - 1])

    def __call__(self, node: ast.expr, scope: Scope) -> Any:
        """The value of an expression; :class:`Unknown` where it is not known without running code.

        Raises:
            TaskMatrixError: The library refuses what is written.
        """
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        return Unknown(ast.unparse(node)) if method is None else method(node, scope)

    def _constant(self, node: ast.Constant, scope: Scope) -> Any:
        return node.value

    def _name(self, node: ast.Name, scope: Scope) -> Any:
        return scope[node.id] if node.id in scope else self._lookup(node.id)

    def _tuple(self, node: ast.Tuple | ast.List, scope: Scope) -> Any:
        values = [self(each, scope) for each in node.elts]
        return Unknown(ast.unparse(node)) if any(isinstance(each, Unknown) for each in values) else tuple(values)

    def _list(self, node: ast.List, scope: Scope) -> Any:
        values = self._tuple(node, scope)
        return values if isinstance(values, Unknown) else list(values)

    def _dict(self, node: ast.Dict, scope: Scope) -> Any:
        if any(key is None for key in node.keys):
            return Unknown(ast.unparse(node))
        keys = [self(key, scope) for key in node.keys if key is not None]
        values = [self(value, scope) for value in node.values]
        plain = is_plain(keys) and is_plain(values) and all(isinstance(key, str) for key in keys)
        return dict(zip(keys, values, strict=True)) if plain else Unknown(ast.unparse(node))

    def _attribute(self, node: ast.Attribute, scope: Scope) -> Any:
        owner, name = self(node.value, scope), node.attr
        if isinstance(owner, ModuleType):
            return trusted(owner, name, ast.unparse(node))
        if isinstance(owner, State) and not (name.startswith("_") or name in vars(owner) or hasattr(State, name)):
            if owner.behavior is UnreadBehavior and name != "failed" and not name.startswith(_MESSAGES):
                return Unknown(ast.unparse(node))
            return getattr(owner, name)
        if owner is FailureKind and name in FailureKind.__members__:
            return FailureKind[name]
        if inspect.isclass(owner) and issubclass(owner, TaskBehavior) and not name.startswith("_"):
            value = getattr(owner, name, None)
            if isinstance(value, (State, Parameter)):
                return value
        return Unknown(ast.unparse(node))

    def _unaryop(self, node: ast.UnaryOp, scope: Scope) -> Any:
        value = self(node.operand, scope)
        if isinstance(node.op, ast.Invert) and isinstance(value, Condition):
            return ~value
        if isinstance(node.op, (ast.USub, ast.UAdd)) and isinstance(value, (int, float)):
            return -value if isinstance(node.op, ast.USub) else value
        return Unknown(ast.unparse(node))

    def _binop(self, node: ast.BinOp, scope: Scope) -> Any:
        left, right = self(node.left, scope), self(node.right, scope)
        if type(node.op) in _LOGIC and isinstance(left, Condition) and isinstance(right, Condition):
            return _LOGIC[type(node.op)](left, right)
        numbers = isinstance(left, (int, float)) and isinstance(right, (int, float))
        if type(node.op) in _ARITHMETIC and numbers:
            try:
                return _ARITHMETIC[type(node.op)](left, right)
            except ArithmeticError:
                pass
        return Unknown(ast.unparse(node))

    def _call(self, node: ast.Call, scope: Scope) -> Any:
        called = self(node.func, scope)
        text = ast.unparse(node)
        known = isinstance(called, Trigger) or called is math.radians or _is_maker(called)
        known = known or _is_a(called, Condition, Part)
        if not known or any(isinstance(each, ast.Starred) for each in node.args):
            return Unknown(text)
        positional: list[Any] = [self(each, scope) for each in node.args]
        named: dict[str, Any] = {}
        for each in node.keywords:
            value = self(each.value, scope)
            if each.arg is None and not isinstance(value, dict):
                return Unknown(text)
            named.update(value if each.arg is None else {each.arg: value})
        if called is State:
            return self._state(node, positional, named)
        if _is_a(called, Part):
            return self._part(called, node, positional, named)
        for number, value in enumerate(positional):
            if isinstance(value, Unknown) and called is whenever and number == 0:
                positional[0] = UnreadCondition(value.text)
        guard = named.get("when")
        if isinstance(guard, Unknown):
            named["when"] = UnreadCondition(guard.text)
        if any(isinstance(each, Unknown) for each in (*positional, *named.values())):
            return UnreadCondition(text) if _is_a(called, Condition) else Unknown(text)
        return self._called(called, positional, named, node)

    def _called(self, called: Any, positional: list[Any], named: dict[str, Any], node: ast.Call) -> Any:
        try:
            made = called(*positional, **named)
        except (TypeError, ValueError, OverflowError) as error:
            if isinstance(error, ValueError) and type(error) is not ValueError:
                raise  # the library's own
            return Unknown(f"{ast.unparse(node)}, which is refused: {error}")
        if isinstance(made, (Mode, Part)):
            made.line = self.line(node)
        return replace(made, line=self.line(node)) if isinstance(made, Transition) else made

    def _part(self, called: type[Part[Any]], node: ast.Call, positional: list[Any], named: dict[str, Any]) -> Any:
        if len(positional) != 1 or isinstance(named.get("frequency"), Unknown):
            return Unknown(ast.unparse(node))
        if isinstance(positional[0], Unknown):
            unread: Any = UnreadBehavior if issubclass(called, BehaviorPart) else UnreadComponent
            positional = [unread]
            named = {name: value for name, value in named.items() if name in ("name", "optional", "frequency", "at")}
        named = {name: value for name, value in named.items() if not isinstance(value, Unknown)}
        return self._called(called, positional, named, node)

    def _state(self, node: ast.Call, positional: list[Any], named: dict[str, Any]) -> Any:
        if len(positional) != 1 or any(isinstance(named.get(each), Unknown) for each in ("final", "optional")):
            return Unknown(ast.unparse(node))
        behavior = positional[0]
        if isinstance(behavior, Unknown):
            behavior = UnreadBehavior
            named = {name: value for name, value in named.items() if name in ("final", "optional")}
        state = State(behavior, **named)
        state.line = self.line(node)
        for name, value in state.wires.items():
            if isinstance(value, Unknown):  # known when it runs: drawn as a parameter with its words as the name
                wanted = behavior.declared.get(name)
                state.wires[name] = Computed(value.text, wanted.type if wanted is not None else str)
        return state


class Computed(Parameter[Any]):
    """A value that the program computes, in place of a parameter of the machine.

    Args:
        text: How it is written.
        type: Its type: as is wanted.
    """

    def __init__(self, text: str, type: type[Any]) -> None:
        super().__init__(type)
        self.name = text


_MESSAGES = ("planning_", "controlloop_", "task_", "goal_", "force_quit", "parameter_set")


def _is_maker(called: Any) -> bool:
    return any(called is each for each in MAKERS)


def _is_a(called: Any, *classes: type[Any]) -> bool:
    return inspect.isclass(called) and issubclass(called, classes)


def trusted(module: ModuleType, name: str, text: str) -> Any:
    """What the library's modules hand to programs; anything else is not known."""
    if module is math:
        return _MATH.get(name, Unknown(text))
    try:
        value = getattr(module, name)
    except (AttributeError, ImportError):
        try:
            return library(f"{module.__name__}.{name}") or Unknown(text)
        except ImportError:
            return Unknown(text)
    if isinstance(value, ModuleType):
        return library(value.__name__) or Unknown(text)
    if _is_a(value, TaskBehavior, Condition, Component, Part) or value is FailureKind:
        return value
    return value if _is_maker(value) or is_plain(value) else Unknown(text)


def is_plain(value: object) -> bool:
    """Whether it is a number, a text, a parameter, or a dictionary, tuple or list of those."""
    if isinstance(value, dict):
        return all(map(is_plain, [*value, *value.values()]))
    if isinstance(value, (tuple, list)):
        return all(map(is_plain, value))
    return value is None or type(value) in (str, int, float, bool) or isinstance(value, Parameter)


def library(name: str) -> ModuleType | None:
    """A module of the library that programs are made with, or ``math``; None for any other."""
    parts = name.split(".")
    if name == "math":
        return math
    if parts[0] != "taskmatrix" or (len(parts) > 1 and parts[1] not in ROOMS) or "__main__" in parts:
        return None
    return importlib.import_module(name)
