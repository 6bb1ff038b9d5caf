"""Whether a behavior can say a message, from the source of its methods; where in doubt, it can."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from types import FunctionType

from .behavior import TaskBehavior
from .parameter import Declared


@cache
def says(behavior: type[TaskBehavior], method: str) -> bool:
    """Whether a behavior may call one of its own methods, such as ``goal``.

    The answer is no only if the source of every class between the behavior and the library's bases can be read, none
    mentions the method, and none hands ``self`` to somebody else who might call it.
    """
    from .machine import Machine  # noqa: PLC0415 - a machine is checked by this module

    bases = {*TaskBehavior.__mro__, Machine}
    return any(_may_call(item, method) for cls in behavior.__mro__ if cls not in bases for item in _items(cls))


def _items(cls: type) -> list[object]:
    return [value for value in vars(cls).values() if not isinstance(value, (Declared, type))]


def _may_call(item: object, method: str) -> bool:
    if isinstance(item, property):
        return any(_may_call(part, method) for part in (item.fget, item.fset, item.fdel) if part is not None)
    if isinstance(item, (staticmethod, classmethod)):
        return _may_call(item.__func__, method)
    if not isinstance(item, FunctionType):
        return callable(item) or hasattr(type(item), "__get__")
    if hasattr(item, "__wrapped__"):
        return True
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(item)))
    except (OSError, TypeError, SyntaxError):
        return True
    first = {
        arguments.args[0].arg for arguments in ast.walk(tree) if isinstance(arguments, ast.arguments) if arguments.args
    }
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    read = {id(node.value) for node in attributes}
    own = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in first]
    handed_on = any(id(node) not in read for node in own)
    receivers = {id(node) for node in own}
    return handed_on or any(
        node.attr in (method, "_say", "_send") and (id(node.value) in receivers or isinstance(node.value, ast.Call))
        for node in attributes
    )
