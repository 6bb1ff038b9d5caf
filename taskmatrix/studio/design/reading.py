"""Machines of a file, read from its text without running it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from taskmatrix.core.base.errors import MachineError, NotFoundError, TaskMatrixError
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.base.source import mistake
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State
from taskmatrix.core.machines.transition import Definition, Transition
from taskmatrix.session.graph import Graph, graph_of

from .evaluation import Computed, Evaluator, Unknown, UnreadBehavior, is_plain, library, trusted

LARGEST = 1_000_000  # [characters] of a file
DEEPEST = 100  # levels of nesting of what is written
MOST_STATES = 500  # of one machine
PACKAGE = Path(__file__).parents[2]
_TYPES: dict[str, type] = {"str": str, "int": int, "float": float, "bool": bool}


@dataclass(frozen=True)
class StateSource:
    """A state as it is written."""

    name: str
    """Of the state."""
    behavior: str
    """How the class of its behavior is written."""
    arguments: dict[str, str]
    """How its arguments are written, ``final`` and ``optional`` among them."""
    line: int
    """Where it is written, from 1."""
    made: State
    """What the library makes of it."""


@dataclass(frozen=True)
class ParameterSource:
    """A parameter of a machine as it is written."""

    text: str
    """What is assigned to its name."""
    line: int
    """Where it is written, from 1."""
    made: Parameter[Any]
    """What the library makes of it."""


@dataclass(frozen=True)
class TransitionSource:
    """A transition as it is written."""

    number: int
    """Its place among the transitions, from 0."""
    text: str
    """How it is written."""
    line: int
    """Where it is written, from 1."""
    made: Transition | None
    """What the library makes of it; None where it is shown as code."""


@dataclass(frozen=True)
class CodeSource:
    """What is shown as code, since it cannot be drawn."""

    text: str
    """The code."""
    line: int
    """Where it begins, from 1."""
    why: str
    """Why it is not drawn."""


@dataclass
class MachineSource:
    """A machine as it is written."""

    name: str
    """Of its class."""
    line: int
    """Where its class begins, from 1."""
    parameters: dict[str, ParameterSource] = field(default_factory=dict)
    """That it declares itself, by name."""
    states: dict[str, StateSource] = field(default_factory=dict)
    """That it declares itself, by name."""
    transitions: list[TransitionSource] = field(default_factory=list)
    """In their order."""
    code: list[CodeSource] = field(default_factory=list)
    """What takes part in its definition and is not drawn."""
    unread: list[str] = field(default_factory=list)
    """Behaviors that are known only when the program runs: their parameters and outputs are not checked."""
    problem: str = ""
    """Why the library refuses the class; empty where it does not, or where that is not known."""
    definition: Definition | None = None
    """What is drawn."""

    @property
    def checked(self) -> bool:
        """Whether all of it could be checked."""
        return not self.code

    def graph(self, depth: int = 9) -> Graph:
        """Its drawing, of what can be drawn."""
        return Graph(self.name) if self.definition is None else graph_of(self.definition, depth)


class Program:
    """The machines of a file.

    Args:
        text: What is written in it.
        file: Its path, for errors.

    Attributes:
        text: As given.
        machines: By the names of their classes, in the order of the file.

    Raises:
        MachineError: It is no Python, too long or too deeply nested, or a machine has too many states.
    """

    def __init__(self, text: str, file: str | Path = "program.py") -> None:
        self.text, self.file = text, str(file)
        self._lines = text.splitlines() or [""]
        self._module = _parsed(text, self.file)
        self._classes = {node.name: node for node in self._module.body if isinstance(node, ast.ClassDef)}
        self._imports = dict(_imports(self._module, _package(Path(file))))
        self._constants = dict(_constants(self._module))
        self._stored = set(_stored(self._module))
        self._defined = None if "*" in self._imports else self._stored | {"__file__", *self._imports, *dir(builtins)}
        self._made: dict[str, Any] = {}
        self._reading: list[str] = []
        self._evaluate = Evaluator(self.file, self._lines, self._lookup)
        self.machines: dict[str, MachineSource] = {}
        for name in self._classes:
            self._class(name)
        self.machines = {name: self.machines[name] for name in self._classes if name in self.machines}

    def machine(self, name: str | None = None) -> MachineSource:
        """The machine of a name, or the only one.

        Raises:
            NotFoundError: There is none of that name, or none at all, or several and no name is given.
        """
        if name is None and len(self.machines) == 1:
            return next(iter(self.machines.values()))
        if name is None or name not in self.machines:
            raise NotFoundError("machine", name or "(which one?)", self.machines, self.file)
        return self.machines[name]

    def imported(self, module: str, name: str) -> str | None:
        """How this file writes a name of the library, as ``State`` or ``tm.State``; None where it is not imported."""
        wanted = trusted_value(module, name)
        for local, (source, attribute) in self._imports.items():
            if attribute == name and source.partition(".")[0] == "taskmatrix" and self._lookup(local) is wanted:
                return local
        for local, (source, attribute) in self._imports.items():
            if attribute is None and source == "taskmatrix":
                with suppress(TaskMatrixError):
                    if getattr(library("taskmatrix"), name, None) is wanted:
                        return f"{local}.{name}"
        return None

    def names(self) -> set[str]:
        """Names that the module knows."""
        return {*self._imports, *self._classes, *self._constants, *dir(builtins)}

    def _lookup(self, name: str) -> Any:
        if name in self._classes:
            return self._class(name)
        if name in self._constants:
            value = self._constants.pop(name)  # so that none leads to itself
            try:
                return Unknown(name) if value is None else self._plain(value, name)
            finally:
                self._constants[name] = value
        if name in _TYPES and name not in self._imports:
            return _TYPES[name]
        if name not in self._imports:
            if self._defined is not None and name not in self._defined:
                raise NotFoundError("name", name, sorted(self._stored | {*self._imports}), self.file)
            value = getattr(builtins, name, None)
            return value if name not in self._stored and isinstance(value, type) else Unknown(name)
        module, attribute = self._imports[name]
        found = None
        with suppress(ImportError):
            found = library(module)
        if found is None:
            return Unknown(name)
        return found if attribute is None else trusted(found, attribute, name)

    def _plain(self, node: ast.expr, name: str) -> Any:
        value = self._evaluate(node, {})
        return value if is_plain(value) else Unknown(name)

    def _class(self, name: str) -> Any:
        """What stands in for a class of the file: made of what it declares, with no code of its own."""
        if name in self._reading:
            circle = " -> ".join([*self._reading[self._reading.index(name) :], name])
            raise MachineError(f"machines cannot be states of one another in a circle: {circle}")
        if name not in self._made:
            self._reading.append(name)
            try:
                self._made[name] = self._made_class(self._classes[name])
            finally:
                self._reading.pop()
        return self._made[name]

    def _made_class(self, node: ast.ClassDef) -> Any:
        problem = ""
        bases = []
        for each in node.bases:
            try:
                bases.append(self._evaluate(each, {}))
            except TaskMatrixError as error:
                problem = str(error)
        ours = (TaskBehavior, Condition)
        base = next((each for each in bases if isinstance(each, type) and issubclass(each, ours)), None)
        if base is None:
            return Unknown(node.name)
        if issubclass(base, Condition):
            return Unknown(node.name)
        if issubclass(base, Machine):
            return _Reader(node, base, self._evaluate, self._lines, self._lookup).read(self.machines, problem)
        namespace: dict[str, Any] = {}
        for key, value in _assignments(node):
            with suppress(TaskMatrixError):
                made = self._evaluate(value, namespace)
                if isinstance(made, (Parameter, Output)) or key == "needs":
                    namespace[key] = made
        try:
            return type(node.name, (base,), namespace)
        except TaskMatrixError:
            return UnreadBehavior


class _Reader:
    """Reads the body of one machine."""

    def __init__(
        self, node: ast.ClassDef, base: type[Machine], evaluate: Evaluator, lines: list[str], lookup: Any
    ) -> None:
        self.node, self.base, self.evaluate, self.lines, self.lookup = node, base, evaluate, lines, lookup
        self.scope: dict[str, Any] = {}
        self.found = MachineSource(node.name, node.lineno)
        self.transitions: list[Transition] = []

    def read(self, machines: dict[str, MachineSource], problem: str) -> Any:
        found = machines[self.node.name] = self.found
        found.problem = problem
        for statement in self.node.body:
            try:
                self._statement(statement)
            except TaskMatrixError as error:
                found.problem = found.problem or str(error)
                self._code(statement, "the library refuses it")
        if len(found.states) > MOST_STATES:
            raise MachineError(f"{found.name} has {len(found.states)} states; at most {MOST_STATES} are drawn")
        return self._make()

    def _statement(self, statement: ast.stmt) -> None:
        name, value = _assigned(statement)
        if value is None:
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                return
            if isinstance(statement, (ast.Expr, ast.Pass, ast.AnnAssign)) and not _is_call(statement):
                return
            for each in ast.walk(statement):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    self.scope[each.id] = Unknown(each.id)
            self._code(statement, "its states and values are known only when it runs")
        elif name == "transitions":
            self._transitions(value)
        else:
            made = self.scope[name] = self.evaluate(value, self.scope)
            if isinstance(made, State):
                made.name = name
                call = value if isinstance(value, ast.Call) else None
                if call is not None and made.line.number == call.lineno:
                    self._state(name, call, made)
            elif isinstance(made, Parameter):
                made.name = name
                if isinstance(value, ast.Call):
                    self.found.parameters[name] = ParameterSource(ast.unparse(value), value.lineno, made)
            elif isinstance(made, Unknown) and not isinstance(value, ast.Name):
                self._code(statement, "its value is known only when it runs")

    def _state(self, name: str, call: ast.Call, made: State) -> None:
        arguments = {each.arg: ast.unparse(each.value) for each in call.keywords if each.arg is not None}
        behavior = ast.unparse(call.args[0])
        if made.behavior is UnreadBehavior:
            self.found.unread.append(behavior)
        self.found.states[name] = StateSource(name, behavior, arguments, call.lineno, made)

    def _transitions(self, value: ast.expr) -> None:
        made: Any
        if not isinstance(value, (ast.Tuple, ast.List)):
            made = self.evaluate(value, self.scope)
            if not isinstance(made, Unknown):
                raise MachineError(
                    f"the transitions of {self.node.name} are {made!r}, not a sequence; a single transition "
                    "needs a comma after it: transitions = (start(...),)"
                )
            self._code(value, "its transitions are known only when it runs")
            return
        for number, each in enumerate(value.elts):
            made = None
            try:
                made = self.evaluate(each, self.scope)
                if isinstance(made, Transition):
                    self.transitions.append(made)
                elif isinstance(made, Unknown):
                    self._code(each, "it is known only when it runs")
                else:
                    self._code(each, "it is no transition")
                    raise MachineError(
                        f"transition {number + 1} of {self.node.name} is {made!r}; transitions are made by "
                        "start(...), on(...) and whenever(...)"
                    )
            except TaskMatrixError as error:
                self.found.problem = self.found.problem or str(error)
                made = None
                self._code(each, "the library refuses it")
            text = ast.unparse(each)
            drawn = made if isinstance(made, Transition) else None
            self.found.transitions.append(TransitionSource(number, text, each.lineno, drawn))

    def _code(self, node: ast.stmt | ast.expr, why: str) -> None:
        text = "\n".join(self.lines[node.lineno - 1 : node.end_lineno])
        self.found.code.append(CodeSource(text, node.lineno, why))

    def _make(self) -> Any:
        """The class that the library makes of it, if it does."""
        found = self.found
        namespace = {k: v for k, v in self.scope.items() if isinstance(v, (State, Parameter, Output))}
        for state in [each.made for each in found.states.values()]:
            for wire, value in state.wires.items():
                if isinstance(value, Computed):
                    same = namespace.setdefault(value.name, value)
                    if same is not value and same.type is value.type:
                        state.wires[wire] = same
                    elif same is not value:
                        namespace[f"{value.name} ({value.type.__name__})"] = value
        own = any(name == "transitions" for name, _ in _assignments(self.node))
        transitions = tuple(self.transitions) if own else self.base.transitions
        if "needs" in self.scope and not isinstance(self.scope["needs"], Unknown):
            namespace["needs"] = self.scope["needs"]
        states = {**self.base.states, **{k: v for k, v in namespace.items() if isinstance(v, State)}}
        declared = {**self.base.declared, **{k: v for k, v in namespace.items() if isinstance(v, Parameter)}}
        for name, each in declared.items():
            each.name = name
        found.definition = Definition(_named(found.name), declared, states, transitions)
        if not found.checked or found.problem:
            return UnreadBehavior
        keywords = {each.arg: self.evaluate(each.value, {}) for each in self.node.keywords if each.arg}
        try:
            metaclass: Any = type(self.base)
            made = metaclass(found.name, (self.base,), {**namespace, "transitions": transitions}, **keywords)
        except TaskMatrixError as error:
            found.problem = str(error)
            return UnreadBehavior
        found.definition = made.definition
        return made


def _named(name: str) -> type:
    return type(name, (), {})


def trusted_value(module: str, name: str) -> Any:
    """What the library's module hands on under a name; Unknown where it is nothing to make programs with."""
    found = library(module)
    return Unknown(name) if found is None else trusted(found, name, name)


