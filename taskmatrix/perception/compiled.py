"""How functions of this room are compiled: to machine code, when first called, and kept in the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

from taskmatrix.kernel.jit.machine_code import MachineCode

Function = TypeVar("Function", bound=Callable[..., Any])
CODE = MachineCode("perception", Path(__file__).parent)


def compiled(function: Function) -> Function:
    """Compile a function of numbers and arrays; it does not hold the interpreter's lock."""
    return _compile(function, counted=True)


def bare(function: Function) -> Function:
    """Compile a function that makes no arrays, and calls only such: it does not count references to them."""
    return _compile(function, counted=False)


def _compile(function: Function, counted: bool) -> Function:
    CODE.functions.append(function)
    return cast(Function, CODE.keep(njit(nogil=True, error_model="numpy", _nrt=counted)(function)))
