"""Runs many cases, in processes that may die or hang without taking the others down."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from functools import partial
from multiprocessing import get_context
from typing import Protocol

from pebble import ProcessExpired, ProcessPool

from .case import FAILURE, Case, Result

LIMIT = 900.0  # [s] of wall time for one case
CASES_OF_A_PROCESS = 50  # then it is replaced, and its memory with it


class Run(Protocol):
    """Runs one case; a function of a module, because it travels to other processes."""

    def __call__(self, case: Case, picture: str) -> Result:
        """The result of a case, and its contact sheet at a path unless that is empty."""
        ...


def work(
    cases: Sequence[Case],
    run: Run,
    processes: int,
    pictures: Mapping[Case, str] | None = None,
    limit: float = LIMIT,
) -> Iterator[Result]:
    """Run cases, and yield the results as they come.

    With one process they are run in this one, in their order, without a time limit.

    Args:
        cases: What to run, the first first.
        run: Runs one.
        processes: How many at once.
        pictures: Path of the contact sheet, for the cases that get one.
        limit: [s] Of wall time for one case; then its process is ended, and the case is a failure.
    """
    drawn = pictures or {}
    if processes <= 1:
        for case in cases:
            yield run(case, drawn.get(case, ""))
        return
    with ProcessPool(processes, CASES_OF_A_PROCESS, context=get_context("spawn")) as pool:
        pending: dict[futures.Future[Result], Case] = {}
        waiting = iter(cases)
        try:
            while True:
                for case in waiting:
                    pending[pool.schedule(run, (case, drawn.get(case, "")), timeout=limit)] = case
                    if len(pending) >= 2 * processes:
                        break
                if not pending:
                    return
                for future in futures.wait(pending, return_when=futures.FIRST_COMPLETED).done:
                    yield _result(pending.pop(future), future.result, limit)
        finally:
            if pending:  # the reader of the results has gone
                pool.stop()  # type: ignore[no-untyped-call]


def _result(case: Case, get: Callable[[], Result], limit: float) -> Result:
    failed = partial(Result, case, FAILURE)
    try:
        return get()
    except futures.TimeoutError:
        return failed("time limit", f"still running after {limit:g} s of wall time", wall=limit)
    except ProcessExpired as error:
        return failed("crash", f"its process died with exit code {error.exitcode}")
    except Exception as error:
        return failed("error", f"{type(error).__name__}: {error}")
