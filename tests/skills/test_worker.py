from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError

import pytest

from taskmatrix.skills.planning.worker import Worker, WorkerDiedError, WorkerRaisedError

LONG = 60.0  # [s]; nothing here takes so long, but would hang
HUGE = 10_000_000  # bytes, which no pipe takes at once


@pytest.fixture
def worker() -> Iterator[Worker]:
    made = Worker(os.getpid)
    yield made
    made.close()


def test_answers_come_from_one_other_process(worker: Worker) -> None:
    """One after the other, however large."""
    first, second = worker.ask(os.getpid), worker.ask(os.getpid)
    assert first.result(LONG) == second.result(LONG) != os.getpid()
    assert worker.ask(len, bytes(HUGE)).result(LONG) == HUGE
    assert len(worker.ask(bytes, HUGE).result(LONG)) == HUGE


def test_what_raises_comes_with_its_trace_and_the_process_goes_on(worker: Worker) -> None:
    with pytest.raises(WorkerRaisedError, match="ValueError: invalid literal"):
        worker.ask(int, "x").result(LONG)
    assert worker.ask(int, "3").result(LONG) == 3


def test_what_cannot_be_sent_harms_nobody_else(worker: Worker) -> None:
    with pytest.raises(Exception, match="pickle"):
        worker.ask(len, lambda: 0).result(LONG)
    assert worker.ask(int, "3").result(LONG) == 3


@pytest.mark.parametrize("question", [(len, bytes(HUGE)), (bytes, HUGE), (time.sleep, LONG)])
def test_a_death_is_noticed_wherever_it_happens(worker: Worker, question: tuple[object, ...]) -> None:
    """While it is told something large, while it answers, while it works; what waits behind it fails as well."""
    pid = worker.ask(os.getpid).result(LONG)
    os.kill(pid, signal.SIGSTOP)
    asked, behind = worker.ask(*question), worker.ask(os.getpid)  # type: ignore[arg-type]
    os.kill(pid, signal.SIGKILL)
    for future in (asked, behind):
        with pytest.raises(WorkerDiedError, match="exit code -9"):
            future.result(LONG)
    assert not worker.alive
    with pytest.raises(WorkerDiedError, match="before"):
        worker.ask(os.getpid).result(LONG)


def test_what_waits_is_cancelled_when_it_is_closed() -> None:
    """And what is under way ends with the process."""
    worker = Worker(os.getpid)
    pid = worker.ask(os.getpid).result(LONG)
    busy, waiting = worker.ask(time.sleep, LONG), worker.ask(len, bytes(HUGE))
    worker.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    for future in (busy, waiting):
        with pytest.raises((WorkerDiedError, CancelledError)):
            future.result(0.0)


def test_a_process_that_cannot_begin_is_dead() -> None:
    worker = Worker(int, "x")
    with pytest.raises(WorkerDiedError, match="exit code 1"):
        worker.ask(os.getpid).result(LONG)
    worker.close()
