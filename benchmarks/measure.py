"""Measures one peer on one row of problems; runs in the peer's own interpreter, with numpy and little else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from peers.base import Collision, Planner, Solve, now
from problems.rows import SAMPLES, Array, ChainRow, PlanningRow, Problem, SceneRow, random_source

BUDGET = 0.050
"""[s] For one target."""
WARM_UP = 3
ROUNDS = 3
PATIENCE = 6.0
"""[s] After which a peer is told no more configurations of a kind."""
Job = dict[str, Any]


def measure_ik(make: Callable[[ChainRow], Solve], row: ChainRow, job: Job) -> dict[str, Any]:
    """Times [s] and answers for the first targets of a row; the last ones warm it up."""
    began = now()
    solve = make(row)
    random = random_source("ik run", row.name)
    for target in row.targets[-WARM_UP:]:
        solve(target, now() + BUDGET, random)
    setup, times, answers, error = now() - began, [], [], ""
    for target in row.targets[: job["problems"]]:
        began = now()
        try:
            answer = solve(target, began + BUDGET, random)
        except Exception as raised:  # a peer's exception is an answer that it does not give
            answer, error = None, error or f"{type(raised).__name__}: {raised}"
        times.append(now() - began)
        answers.append(None if answer is None else np.asarray(answer, float).tolist())
    return {"setup": setup, "times": times, "answers": answers, "error": error}


def measure_collision(make: Callable[[SceneRow], Collision], row: SceneRow, job: Job) -> dict[str, Any]:
    """Times [s] for states and edges, and the answers to them and to all that is judged."""
    began = now()
    peer = make(row)
    setup, count = now() - began, job["problems"]
    free_edges = row.edges[: row.free_edges][: max(1, count // 5)]
    edges = np.concatenate([free_edges, row.edges[row.free_edges :][: max(1, count // 10)]])
    for q in (row.free if len(row.free) else row.random)[:3]:
        peer.hits(q)
    if len(edges):
        peer.edge_hits(*edges[0])
    random_times, random_hits = _asked(peer.hits, row.random[:count])
    free_times, free_hits = _asked(peer.hits, row.free[:count])
    edge_times, edge_hits = _asked(lambda edge: peer.edge_hits(*edge), edges)
    states = np.load(job["states"])
    judged = [bool(hit) for batch in np.array_split(states, max(1, len(states) // 1000)) for hit in peer.all_hit(batch)]
    judged_edges = [bool(peer.edge_hits(a, b)) for a, b in np.load(job["edges"])]
    return {
        "setup": setup,
        "judged_edges": judged_edges,
        "random_times": random_times,
        "random_hits": random_hits,
        "free_times": free_times,
        "free_hits": free_hits,
        "edge_times": edge_times,
        "edge_hits": edge_hits,
        "free_edges": len(free_edges),
        "judged": judged,
        "batch_rate": _batch_rate(peer, free_edges),
        "random_batch_rate": _batch_rate(peer, row.random[:count, None]),
        "clutter_rate": _batch_rate(peer, _many(row.free)),
        "open_rate": _batch_rate(peer, _many(np.load(job["open"]))),
    }


def _asked(hits: Callable[[Array], bool], questions: Array) -> tuple[list[float], list[bool]]:
    """The least time of up to three rounds for each question, and the answers."""
    answers: list[bool] = []
    times: list[float] = []
    patience = now() + PATIENCE
    for _ in range(ROUNDS):
        for k, question in enumerate(questions):
            began = now()
            answer = bool(hits(question))
            taken = now() - began
            if k < len(times):
                times[k] = min(times[k], taken)
            elif now() < patience or not times:
                times.append(taken)
                answers.append(answer)
        if now() > patience:
            break
    return times, answers


def _batch_rate(peer: Collision, edges: Array) -> float | None:
    """[1/s] States of edges (k, 2, n), or of single configurations (k, 1, n), in calls of many; None if one by one."""
    if not peer.batched or not len(edges):
        return None
    t = np.linspace(0.0, 1.0, SAMPLES)[:, None]
    states = np.concatenate([e[0] + t * (e[1] - e[0]) for e in edges]) if edges.shape[1] == 2 else edges[:, 0]
    peer.all_hit(states)
    taken = []
    for _ in range(ROUNDS):
        began = now()
        peer.all_hit(states)
        taken.append(now() - began)
    return float(len(states) / min(taken))


def _many(states: Array) -> Array:
    """(k, 1, n) About a thousand: some configurations (m, n) again and again."""
    return np.tile(states, (-(-1000 // max(1, len(states))), 1))[:, None]


def measure_planning(
    make: Callable[[PlanningRow, Problem, int], Planner], row: PlanningRow, job: Job
) -> dict[str, Any]:
    """Times [s] and paths for the first problems of a row; building the scene is not timed."""
    plans: list[dict[str, Any]] = []
    for k, problem in enumerate(row.problems[: job["problems"]]):
        try:
            found = make(row, problem, k)(job["limit"])
        except (ImportError, NotImplementedError):
            raise
        except Exception as raised:  # a peer's exception is a problem that it does not solve
            plans.append({"seconds": None, "error": f"{type(raised).__name__}: {raised}"[:300]})
            continue
        plans.append(
            {
                "seconds": found.seconds,
                "cutting": found.cutting,
                "path": None if found.path is None else found.path.tolist(),
                "cut": None if found.cut is None else found.cut.tolist(),
            }
        )
    return {"plans": plans}


MEASURES: dict[str, Callable[..., dict[str, Any]]] = {
    "ik": measure_ik,
    "collision": measure_collision,
    "planning": measure_planning,
}
