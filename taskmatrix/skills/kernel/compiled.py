"""Functions compiled to machine code by numba and kept on disk."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba.core import config
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., object])
LOG = logging.getLogger("taskmatrix")


def cache_folder() -> Path:
    """Where compiled functions are kept: a folder for each state of all sources, as one is compiled into another."""
    sources = hashlib.sha256(numba.__version__.encode())
    for file in sorted(Path(__file__).parent.glob("*.py")):
        sources.update(file.read_bytes())
    return user_cache_path("taskmatrix") / f"compiled-{sources.hexdigest()[:16]}"


_FOLDER = cache_folder()
_OPTIONS: dict[str, Any] = {
    "fastmath": True,
    "error_model": "numpy",
    "_nrt": False,  # nothing is allocated; to count references to the arrays of a scene costs more than most calls
}


def compiled(function: F) -> F:
    """Compile a function when it is first called; later processes load what the first has compiled."""
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_FOLDER)
    try:
        return cast(F, numba.njit(function, cache=True, **_OPTIONS))
    finally:
        config.CACHE_DIR = before


def inlined(function: F) -> F:
    """Compile a function into those that call it: handing over a scene costs as much as what a small one does."""
    return cast(F, numba.njit(function, forceinline=True, **_OPTIONS))


@cache
def announce() -> None:
    """Tell, once, that compiling takes a moment; nothing if it was done before."""
    if not any(_FOLDER.glob("**/*.nbc")):
        LOG.warning("compiling the kernel of collision checks, once: this takes about half a minute")
