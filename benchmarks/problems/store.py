"""Rows of problems by name: built the first time, read from the cache folder ever after."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

from rich.console import Console

from .chains import CHAINS, chain_row
from .flatten import flatten
from .pairs import pairs_to_test
from .plans import PLANS, planning_row
from .robots import SUBJECTS
from .rows import ChainRow, PlanningRow, Row, SceneRow, read_row, write_row
from .scenes import MESHES, ROBOTS, WORLDS, scene_rows

VERSION = "1"
"""Changes whenever the problems do."""
CACHE = Path.home() / ".cache" / "taskmatrix" / "benchmarks"


class Store:
    """A folder of problems."""

    def __init__(self, folder: Path = CACHE) -> None:
        self.folder = folder.resolve() / VERSION

    def path(self, name: str) -> Path:
        """File of a row."""
        return self.folder / "rows" / f"{name.replace(' ', '-')}.json"

    def chain(self, robot: str, group: str) -> ChainRow:
        """Targets of a chain."""
        name = f"{robot} {group}"
        if self._missing(name):
            self._keep(name, chain_row(robot, group, self.folder / "robots"))
        return cast(ChainRow, read_row(self.path(name)))

    def scene(self, robot: str, meshes: str, world: str) -> SceneRow:
        """A whole robot in a world."""
        name = f"{robot} {meshes} {world}"
        if self._missing(name):
            for row in scene_rows(robot, self.folder / "robots", self.pairs(robot)):
                self._keep(row.name, row)
        return cast(SceneRow, read_row(self.path(name)))

    def plan(self, robot: str, group: str, scenery: str) -> PlanningRow:
        """Planning problems."""
        name = f"{robot} {group} {scenery}"
        if self._missing(name):
            row = planning_row(robot, group, scenery, self.folder / "robots", self.pairs(robot))
            self._keep(name, row)
        return cast(PlanningRow, read_row(self.path(name)))

    def pairs(self, robot: str) -> tuple[tuple[str, str], ...]:
        """Pairs of links that are worth testing."""
        path = self.folder / "pairs" / f"{robot}.json"
        if not path.exists():
            subject = SUBJECTS[robot]
            urdf = flatten(subject.path, self.folder / "robots" / f"{robot}_hull.urdf", "hull")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(pairs_to_test(robot, urdf, dict(subject.stance))))
        return tuple((first, second) for first, second in json.loads(path.read_text()))

    def _missing(self, name: str) -> bool:
        missing = not self.path(name).exists()
        if missing:
            Console(stderr=True).print(f"building the problems of {name}", highlight=False, style="dim")
        return missing

    def _keep(self, name: str, row: Row) -> None:
        write_row(self.path(name), row)


def scene_names() -> list[tuple[str, str, str]]:
    """Robot, meshes and world of all collision rows."""
    return [(r, m, w) for m in MESHES for w in WORLDS for r in ROBOTS]


__all__ = ["CACHE", "CHAINS", "PLANS", "Store", "scene_names"]
