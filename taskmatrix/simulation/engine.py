"""PyBullet, loaded when it is needed."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from taskmatrix.core.base.errors import MissingDependencyError


def import_bullet(what: str) -> ModuleType:
    """The module ``pybullet``.

    Args:
        what: Who needs it: ``physics needs``.

    Raises:
        MissingDependencyError: It is not installed; says how to get it.
    """
    try:
        with quiet():
            import pybullet  # noqa: PLC0415 - only physics needs it
    except ImportError as error:
        raise MissingDependencyError(
            f"{what} pybullet, which has wheels for CPython 3.10 and 3.11: use one of these and "
            "`pip install pybullet`, or sim='mujoco'; everything else works without it"
        ) from error
    module: ModuleType = pybullet
    return module


@contextmanager
def quiet() -> Iterator[None]:
    """Discard what C code writes to standard output and error: PyBullet greets, and tells of what it decomposes."""
    sys.stdout.flush()
    sys.stderr.flush()
    kept = os.dup(1), os.dup(2)
    nothing = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 1)
        os.dup2(nothing, 2)
        yield
    finally:
        for here, descriptor in zip(kept, (1, 2), strict=True):
            os.dup2(here, descriptor)
            os.close(here)
        os.close(nothing)
