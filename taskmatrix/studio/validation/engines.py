"""Engines by name: Dask, and those that other packages name in entry points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import entry_points

from taskmatrix.core.base.errors import NotFoundError

from .engine import Engine, Open
from .work import Run

ENTRY_POINTS = "taskmatrix.engines"


def open_engine(name: str, processes: int, run: Run) -> Engine:
    """Open an engine.

    Args:
        name: ``dask`` for a cluster of this machine, made for these runs, ``dask://HOST:PORT`` for an existing
            scheduler, or another engine by the name of its entry point.
        processes: How many to start, by engines that start some.
        run: Runs a case; a function of a module that the workers have, too.

    Raises:
        NotFoundError: There is no such engine.
        EngineError: It cannot be reached.
        MissingDependencyError: It needs a package that is not installed.
    """
    kind, _, address = name.partition("://")
    known = _engines()
    if kind not in known:
        raise NotFoundError("engine", kind, known)
    return known[kind]()(address, processes, run)


def _engines() -> Mapping[str, Callable[[], Open]]:
    def dask() -> Open:
        from .dask_engine import open_dask  # noqa: PLC0415 - takes a second to load

        return open_dask

    others: dict[str, Callable[[], Open]] = {point.name: point.load for point in entry_points(group=ENTRY_POINTS)}
    return {**others, "dask": dask}
