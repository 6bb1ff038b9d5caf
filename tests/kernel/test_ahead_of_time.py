from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

from taskmatrix.core.base.compilation import CompileProgress, Report
from taskmatrix.kernel import ahead_of_time
from taskmatrix.kernel.ahead_of_time import COUNT, DONE, compile_ahead
from taskmatrix.kernel.jit.compiled import CODE

PROGRAM = """
from numba.core.dispatcher import Dispatcher
from taskmatrix.kernel.ahead_of_time import compile_ahead

compile_ahead()
late = []  # what is compiled later, or loaded later from what another process had to compile
compile = Dispatcher.compile


def noted(self, signature):
    if tuple(getattr(signature, "args", signature)) not in self.overloads:
        late.append(self.py_func.__name__)
    return compile(self, signature)


Dispatcher.compile = noted

import sys
import numpy as np
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.core.robot.plans import Plan
from taskmatrix.robots import load_robot
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import ConfigurationQuery, Snapshot
from taskmatrix.studio.cli.command_line import main

try:
    main(["run", "pickup", "--json", "--no-pictures", "--out", sys.argv[1]])
except SystemExit as stop:
    assert not stop.code, stop.code
robot = load_robot("mannequin")
q = robot.posture(robot.stance)
mesh = sys.argv[1] + "/tetrahedron.obj"
with open(mesh, "w") as file:
    file.write("v 0 0 0\\nv 1 0 0\\nv 0 1 0\\nv 0 0 1\\nf 1 3 2\\nf 1 2 4\\nf 2 3 4\\nf 1 4 3\\n")
from pathlib import Path
shapes = [
    Shape("box", (0.1, 0.1, 0.1), np.eye(4)),
    Shape("cylinder", (0.05, 0.1), np.eye(4)),
    Shape("sphere", (0.05,), np.eye(4)),
    Shape("capsule", (0.05, 0.1), np.eye(4)),
    Shape("mesh", (0.1, 0.1, 0.1), np.eye(4), mesh=Path(mesh)),
    Shape("points", (0.02,), np.eye(4), points=np.random.default_rng(0).uniform(-0.1, 0.1, (40, 3))),
]
objects = {}
for number, shape in enumerate(shapes):
    X = np.eye(4)
    X[:3, 3] = 0.45, 0.3 * (number - 2.5), 1.0
    objects[shape.kind] = ObjectModel(shape.kind, "toy", (shape,)), X
goal = {robot.joints.index("left_elbow"): 0.9, robot.joints.index("right_elbow"): 0.9}
assert isinstance(Planner(robot).solve(Snapshot(q, objects), ConfigurationQuery(goal, 2.0, 0)), Plan)
print("late:", *late)
"""


