"""What is read of a file: machines and components as they are written."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.names import in_lower_case
from taskmatrix.core.base.parameter import Setting
from taskmatrix.core.components.component import Component
from taskmatrix.core.components.mode import Mode, Switch
from taskmatrix.core.components.part import Part
from taskmatrix.core.machines.machine import State
from taskmatrix.core.machines.transition import Definition, Transition
from taskmatrix.session.graph import Graph, component_graph, graph_of, modes_graph, parts_graph


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
class SettingSource:
    """A parameter or modulation as it is written."""

    text: str
    """What is assigned to its name."""
    line: int
    """Where it is written, from 1."""
    made: Setting[Any]
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


@dataclass(frozen=True)
class PartSource:
    """A part of a component as it is written."""

    name: str
    """The attribute."""
    component: str
    """How its class is written."""
    arguments: dict[str, str]
    """How its arguments are written, ``frequency`` and ``optional`` among them."""
    line: int
    """Where it is written, from 1."""
    made: Part[Any]
    """What the library makes of it."""


@dataclass
class ModeSource:
    """A mode of a component as it is written."""

    name: str
    """Of the mode."""
    arguments: dict[str, str]
    """How its arguments are written."""
    line: int
    """Where it is written, from 1."""
    made: Mode
    """What the library makes of it."""
    code: str = ""
    """The method that is run in it, if there is one."""


@dataclass(frozen=True)
class SwitchSource:
    """A transition between modes as it is written."""

    number: int
    """Its place among those of the component, from 0."""
    source: str
    """The mode that it leaves."""
    target: str
    """The mode that it leads to."""
    after: str
    """How the time is written, [s]; empty where there is none."""
    method: str
    """What decides on it; empty where time alone does."""
    line: int
    """Where it is written, from 1."""
    made: Switch
    """What the library makes of it."""


@dataclass
class ClassSource:
    """A class as it is written."""

    name: str
    """Of the class."""
    line: int
    """Where it begins, from 1."""
    parameters: dict[str, SettingSource] = field(default_factory=dict)
    """That it declares itself, by name."""
    code: list[CodeSource] = field(default_factory=list)
    """What takes part in its definition and is not drawn."""
    unread: list[str] = field(default_factory=list)
    """Behaviors and components that are known only when the program runs: what they declare is not checked."""
    problem: str = ""
    """Why the library refuses the class; empty where it does not, or where that is not known."""

    @property
    def checked(self) -> bool:
        """Whether all of it could be checked."""
        return not self.code

    @property
    def calls(self) -> Mapping[str, StateSource | PartSource | ModeSource]:
        """What is written as a call with arguments that can be edited, by name."""
        return {}

    @property
    def settings(self) -> Mapping[str, SettingSource]:
        """Parameters and modulations, by name."""
        return self.parameters

    def graph(self, depth: int = 9) -> Graph:
        """Its drawing, of what can be drawn."""
        raise NotImplementedError


@dataclass
class MachineSource(ClassSource):
    """A machine as it is written."""

    states: dict[str, StateSource] = field(default_factory=dict)
    """That it declares itself, by name."""
    transitions: list[TransitionSource] = field(default_factory=list)
    """In their order."""
    definition: Definition | None = None
    """What is drawn."""

    @property
    def calls(self) -> Mapping[str, StateSource]:
        """Its states."""
        return self.states

    def graph(self, depth: int = 9) -> Graph:
        """Its states and transitions; machines in states to a depth."""
        return Graph(self.name) if self.definition is None else graph_of(self.definition, depth)


@dataclass
class ComponentSource(ClassSource):
    """A component as it is written."""

    frequency: str = ""
    """How it is written in the class; empty where it is not."""
    modal: bool = False
    """Whether it is one of modes."""
    parts: dict[str, PartSource] = field(default_factory=dict)
    """That it declares itself, by name."""
    modulations: dict[str, SettingSource] = field(default_factory=dict)
    """That it declares itself, by name."""
    modes: dict[str, ModeSource] = field(default_factory=dict)
    """By name."""
    switches: list[SwitchSource] = field(default_factory=list)
    """As they are written."""
    methods: list[str] = field(default_factory=list)
    """Names."""
    made: type[Component] | None = None
    """What the library makes of it; None where it refuses the class or not all was read."""

    @property
    def calls(self) -> Mapping[str, PartSource | ModeSource]:
        """Its parts and modes."""
        return {**self.parts, **self.modes}

    @property
    def settings(self) -> Mapping[str, SettingSource]:
        """Its parameters and modulations."""
        return {**self.parameters, **self.modulations}

    def graph(self, depth: int = 9) -> Graph:
        """Its modes; with a depth the tree of the components that it steps, with their modes inside."""
        if depth and self.made is not None:
            with suppress(TaskMatrixError):
                return component_graph(self.made, depth)
        if self.modes:
            modes = {name: each.made for name, each in self.modes.items()}
            return modes_graph(self.name, modes, path=in_lower_case(self.name, "-"))
        return parts_graph(self.name, {name: each.made for name, each in self.parts.items()})


def assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """The name to which a statement assigns and the value; no value where it is something else."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return "", None
    return (target.id, value) if isinstance(target, ast.Name) else ("", None)


def assignments(node: ast.ClassDef) -> Iterator[tuple[str, ast.expr]]:
    """Names to which a class body assigns, with the values."""
    for statement in node.body:
        name, value = assigned(statement)
        if value is not None:
            yield name, value


def is_call(statement: ast.stmt) -> bool:
    """Whether a statement is a call alone, or one that assigns in passing."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, (ast.Call, ast.NamedExpr))


def pairs(statement: ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """Names and values of ``dark, light = Mode(), Mode()``; none of what is written otherwise."""
    target, value = statement.targets[0], statement.value
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for each, given in zip(target.elts, value.elts, strict=True):
            if isinstance(each, ast.Name):
                yield each.id, given
