"""A program as boxes and arrows; made from the class, without running it.

Machines as in the thesis' figures 5.39 to 5.46, activation trees and the modes of their components as in
BICA's figure 2.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.names import in_lower_case
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.components.assembly import assemble
from taskmatrix.core.components.component import Component
from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.part import Part
from taskmatrix.core.machines.machine import Machine
from taskmatrix.core.machines.state import State, Wire
from taskmatrix.core.machines.transition import Definition, Transition
from taskmatrix.core.trees.activation_tree import ActivationTree
from taskmatrix.core.trees.behavior_part import BehaviorComponent

LONGEST = 26  # characters of a line in a label


@dataclass
class Box:
    """A state or whatever else arrows lead to or come from."""

    id: str
    """Unique in the whole drawing: ``pickup_reach``, and in a state that is a machine ``vacuum_pickup__reach``."""
    label: str
    """What is written in it; lines are separated by line feeds."""
    kind: str = "state"
    """``start``, ``state`` (or component, or mode), ``parameter``, ``monitor``, ``join``, ``fail`` or ``catch``."""
    optional: bool = False
    """Whether its failure does not end the machine."""
    final: bool = False
    """Whether the machine ends when it ends."""
    inside: Graph | None = None
    """The drawing of a machine in a state that is one, and of the modes of a component that has some."""
    path: str = ""
    """Of a state: who tells its events in a run, as ``pickup/reach``."""


@dataclass
class Arrow:
    """What leads from one box to another."""

    tail: str
    """Id of the box where it begins."""
    head: str
    """Id of the box where it ends."""
    kind: str = "start"
    """``start`` or ``stop`` a state, or ``wire`` a value to it."""
    label: str = ""
    """Message, guard and bound; or the name of the parameter."""


@dataclass
class Graph:
    """The drawing of one machine, of an activation tree, or of the modes of a component."""

    title: str
    """Name of its class."""
    boxes: list[Box] = field(default_factory=list)
    """In the order of the class body."""
    arrows: list[Arrow] = field(default_factory=list)
    """In the order of the transitions, wires last."""


def graph_of(behavior: type[TaskBehavior] | Definition, depth: int = 9, path: str | None = None) -> Graph:
    """Draw a machine with the machines that are its states, or an activation tree with the modes of its components.

    Any other behavior is a single state; so is an activation tree that cannot be made without its parameters.

    Args:
        behavior: The class; or the definition of a machine, whether or not it would pass the check of its class.
        depth: How deep machines inside of states, and modes of components, are drawn; 0 draws none.
        path: Of the behavior in a run; as if it were run by itself unless given.
    """
    definition = behavior if isinstance(behavior, Definition) else getattr(behavior, "definition", None)
    name = behavior.name if isinstance(behavior, Definition) else behavior.__name__
    path = in_lower_case(name, "-") if path is None else path
    if isinstance(behavior, type) and issubclass(behavior, ActivationTree):
        with suppress(TaskMatrixError):
            return _tree(name, behavior(**_stand_ins(behavior.declared)).assembled(), depth)
    if definition is None or not definition.states:
        state = Box(f"state_{name.lower()}", name, final=True, path=path)
        return Graph(name, [Box("start", "start", "start"), state], [Arrow("start", state.id)])
    return _Drawing(definition, f"{name.lower()}_", depth, path).graph


def component_graph(component: type[Component], depth: int = 9) -> Graph:
    """Draw the tree of a component and what it steps, with the modes of each inside to a depth.

    Raises:
        ComponentError: They cannot be put together.
        ParameterError: A parameter is wrong.
    """
    return _tree(component.__name__, assemble(component(**_stand_ins(component.declared)), {}), depth)


def modes_graph(name: str, modes: Mapping[str, Mode], prefix: str | None = None, path: str = "") -> Graph:
    """Draw the modes of a component with the parts that each modulates, and its transitions.

    Args:
        name: Of its class.
        modes: By name; there is one at least.
        prefix: Of the ids of boxes; that of the class unless given.
        path: Of the component in a run; modes are told of as if they were within it, where it is given.
    """
    prefix = f"{name.lower()}_" if prefix is None else prefix
    graph = Graph(name, [Box(f"{prefix}start", "start", "start")])
    arrows: dict[tuple[str, str], list[str]] = {}
    for mode_name, mode in modes.items():
        parts = _folded(", ".join(part.attribute for part in mode.act))
        label = f"{mode_name}\n{parts}" if parts else mode_name
        within = f"{path}/{mode_name}" if path else ""
        graph.boxes.append(Box(prefix + mode_name, label, final=mode.achieved, path=within))
        for switch in mode.switches:
            arrows.setdefault((prefix + mode_name, prefix + switch.target.name), []).append(_folded(switch.description))
    graph.arrows.append(Arrow(f"{prefix}start", prefix + next(iter(modes))))
    graph.arrows += [Arrow(tail, head, label="\nor ".join(labels)) for (tail, head), labels in arrows.items()]
    return graph


def parts_graph(name: str, parts: Mapping[str, Part[Any]]) -> Graph:
    """Draw a component and the parts that it declares."""
    prefix = f"{name.lower()}_"
    graph = Graph(name, [Box(f"{prefix}component", name)])
    for attribute, part in parts.items():
        every = "" if part.frequency is None else f"\n{part.frequency:g} Hz"
        graph.boxes.append(Box(prefix + attribute, f"{attribute}{every}", optional=part.optional))
        graph.arrows.append(Arrow(f"{prefix}component", prefix + attribute))
    return graph


def _stand_ins(declared: Mapping[str, Parameter[Any]]) -> dict[str, Any]:
    """Values for parameters that have to be given."""
    values: dict[type, Any] = {str: "x", float: 1.0, int: 1, bool: False}
    return {name: values[each.type] for name, each in declared.items() if each.required}


def _tree(title: str, components: Mapping[str, Component], depth: int) -> Graph:
    """The components of an activation tree as they are declared, the root first, and which steps which."""
    graph, prefix = Graph(title), f"{title.lower()}_"
    ids = {component: f"{prefix}{name.replace('-', '_')}" for name, component in components.items()}
    graph.boxes.append(Box(f"{prefix}start", "start", "start"))
    optional = {part for component in components.values() for part in component.optional}
    for name, component in components.items():
        inside = _inside(component, ids[component], depth)
        every = "in every cycle" if component.frequency is None else f"{component.frequency:g} Hz"
        about = type(component.behavior).__name__ if isinstance(component, BehaviorComponent) else every
        graph.boxes.append(Box(ids[component], f"{name}\n{about}", optional=component in optional, inside=inside))
    graph.arrows.append(Arrow(f"{prefix}start", next(iter(ids.values()))))
    for component in components.values():
        for part in component.made.values():
            graph.arrows.append(Arrow(ids[component], ids[part], label=_stepped(component, part)))
    return graph


def _inside(component: Component, id: str, depth: int) -> Graph | None:
    if depth and isinstance(component, ModalComponent):
        return modes_graph(type(component).__name__, component.modes, f"{id}__")
    if depth and isinstance(component, BehaviorComponent) and isinstance(component.behavior, Machine):
        machine = component.behavior
        return _Drawing(machine.definition, f"{id}__", depth - 1, in_lower_case(type(machine).__name__, "-")).graph
    return None


def _stepped(component: Component, part: Component) -> str:
    """What a component steps a part for, where its modes say so."""
    if not isinstance(component, ModalComponent):
        return ""
    names = {attribute for attribute, made in component.made.items() if made is part}
    informs = any(each.attribute in names for mode in component.modes.values() for each in mode.inform)
    acts = any(each.attribute in names for mode in component.modes.values() for each in mode.act)
    return "\n".join(["asks"] * informs + ["modulates"] * acts)


class _Drawing:
    def __init__(self, machine: Definition, prefix: str, depth: int, path: str) -> None:
        self.prefix, self.depth, self.path = prefix, depth, path
        self.graph = Graph(machine.name)
        self.transitions = machine.transitions
        self.arrows: dict[tuple[str, str, str], list[str]] = {}
        for name in machine.declared:
            self._box(f"parameter_{name}", name, "parameter")
        self.start = self._box("start", "start", "start")
        self.of = {state: self._state(state) for state in machine.states.values()}
        for number, transition in enumerate(machine.transitions, 1):
            self._transition(number, transition)
        for state in machine.states.values():
            for parameter, value in state.wires.items():
                self._wire(state, parameter, value)
        between = {"wire": "\n"}
        for (tail, head, kind), labels in self.arrows.items():
            self.graph.arrows.append(Arrow(tail, head, kind, between.get(kind, "\nor ").join(labels)))

    def _box(self, id: str, label: str, kind: str) -> str:
        self.graph.boxes.append(Box(self.prefix + id, label, kind))
        return self.prefix + id

    def _state(self, state: State) -> str:
        behavior, id, path = state.behavior, self.prefix + state.name, f"{self.path}/{state.name}"
        inside = None
        if self.depth and issubclass(behavior, Machine) and behavior.states:
            inside = _Drawing(behavior.definition, f"{id}__", self.depth - 1, path).graph
        same = state.name.replace("_", "") == behavior.__name__.lower()
        label = state.name if same else f"{state.name}\n{behavior.__name__}"
        self.graph.boxes.append(Box(id, label, "state", state.optional, state.final, inside, path))
        return id

    def _transition(self, number: int, transition: Transition) -> None:
        label = _label(transition, any(map(transition.gives_way_to, self.transitions)))
        if transition.monitor is not None:
            tail = self._box(f"monitor_{number}", f"whenever\n{_words(transition.monitor)}", "monitor")
        elif len(transition.triggers) > 1:
            tail = self._box(f"join_{number}", "all of", "join")
            for trigger in transition.triggers:
                self._arrow(self.of[trigger.state], tail, "start", trigger.description)
        elif transition.trigger is not None:
            tail, label = (
                self.of[transition.trigger.state],
                "\n".join(filter(None, [transition.trigger.description, label])),
            )
        else:
            tail = self.start
        heads = [("start", self.of[state]) for state in transition.start]
        heads += [("stop", self.of[state]) for state in transition.stop]
        if transition.fail is not None:
            heads = [("stop", self._box(f"fail_{number}", _folded(transition.fail), "fail"))]
        elif not heads:
            heads = [("start", self._box(f"catch_{number}", "go on", "catch"))]
        for kind, head in heads:
            self._arrow(tail, head, kind, label)

    def _wire(self, state: State, parameter: str, value: object) -> None:
        if isinstance(value, Parameter):
            label = "" if parameter == value.name else parameter
            self._arrow(f"{self.prefix}parameter_{value.name}", self.of[state], "wire", label)
        elif isinstance(value, Wire):
            label = value.output if parameter == value.output else f"{value.output} as {parameter}"
            self._arrow(self.of[value.state], self.of[state], "wire", label)

    def _arrow(self, tail: str, head: str, kind: str, label: str) -> None:
        labels = self.arrows.setdefault((tail, head, kind), [])
        if label and label not in labels:
            labels.append(label)


def _label(transition: Transition, gives_way: bool) -> str:
    """Guard and bound of a transition, and whether others come before it."""
    guard = f"[{_words(transition.when)}]" if transition.when is not None else ""
    bound = {None: "", 1: "at most once"}.get(transition.times, f"at most {transition.times} times")
    return "\n".join(filter(None, [guard, bound, "otherwise" if gives_way else ""]))


def _words(condition: Condition) -> str:
    """A condition without the names of its arguments."""
    return _folded(re.sub(r"\b\w+=", "", repr(condition)))


def _folded(text: str) -> str:
    return "\n".join(_lines(text))


def _lines(text: str) -> Iterator[str]:
    line = ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > LONGEST:
            yield line
            line = word
        else:
            line = f"{line} {word}".strip()
    yield line
