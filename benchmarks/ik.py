"""Inverse kinematics of 11 chains of 6 robots, beside the peers.

    python benchmarks/ik.py --problems 100 --json ik.json --plot ik.png
    python benchmarks/ik.py --robots talos,g1 --peers klampt,roboplan --python mplib=/path/of/its/python

500 poses a chain that it can take, from the middle of the limits, to 1e-4 m and 1e-3 rad with the limits held; 50 ms
each. An answer counts within 1, 5 and 50 ms. Answers are judged by forward kinematics of our own, outside the timing.
"""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from options import Cache, Clock, Json, Measure, Names, Plot, Python, chosen, compare, main, runner
from problems.rows import ChainRow
from problems.store import CACHE, CHAINS, Store
from problems.tree import Tree, pose_error
from report import Column, Report
from results import Result, median, quantile

BUDGETS = (1, 5, 50)
"""[ms]."""
CLOSE, TURNED = 1e-4, 1e-3
"""[m] and [rad] How near an answer has to be."""
MAIN = Column("median_ms", "median ms", ".3f")
REPORT = Report(
    "inverse kinematics",
    [
        *(Column(f"within_{b}_ms", f"{b} ms %", ".1f", "share") for b in BUDGETS),
        MAIN,
        Column("p99_ms", "99 % ms", ".2f"),
        Column("wrong", "wrong", ".0f", "count"),
    ],
    MAIN,
)


def right(row: ChainRow, tree: Tree, answer: list[float] | None, target: np.ndarray) -> bool:
    """Whether an answer reaches its target with the limits held."""
    if answer is None or not np.all(np.isfinite(answer)):
        return False
    q = np.array(answer)
    if np.any(q < row.body.lower - 1e-6) or np.any(q > row.body.upper + 1e-6):
        return False
    pose = tree.pose(dict(zip(row.body.joints, answer, strict=True)), row.body.tips[0])
    distance, angle = pose_error(pose, target)
    return distance < CLOSE and angle < TURNED


def judge(name: str, peer: str, row: ChainRow, told: dict[str, Any]) -> Result:
    """Figures of a peer from its times and answers."""
    if "times" not in told:
        return Result(name, peer, note=told.get("skipped") or told["failed"])
    tree, times = Tree(row.body.urdf), 1e3 * np.array(told["times"])
    good = np.array([right(row, tree, a, t) for a, t in zip(told["answers"], row.targets, strict=False)])
    given = np.array([answer is not None for answer in told["answers"]])
    in_time = times <= BUDGETS[-1]
    solved = times[good & in_time]
    figures = {
        **{f"within_{b}_ms": 100.0 * float(np.mean(good & (times <= b))) for b in BUDGETS},
        "median_ms": median(solved),
        "p99_ms": quantile(solved, 0.99),
        "wrong": float(np.sum(given & in_time & ~good)),
    }
    return Result(
        name,
        peer,
        figures,
        told["error"],
        {"version": told["version"], "targets": len(times), "joints": len(row.body.joints)},
    )


def ik(
    robots: Names = None,
    peers: Names = None,
    groups: Names = None,
    problems: Annotated[int, typer.Option(help="Targets of each chain.", min=1, max=500)] = 500,
    python: Python = None,
    clock: Clock = Measure.WALL,
    json: Json = None,
    plot: Plot = None,
    cache: Cache = CACHE,
) -> None:
    """Inverse kinematics of 11 chains of 6 robots, beside the peers."""
    store, run = Store(cache), runner(python, clock)
    robots = chosen("robot", robots, (robot for robot, _ in CHAINS))
    groups = chosen("group", groups, (group for _, group in CHAINS))
    rows = {f"{r} {g}": (r, g) for r, g in CHAINS if r in robots and g in groups}

    def measure(name: str, peer: str, adapter: str) -> Result:
        row = store.chain(*rows[name])
        told = run.run("ik", adapter, peer, store.path(name), 120.0 + 0.1 * problems, problems=problems)
        return judge(name, peer, row, told)

    compare("ik", list(rows), peers, measure, REPORT, json, plot, {"clock": clock.value, "problems": problems})


if __name__ == "__main__":
    main(ik)
