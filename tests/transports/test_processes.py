"""Components in processes of their own: found, called, modulated, lost by every kind of death, and found again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import taskmatrix
from taskmatrix.core import ActivationTree, Component, PartFailed, RealClock, Remote, age
from taskmatrix.testing import Bench
from taskmatrix.transports import Zenoh

from .process import Player
from .test_zenoh_transport import free_port

pytestmark = pytest.mark.slow
TIMEOUT = 2.0  # [s] also for a machine that does other things too
PROGRAM = Path(__file__).with_name("process.py")
Start = Callable[..., "subprocess.Popen[str]"]


class Captain(Component):
    """Has the player as a part."""

    mate = Remote(Player, at="player-2", optional=True, frequency=50.0, timeout=TIMEOUT)
    wants: float | None = None

    def inform(self) -> None:
        self.mate.step()

    def work(self) -> None:
        if self.wants is not None:
            self.mate.speed = self.wants


class Here:
    """This process: a captain that runs by the real clock."""

    def __init__(self, port: int) -> None:
        self.transport = Zenoh(port=port)
        self.bench, self.clock = Bench(transport=self.transport), RealClock()
        self.captain = Captain()
        self.tree = ActivationTree(self.captain)
        self.bench.executive.prepare(self.tree)
        self.step()

    @property
    def mate(self) -> Player:
        return self.captain.mate

    def step(self) -> None:
        self.bench.executive.step(self.tree)
        now = self.clock.now()
        self.bench.context.clock.sleep_until(now)
        self.clock.sleep_until(now + 0.01)

    def until(self, holds: Callable[[], bool], within: float = 10.0) -> float:
        """Run until something holds; returns how long that took [s]."""
        began = self.clock.now()
        while not holds():
            assert self.clock.now() - began < within, "it has not come to hold"
            self.step()
        return self.clock.now() - began

    def active(self) -> bool:
        return self.mate.state == "active"


@pytest.fixture
def port() -> int:
    """For the processes of a test."""
    pytest.importorskip("zenoh")
    return free_port()


@pytest.fixture
def here(port: int) -> Iterator[Here]:
    """This process."""
    made = Here(port)
    yield made
    made.tree.force_quit()
    made.transport.close()


@pytest.fixture
def start(port: int) -> Iterator[Start]:
    """Starts a process with a player; all of them end with the test."""
    started: list[subprocess.Popen[str]] = []
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(Path(taskmatrix.__file__).parent.parent), *sys.path]),
    }

    def run(name: str = "player-2", wait: bool = True) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, str(PROGRAM), name, str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        started.append(process)
        assert process.stdout is not None
        if wait:
            assert process.stdout.readline() == "ready\n"
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def test_a_component_of_another_process_is_used_as_one_that_is_here(here: Here, start: Start) -> None:
    """Its state comes, its methods answer, what is modulated arrives."""
    assert here.mate.state == "waiting"
    start()
    here.until(here.active)
    cycles = here.mate.cycles
    here.until(lambda: here.mate.cycles > cycles + 20)
    here.until(lambda: age(here.mate) < 0.2)
    assert here.mate.double(4.0) == 8.0
    here.captain.wants = 0.7
    here.until(lambda: here.mate.last == 0.7)
    here.captain.wants = 0.2
    here.until(lambda: here.mate.last == 0.2)


@pytest.mark.parametrize("death", [signal.SIGKILL, signal.SIGSTOP])
def test_a_process_that_is_killed_or_halted_is_lost_and_found_again(here: Here, start: Start, death: int) -> None:
    """Soon; the rest of the tree goes on; calls fail in time; who comes back is found."""
    process = start()
    here.until(here.active)
    os.kill(process.pid, death)
    here.until(lambda: here.mate.failure is not None)
    assert here.mate.failure is not None
    assert 0.5 < here.mate.failure.facts["silence"] < 1.5  # type: ignore[operator]
    assert here.captain.failure is None
    began = here.clock.now()
    with pytest.raises(PartFailed):
        here.mate.double(1.0)
    assert here.clock.now() - began < 2 * TIMEOUT
    if death is signal.SIGSTOP:
        os.kill(process.pid, signal.SIGCONT)
    else:
        start()
    here.until(lambda: here.mate.failure is None and age(here.mate) < 0.2)
    assert here.mate.double(1.5) == 3.0


def test_a_slow_answer_is_a_timeout_and_the_next_one_is_right(here: Here, start: Start) -> None:
    """What comes too late is not taken for something else."""
    start()
    here.until(here.active)
    with pytest.raises(PartFailed, match=r"no answer to Player\.sleep"):
        here.mate.sleep(1.5 * TIMEOUT)
    here.until(lambda: here.mate.failure is None and age(here.mate) < 0.1)
    assert [here.mate.double(k) for k in (1.0, 2.0, 3.0)] == [2.0, 4.0, 6.0]


def test_a_second_process_of_a_name_is_refused(here: Here, start: Start) -> None:
    """It says so, and the first goes on."""
    start()
    here.until(here.active)
    second = start(wait=False)
    assert second.stdout is not None
    told = second.stdout.read()
    assert "another process serves 'player-2' already" in told
    assert here.mate.double(1.0) == 2.0


def test_the_others_stay_in_touch_when_the_one_they_met_at_dies(port: int, start: Start) -> None:
    """Who comes after that is found too."""
    first = start("player-1")
    start("player-2")
    here = Here(port)
    here.until(here.active)
    first.kill()
    first.wait()
    here.until(lambda: here.clock.now() > 2.0)
    assert here.mate.double(2.0) == 4.0
    assert here.mate.failure is None
    start("player-3")
    for _ in range(500):
        here.step()
        if here.transport.ask("player-3/ask", b"", 0.5) is not None:
            break
    assert here.transport.ask("player-3/ask", b"", 0.5) is not None
    assert here.mate.double(3.0) == 6.0
    here.tree.force_quit()
    here.transport.close()