@pytest.fixture
def fresh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, a process that has not begun, and nothing to compile."""
    monkeypatch.setattr(ahead_of_time, "_begun", False)
    monkeypatch.setattr(CODE, "folder", tmp_path)
    monkeypatch.setattr(ahead_of_time, "_compile", lambda folder, report: None)
    monkeypatch.setattr(ahead_of_time, "load_all", lambda: None)
    return tmp_path


@pytest.mark.slow
def test_nothing_is_left_to_compile(tmp_path: Path) -> None:
    """In a run and a plan among objects of every kind, all functions that are called are those that were loaded."""
    program = [sys.executable, "-c", PROGRAM, str(tmp_path)]
    told = subprocess.run(program, check=True, capture_output=True, text=True, timeout=300)
    assert told.stdout.partition("late:")[2].split() == []


def _compile_slowly(folder: Path, begin: Callable[[], None], other: Callable[[float], bool]) -> None:
    """Ask for it, and while compiling wait for the other process to ask, too."""

    def compile_slowly() -> None:
        other(60.0)
        with (folder / "compiled").open("a", encoding="utf-8") as file:
            file.write("once\n")

    _take_over(folder, compile_slowly)
    begin()
    compile_ahead()


def test_of_two_processes_one_has_everything_compiled(tmp_path: Path) -> None:
    """The other waits for it."""
    context = multiprocessing.get_context("spawn")
    first, second = context.Event(), context.Event()
    processes = [
        context.Process(target=_compile_slowly, args=(tmp_path, own.set, other.wait))
        for own, other in ((first, second), (second, first))
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120.0)
    assert [process.exitcode for process in processes] == [0, 0]
    assert (tmp_path / "compiled").read_text(encoding="utf-8") == "once\n"
    assert (tmp_path / DONE).exists()


def test_it_is_done_once(fresh: Path) -> None:
    """In a process, and by another that comes later."""
    assert compile_ahead()
    assert not compile_ahead()
    ahead_of_time._begun = False
    assert not compile_ahead()
    assert (fresh / DONE).exists()


def test_how_far_it_is_is_counted(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From nothing on, while another process compiles."""
    monkeypatch.undo()
    program = "import time; from pathlib import Path\nfor n in '12': Path({count!r}).write_text(n); time.sleep(0.2)"
    monkeypatch.setattr(ahead_of_time, "COMPILE", program)
    monkeypatch.setattr(ahead_of_time, "POLL", 0.05)
    told: list[CompileProgress] = []
    ahead_of_time._compile(fresh, told.append)
    counts = [progress.done for progress in told]
    assert counts == sorted(counts)
    assert {*counts} == {0, 1, 2}
    assert all(progress.total > 50 and not progress.waiting for progress in told)


def test_who_waits_says_so_and_goes_on_counting(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another process has compiled so far is in its file."""
    monkeypatch.setattr(ahead_of_time, "POLL", 0.01)
    (fresh / COUNT).write_text("7", encoding="ascii")
    lock, told = FileLock(fresh / "lock", thread_local=False, is_singleton=False), list[CompileProgress]()

    def report(progress: CompileProgress) -> None:
        told.append(progress)
        (fresh / DONE).touch()
        lock.release()

    with lock:
        assert not compile_ahead(report)
    assert [(progress.done, progress.waiting) for progress in told] == [(7, True)]
    assert str(told[0]).startswith("waiting for another process, which is compiling the kernel")


def test_what_is_called_to_load_it_may_ask_for_it(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The example makes a kernel, which has everything loaded first."""
    asked: list[bool] = []
    monkeypatch.setattr(ahead_of_time, "load_all", lambda: asked.append(compile_ahead()))
    assert compile_ahead()
    assert asked == [False]


def test_what_is_wrong_with_compiling_is_told(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the process that was to do it tells it."""
    monkeypatch.undo()
    monkeypatch.setattr(ahead_of_time, "COMPILE", "raise ValueError('so it is')")
    with pytest.raises(OSError, match="so it is"):
        ahead_of_time._compile(fresh, lambda progress: None)


def test_it_is_done_again_where_it_failed(fresh: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of it is not all."""

    def fail(folder: Path, report: Report) -> None:
        raise MemoryError

    monkeypatch.setattr(ahead_of_time, "_compile", fail)
    with pytest.raises(MemoryError):
        compile_ahead()
    assert not (fresh / DONE).exists()
    monkeypatch.setattr(ahead_of_time, "_compile", lambda folder, report: None)
    assert compile_ahead()


def _take_over(folder: Path, compile: Callable[[], None]) -> None:
    """In a process of its own: another folder, and another way to compile."""
    ahead_of_time._begun = False
    ahead_of_time._compile = lambda folder, report: compile()
    ahead_of_time.load_all = lambda: None
    CODE.folder = folder


def _die(folder: Path, begin: Callable[[], None]) -> None:
    """Get the lock, and die."""

    def compile_and_die() -> None:
        begin()
        os._exit(1)

    _take_over(folder, compile_and_die)
    compile_ahead()


def test_a_process_that_dies_over_it_leaves_it_to_the_next(fresh: Path) -> None:
    """Its lock goes with it."""
    context = multiprocessing.get_context("spawn")
    begun = context.Event()
    process = context.Process(target=_die, args=(fresh, begun.set))
    process.start()
    process.join()
    assert begun.is_set()
    assert compile_ahead()
