"""Whether the kernel ever calls free what coal calls a contact, on the robots of the library as they are shipped.

    python benchmarks/exactness.py --robots talos,g1 --worlds meshes,points --random 20000 --near 2000 --json all.json

Each robot stands among boxes, among spheres, cylinders, cones, capsules and ellipsoids, among meshes with holes and
insides, and in a cloud of points. Judged is every pair of bodies of every configuration: one that coal says touches,
and that the kernel is not in doubt about, is a "missed pair". "false free" counts configurations that are called free
in the end and collide, "false hit" the others that are answered wrongly. Edges pass near contact; "edges missed" are
those called free on which bodies overlap by more than 1 mm at one of 256 states. What coal says is kept in the cache
folder in parts, so that a run that was cut off goes on where it was.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from collision import DEEP
from console import Console
from options import Cache, Json, Names, chosen, main
from peers import OURS
from problems.contacts import edges_near_contact, parts
from problems.furnished import WORLDS, Furnished, furnished
from problems.store import CACHE
from report import Column, Report
from results import Result

from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.collision.tables import tables
from taskmatrix.robots import robot_names

MAIN = Column("missed_pairs", "missed pairs", ",.0f", "count")
REPORT = Report(
    "exactness against coal",
    [
        Column("random", "random", ",.0f", "count"),
        Column("near", "near contact", ",.0f", "count"),
        Column("touching", "pairs touching", ",.0f", "count"),
        MAIN,
        Column("false_free", "false free", ",.0f", "count"),
        Column("false_hit", "false hit", ",.0f", "count"),
        Column("decided", "free without coal %", ".2f", "share"),
        Column("edges", "edges", ",.0f", "count"),
        Column("missed_edges", "edges missed", ",.0f", "count"),
        Column("missed_mm", "by mm", ".2f", "worst"),
    ],
    MAIN,
)


def judge(problem: Furnished, random: int, near: int, edges: int, folder: Path) -> Result:
    """Figures of the kernel on one robot in one world."""
    model, geometry = problem.model, problem.geometry
    checker = Checker(model, geometry, tables=tables(model, geometry))
    kernel = checker.kernel
    pairs, figures = len(kernel.active), dict.fromkeys(("touching", "missed_pairs", "false_free", "false_hit"), 0.0)
    free = decided = 0
    for kind, count in (("random", random), ("near", near)):
        figures[kind] = 0.0
        for part in parts(problem, kind, count, folder):
            doubts = kernel.doubts(part.states)
            touching = part.contacts[:, 0] * pairs + part.contacts[:, 1]
            missed = np.setdiff1d(touching, doubts[:, 0] * pairs + doubts[:, 1])
            hits, doubtful = (np.zeros(len(part.states), dtype=bool) for _ in range(2))
            hits[part.contacts[:, 0]], doubtful[doubts[:, 0]] = True, True
            told = ~checker.are_free(part.states)
            figures[kind] += len(part.states)
            figures["touching"] += len(touching)
            figures["missed_pairs"] += len(missed)
            figures["false_free"] += float(np.sum(hits & ~told))
            figures["false_hit"] += float(np.sum(told & ~hits))
            free += int(np.sum(~hits))
            decided += int(np.sum(~hits & ~doubtful))
    ways, deep = edges_near_contact(problem, edges, folder)
    depths = deep[[depth > 0.0 and checker.edge_is_free(*way) for way, depth in zip(ways, deep, strict=True)]]
    details = {
        "decided": 100.0 * decided / free if free else None,
        "edges": float(edges),
        "missed_edges": float(np.sum(depths > DEEP)),
        "missed_mm": 1e3 * float(np.max(depths, initial=0.0)),
    }
    return Result(problem.name, OURS, {**figures, **details}, details={"pairs": pairs})


def exactness(
    robots: Names = None,
    worlds: Annotated[list[str] | None, typer.Option(help=f"Of {', '.join(WORLDS)}; all unless given.")] = None,
    random: Annotated[int, typer.Option(help="Configurations of each row, anywhere.", min=0)] = 16_000,
    near: Annotated[int, typer.Option(help="Configurations of each row within 2 mm of contact.", min=0)] = 1_800,
    edges: Annotated[int, typer.Option(help="Edges of each row near contact.", min=0)] = 100,
    json: Json = None,
    cache: Cache = CACHE,
) -> None:
    """Whether the kernel ever calls free what coal calls a contact, on the robots as they are shipped."""
    console, results = Console(width=160), []
    for robot in chosen("robot", robots, robot_names()):
        for world in chosen("world", worlds, WORLDS):
            results.append(judge(furnished(robot, world), random, near, edges, cache.resolve() / "exactness-1"))
            missed = results[-1].get("missed_pairs")
            console.print(f"{results[-1].row}: {missed:.0f} missed pairs", style="dim")
            if json is not None:
                REPORT.write(results, json, {"random": random, "near": near, "edges": edges})
    REPORT.show(results, console)


if __name__ == "__main__":
    main(exactness)
