"""Behaviors in a loop for hours: whether memory and speed stay as they are, and whether a failure goes away again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count, cycle, product
from pathlib import Path
from time import perf_counter, process_time
from typing import Any, ClassVar

import numpy as np

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.events import Reader
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.scenes.world import World

from ..case import FAILURE, SUCCESS, OwnCase, Result
from ..task import filled, task_of
from .judging import Told
from .locked import locked
from .program import Step
from .run import run_step
from .step_generator import Situation

HOUR = 3600.0  # [s]
ENDS = 0.1  # of the time, at the beginning and at the end, that are compared
GROWS = 1.1  # times the memory of the beginning, at the end, is too much
SLOWS = 1.25  # times the processor's time for a simulated minute likewise
RECENT = 12  # runs that are looked at for a lock-up
KEPT = 50  # failures that are told in full


@dataclass(frozen=True, order=True)
class LoopCase(OwnCase):
    """Behaviors one after the other, again and again, for hours of simulated time."""

    kind: ClassVar[str] = "loop"

    hours: float = 3.0
    """Of simulated time."""

    @property
    def timeout(self) -> float:
        """[s] After which the loop is given up."""
        return self.hours * HOUR

    @property
    def replay(self) -> str:
        """The command that runs it again."""
        return (
            f"taskmatrix validate --loop {self.behavior} --hours {self.hours:g} --robots {self.robot}"
            f" --worlds {self.world} --seed {self.seed}{'' if self.sim == 'kinematic' else f' --sim {self.sim}'}"
            f"{f' --out {shlex.quote(self.out)}' if self.out else ''}"
        )

    def run(self, readers: Sequence[Reader] = ()) -> Result:
        """Run it until its time is over or the robot is locked up."""
        behaviors, began = self.behavior.split(","), perf_counter()
        second_robot: dict[str, Any] = {"second_robot": next((g for g in map(_second_robot, behaviors) if g), None)}
        watch = _Watch()
        with simulate(self.robot, self.world, self.seed, sim=self.sim, **second_robot) as session:
            for reader in readers:
                session.events.subscribe(reader)
            for step in _endless(session, behaviors):
                watch.note(run_step(session, step))
                if session.context.clock.now() >= self.timeout or watch.stuck:
                    break
            duration = session.context.clock.now()
        reason, facts = watch.reason(), watch.facts()
        return Result(
            self, FAILURE if reason else SUCCESS, watch.kind(), reason,
            duration=duration, wall=perf_counter() - began, facts=facts,
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.behavior} in a loop for {self.hours:g} h by {self.robot} in {self.world}, seed {self.seed}"


def loop_cases(
    behaviors: Sequence[str], robots: Sequence[str], worlds: Sequence[str], seed: int, sim: str, hours: float
) -> list[LoopCase]:
    """One loop of all these behaviors on each robot in each world."""
    name = ",".join(behaviors)
    return [LoopCase(name, robot, world, seed, sim, hours=hours) for world, robot in product(worlds, robots)]


def _second_robot(behavior: str) -> str | None:
    return task_of(behavior).second_robot


def _endless(session: Session, behaviors: Sequence[str]) -> Iterator[Step]:
    """Behaviors in turn, with the parameters of the matrix; before each comes back what is gone, such as debris.

    Where a behavior puts things ``on`` something, it takes the furniture on which there is room in turn, so that what
    it carries goes there and back.
    """
    now, world = Situation(session), session.world
    for number, behavior in zip(count(), cycle(behaviors), strict=False):
        _bring_back(session, world)
        now.note()
        values = filled(task_of(behavior).parameters, world)
        if behavior == "pick-and-place":
            places = now.supports(str(values["object"]))
            values["on"] = places[number // len(behaviors) % len(places)] if places else values["on"]
        yield Step(behavior, tuple(values.items()))


def _bring_back(session: Session, world: World) -> None:
    there = session.plant.truth()["poses"]
    for id in world.objects:
        if id not in there and id not in world.scripts:  # type: ignore[operator]
            session.plant.add(id, world.poses[id])


@dataclass
class _Watch:
    """What is noted of a loop while it runs, in little memory."""

    runs: int = 0
    failed: int = 0
    stuck: bool = False
    recent: list[Told] = field(default_factory=list)
    failures: list[dict[str, Any]] = field(default_factory=list)
    marks: list[tuple[float, float, float]] = field(default_factory=list)
    """[s] simulated, [s] of the processor, and [MB] memory after each run."""
    worst: str = ""
    _time: float = 0.0

    def note(self, told: Told) -> None:
        """Take note of a run."""
        self.runs += 1
        self._time += told.duration
        self.marks.append((self._time, process_time(), memory()))
        self.recent = [*self.recent, told][-RECENT:]
        if told.verdict != SUCCESS:
            self.failed += 1
            self.worst = self.worst or f"{told.verdict}: {told.step}: {told.reason}"
            if len(self.failures) < KEPT:
                self.failures.append({"at": self._time, **told.to_dict()})
        self.stuck = locked(self.recent) is not None

    def facts(self) -> dict[str, Any]:
        """What was measured; of processor time [s] a simulated minute and memory [MB], at the beginning and the end."""
        time, busy, used = np.array(self.marks).T
        paces = [self._pace(time, busy, low, high) for low, high in ((0.0, ENDS), (1.0 - ENDS, 1.0))]
        early = used[time <= max(ENDS * time[-1], time[0])]
        return {
            "runs": self.runs,
            "failed": self.failed,
            "failures": self.failures,
            "minute": [round(pace, 3) for pace in paces],
            "memory": [round(float(early[-1]), 1), round(float(used[-1]), 1)],
        }

    def _pace(self, time: Any, busy: Any, low: float, high: float) -> float:
        """[s] Of the processor for a simulated minute between two shares of the time."""
        begin, end = np.interp([low * time[-1], high * time[-1]], time, busy)
        return float(60.0 * (end - begin) / max((high - low) * time[-1], 1e-9))

    def kind(self) -> str:
        """In which way it failed; empty if it did not."""
        return self._findings()[0][0] if self._findings() else ""

    def reason(self) -> str:
        """Why it is no success; empty if it is."""
        return "; ".join(reason for _, reason in self._findings())

    def _findings(self) -> list[tuple[str, str]]:
        found, facts = [], self.facts()
        if self.stuck:
            found.append(("lock-up", f"after {self._time:.0f} s nothing works any more: {self.recent[-1].reason}"))
        (early, late), (before, after) = facts["minute"], facts["memory"]
        if after > GROWS * before:
            found.append(("memory", f"{before:.0f} MB at the beginning became {after:.0f} MB"))
        if late > SLOWS * early:
            found.append(
                (
                    "slow",
                    f"a simulated minute took the processor {early:.2f} s at the beginning, {late:.2f} s at the end",
                )
            )
        if self.failed:
            found.append(("failure", f"{self.failed} of {self.runs} runs failed, the first {self.worst}"))
        return found


def memory() -> float:
    """[MB] That this process has in memory now.

    Raises:
        TaskMatrixError: The system does not tell.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError) as error:
        raise TaskMatrixError("only Linux tells how much memory a process has now") from error
    return pages * 4096 / 1e6
