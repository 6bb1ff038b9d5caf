"""Names: how a class's name is written elsewhere, and which names a user's class may not take."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache, wraps
from typing import TYPE_CHECKING, Any, ClassVar, ParamSpec, TypeVar

from .errors import ParameterError, ReservedNameError, TaskMatrixError, not_found
from .source import mistake, written_at

P = ParamSpec("P")
T = TypeVar("T")


def in_lower_case(name: str, between: str) -> str:
    """``PickAndPlace`` with ``-`` between its words: ``pick-and-place``."""
    return re.sub("(?<=[a-z0-9])(?=[A-Z])", between, name).lower()


def spelled(function: Callable[P, T], called: str = "") -> Callable[P, T]:
    """Answer a call of a function with an argument that it does not have with the nearest that it has.

    Args:
        function: A function, a method that makes or calls something, or a class.
        called: What its user calls it; by its own name, or that of the object's class, unless given.
    """
    known = [name for name in inspect.signature(function).parameters if name != "self"]

    @wraps(function)
    def call(*args: P.args, **named: P.kwargs) -> T:
        for name in named:
            if name not in known:
                made = function.__name__ in ("__init__", "__call__")
                what = called or (type(args[0]).__name__ if made else function.__name__)
                raise ParameterError(not_found("argument", name, known, f"{what}(...)"))
        return function(*args, **named)

    return call


class Spelled:
    """Base of classes that answer an argument which they do not have with the nearest that they have.

    Raises:
        ParameterError: There is no such argument.
    """

    if not TYPE_CHECKING:  # a type checker reads the arguments of __init__, and misses none

        def __new__(cls, *args, **named):  # noqa: D102 - as the class says
            known = _arguments(cls)
            for name in named:
                if known is not None and name not in known:
                    raise ParameterError(not_found("argument", name, known, f"{cls.__name__}(...)"))
            return super().__new__(cls)


@cache
def _arguments(cls: type) -> tuple[str, ...] | None:
    """What a class takes by name when one is made; None where that is anything."""
    given = list(inspect.signature(cls.__init__).parameters.values())[1:]  # type: ignore[misc]
    return None if any(each.kind is each.VAR_KEYWORD for each in given) else tuple(each.name for each in given)


class NameGuard:
    """Base of the classes that users subclass: a name of the library's cannot be taken by accident.

    Private names of these classes have two leading underscores, which Python keeps apart from those of subclasses.
    Public names are reserved, in the body of a class and on instances, but for the hooks that subclasses override.

    Class keywords:
        hooks: Of a base class: names that its subclasses may override; all others that it has are reserved.
        attributes: Of a base class: attributes of instances that are reserved in class bodies, and may be set.
        overrides: Reserved names that a class overrides on purpose.

    Raises:
        ReservedNameError: A class or an instance takes a reserved name.
        TaskMatrixError: A hook could not be called, or there is no such class keyword.
    """

    __known: ClassVar[tuple[type, ...]] = ()  # the base class and its bases
    __hooks: ClassVar[Mapping[str, object]] = {}
    __reserved: ClassVar[frozenset[str]] = frozenset()
    __fixed: ClassVar[frozenset[str]] = frozenset()  # what cannot be set on instances

    def __init_subclass__(
        cls,
        hooks: Iterable[str] | None = None,
        attributes: Iterable[str] = (),
        overrides: Iterable[str] = (),
        **unknown: Any,
    ) -> None:
        for keyword in unknown:
            known = {name for base in cls.__mro__ for name in _class_keywords(base)}
            raise TaskMatrixError(not_found("class keyword", keyword, known, cls.__name__))
        super().__init_subclass__()
        if hooks is None:
            cls.__check(frozenset(overrides))
            return
        cls.__known = cls.__mro__
        noted = {name: None for base in cls.__mro__ for name in vars(base).get("__annotations__", ())}
        names = {name: inspect.getattr_static(cls, name, None) for name in {**noted, **dict.fromkeys(dir(cls))}}
        names = {name: value for name, value in names.items() if not name.startswith("__")}
        cls.__hooks = {name: names[name] for name in (*cls.__hooks, *hooks)}
        cls.__reserved = cls.__reserved.union(names, attributes).difference(cls.__hooks)
        free = {name for name in cls.__hooks if not inspect.isfunction(names[name])}
        free |= {name for name, value in names.items() if isinstance(value, property) and value.fset}
        cls.__fixed = frozenset(names).difference(attributes, free)

    @classmethod
    def __check(cls, overrides: frozenset[str]) -> None:
        mixed_in = [base for base in cls.__mro__ if base not in cls.__known and not issubclass(base, NameGuard)]
        for name, value in {name: value for base in (*mixed_in, cls) for name, value in vars(base).items()}.items():
            hook = cls.__hooks.get(name)
            if name in cls.__reserved - overrides or (inspect.isfunction(hook) and not _is_method(value)):
                hint = f", or override a hook: {', '.join(sorted(cls.__hooks))}" if inspect.isfunction(value) else ""
                raise mistake(_reserved(cls, name) + hint, *written_at(value), error=ReservedNameError)
            if inspect.isfunction(hook) and inspect.isfunction(value):
                called = [
                    each.name for each in inspect.signature(hook).parameters.values() if each.kind < each.VAR_KEYWORD
                ]
                try:
                    inspect.signature(value).bind(*called)
                except TypeError:
                    given = ", ".join(inspect.signature(value).parameters)
                    message = f"{cls.__name__}.{name}({given}) is called as {name}({', '.join(called[1:])})"
                    raise mistake(f"{message}, after self", *written_at(value), error=TaskMatrixError) from None

    if not TYPE_CHECKING:  # a type checker would take every attribute to be there

        def __setattr__(self, name, value):
            if name in self.__fixed:
                raise ReservedNameError(_reserved(type(self), name))
            super().__setattr__(name, value)


def _reserved(cls: type, name: str) -> str:
    return f"{cls.__name__}: '{name}' is a name of the library's; choose another"


def _is_method(value: object) -> bool:
    return isinstance(value, (staticmethod, classmethod)) or callable(value)


def _class_keywords(base: type) -> list[str]:
    method = vars(base).get("__init_subclass__")
    if not isinstance(method, classmethod):
        return []
    parameters = list(inspect.signature(method.__func__).parameters.values())[1:]
    return [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
