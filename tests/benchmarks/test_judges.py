"""Judges catch what is wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ik import right
from peers.base import box_mesh, close, shortcut
from problems.chains import chain_row
from problems.plans import planning_row
from problems.rows import Array, random_source
from problems.tree import Tree, box
from problems.truth import PathJudge
from results import Result, lead, ratios, summary


def test_inverse_kinematics(tmp_path: Path) -> None:
    """The configuration behind a target is right; beside it, beyond the limits, NaN or none is not."""
    row = chain_row("panda", "arm", tmp_path, 1)
    tree, q = Tree(row.body.urdf), random_source("ik", "panda", "arm").uniform(row.body.lower, row.body.upper)
    target = row.targets[0]
    assert right(row, tree, q.tolist(), target)
    assert not right(row, tree, (q + 1e-3).tolist(), target)
    assert not right(row, tree, [*q[:-1], float("nan")], target)
    assert not right(row, tree, None, target)
    beyond = row.body.upper + 0.01
    pose = tree.pose(dict(zip(row.body.joints, beyond, strict=True)), "panda_hand")
    assert not right(row, tree, beyond.tolist(), pose)


def test_paths(arm: str, tmp_path: Path) -> None:
    """A path through a box, one that ends elsewhere and one that leaves the limits are told apart."""
    row = planning_row(arm, "arm", "table", tmp_path, (), count=1)
    (problem,) = row.problems
    judge = PathJudge(row, problem)
    assert judge.wrong(np.array([problem.start, problem.goal])) == "collides"
    assert judge.wrong(np.array([problem.start, problem.start])) == "does not end at the goal"
    assert judge.wrong(np.array([problem.goal, problem.goal])) == "does not begin at the start"
    assert judge.wrong(np.array([problem.start, row.body.upper + 1.0, problem.goal])) == "leaves the limits"


def test_closeness_agrees_with_the_tolerances() -> None:
    """Peers end within a tenth of the judge's tolerances."""
    X = np.eye(4)
    X[:3, 3] = (8.9e-5, 0, 0)
    assert close(X, np.eye(4))
    X[:3, 3] = (9.1e-5, 0, 0)
    assert not close(X, np.eye(4))
    X = box("turned", (1, 1, 1), (0, 0, 0), 9.1e-4).pose
    assert not close(X, np.eye(4))


def test_boxes_as_triangles_enclose_their_volume() -> None:
    """All triangles look outward: their signed volumes add up to that of the boxes."""
    vertices, triangles = box_mesh([box("a", (1, 2, 3), (4, 5, 6), 0.3), box("b", (0.5, 0.5, 0.5), (0, 0, 0))])
    corners = vertices[triangles]
    volume = np.einsum("ij,ij->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    assert abs(volume) == pytest.approx(6.125)


def test_shortcuts_leave_out_what_is_free() -> None:
    """A detour goes where the straight line is free, and stays where it is not."""
    path = np.array([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0)])

    def above(q: Array) -> bool:
        return bool(q[1] > 0.1 or abs(q[0] - 1.0) > 0.5)

    assert len(shortcut(path, lambda q: True)) == 2
    assert len(shortcut(path, above)) == 3


def test_ratios() -> None:
    """Peers are compared with ours where it has a figure, else with the best of them."""
    results = [
        Result("a", "taskmatrix", {"t": 2.0}),
        Result("a", "slow", {"t": 20.0}),
        Result("a", "fast", {"t": 8.0}),
        Result("b", "slow", {"t": 3.0}),
        Result("b", "fast", {"t": 1.0}),
        Result("b", "absent", note="not installed"),
    ]
    assert ratios(results, "t") == {
        ("a", "taskmatrix"): 1.0,
        ("a", "slow"): 10.0,
        ("a", "fast"): 4.0,
        ("b", "slow"): 3.0,
        ("b", "fast"): 1.0,
    }
    assert lead(results, "t") == {"a": 4.0}
    assert summary(results, "t")[1] == ("slow", 2, 3.0, 6.5)
