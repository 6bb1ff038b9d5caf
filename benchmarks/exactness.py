"""Whether the kernel ever calls free what coal calls a contact, on the meshes as they are.

    python benchmarks/exactness.py --robots talos,g1 --random 20000 --near 2000 --json exactness.json

Judged is every pair of bodies of every configuration: one that coal says touches, and that the kernel is not in doubt
about, is a "missed pair". "false free" counts configurations that are called free in the end and collide, "false hit"
the others that are answered wrongly. Edges pass near contact; "edges missed" are those called free on which bodies
overlap by more than 1 mm at one of 256 states. What coal says is kept in the cache folder in parts, so that a run that
was cut off goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
import typer
from collision import DEEP
from console import Console
from options import Cache, Json, Names, chosen, main
from peers import OURS
from problems.contacts import parts
from problems.models import load_scene
from problems.rows import SceneRow
from problems.scenes import WORLDS
from problems.store import CACHE, Store
from problems.truth import judged_edges
from report import Column, Report
from results import Result

from taskmatrix.kernel.collision.checker import Checker
from taskmatrix.kernel.collision.kernel import Kernel
from taskmatrix.kernel.collision.tables import tables

ROBOTS = ("talos", "icub", "g1", "pr2", "romeo")
MAIN = Column("missed_pairs", "missed pairs", ",.0f", "count")
REPORT = Report(
    "exactness against coal on the meshes",
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


def judge(row: SceneRow, random: int, near: int, edges: int, store: Store) -> Result:
    """Figures of the kernel on one robot."""
    model, geometry = load_scene(row)
    grids = tables(model, geometry)
    kernel, checker = Kernel(model, geometry, tables=grids), Checker(model, geometry, tables=grids)
    pairs, figures = len(kernel.active), dict.fromkeys(("touching", "missed_pairs", "false_free", "false_hit"), 0.0)
    free = decided = 0
    for kind, count in (("random", random), ("near", near)):
        figures[kind] = 0.0
        for part in parts(row, kind, count, store.folder):
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
    depths = np.array(list(_missed(row, checker, edges, store)))
    details = {
        "decided": 100.0 * decided / free if free else None,
        "edges": float(edges),
        "missed_edges": float(np.sum(depths > DEEP)),
        "missed_mm": 1e3 * float(np.max(depths, initial=0.0)),
    }
    return Result(row.name, OURS, {**figures, **details}, details={"pairs": pairs})


def exactness(
    robots: Names = None,
    worlds: Annotated[list[str] | None, typer.Option(help="Of boxes and voxels; boxes unless given.")] = None,
    random: Annotated[int, typer.Option(help="Random configurations per robot.", min=0)] = 200_000,
    near: Annotated[int, typer.Option(help="Configurations near contact per robot.", min=0)] = 20_000,
    edges: Annotated[int, typer.Option(help="Edges near contact per robot.", min=0)] = 500,
    json: Json = None,
    cache: Cache = CACHE,
) -> None:
    """Whether the kernel ever calls free what coal calls a contact, on the meshes as they are."""
    store, console, results = Store(cache), Console(width=160), []
    for robot in chosen("robot", robots, ROBOTS):
        for world in chosen("world", worlds or ["boxes"], WORLDS):
            results.append(judge(store.scene(robot, "exact", world), random, near, edges, store))
            missed = results[-1].get("missed_pairs")
            console.print(f"{results[-1].row}: {missed:.0f} missed pairs", style="dim")
    REPORT.show(results, console)
    if json is not None:
        REPORT.write(results, json, {"random": random, "near": near, "edges": edges})


def _missed(row: SceneRow, checker: Checker, edges: int, store: Store) -> Iterator[float]:
    """[m] How deep bodies overlap on each edge that is called free."""
    truth = judged_edges(row, edges, store.folder / "judged")
    for (start, end), depth in zip(truth.edges, truth.depths, strict=True):
        if depth > 0.0 and checker.edge_is_free(start, end):
            yield float(depth)


if __name__ == "__main__":
    main(exactness)
