"""Planning beside the control loop: at once with a simulated duration, or in a process of its own."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future
from dataclasses import fields
from functools import partial
from typing import Any, Protocol

import pinocchio as pin

from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.events import EventStream
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.robot.plans import Job, Plan
from taskmatrix.kernel.ahead_of_time import compile_ahead
from taskmatrix.robots import Robot, load_robot

from .planning import Planner
from .queries import Query, Snapshot
from .settings import PlannerSettings
from .worker import Worker, WorkerDiedError, WorkerRaisedError


class PlannerBackend(Protocol):
    """Answers queries beside the control loop."""

    def submit(self, snapshot: Snapshot, query: Query, planning_time: float) -> Job:
        """Start to plan."""
        ...

    def close(self) -> None:
        """Stop all planning."""
        ...


class SimulatedBackend:
    """Plans at once, and hands the result out after a declared amount of simulated time.

    The result does not depend on how long the work took, so a faster planner changes no event stream.
    """

    def __init__(
        self, robot: Robot, clock: Clock, events: EventStream, settings: PlannerSettings | None = None
    ) -> None:
        self._planner = Planner(robot, settings)
        self._clock, self._events = clock, events

    def submit(self, snapshot: Snapshot, query: Query, planning_time: float) -> Job:
        """Plan now; done when the clock has gone on by ``planning_time`` [s]."""
        result = self._planner.solve(snapshot, query, lambda work: self._events.emit("planning", "planner", **work))
        due = self._clock.now() + planning_time
        return _Timed(result, lambda: self._clock.now() >= due - 1e-9)

    def close(self) -> None:
        """Do nothing: there is no process to stop."""


class _Timed:
    def __init__(self, result: Plan | Failure, due: Callable[[], bool]) -> None:
        self._result, self._due = result, due

    def done(self) -> bool:
        return self._due()

    def result(self) -> Plan | Failure:
        return self._result

    def cancel(self) -> None:
        pass


class ProcessBackend:
    """Plans in a process of its own, so that the control loop keeps its rate.

    The process is started at once and gets the robot, as it is here, before its first query. If it dies, what was asked
    of it ends as a failure, and the next query starts another.
    """

    def __init__(self, robot: Robot, settings: PlannerSettings | None = None) -> None:
        values = {field.name: getattr(robot, field.name) for field in fields(robot)}
        self._robot = {**values, "make_visuals": partial(_visuals, robot.source)}  # which can be sent
        self._settings = settings
        self._start()

    def _start(self) -> None:
        compile_ahead()  # once, here, and not in both processes
        self._worker = Worker(_load, self._robot, self._settings)
        self._ready: Future[int] = self._worker.ask(os.getpid)

    def wait_ready(self, timeout: float = 60.0) -> int:
        """Block until the process has loaded the robot, at most ``timeout`` [s], and return its number.

        Raises:
            TaskMatrixError: It has ended meanwhile.
        """
        try:
            return self._ready.result(timeout)
        except WorkerDiedError as error:
            self.close()
            raise TaskMatrixError(
                f"the process that plans has ended before it began ({error}): a script that runs in real time has its "
                'code under `if __name__ == "__main__":`, or the process would start the script again'
            ) from error

    def submit(self, snapshot: Snapshot, query: Query, planning_time: float) -> Job:
        """Start to plan; the declared planning time is for simulated clocks."""
        if not self._worker.alive:
            self._worker.close()
            self._start()
        return _Remote(self._worker.ask(_solve, snapshot, query))

    def close(self) -> None:
        """End the process, even if it is planning."""
        self._worker.close()


class _Remote:
    def __init__(self, future: Future[Plan | Failure]) -> None:
        self._future = future

    def done(self) -> bool:
        return self._future.done()

    def result(self) -> Plan | Failure:
        try:
            return self._future.result()
        except WorkerDiedError as error:
            return Failure(FailureKind.EXCEPTION, "planner", "the planning process died", {"reason": str(error)})
        except CancelledError:
            return Failure(FailureKind.INTERRUPTED, "planner", "planning was cancelled")
        except WorkerRaisedError as error:
            trace = str(error)
            return Failure(FailureKind.EXCEPTION, "planner", f"planning raised {trace.splitlines()[-1]}", trace=trace)

    def cancel(self) -> None:
        self._future.cancel()


_planner: Planner | None = None


def _load(robot: Mapping[str, Any], settings: PlannerSettings | None) -> None:
    global _planner  # noqa: PLW0603 - the one planner of a worker process
    _planner = Planner(Robot(**robot), settings)


def _visuals(source: str) -> pin.GeometryModel:
    return load_robot(source).visual_model


def _solve(snapshot: Snapshot, query: Query) -> Plan | Failure:
    if _planner is None:
        raise RuntimeError("the planning process has not loaded its robot")
    return _planner.solve(snapshot, query)
