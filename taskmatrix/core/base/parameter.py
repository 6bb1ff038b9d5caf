"""Parameters and outputs of behaviors: declared once in the class, validated wherever a value comes in."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import wraps
from typing import Any, ClassVar, Generic, Protocol, TypeVar, overload

import numpy as np

from .errors import NoValueError, ParameterError, ReservedNameError, not_found
from .message import MessageKind
from .names import NameGuard, spelled

T = TypeVar("T")
_MISSING: Any = object()
_WORDS: dict[type, str] = {str: "a string", int: "an integer", float: "a number", bool: "true or false"}
# what events and states call otherwise
_NOT_OUTPUTS = frozenset({"message", "failed", "behavior", "final", "optional", "wires", "line"}).union(
    kind.value.replace("-", "_") for kind in MessageKind
)
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}


class Declared(Generic[T]):
    """A typed, named attribute of a behavior class."""

    noun: ClassVar[str] = "output"

    @spelled
    def __init__(self, type: type[T], doc: str = "") -> None:
        if not inspect.isclass(type):
            raise ParameterError(f"the type of an {self.noun} is a class, not {type!r}")
        self.type = type
        self.doc = doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def _in_type(self, value: object) -> object:
        """The value in its type: numpy's numbers are Python's, and an integer will do for a float."""
        given = value
        if isinstance(value, np.generic):
            value = value.item()
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, self.type) or (isinstance(value, bool) and self.type in (int, float)):
            words = _WORDS.get(self.type, f"of type {self.type.__name__}")
            raise ParameterError(f"{self.noun} '{self.name}' has to be {words}, not {given!r} ({type(given).__name__})")
        return value


class Setting(Declared[T]):
    """A value with a type, bounds and perhaps a default, validated wherever it comes in.

    Args:
        type: ``str``, ``int``, ``float`` or ``bool``; an int is taken where a float is asked for.
        default: Value when none is given. None is allowed as a default.
        doc: One line for people, with the unit.
        minimum: Smallest number allowed.
        maximum: Largest number allowed.
        choices: The only strings allowed; any unless given.

    Raises:
        ParameterError: The type is none of the four, or the bounds are none for it.
    """

    noun: ClassVar[str] = "setting"

    @spelled
    def __init__(
        self,
        type: type[T],
        default: T | None = _MISSING,
        doc: str = "",
        minimum: float | None = None,
        maximum: float | None = None,
        choices: Collection[str] = (),
    ) -> None:
        if type not in _WORDS:
            raise ParameterError(f"a {self.noun} is a str, int, float or bool, not {type!r}")
        super().__init__(type, doc)
        for what, bound in (("minimum", minimum), ("maximum", maximum)):
            if bound is not None and not (type in (int, float) and isinstance(bound, (int, float))):
                raise ParameterError(f"only numbers have a {what}, and that is one, not {bound!r}")
        if choices and (type is not str or isinstance(choices, str)):
            raise ParameterError(f"choices are those of a str, several strings, not {choices!r}")
        self.default = default
        self.minimum = minimum
        self.maximum = maximum
        self.choices = tuple(choices)

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is _MISSING

    def check_default(self, who: str) -> None:
        """Take the default in its type, or raise ParameterError with the class that declares it."""
        try:
            self.default = self.validate(self.default)
        except ParameterError as error:
            raise ParameterError(f"default in {who}: {error}") from None

    def validate(self, value: object) -> T:
        """Return the value in its type, or raise ParameterError."""
        if value is None and self.default is None:
            return value  # type: ignore[return-value]
        what = f"{self.noun} '{self.name}'"
        value = self._in_type(value)
        if isinstance(value, (int, float)):
            if not math.isfinite(value):
                raise ParameterError(f"{what} has to be a finite number, not {value!r}")
            if self.minimum is not None and value < self.minimum:
                raise ParameterError(f"{what} is {value!r}; the smallest allowed is {self.minimum}")
            if self.maximum is not None and value > self.maximum:
                raise ParameterError(f"{what} is {value!r}; the largest allowed is {self.maximum}")
        if self.choices and value not in self.choices:
            raise ParameterError(f"{what}: {not_found('choice', str(value), self.choices)}")
        return value  # type: ignore[return-value]

    def parse(self, text: str) -> T:
        """Read the value from text, as given on the command line; raises ParameterError."""
        converted: object
        try:
            converted = _TRUTH[text.lower()] if self.type is bool else self.type(text)  # type: ignore[call-arg]
        except (ValueError, KeyError):
            raise ParameterError(f"{self.noun} '{self.name}' has to be {_WORDS[self.type]}, not '{text}'") from None
        return self.validate(converted)


class Parameter(Setting[T]):
    """A parameter of a behavior.

    Declared in the class body; as an attribute of an instance it is the value. In a machine's body the declaration
    itself is passed to a state to wire the machine's parameter to the state's.

    Args:
        type: ``str``, ``int``, ``float`` or ``bool``; an int is taken where a float is asked for.
        default: Value when none is given; without one the parameter is required. None is allowed as a default.
        doc: One line for people, with the unit.
        minimum: Smallest number allowed.
        maximum: Largest number allowed.
        choices: The only strings allowed; any unless given.
        known: The value is the id of an object, which has to be known when the behavior starts; else it fails with
            ``unknown_object``.

    Raises:
        ParameterError: The type is none of the four, or what is to be known is not a string.

    Example:
        >>> Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time").validate("5")
        Traceback (most recent call last):
        ...
        taskmatrix.core.base.errors.ParameterError: parameter '' has to be a number, not '5' (str)
    """

    noun: ClassVar[str] = "parameter"

    @spelled
    def __init__(
        self,
        type: type[T],
        default: T | None = _MISSING,
        doc: str = "",
        minimum: float | None = None,
        maximum: float | None = None,
        choices: Collection[str] = (),
        known: bool = False,
    ) -> None:
        super().__init__(type, default, doc, minimum, maximum, choices)
        if known and type is not str:
            raise ParameterError(f"the id of a known object is a str, not {type!r}")
        self.known = known

    @overload
    def __get__(self, instance: None, owner: type) -> Parameter[T]: ...
    @overload
    def __get__(self, instance: Parameterised, owner: type) -> T: ...
    def __get__(self, instance: Parameterised | None, owner: type) -> Parameter[T] | T:
        if instance is None:
            return self
        try:
            value: T = instance.parameters[self.name]
        except KeyError:
            raise NoValueError(f"parameter '{self.name}' of {owner.__name__} has no value yet") from None
        return value

    def __set__(self, instance: Parameterised, value: T) -> None:
        instance.set_parameters(**{self.name: value})


class Publishing(Protocol):
    """What an output is an attribute of."""

    @property
    def outputs(self) -> dict[str, Any]:
        """What was published, by name."""
        ...


class Output(Declared[T]):
    """A value that a behavior finds out and publishes by ``parameter-set``; machines wire it to other states."""

    @overload
    def __get__(self, instance: None, owner: type) -> Output[T]: ...
    @overload
    def __get__(self, instance: Publishing, owner: type) -> T | None: ...
    def __get__(self, instance: Publishing | None, owner: type) -> Output[T] | T | None:
        if instance is None:
            return self
        value: T | None = instance.outputs.get(self.name)
        return value

    def validate(self, value: object) -> object:
        """Return the value in its type, None as it is, or raise ParameterError."""
        return None if value is None else self._in_type(value)


class Parameterised(NameGuard):
    """What has parameters and outputs, declared in the class body and inherited.

    Raises:
        ReservedNameError: When the class is made: a name is one of the library's.
        ParameterError: When the class is made: a name is taken by something else, or a default is wrong. When
            values come in: a parameter is unknown, of the wrong type or out of range.
    """

    declared: ClassVar[Mapping[str, Parameter[Any]]] = {}
    published: ClassVar[Mapping[str, Output[Any]]] = {}

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.__parameters = {key: each.default for key, each in self.declared.items() if not each.required}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "__init__" in vars(cls):
            cls.__init__ = _completed(cls.__init__)  # type: ignore[method-assign]
        found: dict[str, Declared[Any]] = {}
        for base in reversed(cls.__mro__):
            for name, value in vars(base).items():
                if isinstance(value, Declared):
                    if name not in found and any(hasattr(other, name) for other in base.__mro__[1:]):
                        raise ParameterError(f"{cls.__name__} declares '{name}', a name that its base already uses")
                    found[name] = value
                elif name in found:
                    raise ParameterError(
                        f"{cls.__name__} replaces the parameter or output '{name}' by {value!r}; for another default, "
                        f"declare it again: {name} = Parameter({found[name].type.__name__}, default=...)"
                    )
        cls.declared = {name: value for name, value in found.items() if isinstance(value, Parameter)}
        cls.published = {name: value for name, value in found.items() if isinstance(value, Output)}
        needs = vars(cls).get("needs", ())
        if not (isinstance(needs, (tuple, list)) and all(isinstance(chain, str) for chain in needs)):
            one = f"; a single one needs a comma after it: needs = ({needs!r},)" if isinstance(needs, str) else ""
            raise ParameterError(f"the needs of {cls.__name__} are {needs!r}, not a tuple of names of chains{one}")
        for name in _NOT_OUTPUTS.intersection(cls.published):
            raise ReservedNameError(f"{cls.__name__}: an output cannot be called '{name}', as states use that name")
        for parameter in cls.declared.values():
            if not parameter.required:
                parameter.check_default(cls.__name__)

    @property
    def parameters(self) -> dict[str, Any]:
        """The present values, by name."""
        try:
            return self.__parameters
        except AttributeError:
            who = type(self).__name__
            raise AttributeError(
                f"a '{who}' is not made yet: its __init__ has to call super().__init__() first"
            ) from None

    def set_parameters(self, **values: Any) -> None:
        """Set parameters; all of them, or none when one is wrong (ParameterError)."""
        who = type(self).__name__
        checked = {}
        for name, value in values.items():
            parameter = find(self.declared, name, who, _options(type(self)) if name not in self.declared else ())
            try:
                checked[name] = parameter.validate(value)
            except ParameterError as error:
                raise ParameterError(f"{who}: {error}") from None
        self.parameters.update(checked)


def _completed(init: Callable[..., None]) -> Callable[..., None]:
    """An ``__init__`` that notices where it has not called that of its base class."""

    @wraps(init)
    def made(self: Parameterised, *args: Any, **kwargs: Any) -> None:
        init(self, *args, **kwargs)
        _ = self.parameters

    return made


def find(
    declared: Mapping[str, Parameter[Any]], name: str, behavior: str, options: Iterable[str] = ()
) -> Parameter[Any]:
    """Look up a parameter by name; raises ParameterError with the nearest, of ``options`` too."""
    if name not in declared:
        raise ParameterError(not_found("parameter", name, [*declared, *options], behavior))
    return declared[name]


def _options(cls: type) -> list[str]:
    """What else than parameters is given by name when one is made."""
    given = list(inspect.signature(cls.__init__).parameters.values())[1:]  # type: ignore[misc]
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return [each.name for each in given if each.kind in named and each.name != "name"]


def given_by_name(cls: type[Parameterised], positional: Sequence[object]) -> None:
    """Raise ParameterError, with what to write, where parameters are not given by name."""
    if positional:  # no type checker lets it pass
        names = [*cls.declared, *["..."] * len(positional)]
        example = ", ".join(f"{key}={value!r}" for key, value in zip(names, positional, strict=False))
        raise ParameterError(f"parameters are given by name: {cls.__name__}({example})")
