"""Peers that are wrong, or not there; read by the benchmarks' worker."""

from __future__ import annotations

import os

import numpy as np
from peers.base import Collision, Plan, Planner, Solve
from problems.rows import Array, ChainRow, PlanningRow, Problem, SceneRow


def absent(row: object) -> None:
    """Needs a library that nobody has."""
    import no_such_library  # type: ignore[import-not-found]  # noqa: F401, PLC0415


def crash(row: object) -> None:
    """Takes its process down."""
    os._exit(7)


def lazy_ik(row: ChainRow) -> Solve:
    """Never moves and says that it arrived."""
    return lambda target, deadline, random: row.start


def blind_collision(row: SceneRow) -> Collision:
    """Sees nothing."""
    return _Blind()


class _Blind(Collision):
    batched = True

    def hits(self, q: Array) -> bool:
        return False


def fearful_collision(row: SceneRow) -> Collision:
    """Sees collisions everywhere."""
    return _Fearful()


class _Fearful(Collision):
    def hits(self, q: Array) -> bool:
        return True


def straight_planning(row: PlanningRow, problem: Problem, seed: int) -> Planner:
    """Takes the straight line."""
    path = np.array([problem.start, problem.goal])
    return lambda limit: Plan(1e-3, path, path)
