"""How functions of this room are compiled: to machine code, when first called, and kept in the user's cache."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from platformdirs import user_cache_path

Function = TypeVar("Function", bound=Callable[..., Any])


FUNCTIONS: list[Callable[..., Any]] = []
"""All that are compiled, in the order in which they are defined."""


def compiled(function: Function) -> Function:
    """Compile a function of numbers and arrays; it does not hold the interpreter's lock."""
    return _compile(function, counted=True)


def bare(function: Function) -> Function:
    """Compile a function that makes no arrays, and calls only such: it does not count references to them."""
    return _compile(function, counted=False)


def _compile(function: Function, counted: bool) -> Function:
    FUNCTIONS.append(function)
    how = {"nogil": True, "error_model": "numpy", "_nrt": counted}
    folder = cache_folder()
    if folder is None:
        return cast(Function, njit(**how)(function))
    usual = config.CACHE_DIR
    try:
        config.CACHE_DIR = str(folder)  # Numba reads it while it decorates
        return cast(Function, njit(cache=True, **how)(function))
    finally:
        config.CACHE_DIR = usual


@cache
def cache_folder() -> Path | None:
    """Where machine code is kept; None where it cannot be written.

    One for these files as they are, since what Numba keeps holds all that is called.
    """
    digest = hashlib.sha256()
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(f"{file} {file.stat().st_mtime_ns}".encode() + file.read_bytes())
    usual = Path(config.CACHE_DIR) / "taskmatrix" if config.CACHE_DIR else user_cache_path("taskmatrix")
    folder = usual / f"perception-{digest.hexdigest()[:16]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder
