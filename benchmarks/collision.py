"""Whole-body collision checking of four robots against themselves and two worlds, beside the peers.

    python benchmarks/collision.py --robots talos --meshes exact --json collision.json --plot collision.png
    python benchmarks/collision.py --peers taskmatrix --random 200000 --near 20000

200 free and 200 random configurations and 60 edges of 64 states are timed, in a table and 20 boxes and in a table and
5,000 voxels, with meshes as they are and with their convex hulls. "states/s" are asked in batches, of peers that take
such: free states ("clutter"), and ones in which all bodies are 5 cm apart but those that are always close ("open").
What a peer answers is compared with what coal says with the same meshes. "false free" counts configurations that it
calls free and coal does not, among random ones and ones within about 2 mm of contact; "edges missed" those of the edges
near contact that it calls free, and on which bodies overlap by more than 1 mm at one of 256 states; "by mm" is the
worst overlap on any that it calls free.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from options import Cache, Clock, Json, Measure, Names, Plot, Python, chosen, compare, main, runner
from problems.models import Checker, load_scene
from problems.room import open_states
from problems.rows import SceneRow
from problems.scenes import MESHES, WORLDS
from problems.store import CACHE, Store, scene_names
from problems.truth import Judged, JudgedEdges, judged, judged_edges
from report import Column, Report
from results import Result, median

DEEP = 1e-3
"""[m] Overlaps that no edge may miss."""
MAIN = Column("free_edge_ms", "free edge ms", ".3f")
REPORT = Report(
    "collision, whole body, self and world",
    [
        Column("random_us", "random us", ".1f"),
        Column("free_us", "free us", ".1f"),
        MAIN,
        Column("clutter_rate", "states/s, clutter", ",.0f"),
        Column("open_rate", "states/s, open", ",.0f"),
        Column("agreement", "agrees %", ".2f", "share"),
        Column("false_free", "false free", ".0f", "count"),
        Column("false_hit", "false hit", ".0f", "count"),
        Column("missed_edges", "edges missed", ".0f", "count"),
        Column("missed_mm", "by mm", ".2f", "worst"),
    ],
    MAIN,
)


def judge(name: str, peer: str, row: SceneRow, told: dict[str, Any], truth: Judged, edges: JudgedEdges) -> Result:
    """Figures of a peer from its times and answers."""
    if "judged" not in told:
        return Result(name, peer, note=told.get("skipped") or told["failed"])
    hits, free_edges = np.array(told["judged"], dtype=bool), told["free_edges"]
    edge_hits = np.array(told["judged_edges"], dtype=bool)
    missed = np.where(edge_hits, 0.0, edges.depths)
    passed = _passed(told["edge_times"][:free_edges], told["edge_hits"])
    note = "" if passed else "takes most free edges for collisions, so that their time tells nothing"
    false_free = truth.hits & np.logical_not(hits)
    near = np.arange(len(hits)) >= len(hits) - truth.near
    figures = {
        "random_us": _scaled(told["random_times"], 1e6),
        "free_us": _scaled(_passed(told["free_times"], told["free_hits"]), 1e6),
        "free_edge_ms": _scaled(passed, 1e3),
        "edges_per_second": len(told["edge_times"]) / sum(told["edge_times"]) if told["edge_times"] else None,
        "batch_rate": told["batch_rate"],
        "random_batch_rate": told["random_batch_rate"],
        "clutter_rate": told["clutter_rate"],
        "open_rate": told["open_rate"],
        "agreement": 100.0 * float(np.mean(hits == truth.hits)) if len(hits) else None,
        "false_free": float(np.sum(false_free)),
        "false_free_near": float(np.sum(false_free & near)),
        "false_free_depth_mm": _deepest(row, truth.states[false_free]),
        "false_hit": float(np.sum(hits & np.logical_not(truth.hits))),
        "missed_edges": float(np.sum(missed > DEEP)),
        "missed_mm": 1e3 * float(np.max(missed, initial=0.0)),
        "refused_edges": float(np.sum(edge_hits & (edges.depths == 0.0))),
        "setup_s": told["setup"],
    }
    details = {
        "version": told["version"],
        "judged": len(hits),
        "judged_near": truth.near,
        "free_edges": free_edges,
        "pairs": len(row.body.pairs),
    }
    return Result(name, peer, figures, note, details)


def collision(
    robots: Names = None,
    peers: Names = None,
    meshes: Names = None,
    worlds: Names = None,
    problems: Annotated[int, typer.Option(help="Timed states; a fifth as many free edges.", min=1, max=200)] = 200,
    random: Annotated[int, typer.Option(help="Random configurations that are judged.", min=0)] = 2000,
    near: Annotated[int, typer.Option(help="Configurations near contact that are judged.", min=0)] = 200,
    edges: Annotated[int, typer.Option(help="Edges near contact that are judged.", min=0)] = 50,
    python: Python = None,
    clock: Clock = Measure.WALL,
    json: Json = None,
    plot: Plot = None,
    cache: Cache = CACHE,
) -> None:
    """Whole-body collision checking of four robots against themselves and two worlds, beside the peers."""
    store, run = Store(cache), runner(python, clock)
    robots = chosen("robot", robots, (robot for robot, _, _ in scene_names()))
    meshes, worlds = chosen("kind of meshes", meshes, MESHES), chosen("world", worlds, WORLDS)
    rows = {f"{r} {m} {w}": (r, m, w) for r, m, w in scene_names() if r in robots and m in meshes and w in worlds}
    truths: dict[str, tuple[SceneRow, Judged, JudgedEdges, np.ndarray]] = {}

    def measure(name: str, peer: str, adapter: str) -> Result:
        if name not in truths:
            row = store.scene(*rows[name])
            truths.clear()
            kept = store.folder / "judged"
            truths[name] = row, judged(row, random, near, kept), judged_edges(row, edges, kept), open_states(row, kept)
        row, truth, lines, roomy = truths[name]
        patience = 300.0 + 0.05 * len(truth.states) + 1.0 * edges
        arrays = {"states": truth.states, "edges": lines.edges, "open": roomy}
        told = run.run("collision", adapter, peer, store.path(name), patience, arrays, problems=problems)
        return judge(name, peer, row, told, truth, lines)

    settings = {"clock": clock.value, "problems": problems, "random": random, "near": near, "edges": edges}
    compare("collision", list(rows), peers, measure, REPORT, json, plot, settings)


def _deepest(row: SceneRow, states: np.ndarray, most: int = 20) -> float | None:
    """[mm] How deep the robot is in the worst of some states, of which at most so many are looked at."""
    checker = Checker(*load_scene(row))
    return max((1e3 * checker.depth(q) for q in states[:most]), default=None)


def _passed(times: list[float], hits: list[bool]) -> list[float]:
    """Times of what is free and was called so; none if that is less than half of it."""
    passed = [t for t, hit in zip(times, hits, strict=False) if not hit]
    return passed if 2 * len(passed) >= len(times) else []


def _scaled(times: list[float], factor: float) -> float | None:
    middle = median(times)
    return None if middle is None else factor * middle


if __name__ == "__main__":
    main(collision)
