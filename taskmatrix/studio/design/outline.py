"""What the designer's page shows of a program, as plain data."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import taskmatrix.behaviors
from taskmatrix.core.base.message import MessageKind
from taskmatrix.core.base.names import in_lower_case
from taskmatrix.core.base.parameter import Setting
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.components.component import Component
from taskmatrix.core.trees.behavior_part import BehaviorPart
from taskmatrix.session import catalogue as session_catalogue

from ..drawing.graph_svg import svg
from .document import Document
from .evaluation import UnreadBehavior, UnreadComponent
from .reading import Program
from .sources import ClassSource, ComponentSource, MachineSource, ModeSource, PartSource, StateSource

MESSAGES = ("failed", *(kind.value.replace("-", "_") for kind in MessageKind))
Facts = dict[str, Any]


def catalogue() -> list[Facts]:
    """The behaviors of the library: ``name``, ``state`` to call a state of it, ``module``, ``doc``, ``parameters``."""
    found = []
    for name in taskmatrix.behaviors.__all__:
        behavior = getattr(taskmatrix.behaviors, name)
        if inspect.isclass(behavior) and issubclass(behavior, TaskBehavior) and not inspect.isabstract(behavior):
            found.append({**_offered(name, behavior), "module": "taskmatrix.behaviors"})
    return found


def _offered(name: str, behavior: type[TaskBehavior]) -> Facts:
    about = {"doc": _first_line(behavior), "parameters": _declared(behavior)}
    return {"name": name, "state": in_lower_case(name, "_"), **about}


def components() -> list[Facts]:
    """The components of the library: ``name``, ``part`` for the attribute, ``module``, ``doc`` and ``parameters``."""
    return [
        {
            "name": name,
            "part": in_lower_case(name, "_"),
            "module": "taskmatrix.soccer",
            "doc": _first_line(component),
            "parameters": _described(component.declared),
        }
        for name, component in session_catalogue.components().items()
    ]


def outline(document: Document, name: str, depth: int) -> Facts:
    """A document, and one of its machines or components as it is drawn.

    Args:
        document: The file.
        name: Of the class; the first of the file where there is none of that name.
        depth: How deep machines inside of states are drawn.
    """
    program = document.program
    drawn = program.drawn.get(name) or next(iter(program.drawn.values()), None)
    facts = {
        "file": str(document.path),
        "text": document.text,
        "unreadable": document.problem,
        "undo": document.can_undo,
        "redo": document.can_redo,
        "machines": list(program.drawn),
        "machine": "" if drawn is None else drawn.name,
        "of": "component" if isinstance(drawn, ComponentSource) else "machine",
        "depth": depth,
    }
    nothing: Facts = {"svg": "", "parameters": [], "written": {}}
    nothing |= {key: [] for key in ("states", "transitions", "modes", "switches", "parts", "messages")}
    if isinstance(drawn, MachineSource):
        return facts | nothing | _class(drawn) | _machine(drawn, depth, program)
    if isinstance(drawn, ComponentSource):
        return facts | nothing | _class(drawn) | _component(drawn, depth, program)
    return facts | nothing


def _class(source: ClassSource) -> Facts:
    return {
        "refused": source.problem,
        "unread": source.unread,
        "code": [{"text": each.text, "line": each.line, "why": each.why} for each in source.code],
        "written": {name: each.text for name, each in source.settings.items()},
    }


def _component(component: ComponentSource, depth: int, program: Program) -> Facts:
    others = {name: program.made(name) for name in program.components if name != component.name}
    return {
        "svg": svg(component.graph(depth)) if component.modes or component.parts else "",
        "modal": component.modal,
        "frequency": component.frequency,
        "parameters": _described({name: each.made for name, each in component.settings.items()}),
        "modulations": list(component.modulations),
        "methods": component.methods,
        "components": [
            {"name": name, "part": in_lower_case(name, "_"), "doc": _first_line(made), "parameters": _declared(made)}
            for name, made in others.items()
        ],
        "parts": [_part(each) for each in component.parts.values()],
        "modes": [_mode(each) for each in component.modes.values()],
        "switches": [
            {
                "number": each.number,
                "source": each.source,
                "target": each.target,
                "after": each.after,
                "method": each.method,
                "line": each.line,
                "text": each.made.description,
            }
            for each in component.switches
        ],
    }


def _part(part: PartSource) -> Facts:
    behavior = part.made.behavior if isinstance(part.made, BehaviorPart) else part.made.component
    declared = getattr(behavior, "declared", {})
    return {
        "name": part.name,
        "component": part.component,
        "line": part.line,
        "arguments": part.arguments,
        "doc": _first_line(behavior),
        "parameters": _described(declared),
        "optional": part.made.optional,
        "modulations": list(getattr(behavior, "modulated", {})),
        "paced": not isinstance(part.made, BehaviorPart),
    }


def _mode(mode: ModeSource) -> Facts:
    return {
        "name": mode.name,
        "line": mode.line,
        "inform": [part.attribute for part in mode.made.inform],
        "act": [part.attribute for part in mode.made.act],
        "achieved": mode.made.achieved,
        "code": mode.code,
    }


def _first_line(thing: object) -> str:
    unread = thing in (UnreadBehavior, UnreadComponent)
    return "" if unread else (inspect.getdoc(thing) or "").split("\n", 1)[0]


def _machine(machine: MachineSource, depth: int, program: Program) -> Facts:
    drawn = machine.definition is not None and machine.definition.states
    own = {name: program.made(name) for name in program.classes if name != machine.name}
    return {
        "behaviors": [
            {**_offered(name, made), "module": ""}
            for name, made in own.items()
            if inspect.isclass(made) and issubclass(made, TaskBehavior) and made is not UnreadBehavior
        ],
        "svg": svg(machine.graph(depth)) if drawn else "",
        "parameters": _described(machine.definition.declared) if machine.definition is not None else [],
        "states": [_state(each) for each in machine.states.values()],
        "transitions": [
            {"number": each.number, "text": each.text, "line": each.line, "drawn": each.made is not None}
            for each in machine.transitions
        ],
        "messages": MESSAGES,
    }


def _state(state: StateSource) -> Facts:
    behavior = state.made.behavior
    return {
        "name": state.name,
        "behavior": state.behavior,
        "line": state.line,
        "arguments": state.arguments,
        "doc": _first_line(behavior),
        "parameters": _declared(behavior),
        "outputs": list(behavior.published),
        "optional": state.made.optional,
        "final": state.made.final,
    }


def _declared(behavior: type[TaskBehavior] | type[Component]) -> list[Facts]:
    return _described(behavior.declared)


def _described(parameters: Mapping[str, Setting[Any]]) -> list[Facts]:
    return [
        {
            "name": name,
            "type": each.type.__name__,
            "doc": each.doc,
            "required": each.required,
            "default": "" if each.required else repr(each.default),
            "minimum": each.minimum,
            "maximum": each.maximum,
        }
        for name, each in parameters.items()
    ]
