"""Problems are the same each time they are built, and what they claim to be."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest
from problems.chains import chain_row
from problems.flatten import flatten
from problems.meshes import convex_hull
from problems.models import Checker, load, load_problem, load_scene
from problems.pairs import pairs_to_test
from problems.plans import planning_row
from problems.robots import SUBJECTS
from problems.rows import Row, random_source, read_row, write_row
from problems.scenes import scene_rows
from problems.tree import Tree, box
from problems.truth import judged


def same(first: Row, second: Row) -> bool:
    return str(asdict(first)) == str(asdict(second))


def test_targets_are_poses_of_the_tip(tmp_path: Path) -> None:
    """Pinocchio reads the same kinematics from the flattened file, and the targets are the same the second time."""
    row = chain_row("panda", "arm", tmp_path, 5)
    model = pin.buildModelFromUrdf(row.body.urdf)
    data, random = model.createData(), random_source("ik", "panda", "arm")
    for target in row.targets:
        pin.framesForwardKinematics(model, data, random.uniform(row.body.lower, row.body.upper))
        X = data.oMf[model.getFrameId("panda_hand")].homogeneous
        np.testing.assert_allclose(target, X, atol=1e-9)
    assert same(row, chain_row("panda", "arm", tmp_path, 5))


def test_fixed_joints_stand_where_they_are_told(arm: str, tmp_path: Path) -> None:
    """A joint that is fixed within its limits leaves the pose of the hand as it was."""
    source = SUBJECTS[arm].path
    free = Tree(flatten(source, tmp_path / "free.urdf", None))
    fixed = Tree(flatten(source, tmp_path / "fixed.urdf", None, ("turn",), {"shoulder": 0.7, "elbow": 9.0}))
    at = {"turn": 0.3, "shoulder": 0.7, "elbow": 2.5}
    np.testing.assert_allclose(fixed.pose({"turn": 0.3}, "hand"), free.pose(at, "hand"), atol=1e-9)
    assert free.body("", ("turn",)).upper == pytest.approx([np.pi])


def test_a_driven_robot_moves_with_its_base(arm: str, tmp_path: Path) -> None:
    """The planar base comes first and carries the rest."""
    tree = Tree(flatten(SUBJECTS[arm].path, tmp_path / "driven.urdf", "hull", (), {}, "driven"))
    X = tree.pose({"base_x": 1.0, "base_y": -0.5, "base_yaw": np.pi / 2}, "stand")
    np.testing.assert_allclose(X[:3, 3], (1.0, -0.5, 0.0), atol=1e-12)
    assert "stand" not in tree.mounted()


def test_hulls_look_outward() -> None:
    """Every triangle of a hull has the centre behind it."""
    vertices, triangles = convex_hull(np.random.default_rng(0).uniform(-1, 1, (40, 3)))
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    assert np.all(np.einsum("ij,ij->i", np.cross(b - a, c - a), a - vertices.mean(0)) > 0)


def test_scenes(arm: str, tmp_path: Path) -> None:
    """Free states and edges are free in both worlds, what is judged is true, and a row survives its file."""
    pairs = tuple(pairs_to_test(arm, flatten(SUBJECTS[arm].path, tmp_path / "small_hull.urdf", "hull"), {}))
    assert pairs == (("fore", "stand"), ("stand", "upper"))
    rows = scene_rows(arm, tmp_path, pairs)
    assert [row.name for row in rows] == [f"small {m} {w}" for m in ("exact", "hull") for w in ("boxes", "voxels")]
    for row in rows[2:]:
        checker = Checker(*load_scene(row))
        assert len(row.free) == 20
        assert not any(checker.hits(q) for q in row.free)
        assert not any(checker.edge_hits(a, b) for a, b in row.edges[: row.free_edges])
    write_row(tmp_path / "row.json", rows[1])
    assert same(read_row(tmp_path / "row.json"), rows[1])
    truth = judged(rows[0], 20, 10, tmp_path)
    checker = Checker(*load_scene(rows[0]))
    assert [checker.hits(q) for q in truth.states] == truth.hits.tolist()
    assert 0 < truth.hits[-10:].sum() < 10
    assert np.array_equal(judged(rows[0], 20, 10, tmp_path).states, truth.states)


def test_what_stands_fixed_is_not_tested_against_the_world(arm: str, tmp_path: Path) -> None:
    """Pairs are those of the list, and every moving body against every shape of the world."""
    urdf = str(flatten(SUBJECTS[arm].path, tmp_path / "small.urdf", "exact"))
    world = [box(f"box{i}", (1, 1, 1), (3 * i, 0, 5)) for i in range(40)]
    _, geometry = load(urdf, False, (("fore", "stand"),), world, np.array([[0.0, 0.0, 9.0]]), 0.1)
    joints = [item.parentJoint for item in geometry.geometryObjects]
    pairs = [(joints[pair.first], joints[pair.second]) for pair in geometry.collisionPairs]
    assert pairs[0] == (0, 3)
    assert sorted(pairs[1:]) == [(2, 0)] * 41 + [(3, 0)] * 41


def test_planning_problems(arm: str, tmp_path: Path) -> None:
    """Ends are free, the straight line is not, and the problems are the same the second time."""
    row = planning_row(arm, "arm", "table", tmp_path, (("fore", "stand"),), count=2)
    assert len(row.problems) == 2
    for problem in row.problems:
        checker = Checker(*load_problem(row, problem.boxes))
        assert not checker.hits(problem.start)
        assert not checker.hits(problem.goal)
        assert checker.edge_hits(problem.start, problem.goal, samples=80)
    assert same(row, planning_row(arm, "arm", "table", tmp_path, (("fore", "stand"),), count=2))
