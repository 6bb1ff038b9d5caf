"""Cases that are programs: drawn with a seed while they run, or written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import cycle, product
from pathlib import Path
from time import perf_counter
from typing import Any, ClassVar

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.events import Reader
from taskmatrix.simulation.scenes.world_loader import load_world

from ..case import FAILURE, SUCCESS, OwnCase, Result
from .judging import LOCK_UP, Told
from .program import Item, Program
from .program_source import written
from .run import Run, random_steps, run_program
from .shorten import shortest

SECOND_ROBOT = "asimo"
EVERY = 4  # programs, of which one has a second robot
TRIES = 16  # programs that are run to find the shortest


@dataclass(frozen=True, order=True)
class ProgramCase(OwnCase):
    """A random program of so many steps."""

    kind: ClassVar[str] = "program"

    steps: int = 10
    """How many behaviors."""
    disturbed: bool = False
    """Whether something happens between them now and then."""

    @property
    def timeout(self) -> float:
        """[s] After which the run is given up; estimated."""
        return 10.0 * self.steps

    @property
    def replay(self) -> str:
        """The command that runs this program again, and tells all of it."""
        return (
            f"taskmatrix validate --programs 1 --steps {self.steps}{' --disturb' if self.disturbed else ''}"
            f" --robots {self.robot} --worlds {self.world} --seed {self.seed}"
            f"{'' if self.sim == 'kinematic' else f' --sim {self.sim}'}"
            f"{f' --out {shlex.quote(self.out)}' if self.out else ''}"
        )

    def run(self, readers: Sequence[Reader] = ()) -> Result:
        """Draw the program while it runs; of one that fails, find the shortest that does."""
        second_robot = (
            SECOND_ROBOT if self.seed % EVERY == EVERY - 1 and load_world(self.world).second_robot is not None else ""
        )
        program = Program(self.robot, self.world, self.seed, self.sim, second_robot)
        began = perf_counter()
        run = run_program(program, random_steps(self.steps, self.seed, self.disturbed), readers)
        return _told(self, run, perf_counter() - began)

    def __str__(self) -> str:
        how = f"{', disturbed' if self.disturbed else ''}{'' if self.sim == 'kinematic' else f', {self.sim}'}"
        return f"program of {self.steps} steps by {self.robot} in {self.world}, seed {self.seed}{how}"


@dataclass(frozen=True, order=True)
class WrittenCase(OwnCase):
    """A program that stands in a file: as JSON has it, or that of a result."""

    kind: ClassVar[str] = "written"

    path: str = ""
    """The file."""

    @property
    def timeout(self) -> float:
        """[s] After which the run is given up; estimated."""
        return 100.0

    @property
    def replay(self) -> str:
        """The command that runs it again."""
        return f"taskmatrix validate --program {shlex.quote(self.path)}"

    def run(self, readers: Sequence[Reader] = ()) -> Result:
        """Run the program from its file."""
        began = perf_counter()
        run = run_program(read(Path(self.path)), readers=readers)
        return _told(self, run, perf_counter() - began)

    def __str__(self) -> str:
        return f"program {self.path}"


def read(path: Path) -> Program:
    """The program in a file.

    Raises:
        TaskMatrixError: The file cannot be read, or there is no program in it.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise TaskMatrixError(f"cannot read the program {path}: {error}") from error
    return Program.from_dict(data)


def written_case(path: Path) -> WrittenCase:
    """The case of the program in a file.

    Raises:
        TaskMatrixError: As :func:`read` does.
    """
    program = read(path)
    return WrittenCase("program", program.robot, program.world, program.seed, program.sim, path=str(path))


def random_cases(
    count: int, steps: int, disturbed: bool, robots: Sequence[str], worlds: Sequence[str], first: int, sim: str
) -> list[ProgramCase]:
    """The cases of random programs: one for each seed from the first, robots and worlds in turn."""
    chosen = list(product(worlds, robots))
    return [
        ProgramCase("program", robot, world, first + k, sim, steps=steps, disturbed=disturbed)
        for k, (world, robot) in zip(range(count), cycle(chosen), strict=False)
    ]


def _told(case: OwnCase, run: Run, wall: float) -> Result:
    facts: dict[str, Any] = {"told": [told.to_dict() for told in run.steps], "program": run.program.to_dict()}
    duration = sum(told.duration for told in run.steps)
    if run.worst is None:
        return Result(case, SUCCESS, duration=duration, wall=wall, facts=facts)
    kind, told = run.worst
    short = shortened(run)
    facts |= {"shortest": short.to_dict(), "python": written(short)}
    reason = f"{told.step}: {f'{told.kind}: ' if told.kind else ''}{told.reason}"
    return Result(case, FAILURE, kind, reason, duration=duration, wall=wall, facts=facts)


def shortened(run: Run, tries: int = TRIES) -> Program:
    """The shortest program that fails as a run did, found by leaving out items of its program."""
    if run.worst is None:
        return run.program
    kind, told = run.worst

    def fails(items: Sequence[Item]) -> bool:
        other = run_program(replace(run.program, items=tuple(items)))
        if kind == LOCK_UP:
            return other.worst is not None and other.worst[0] == LOCK_UP
        return any(_alike(told, each) for each in other.steps)

    return replace(run.program, items=shortest(run.up_to(told), fails, tries))


def _alike(one: Told, other: Told) -> bool:
    return (one.step, one.verdict, one.kind) == (other.step, other.verdict, other.kind)
