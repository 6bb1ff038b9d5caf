"""What the designer's page shows of a program, as plain data."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import taskmatrix.behaviors
from taskmatrix.core.base.message import MessageKind
from taskmatrix.core.base.names import in_lower_case
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior

from ..drawing.graph_svg import svg
from .document import Document
from .reading import MachineSource, StateSource

MESSAGES = ("failed", *(kind.value.replace("-", "_") for kind in MessageKind))
Facts = dict[str, Any]


def catalogue() -> list[Facts]:
    """The behaviors of the library: ``name``, ``state`` to call a state of it, ``doc`` and ``parameters``."""
    found = []
    for name in taskmatrix.behaviors.__all__:
        behavior = getattr(taskmatrix.behaviors, name)
        if inspect.isclass(behavior) and issubclass(behavior, TaskBehavior) and not inspect.isabstract(behavior):
            doc = (inspect.getdoc(behavior) or "").split("\n", 1)[0]
            state = in_lower_case(name, "_")
            found.append({"name": name, "state": state, "doc": doc, "parameters": _declared(behavior)})
    return found


def outline(document: Document, machine: str, depth: int) -> Facts:
    """A document, and one of its machines as it is drawn.

    Args:
        document: The file.
        machine: The name of the class; the first of the file where there is none of that name.
        depth: How deep machines inside of states are drawn.
    """
    machines = document.program.machines
    name = machine if machine in machines else next(iter(machines), "")
    facts = {
        "file": str(document.path),
        "text": document.text,
        "unreadable": document.problem,
        "undo": document.can_undo,
        "redo": document.can_redo,
        "machines": list(machines),
        "machine": name,
        "depth": depth,
    }
    nothing: Facts = {"svg": "", "states": [], "transitions": [], "parameters": [], "written": {}}
    return facts | (_machine(machines[name], depth) if name else nothing)


def _machine(machine: MachineSource, depth: int) -> Facts:
    drawn = machine.definition is not None and machine.definition.states
    return {
        "svg": svg(machine.graph(depth)) if drawn else "",
        "refused": machine.problem,
        "unread": machine.unread,
        "code": [{"text": each.text, "line": each.line, "why": each.why} for each in machine.code],
        "parameters": _described(machine.definition.declared) if machine.definition is not None else [],
        "written": {name: each.text for name, each in machine.parameters.items()},
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
        "doc": (inspect.getdoc(behavior) or "").split("\n", 1)[0],
        "parameters": _declared(behavior),
        "outputs": list(behavior.published),
        "optional": state.made.optional,
        "final": state.made.final,
    }


def _declared(behavior: type[TaskBehavior]) -> list[Facts]:
    return _described(behavior.declared)


def _described(parameters: Mapping[str, Parameter[Any]]) -> list[Facts]:
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
