"""Components, read from their text without running it."""

from __future__ import annotations

import ast
from typing import Any

from taskmatrix.core.base.errors import ComponentError, TaskMatrixError
from taskmatrix.core.base.parameter import Output, Setting
from taskmatrix.core.components.component import HOOKS, Component
from taskmatrix.core.components.modal_component import ModalComponent
from taskmatrix.core.components.mode import Mode
from taskmatrix.core.components.modulation import Modulation
from taskmatrix.core.components.part import Part
from taskmatrix.session.graph import component_graph

from .class_reading import ClassReader
from .evaluation import Evaluator, Unknown, UnreadComponent
from .sources import ComponentSource, ModeSource, PartSource, SettingSource, SwitchSource, assigned, pairs

DECLARED = (Setting, Output, Part, Mode)
NOT_OVERRIDDEN = ("inform", "work", "act")  # by what has modes


class ComponentReader(ClassReader):
    """Reads the body of one component."""

    found: ComponentSource

    def __init__(self, node: ast.ClassDef, base: type[Component], evaluate: Evaluator, lines: list[str]) -> None:
        modal = issubclass(base, ModalComponent)
        super().__init__(ComponentSource(node.name, node.lineno, modal=modal), node, evaluate, lines)
        self.base = base
        self.found.frequency = next((ast.unparse(each.value) for each in node.keywords if each.arg == "frequency"), "")

    def statement(self, statement: ast.stmt) -> None:
        """Take up what is declared, and transitions between modes."""
        name, value = assigned(statement)
        if value is not None:
            self._declared(name, value, statement)
        elif isinstance(statement, ast.Assign) and (several := list(pairs(statement))):
            for name, value in several:
                self._declared(name, value, statement)
        elif isinstance(statement, ast.Assign) and not isinstance(statement.value, ast.Call):
            return  # an attribute under several names
        elif isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.found.methods.append(statement.name)
            for decorator in statement.decorator_list:
                self._decorated(decorator, statement.name)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call) and _is_to(statement.value):
            self._switch(statement.value, "")
        else:
            self.other(statement)

    def made(self) -> type[Any]:
        """The class that the library makes of it; a stand-in where it refuses it, or not all could be read."""
        found = self.found
        if found.problem or not found.checked:
            return UnreadComponent
        namespace = {name: each for name, each in self.scope.items() if isinstance(each, DECLARED) or name == "needs"}
        namespace |= {name: _called(name) for name in found.methods if not _is_hook(name, found.modal)}
        namespace["__doc__"] = ast.get_docstring(self.node)
        try:
            keywords = {each.arg: self.evaluate(each.value, {}) for each in self.node.keywords if each.arg}
            if any(isinstance(each, Unknown) for each in (*keywords.values(), *namespace.values())):
                return UnreadComponent
            metaclass: Any = type(self.base)
            made: type[Component] = metaclass(found.name, (self.base,), namespace, **keywords)
            if not found.unread and (found.modes or not found.modal):
                component_graph(made, 0)  # what cannot be put together is refused as well
            found.made = made
        except TaskMatrixError as error:
            found.problem = str(error)
        return found.made or UnreadComponent

    def _declared(self, name: str, value: ast.expr, statement: ast.stmt) -> None:
        made = self.scope[name] = self.evaluate(value, self.scope)
        if not isinstance(value, ast.Call):
            return
        arguments = {each.arg: ast.unparse(each.value) for each in value.keywords if each.arg is not None}
        if isinstance(made, Setting):
            made.name = name
            kept = self.found.modulations if isinstance(made, Modulation) else self.found.parameters
            kept[name] = SettingSource(ast.unparse(value), value.lineno, made)
        elif isinstance(made, Part):
            made.attribute = name
            if made.component is UnreadComponent:
                self.found.unread.append(ast.unparse(value.args[0]))
            self.found.parts[name] = PartSource(name, ast.unparse(value.args[0]), arguments, value.lineno, made)
        elif isinstance(made, Mode):
            made.name = name
            self.found.modes[name] = ModeSource(name, arguments, value.lineno, made)
        elif isinstance(made, Unknown) and self._makes(value):
            self.code(statement, "its value is known only when it runs")

    def _makes(self, value: ast.Call) -> bool:
        """Whether a call makes something that is drawn, if with what is not known."""
        called = self.evaluate(value.func, self.scope)
        return isinstance(called, type) and issubclass(called, DECLARED)

    def _decorated(self, decorator: ast.expr, method: str) -> None:
        if isinstance(decorator, ast.Call) and _is_to(decorator):
            self._switch(decorator, method)
        elif isinstance(decorator, ast.Attribute) and decorator.attr == "code":
            mode = self._mode(decorator.value)
            if mode is None:
                self.code(decorator, "it is about a mode of another class")
            else:
                mode.made.code(_nothing)
                mode.code = method

    def _switch(self, call: ast.Call, method: str) -> None:
        assert isinstance(call.func, ast.Attribute)
        mode = self._mode(call.func.value)
        given = {"target": call.args[0]} if call.args else {}
        given |= {"after": call.args[1]} if len(call.args) > 1 else {}
        given |= {each.arg: each.value for each in call.keywords if each.arg is not None}
        values = {name: self.evaluate(each, self.scope) for name, each in given.items()}
        if mode is None or any(isinstance(each, Unknown) for each in values.values()):
            self.code(call, "it is about a mode of another class" if mode is None else "it is known only when it runs")
            return
        line = self.evaluate.line(call)
        try:
            made = mode.made.to(**values)
        except TaskMatrixError as error:
            raise ComponentError(f"{str(error).partition(chr(10))[0]}\n  {line}") from None
        made.line = line
        if method:
            made(_called(method))
        target = next((name for name, each in self.found.modes.items() if each.made is made.target), "")
        after = ast.unparse(given["after"]) if "after" in given else ""
        number = len(self.found.switches)
        self.found.switches.append(SwitchSource(number, mode.name, target, after, method, call.lineno, made))

    def _mode(self, value: ast.expr) -> ModeSource | None:
        """The mode that is meant, if it is one of this class."""
        return self.found.modes.get(value.id) if isinstance(value, ast.Name) else None


def _is_hook(name: str, modal: bool) -> bool:
    """Whether a method is one that components have; those that modes take the place of are not."""
    return name.startswith("_") or (name in HOOKS and not (modal and name in NOT_OVERRIDDEN))


def _is_to(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr == "to"


def _nothing(self: object) -> None:
    """In the place of a method of the program, which is not run."""


def _called(name: str) -> Any:
    """What stands in for a method, with its name."""

    def method(self: object) -> None:
        """Nothing."""

    method.__name__ = name
    return method
