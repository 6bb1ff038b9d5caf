"""Planning of arms and whole bodies in furniture, beside the peers.

    python benchmarks/planning.py --problems 10 --limit 5 --json planning.json --plot planning.png
    python benchmarks/planning.py --scenes shelves,opening,kitchen --limit 5

30 problems a row for three robots: over a table, from slot to slot of a cabinet, and a harder set of our own: deep
shelves, both arms through one opening, base and both arms in a cluttered kitchen. Peers plan with convex hulls and
test edges each 0.05 rad. Their final paths are judged with coal each 0.02 rad, on the meshes as they are ("valid")
and on the convex hulls that they were given ("hulls"). "first" is the time to the first solution, at the median of all
problems of a row; an unsolved one counts as endless.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from options import Cache, Clock, Json, Measure, Names, Plot, Python, chosen, compare, main, runner
from problems.rows import Array, PlanningRow
from problems.store import CACHE, PLANS, Store
from problems.truth import PathJudge
from report import Column, Report
from results import Result, median, quantile

LIMIT = 60.0
"""[s] For one problem."""
MAIN = Column("median_ms", "first ms", ".1f")
REPORT = Report(
    "planning",
    [
        Column("solved", "solved %", ".0f", "share"),
        Column("solved_5s", "in 5 s %", ".0f", "share"),
        MAIN,
        Column("p90_ms", "90 % ms", ".1f"),
        Column("valid", "valid %", ".0f", "share"),
        Column("valid_hulls", "hulls %", ".0f", "share"),
        Column("length", "length", ".2f"),
        Column("cutting_ms", "shortcut ms", ".1f"),
    ],
    MAIN,
)


def length(path: Array) -> float:
    """[rad] Length of a path (k, n)."""
    return float(np.linalg.norm(np.diff(path, axis=0), axis=1).sum())


def judge(name: str, peer: str, row: PlanningRow, told: dict[str, Any]) -> Result:
    """Figures of a peer from its times and paths."""
    if "plans" not in told:
        return Result(name, peer, note=told.get("skipped") or told["failed"])
    plans, reasons, lengths, hulls = told["plans"], [], [], []
    for problem, plan in zip(row.problems, plans, strict=False):
        if plan.get("path") is not None:
            cut = np.array(plan["cut"])
            reasons.append(PathJudge(row, problem).wrong(cut))
            hulls.append(PathJudge(row, problem, hull=True).wrong(cut))
            lengths.append(length(cut) / length(np.array([problem.start, problem.goal])))
    solved = [plan for plan in plans if plan.get("path") is not None]
    times = 1e3 * np.array([plan["seconds"] if plan in solved else np.inf for plan in plans])
    figures = {
        "solved": _percent(len(solved), len(plans)),
        "solved_5s": _percent(int(np.sum(times <= 5000)), len(plans)),
        "median_ms": _finite(median(times)),
        "p90_ms": _finite(float(np.sort(times)[min(len(times) - 1, int(0.9 * len(times)))]) if len(times) else None),
        "valid": _percent(reasons.count(""), len(reasons)),
        "valid_hulls": _percent(hulls.count(""), len(hulls)),
        "length": median(lengths),
        "cutting_ms": median([1e3 * plan["cutting"] for plan in solved]),
        "cutting_p90_ms": quantile([1e3 * plan["cutting"] for plan in solved], 0.9),
    }
    errors = [plan["error"] for plan in plans if "error" in plan]
    details = {
        "problems": len(plans),
        "joints": len(row.body.joints),
        "wrong": reasons,
        "times_ms": [_finite(t) for t in times],
        "lengths": lengths,
    }
    return Result(name, peer, figures, errors[0] if errors else "", details)


def planning(
    robots: Names = None,
    peers: Names = None,
    scenes: Names = None,
    groups: Names = None,
    problems: Annotated[int, typer.Option(help="Problems of each row.", min=1, max=30)] = 30,
    limit: Annotated[float, typer.Option(metavar="SECONDS", help="For one problem.", min=0.01)] = LIMIT,
    python: Python = None,
    clock: Clock = Measure.WALL,
    json: Json = None,
    plot: Plot = None,
    cache: Cache = CACHE,
) -> None:
    """Planning of arms and whole bodies in furniture, beside the peers."""
    store, run = Store(cache), runner(python, clock)
    robots = chosen("robot", robots, (robot for robot, _, _ in PLANS))
    groups = chosen("group", groups, (group for _, group, _ in PLANS))
    scenes = chosen("scene", scenes, (scene for _, _, scene in PLANS))
    rows = {f"{r} {g} {s}": (r, g, s) for r, g, s in PLANS if r in robots and g in groups and s in scenes}

    def measure(name: str, peer: str, adapter: str) -> Result:
        row = store.plan(*rows[name])
        patience = 120.0 + 3 * limit * problems
        told = run.run("planning", adapter, peer, store.path(name), patience, problems=problems, limit=limit)
        return judge(name, peer, row, told)

    compare(
        "planning",
        list(rows),
        peers,
        measure,
        REPORT,
        json,
        plot,
        {"clock": clock.value, "problems": problems, "limit": limit},
    )


def _percent(part: int, whole: int) -> float | None:
    return 100.0 * part / whole if whole else None


def _finite(value: float | None) -> float | None:
    return float(value) if value is not None and np.isfinite(value) else None


if __name__ == "__main__":
    main(planning)
