"""A real Ctrl-C, by the signal."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from taskmatrix.core import EventStream, FailureKind, SimulatedClock, TaskBehavior
from taskmatrix.core.behavior.executive import interrupts_wait
from taskmatrix.testing import Bench

from .samples import Each


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture
def stream() -> EventStream:
    return EventStream(SimulatedClock())


def test_a_run_ends_with_the_step_in_which_ctrl_c_is_pressed(bench: Bench) -> None:
    """The step is not torn, and Python's own handler is back afterwards."""
    done: list[str] = []

    def step(behavior: TaskBehavior) -> bool:
        press()
        done.append("to its end")
        return False

    outcome = bench.run(Each(step))
    assert outcome.failure is not None
    assert outcome.failure.kind is FailureKind.INTERRUPTED
    assert done == ["to its end"]
    assert outcome.steps == 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_the_first_is_noted_and_the_second_cuts_in(stream: EventStream) -> None:
    """Who presses again does not want to wait for the end of the step."""
    with interrupts_wait(stream):
        press()
        assert stream.interrupted
        with pytest.raises(KeyboardInterrupt):
            press()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_handler_of_ones_own_is_left_alone(stream: EventStream) -> None:
    """A program that handles signals goes on to do so."""
    pressed: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    try:
        with interrupts_wait(stream):
            press()
    finally:
        signal.signal(signal.SIGINT, before)
    assert pressed == [signal.SIGINT]
    assert not stream.interrupted


def test_a_run_in_another_thread_takes_no_signals(stream: EventStream) -> None:
    """Python delivers them to the main thread only; a run elsewhere works without."""
    entered: list[bool] = []

    def run() -> None:
        with interrupts_wait(stream):
            entered.append(signal.getsignal(signal.SIGINT) is signal.default_int_handler)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert entered == [True]
