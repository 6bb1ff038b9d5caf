"""Machines and components of a file, read from its text without running it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from taskmatrix.core.base.errors import MachineError, NotFoundError, TaskMatrixError
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.base.source import mistake
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.components.component import Component
from taskmatrix.core.machines.machine import Machine

from .component_reading import ComponentReader
from .evaluation import Evaluator, Unknown, UnreadBehavior, is_plain, library, trusted
from .machine_reading import MachineReader
from .sources import ClassSource, ComponentSource, MachineSource, assignments, pairs

LARGEST = 1_000_000  # [characters] of a file
DEEPEST = 100  # levels of nesting of what is written
PACKAGE = Path(__file__).parents[2]
_TYPES: dict[str, type] = {"str": str, "int": int, "float": float, "bool": bool}


class Program:
    """The machines and components of a file.

    Args:
        text: What is written in it.
        file: Its path, for errors.

    Attributes:
        text: As given.
        drawn: All of them, by the names of their classes, in the order of the file.

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
        self.drawn: dict[str, ClassSource] = {}
        for name in self._classes:
            self._class(name)
        self.drawn = {name: self.drawn[name] for name in self._classes if name in self.drawn}

    @property
    def machines(self) -> dict[str, MachineSource]:
        """The machines, by name."""
        return {name: each for name, each in self.drawn.items() if isinstance(each, MachineSource)}

    @property
    def components(self) -> dict[str, ComponentSource]:
        """The components, by name."""
        return {name: each for name, each in self.drawn.items() if isinstance(each, ComponentSource)}

    def source(self, name: str) -> ClassSource:
        """The machine or component of a name.

        Raises:
            NotFoundError: There is none.
        """
        if name not in self.drawn:
            raise NotFoundError("machine or component", name, self.drawn, self.file)
        return self.drawn[name]

    def component(self, name: str) -> ComponentSource:
        """The component of a name.

        Raises:
            NotFoundError: There is none.
        """
        if name not in self.components:
            raise NotFoundError("component", name, self.components, self.file)
        return self.components[name]

    @property
    def classes(self) -> list[str]:
        """Names of all classes of the file, in its order."""
        return list(self._classes)

    def made(self, name: str) -> Any:
        """What stands in for a class of the file; None where there is none of that name."""
        return self._made.get(name)

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
            raise MachineError(f"machines and components cannot be within one another in a circle: {circle}")
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
        ours = (TaskBehavior, Condition, Component)
        base = next((each for each in bases if isinstance(each, type) and issubclass(each, ours)), None)
        if base is None:
            return Unknown(node.name)
        if issubclass(base, Condition):
            return Unknown(node.name)
        if issubclass(base, Machine):
            return self._read(MachineReader(node, base, self._evaluate, self._lines), problem)
        if issubclass(base, Component):
            return self._read(ComponentReader(node, base, self._evaluate, self._lines), problem)
        namespace: dict[str, Any] = {"__doc__": ast.get_docstring(node)}
        for key, value in assignments(node):
            with suppress(TaskMatrixError):
                made = self._evaluate(value, namespace)
                if isinstance(made, (Parameter, Output)) or key == "needs":
                    namespace[key] = made
        try:
            return type(node.name, (base,), namespace)
        except TaskMatrixError:
            return UnreadBehavior

    def _read(self, reader: MachineReader | ComponentReader, problem: str) -> Any:
        self.drawn[reader.found.name] = reader.found
        return reader.read(problem)


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
            yield from pairs(node)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.name, None
