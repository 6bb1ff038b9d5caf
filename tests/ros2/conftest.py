"""Tests of a plant and a robot's process go by the machine's clock: where that was too busy, they are tried again."""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol

TIMED = ("test_plant", "test_told")
TRIES = 4


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Run a timed test up to four times, until it passes; what is told is its last run."""
    if item.module.__name__.rpartition(".")[2] not in TIMED:  # type: ignore[attr-defined]
        return None
    item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    for left in reversed(range(TRIES)):
        item._initrequest()  # type: ignore[attr-defined]  # fixtures anew
        reports = runtestprotocol(item, nextitem=nextitem, log=False)
        if not left or not any(report.failed for report in reports):
            break
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True
