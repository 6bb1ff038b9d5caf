from __future__ import annotations

import logging

import pytest

from taskmatrix.core.base.compilation import LINES, CompileProgress, counted, log_progress


def test_a_log_gets_a_few_lines_however_many_functions_there_are(caplog: pytest.LogCaptureFixture) -> None:
    """The first at once, the last when all are compiled."""
    report = log_progress()
    with caplog.at_level(logging.WARNING, "taskmatrix"):
        for done in range(101):
            report(CompileProgress("the kernel", done, 100))
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == LINES + 1
    assert lines[0] == "compiling the kernel: 0 of 100 functions"
    assert lines[-1] == "compiling the kernel: 100 of 100 functions"


def test_functions_are_counted_once_each_and_others_not() -> None:
    """Versions of one function for other types do not count, nor does what is none of ours."""
    numba = pytest.importorskip("numba")

    def first(x):  # type: ignore[no-untyped-def]
        return x + 1

    def second(x):  # type: ignore[no-untyped-def]
        return x * 2

    told: list[int] = []
    with counted([first], told.append):
        for function, value in ((first, 1), (first, 1.0), (second, 1)):
            numba.njit(function)(value)
    assert told == [1]
