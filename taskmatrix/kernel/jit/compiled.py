"""How this package's functions are compiled: to machine code, on the first call, kept on disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit, types

from .machine_code import MachineCode

Function = TypeVar("Function", bound=Callable[..., Any])

CODE = MachineCode("kernel", Path(__file__).parents[1])
_load_all: list[Callable[[], object]] = []  # what has all compiled functions ready
REORDER = {"reassoc", "contract", "arcp", "nsz"}  # what fast mathematics may do; NaN and infinity keep their meaning


def compiled(function: Function) -> Function:
    """Compile a function of numbers, arrays and named tuples of arrays; it does not hold the interpreter's lock."""
    return _compile(function, inline=False, counted=True)


def inlined(function: Function) -> Function:
    """Likewise, and put it in place wherever compiled code calls it.

    Worth its compilation for what inner loops call with many arrays: a named tuple of ten takes 0.1 microseconds to
    hand over.
    """
    return _compile(function, inline=True, counted=True)


def bare(function: Function) -> Function:
    """Compile a function that makes no arrays, and calls only such: it does not count references to them.

    With a dozen arrays handed over, to count them costs more than most calls.
    """
    return _compile(function, inline=False, counted=False)


def bare_inlined(function: Function) -> Function:
    """Likewise, and put it in place wherever compiled code calls it."""
    return _compile(function, inline=True, counted=False)


def _compile(function: Function, inline: bool, counted: bool) -> Function:
    how = {
        "nogil": True,
        "fastmath": REORDER,
        "error_model": "numpy",
        "forceinline": inline,
        "_nrt": counted,
        "no_cfunc_wrapper": True,
    }
    CODE.functions.append(function)
    part = njit(no_cpython_wrapper=True, **how)(function)
    return cast(Function, _with_part(CODE.keep(njit(**how)(function)), part))


def _with_part(entry: Any, part: Any) -> Any:
    """Have what is compiled call ``part``, the same function without what it takes to call it from Python.

    To make numbers of Python's objects, for two dozen arrays, takes longer to compile than most functions. And there is
    one version of it for whole numbers and one for others: Numba would make another for every constant handed over and,
    in a loop, one for what a variable is in the first round and nowhere else.
    """
    own_template, own_overload = entry.get_call_template, entry.get_overload

    def template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        args, kws = tuple(map(_kind, args)), {name: _kind(value) for name, value in kws.items()}
        return (own_template if args in entry.overloads else part.get_call_template)(args, kws)

    def overload(args: tuple[Any, ...]) -> Any:
        return (own_overload if args in entry.overloads else part.get_overload)(args)

    entry.get_call_template, entry.get_overload = template, overload
    return entry


def _kind(type: Any) -> Any:
    type = types.unliteral(type)
    return types.float64 if type == types.float32 else type


def loads_all(function: Function) -> Function:
    """Name the function that has all compiled functions ready."""
    _load_all[:] = [function]
    return function


def have_ready() -> None:
    """Have all compiled functions ready before the first of them is called, so that all come in one order."""
    for load in _load_all:
        load()
