"""How this package's functions are compiled: to machine code, on the first call, kept on disk."""

from __future__ import annotations

import hashlib
import logging
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit

LOG = logging.getLogger("taskmatrix")
Function = TypeVar("Function", bound=Callable[..., Any])

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
    usual = config.CACHE_DIR
    how = {
        "nogil": True,
        "fastmath": REORDER,
        "error_model": "numpy",
        "forceinline": inline,
        "_nrt": counted,
    }
    try:
        config.CACHE_DIR = str(cache_folder())  # Numba reads it while it decorates
        return cast(Function, njit(cache=True, **how)(function))
    except RuntimeError:  # there is nowhere to keep it
        return cast(Function, njit(**how)(function))
    finally:
        config.CACHE_DIR = usual


@cache
def cache_folder() -> Path:
    """Where machine code is kept: beneath ``NUMBA_CACHE_DIR``, or the user's cache folder.

    Its name changes with every file of this package, because what Numba keeps contains the functions that a function
    calls, but Numba itself would only notice a change in the function's own file.
    """
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.name.encode() + file.read_bytes())
    usual = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(config.CACHE_DIR or usual) / "taskmatrix" / f"kernel-{digest.hexdigest()[:16]}"


@cache
def announce() -> None:
    """Tell, once, that compiling takes a moment; nothing if it was done before."""
    if not any(cache_folder().glob("**/*.nbc")):
        LOG.warning("compiling the kernel of collision checks and planning, once: this takes about a minute")
