"""What sessions leave behind in their process: memory, threads, open files and child processes after many of them.

    python benchmarks/sessions.py --sessions 100 --plants kinematic,connected --json sessions.json

    kinematic, bullet, mujoco  the simulations
    connected                  a plant of one's own, without a world
    real time                  the same in real time, with planning in a process of its own
    recorded                   kinematic, and recorded

Each session runs a behavior and is closed. The first tenth of them, at least three, loads what is loaded once and
fills caches; from there on it is counted, after a collection of garbage. Memory in use is what the C library has handed
out; resident is what the process has of the machine's: also what was given back to the C library, which keeps it for
the next who asks, in ever more pieces, until it is told to trim.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import threading
import time
import weakref
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, Names, chosen, main
from rich.table import Table

from taskmatrix import connect, simulate
from taskmatrix.behaviors import Postural
from taskmatrix.core import Command, JointState
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import Session

DURATION = 0.5  # [s] of the behavior
MEGA = 2.0**20
SHOWN = ("in use", "resident", "trimmed", "threads", "files", "children")
Opens = Callable[[Robot, int, Path], Session]


class Bare:
    """Joints that go where they are told."""

    def __init__(self, q: Array) -> None:
        self.state = JointState(q, np.zeros(len(q)), np.zeros(len(q)))

    def sense(self) -> JointState:
        """The joints."""
        return self.state

    def apply(self, command: Command, dt: float) -> None:
        """Go there."""
        self.state = JointState(command.q, command.v, command.a)


def _recorded(robot: Robot, seed: int, folder: Path) -> Session:
    session = simulate(robot, seed=seed)
    session.record(folder / "run.mcap")
    return session


PLANTS: dict[str, Opens] = {
    "kinematic": lambda robot, seed, _: simulate(robot, seed=seed),
    "bullet": lambda robot, seed, _: simulate(robot, seed=seed, sim="bullet"),
    "mujoco": lambda robot, seed, _: simulate(robot, seed=seed, sim="mujoco"),
    "connected": lambda robot, seed, _: connect(robot, Bare(robot.posture("rest")), real_time=False, seed=seed),
    "real time": lambda robot, seed, _: connect(robot, Bare(robot.posture("rest")), seed=seed),
    "recorded": _recorded,
}


class Allocated(ctypes.Structure):
    """What the C library says of its memory [bytes], ``mallinfo2`` of glibc."""

    _fields_ = [(name, ctypes.c_size_t) for name in (*"abcd", "mapped", *"fg", "used", "free", "top")]


def in_use() -> float:
    """[MB] Memory that was asked for and not given back; not a number where the C library does not say."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "mallinfo2"):
        return float("nan")
    library.mallinfo2.restype = Allocated
    told = library.mallinfo2()
    return float(told.used + told.mapped) / MEGA


def resident() -> float:
    """[MB] Memory that the process has, and shares with nobody."""
    _, pages, shared = map(int, Path("/proc/self/statm").read_text().split()[:3])
    return (pages - shared) * os.sysconf("SC_PAGE_SIZE") / MEGA


def trimmed() -> float:
    """[MB] What is resident when the C library has given back what it does not need."""
    library = ctypes.CDLL(None)
    if hasattr(library, "malloc_trim"):
        library.malloc_trim(0)
    return resident()


def state() -> dict[str, float]:
    """What the process has now: memory [MB], threads, open files, children."""
    gc.collect()
    tasks, files = len(os.listdir("/proc/self/task")), len(os.listdir("/proc/self/fd"))
    children = Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()
    python = threading.active_count()
    return {
        "in use": in_use(),
        "resident": resident(),
        "trimmed": trimmed(),
        "threads": tasks,
        "python threads": python,
        "files": files,
        "children": len(children),
    }


def one(plant: str, robot: Robot, seed: int, folder: Path) -> weakref.ref[Session]:
    """Open a session, run a behavior in it, and close it."""
    with PLANTS[plant](robot, seed, folder) as session:
        outcome = session.run(Postural(posture="ready", duration=DURATION))
        if not outcome.success:
            raise AssertionError(f"{plant}, seed {seed}: {outcome}")
        return weakref.ref(session)


def many(plant: str, robot: Robot, sessions: int, folder: Path) -> dict[str, Any]:
    """What so many sessions leave behind."""
    first = max(sessions // 10, 3)
    for seed in range(first):
        one(plant, robot, seed, folder)
    before, began = state(), time.perf_counter()
    known = [one(plant, robot, first + seed, folder) for seed in range(sessions)]
    wall, after = time.perf_counter() - began, state()
    alive = sum(each() is not None for each in known)
    return {"plant": plant, "sessions": sessions, "before": before, "after": after, "alive": alive, "wall": wall}


def measure(
    sessions: Annotated[int, typer.Option(help="How many of each plant, after the first ones.", min=1)] = 100,
    robot: Annotated[str, typer.Option(help="Name of the robot.")] = "nao",
    plants: Names = None,
    json_file: Json = None,
) -> None:
    """Measure and report."""
    console, body, found = Console(width=160), load_robot(robot), []
    table = Table("plant", "sessions", "still alive", title=f"what sessions with {robot} leave behind: before, after")
    for head in ("in use [MB]", "resident [MB]", "trimmed [MB]", "threads", "files", "children", "s each"):
        table.add_column(head, justify="right")
    with TemporaryDirectory() as folder:
        for plant in chosen("plant", plants, PLANTS):
            found.append(many(plant, body, sessions, Path(folder)))
            before, after = found[-1]["before"], found[-1]["after"]
            cells = [f"{before[key]:.0f}, {after[key]:.0f}" for key in SHOWN]
            table.add_row(plant, str(sessions), str(found[-1]["alive"]), *cells, f"{found[-1]['wall'] / sessions:.2f}")
            console.print(f"{plant}: {cells}", style="dim")
            if json_file:
                json_file.write_text(json.dumps(found, indent=1) + "\n")
    console.print(table)


if __name__ == "__main__":
    main(measure)
