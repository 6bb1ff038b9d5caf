from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.robots import Robot
from taskmatrix.skills.planning.planner_backend import ProcessBackend, SimulatedBackend
from taskmatrix.skills.planning.queries import ConfigurationQuery

from .setting import reach_query, robot_of, start


@pytest.fixture(scope="module")
def host() -> Iterator[ProcessBackend]:
    simulated()[0].submit(start("mannequin"), reach_query("mannequin", "soda_can", 1), 0.0)
    # what two processes compile at the same time may differ in the last bit; now there is one machine code for both
    made = ProcessBackend(robot_of("mannequin"))
    yield made
    made.close()


def waited(job: Job, timeout: float = 60.0) -> Plan | Failure:
    """Wait as an operating system does; the library itself never does."""
    end = time.monotonic() + timeout
    while not job.done() and time.monotonic() < end:
        time.sleep(0.005)
    assert job.done()
    return job.result()


def simulated(robot: Robot | None = None) -> tuple[SimulatedBackend, SimulatedClock]:
    clock = SimulatedClock()
    return SimulatedBackend(robot or robot_of("mannequin"), clock, EventStream(clock)), clock


def test_a_simulated_result_arrives_exactly_after_its_planning_time() -> None:
    """Whatever the work took; 0.5 s are fifty steps of 10 ms."""
    host, clock = simulated()
    job = host.submit(start("mannequin"), ConfigurationQuery({5: 0.1}, 1.0, 0), 0.5)
    for step in range(50):
        assert not job.done(), step
        clock.sleep_until((step + 1) * 0.01)
    assert job.done()
    assert isinstance(job.result(), Plan)


def test_the_process_gives_the_plan_that_simulation_gives(host: ProcessBackend) -> None:
    """To the last bit."""
    snapshot, query = start("mannequin"), reach_query("mannequin", "soda_can", 9)
    there, here = waited(host.submit(snapshot, query, 0.5)), simulated()[0].submit(snapshot, query, 0.0).result()
    assert isinstance(there, Plan)
    assert isinstance(here, Plan)
    assert there.work == here.work
    assert there.trajectory.duration == here.trajectory.duration
    for instant in np.linspace(0.0, here.trajectory.duration, 50):
        np.testing.assert_array_equal(there.trajectory.sample(instant)[0], here.trajectory.sample(instant)[0])


def test_the_process_plans_for_the_robot_that_it_is_given() -> None:
    """Not for the one that its file describes, which is four times as fast."""
    slow = replace(robot_of("mannequin"), velocity=robot_of("mannequin").velocity / 4)
    host = ProcessBackend(slow)
    try:
        query = ConfigurationQuery({5: 0.5, 0: 1.5}, 0.1, 0)
        plan, here = waited(host.submit(start("mannequin"), query, 0.5)), simulated(slow)[0]
        expected, fast = (each.submit(start("mannequin"), query, 0.0).result() for each in (here, simulated()[0]))
        assert isinstance(plan, Plan)
        assert isinstance(expected, Plan)
        assert isinstance(fast, Plan)
        assert plan.trajectory.duration == expected.trajectory.duration > 2.0 * fast.trajectory.duration
    finally:
        host.close()


def test_what_raises_in_the_process_is_a_failure(host: ProcessBackend) -> None:
    """With the trace, and the process goes on."""
    result = waited(host.submit(start("mannequin"), ConfigurationQuery({999: 0.0}, 1.0, 0), 0.5))
    assert isinstance(result, Failure)
    assert result.kind is FailureKind.EXCEPTION
    assert "ParameterError" in result.trace
    assert isinstance(waited(host.submit(start("mannequin"), ConfigurationQuery({5: 0.1}, 1.0, 0), 0.5)), Plan)


def test_a_killed_process_is_a_failure_and_the_next_query_starts_another() -> None:
    """Not a hang."""
    host = ProcessBackend(robot_of("mannequin"))
    try:
        pid = host.wait_ready()
        os.kill(pid, signal.SIGSTOP)  # so that it is surely busy with the query when it dies
        job = host.submit(start("mannequin"), reach_query("mannequin", "broom"), 0.5)
        os.kill(pid, signal.SIGKILL)
        result = waited(job)
        assert isinstance(result, Failure)
        assert result.kind is FailureKind.EXCEPTION
        assert "died" in result.message
        again = waited(host.submit(start("mannequin"), ConfigurationQuery({5: 0.1}, 1.0, 0), 0.5))
        assert isinstance(again, Plan)
        assert host.wait_ready() != pid
    finally:
        host.close()


def test_closing_ends_the_process_even_while_it_plans() -> None:
    """Nobody waits for what nobody wants."""
    host = ProcessBackend(robot_of("mannequin"))
    pid = host.wait_ready()
    jobs = [host.submit(start("mannequin"), reach_query("mannequin", "broom", seed), 0.5) for seed in range(40)]
    began = time.monotonic()
    host.close()
    assert time.monotonic() - began < 3.0
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    assert all(job.done() for job in jobs)
    assert isinstance(jobs[-1].result(), Failure)


def test_a_script_that_would_start_itself_again_is_told(tmp_path: Path) -> None:
    """Without ``if __name__ == "__main__":`` the process that plans runs the script; that used to hang for good."""
    script = tmp_path / "script.py"
    script.write_text("from taskmatrix import simulate\nsimulate('mannequin', real_time=True)\n", encoding="utf-8")
    found = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    assert found.returncode == 1
    assert 'has its code under `if __name__ == "__main__":`' in found.stderr.splitlines()[-1]
