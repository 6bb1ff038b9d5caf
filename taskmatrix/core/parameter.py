"""Parameters and outputs of behaviors: declared once in the class, validated wherever a value comes in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from .errors import ParameterError, not_found

if TYPE_CHECKING:
    from .behavior import TaskBehavior

T = TypeVar("T")
_MISSING: Any = object()


class Declared(Generic[T]):
    """A typed, named attribute of a behavior class."""

    def __init__(self, type: type[T], doc: str = "") -> None:
        self.type = type
        self.doc = doc
        self.name = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


class Parameter(Declared[T]):
    """A parameter of a behavior.

    Declared in the class body; as an attribute of an instance it is the value. In a machine's body the declaration
    itself is passed to a state to wire the machine's parameter to the state's.

    Args:
        type: ``str``, ``int``, ``float`` or ``bool``; an int is taken where a float is asked for.
        default: Value when none is given; without one the parameter is required. None is allowed as a default.
        doc: One line for people, with the unit.
        minimum: Smallest number allowed.
        maximum: Largest number allowed.

    Example:
        >>> Parameter(float, default=4.0, minimum=0.0, doc="[s] shortest time").validate("5")
        Traceback (most recent call last):
        ...
        taskmatrix.core.errors.ParameterError: parameter '' has to be a float, not '5' (str)
    """

    def __init__(
        self,
        type: type[T],
        default: T | None = _MISSING,
        doc: str = "",
        minimum: float | None = None,
        maximum: float | None = None,
    ) -> None:
        super().__init__(type, doc)
        self.default = default
        self.minimum = minimum
        self.maximum = maximum

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is _MISSING

    @overload
    def __get__(self, instance: None, owner: type) -> Parameter[T]: ...
    @overload
    def __get__(self, instance: TaskBehavior, owner: type) -> T: ...
    def __get__(self, instance: TaskBehavior | None, owner: type) -> Parameter[T] | T:
        if instance is None:
            return self
        try:
            value: T = instance.parameters[self.name]
        except KeyError:
            raise ParameterError(f"parameter '{self.name}' of {owner.__name__} has no value yet") from None
        return value

    def __set__(self, instance: TaskBehavior, value: T) -> None:
        instance.set_parameters(**{self.name: value})

    def validate(self, value: object) -> T:
        """Return the value in its type, or raise ParameterError."""
        if value is None and not self.required and self.default is None:
            return value  # type: ignore[return-value]
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        wrong_bool = isinstance(value, bool) and self.type is not bool
        if not isinstance(value, self.type) or wrong_bool:
            raise ParameterError(
                f"parameter '{self.name}' has to be a {self.type.__name__}, not {value!r} ({type(value).__name__})"
            )
        if isinstance(value, (int, float)):
            if value != value:  # noqa: PLR0124 - the test for not-a-number
                raise ParameterError(f"parameter '{self.name}' is not a number")
            if self.minimum is not None and value < self.minimum:
                raise ParameterError(f"parameter '{self.name}' is {value!r}; the smallest allowed is {self.minimum}")
            if self.maximum is not None and value > self.maximum:
                raise ParameterError(f"parameter '{self.name}' is {value!r}; the largest allowed is {self.maximum}")
        return value

    def parse(self, text: str) -> T:
        """Read the value from text, as given on the command line."""
        try:
            if self.type is bool:
                return self.validate({"true": True, "yes": True, "false": False, "no": False}[text.lower()])
            converters: dict[type, Any] = {int: int, float: float, str: str}
            return self.validate(converters[self.type](text))
        except (ValueError, KeyError) as error:
            if isinstance(error, ParameterError):
                raise
            allowed = "true or false" if self.type is bool else f"a {self.type.__name__}"
            raise ParameterError(f"parameter '{self.name}' has to be {allowed}, not '{text}'") from None


class Output(Declared[T]):
    """A value that a behavior finds out and publishes by ``parameter-set``; machines wire it to other states."""

    @overload
    def __get__(self, instance: None, owner: type) -> Output[T]: ...
    @overload
    def __get__(self, instance: TaskBehavior, owner: type) -> T | None: ...
    def __get__(self, instance: TaskBehavior | None, owner: type) -> Output[T] | T | None:
        if instance is None:
            return self
        value: T | None = instance.outputs.get(self.name)
        return value


def find(declared: dict[str, Any], name: str, behavior: str) -> Any:
    """Look up a parameter by name; raises ParameterError with the nearest."""
    if name not in declared:
        raise ParameterError(not_found("parameter", name, declared, behavior))
    return declared[name]
