"""Machines, read from their text without running it."""

from __future__ import annotations

import ast
from typing import Any

from taskmatrix.core.base.errors import MachineError, TaskMatrixError
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.machines.machine import Machine, State
from taskmatrix.core.machines.transition import Definition, Transition

from .class_reading import ClassReader
from .evaluation import Computed, Evaluator, Unknown, UnreadBehavior
from .sources import MachineSource, SettingSource, StateSource, TransitionSource, assigned, assignments

MOST_STATES = 500  # of one machine


class MachineReader(ClassReader):
    """Reads the body of one machine."""

    found: MachineSource

    def __init__(self, node: ast.ClassDef, base: type[Machine], evaluate: Evaluator, lines: list[str]) -> None:
        super().__init__(MachineSource(node.name, node.lineno), node, evaluate, lines)
        self.base = base
        self.transitions: list[Transition] = []

    def statement(self, statement: ast.stmt) -> None:
        """Take up a line that assigns, or note one that cannot be drawn."""
        name, value = assigned(statement)
        if value is None:
            self.other(statement)
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
                    self.found.parameters[name] = SettingSource(ast.unparse(value), value.lineno, made)
            elif isinstance(made, Unknown) and not isinstance(value, ast.Name):
                self.code(statement, "its value is known only when it runs")

    def made(self) -> Any:
        """The class that the library makes of it, if it does."""
        found = self.found
        if len(found.states) > MOST_STATES:
            raise MachineError(f"{found.name} has {len(found.states)} states; at most {MOST_STATES} are drawn")
        namespace = {k: v for k, v in self.scope.items() if isinstance(v, (State, Parameter, Output))}
        for state in [each.made for each in found.states.values()]:
            for wire, value in state.wires.items():
                if isinstance(value, Computed):
                    same = namespace.setdefault(value.name, value)
                    if same is not value and same.type is value.type:
                        state.wires[wire] = same
                    elif same is not value:
                        namespace[f"{value.name} ({value.type.__name__})"] = value
        own = any(name == "transitions" for name, _ in assignments(self.node))
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
            body = {**namespace, "transitions": transitions, "__doc__": ast.get_docstring(self.node)}
            made = metaclass(found.name, (self.base,), body, **keywords)
        except TaskMatrixError as error:
            found.problem = str(error)
            return UnreadBehavior
        found.definition = made.definition
        return made

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
            self.code(value, "its transitions are known only when it runs")
            return
        for number, each in enumerate(value.elts):
            made = None
            try:
                made = self.evaluate(each, self.scope)
                if isinstance(made, Transition):
                    self.transitions.append(made)
                elif isinstance(made, Unknown):
                    self.code(each, "it is known only when it runs")
                else:
                    self.code(each, "it is no transition")
                    raise MachineError(
                        f"transition {number + 1} of {self.node.name} is {made!r}; transitions are made by "
                        "start(...), on(...) and whenever(...)"
                    )
            except TaskMatrixError as error:
                self.found.problem = self.found.problem or str(error)
                made = None
                self.code(each, "the library refuses it")
            text = ast.unparse(each)
            drawn = made if isinstance(made, Transition) else None
            self.found.transitions.append(TransitionSource(number, text, each.lineno, drawn))


def _named(name: str) -> type:
    return type(name, (), {})