def _parsed(text: str, file: str) -> ast.Module:
    if len(text) > LARGEST:
        raise MachineError(f"{file} has {len(text)} characters; at most {LARGEST} are read")
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise mistake(f"{file} is no Python: {error.msg}, in line {error.lineno}") from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise MachineError(f"{file} cannot be read: {error or 'it is nested too deeply'}") from None
    level: list[ast.AST] = [module]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
    if level:
        raise MachineError(f"{file} cannot be read: it is nested more than {DEEPEST} levels deep")
    return module


def _package(file: Path) -> list[str]:
    """The package of a file of the library's own; of any other, relative imports lead to what is not read."""
    try:
        return ["taskmatrix", *file.resolve().parent.relative_to(PACKAGE).parts]
    except ValueError:
        return []


def _imports(module: ast.Module, package: list[str]) -> Iterator[tuple[str, tuple[str, str | None]]]:
    for node in module.body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.asname or "." not in alias.name:
                    yield alias.asname or alias.name, (alias.name, None)
                else:
                    yield alias.name.partition(".")[0], (alias.name.partition(".")[0], None)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            for alias in node.names:
                yield alias.asname or alias.name, ("" if node.level and not base else source, alias.name)


def _stored(module: ast.Module) -> Iterator[str]:
    """Names that get a value anywhere in a file."""
    for node in ast.walk(module):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield node.asname or node.name.partition(".")[0]


def _constants(module: ast.Module) -> Iterator[tuple[str, ast.expr | None]]:
    for node in module.body:
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for each in ast.walk(target):
                    if isinstance(each, ast.Name):
                        yield each.id, node.value if each is target else None
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, None


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """The name to which a statement assigns and the value; no value where it is something else."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return "", None
    return (target.id, value) if isinstance(target, ast.Name) else ("", None)


def _assignments(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    for statement in node.body:
        name, value = _assigned(statement)
        if value is not None:
            yield name, value


def _is_call(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Call, ast.NamedExpr))
