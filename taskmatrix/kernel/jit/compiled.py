"""How this package's functions are compiled: to machine code, on the first call, kept on disk."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, TypeVar, cast

from llvmlite.binding import get_host_cpu_features, get_host_cpu_name
from numba import config, njit, types

Function = TypeVar("Function", bound=Callable[..., Any])
Done = TypeVar("Done")

FUNCTIONS: list[Callable[..., Any]] = []
"""All that are compiled, in the order in which they are defined."""
_load_all: list[Callable[[], object]] = []  # what has all compiled functions ready
KERNEL = Path(__file__).parents[1]
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
    FUNCTIONS.append(function)
    part = njit(no_cpython_wrapper=True, **how)(function)
    if why_not_kept():
        return cast(Function, _with_part(njit(**how)(function), part))
    usual = config.CACHE_DIR
    try:
        config.CACHE_DIR = str(cache_folder())  # Numba reads it while it decorates
        return cast(Function, _with_part(njit(cache=True, **how)(function), part))
    finally:
        config.CACHE_DIR = usual


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


@cache
def cache_folder() -> Path:
    """Where machine code is kept: beneath ``NUMBA_CACHE_DIR``, or the user's cache folder.

    Its name changes with every file of this package, because what Numba keeps contains the functions that a function
    calls, but Numba itself would only notice a change in the function's own file. And with all else that makes Numba
    compile again: where and how old the files are, Python, Numba and the processor.
    """
    digest = hashlib.sha256()
    for file in sorted(KERNEL.rglob("*.py")):
        digest.update(f"{file} {file.stat().st_mtime_ns}".encode() + file.read_bytes())
    processor = config.CPU_NAME or get_host_cpu_name(), config.CPU_FEATURES or get_host_cpu_features().flatten()
    digest.update(repr((sys.implementation.cache_tag, version("numba"), version("llvmlite"), *processor)).encode())
    usual = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(config.CACHE_DIR or usual) / "taskmatrix" / f"kernel-{digest.hexdigest()[:16]}"


@cache
def why_not_kept() -> str:
    """Why the folder cannot be written, so that nothing is kept; empty if it can."""
    try:
        cache_folder().mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=cache_folder()).close()
    except OSError as error:
        return error.strerror or str(error)
    return ""


def loads_all(function: Callable[[], Done]) -> Callable[[], Done]:
    """Name the function that has all compiled functions ready."""
    _load_all[:] = [function]
    return function


def have_ready() -> None:
    """Have all compiled functions ready before the first of them is called, so that all come in one order."""
    for load in _load_all:
        load()
