"""The steps of programs as a matrix, and the programs that fail with the shortest that shows it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from rich.console import Console

from ..case import FAILURE, SUCCESS, Case, Result
from ..matrix import Matrix
from .judging import FALSE_SUCCESS, LOCK_UP, UNEXPLAINED

STEPS = 0.98  # least rate of steps that are judged successful
PHYSICAL = 0.92  # likewise with physics
NEVER = (LOCK_UP, FALSE_SUCCESS, UNEXPLAINED)
"""What no program may end in."""


@dataclass(frozen=True, order=True)
class StepCase(Case):
    """One step of a program that ran."""

    kind: ClassVar[str] = "step"

    index: int = 0
    """Which step."""
    program: str = ""
    """The command that runs its program again."""

    @property
    def replay(self) -> str:
        """The command that runs its program again."""
        return self.program


@dataclass(frozen=True)
class ProgramMatrix(Matrix):
    """The steps of all programs as cells of behavior, robot and world."""

    programs: tuple[Result, ...] = ()
    """What became of the programs."""

    @classmethod
    def of(cls, programs: Sequence[Result]) -> ProgramMatrix:
        """The matrix of what became of some programs."""
        return cls(tuple(step for result in programs for step in _steps(result)), tuple(programs))

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many programs failed in which way."""
        return Counter(result.kind for result in self.programs if result.verdict != SUCCESS)

    @property
    def complaints(self) -> tuple[str, ...]:
        """What programs must never do, and too many steps that fail."""
        found = [f"{count} programs end in: {kind}" for kind, count in sorted(self.kinds.items()) if kind != FAILURE]
        least = PHYSICAL if any(result.case.sim != Case.sim for result in self.programs) else STEPS
        if self.rate < least:
            found.append(f"{self.rate:.1%} of all steps succeed, less than {least:.0%}")
        return tuple(found) if self.results else ("no step ran",)

    def to_dict(self) -> dict[str, Any]:
        """The matrix as JSON has it."""
        return {**super().to_dict(), "programs": [result.to_dict() for result in self.programs]}

    def failing(self) -> Iterator[tuple[str, list[Result]]]:
        """Programs that fail alike, the gravest and most frequent first, and of each the shortest first."""
        groups: dict[tuple[int, str], list[Result]] = {}
        for result in self.programs:
            if result.verdict != SUCCESS:
                last = _last(result)
                about = (result.kind, str(last.get("step", "")).partition("(")[0], last.get("kind"))
                words = ": ".join(str(word) for word in about if word)
                order = NEVER.index(result.kind) if result.kind in NEVER else len(NEVER)
                groups.setdefault((order, words), []).append(result)
        for (_, words), results in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]))):
            yield words, sorted(results, key=lambda result: len(_shortest(result).get("items", ())))

    def show(self, console: Console) -> None:
        """Print for each way of failing the shortest program and the command that runs it."""
        for words, results in self.failing():
            first = results[0]
            console.print(f"{len(results)} x {words}", style="bold red", markup=False, highlight=False)
            console.print(f"    {first.reason}", markup=False, highlight=False)
            console.print(str(first.facts.get("python", "")), style="dim", markup=False, highlight=False)
            console.print(f"    {first.case.replay}", style="dim", markup=False, highlight=False)
        for line in self.costs():
            console.print(line, markup=False, highlight=False)

    def costs(self) -> list[str]:
        """What loops cost at the beginning and at the end."""
        found = []
        for result in self.programs:
            if "minute" in result.facts:
                (early, late), (before, after) = result.facts["minute"], result.facts["memory"]
                spent = f"a simulated minute takes {early:.2f} s, then {late:.2f} s"
                found.append(
                    f"{result.case}: {result.facts['runs']} runs; {spent}; {before:.0f} MB, then {after:.0f} MB"
                )
        return found

    def parts(self) -> list[str]:
        """The same for the page."""
        found = ["<h2>Programs that fail</h2>"] if self.kinds else []
        for words, results in self.failing():
            first = results[0]
            title, script = f"{len(results)} &times; {escape(words)}", escape(str(first.facts.get("python", "")))
            found.append(f"<h3>{title}</h3><p>{escape(first.reason)}</p><pre>{script}</pre>")
            found.append(f"<p><code>{escape(first.case.replay)}</code></p>")
        return [*found, *(f"<p>{escape(line)}</p>" for line in self.costs())]


def keep(result: Result, out: Path) -> Path | None:
    """Write the shortest program of a result, for who runs it again; the path of the script, None if there is none."""
    if "python" not in result.facts:
        return None
    case = result.case
    path = out / "programs" / f"{Path(case.robot).stem}-{Path(case.world).stem}-{case.seed}.py"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(str(result.facts["python"]), encoding="utf-8")
    path.with_suffix(".json").write_text(json.dumps(result.facts["shortest"]), encoding="utf-8")
    return path


def _steps(result: Result) -> Iterator[Result]:
    case = result.case
    for index, told in enumerate(result.facts.get("told", ())):
        behavior = str(told["step"]).partition("(")[0]
        own = StepCase(behavior, case.robot, case.world, case.seed, case.sim, index=index, program=case.replay)
        if told["verdict"] == SUCCESS:
            yield Result(own, SUCCESS, duration=told.get("duration", 0.0))
        else:
            kind = f"{told['verdict']}, {told['kind']}"
            yield Result(own, FAILURE, kind, f"{told['step']}: {told['reason']}", duration=told.get("duration", 0.0))
    if not result.facts.get("told"):  # a loop, or what did not come to a step: a crash, say
        own = StepCase(case.behavior, case.robot, case.world, case.seed, case.sim, program=case.replay)
        yield Result(own, result.verdict, result.kind, result.reason, duration=result.duration)


def _shortest(result: Result) -> dict[str, Any]:
    found: dict[str, Any] = result.facts.get("shortest", {})
    return found


def _last(result: Result) -> dict[str, Any]:
    """The step that the reason of a result is about."""
    steps = [step for step in result.facts.get("told", ()) if result.reason.startswith(f"{step['step']}: ")]
    return next((step for step in steps if step["verdict"] != SUCCESS), {})
