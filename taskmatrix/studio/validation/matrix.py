"""The matrix: cells of behavior, robot and world, their rates, and whether they are good enough."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from .case import NOT_ABLE, SUCCESS, Case, Result

CELL = 0.95  # least rate of success of a cell
OVERALL = 0.99  # least rate of success of all runs
UNABLE = 0.1  # largest share of a robot's cells in which it is not able
ABLE = ("reach", "fixate", "postural", "periodic-canned", "aperiodic-canned")  # of which every robot has to be able
FEW = 10  # cells of a robot, with fewer of which that share says nothing


@dataclass(frozen=True)
class Cell:
    """All runs of a behavior on a robot in a world."""

    behavior: str
    """Name of the behavior."""
    robot: str
    """Name of the robot."""
    world: str
    """Name of the world."""
    results: tuple[Result, ...]
    """In the order of their seeds."""

    @property
    def not_able(self) -> bool:
        """Whether every run said that the robot is not able; where only some do, those are failures."""
        return bool(self.results) and all(result.verdict == NOT_ABLE for result in self.results)

    @property
    def successes(self) -> int:
        """How many runs were judged successful."""
        return sum(result.verdict == SUCCESS for result in self.results)

    @property
    def rate(self) -> float:
        """Share of successes."""
        return self.successes / len(self.results) if self.results else 0.0

    @property
    def good(self) -> bool:
        """Whether at least 95 % of the runs are successes, or the robot is not able."""
        return self.not_able or self.rate >= CELL

    @property
    def failures(self) -> tuple[Result, ...]:
        """The runs that are no successes; none if the robot is not able."""
        return () if self.not_able else tuple(result for result in self.results if result.verdict != SUCCESS)


@dataclass(frozen=True)
class Matrix:
    """All results, in cells."""

    results: tuple[Result, ...]
    """In no particular order."""

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """In the order of their names."""
        groups: dict[tuple[str, str, str], list[Result]] = {}
        for result in sorted(self.results, key=lambda item: item.case):
            groups.setdefault(result.case.cell, []).append(result)
        return tuple(Cell(*names, tuple(results)) for names, results in groups.items())

    @property
    def counted(self) -> tuple[Result, ...]:
        """The runs that make the overall rate: of all cells but those of which the robot is not able."""
        return tuple(result for cell in self.cells if not cell.not_able for result in cell.results)

    @property
    def rate(self) -> float:
        """Share of successes of all runs that count; 1 if there are none."""
        counted = self.counted
        return sum(result.verdict == SUCCESS for result in counted) / len(counted) if counted else 1.0

    @property
    def complaints(self) -> tuple[str, ...]:
        """What is below the thresholds, in plain words."""
        found = [
            f"{cell.behavior} by {cell.robot} in {cell.world}: {cell.successes} of {len(cell.results)} runs succeed,"
            f" less than {CELL:.0%}"
            for cell in self.cells
            if not cell.good
        ]
        if self.rate < OVERALL:
            found.append(f"{self.rate:.1%} of all runs succeed, less than {OVERALL:.0%}")
        found += [
            f"{cell.behavior} by {cell.robot} in {cell.world}: not able, although it lacks neither arm nor head for it"
            for cell in self.cells
            if cell.not_able and cell.behavior in ABLE and not any("lacks" in result.facts for result in cell.results)
        ]
        if not self.counted:
            found.append("no run counts")
        for robot in sorted({cell.robot for cell in self.cells}):
            mine = [cell for cell in self.cells if cell.robot == robot]
            unable = sum(cell.not_able for cell in mine)
            if len(mine) >= FEW and unable > UNABLE * len(mine):
                found.append(f"{robot} is not able in {unable} of {len(mine)} cells, more than {UNABLE:.0%}")
        return tuple(found)

    def reasons(self) -> list[tuple[str, list[Result]]]:
        """Failures and what robots are not able to, grouped by what they have in common; the most frequent first."""
        groups: dict[str, list[Result]] = {}
        for cell in self.cells:
            for result in cell.results if cell.not_able else cell.failures:
                groups.setdefault(f"{result.case.behavior}: {result.kind}: {alike(result.reason)}", []).append(result)
        return sorted(groups.items(), key=lambda item: -len(item[1]))

    def parts(self) -> list[str]:
        """HTML of what else there is to show on the page."""
        return []

    def to_dict(self) -> dict[str, Any]:
        """The matrix as JSON has it: nothing of the wall clock, so that it is the same wherever it was made."""
        return {
            "rate": self.rate,
            "runs": len(self.results),
            "counted": len(self.counted),
            "complaints": list(self.complaints),
            "cells": [
                {
                    "behavior": cell.behavior,
                    "robot": cell.robot,
                    "world": cell.world,
                    "runs": len(cell.results),
                    "successes": cell.successes,
                    "not_able": cell.not_able,
                    "kinds": dict(Counter(result.kind for result in cell.results if result.kind)),
                    "replay": [result.case.replay for result in cell.failures],
                }
                for cell in self.cells
            ],
            "results": [result.content() for result in sorted(self.results, key=lambda item: item.case)],
        }


def alike(reason: str) -> str:
    """A reason with numbers, steps and facts left out, which differ from run to run."""
    return re.sub(r"-?\d+(\.\d+)?", "#", re.sub(r" \([^()]*\)", "", reason))


def all_cases(
    behaviors: Sequence[str], robots: Sequence[str], worlds: Sequence[str], seeds: Iterable[int]
) -> list[Case]:
    """Every combination, seeds outermost, so that every cell has some result early."""
    return [Case(b, r, w, seed) for seed, b, r, w in product(seeds, behaviors, robots, worlds)]


def sample(behaviors: Sequence[str], robots: Sequence[str], worlds: Sequence[str], seed: int = 0) -> list[Case]:
    """A small part of the matrix: each behavior once, robots and worlds in turn."""
    return [
        Case(behavior, robots[k % len(robots)], worlds[(k // len(robots)) % len(worlds)], seed)
        for k, behavior in enumerate(behaviors)
    ]
