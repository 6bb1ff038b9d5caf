"""Collision checks with a map of space, against the same cells as an object and looked at one by one."""

from __future__ import annotations

import gc
import weakref
from itertools import pairwise

import coal
import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.world.geometry import cubes, pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.core.world.occupancy import Boxes, Space
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import OCTREE, UNSEEN, CollisionChecker
from taskmatrix.skills.collision.shapes import occupancy_body_of

from .setting import random_configuration, robot_of

SIDE = 0.04


def cloud(count: int = 400, seed: int = 0) -> Shape:
    """Lumps of cells within reach."""
    random = np.random.default_rng(seed)
    lumps = random.uniform((-1.5, -1.5, 0.1), (1.5, 1.5, 1.5), (count // 20, 3))
    points = (lumps[:, None] + random.normal(0.0, 0.05, (len(lumps), 20, 3))).reshape(-1, 3)
    return Shape("points", (SIDE,), pose(), points=points)


def boxes_of(shape: Shape) -> Boxes:
    centres = cubes(shape)
    order = np.lexsort(centres.T)
    return Boxes((centres[order] - SIDE / 2).astype(np.float32), (centres[order] + SIDE / 2).astype(np.float32))


def configurations(robot_name: str, count: int, seed: int) -> list[Array]:
    random = np.random.default_rng(seed)
    return [random_configuration(robot_of(robot_name), random) for _ in range(count)]


@pytest.mark.parametrize("name", ["bandit", "mannequin"])
def test_a_map_is_as_much_in_the_way_as_an_object_of_its_cells(name: str) -> None:
    """In configurations and on edges, all of them exact."""
    shape = cloud()
    mapped, known = CollisionChecker(robot_of(name), 0.01), CollisionChecker(robot_of(name), 0.01)
    mapped.set_space(Space(boxes_of(shape)))
    known.set_bodies([Body(ObjectModel("cloud", "obstacle", (shape,)), np.eye(4))])
    Q = np.array(configurations(name, 120, seed=1))
    assert mapped.are_free(Q).tolist() == known.are_free(Q).tolist()
    ends = [start + np.random.default_rng(k).normal(0.0, 0.1, len(start)) for k, start in enumerate(Q[:40])]
    edges = list(zip(Q[:40], ends, strict=True))
    assert [mapped.edge_is_free(*edge) for edge in edges] == [known.edge_is_free(*edge) for edge in edges]


def test_a_map_is_exact_against_every_single_cell() -> None:
    """By coal alone, for each link and each cell."""
    robot, boxes = robot_of("mannequin"), boxes_of(cloud(200, seed=3))
    checker = CollisionChecker(robot)
    checker.set_space(Space(boxes))
    data, geometry = robot.model.createData(), robot.collision.createData()
    for q in configurations("mannequin", 60, seed=2):
        pin.updateGeometryPlacements(robot.model, data, robot.collision, geometry, robot.expand(q))
        touching = set()
        for number, body in enumerate(robot.collision.geometryObjects):
            X = coal.Transform3s(geometry.oMg[number].rotation, geometry.oMg[number].translation)
            for low, high in zip(boxes.low.astype(float), boxes.high.astype(float), strict=True):
                request, result = coal.CollisionRequest(), coal.CollisionResult()
                box = coal.Box(*(high - low)), coal.Transform3s((low + high) / 2)
                if body.parentJoint and coal.collide(body.geometry, X, *box, request, result):
                    touching.add(robot.model.frames[body.parentFrame].name)
                    break
        pairs = {checker.names(pair) for pair in checker.touching(q)}
        assert {first for first, second in pairs if second == OCTREE} == touching


def test_contacts_name_the_octree_and_the_unseen() -> None:
    """With a distance, which is negative inside."""
    robot = robot_of("mannequin")
    checker, q = CollisionChecker(robot), robot.posture(robot.stance)
    assert checker.is_free(q)
    wall = Boxes(np.array([[-1.0, -1.0, 0.5]], dtype=np.float32), np.array([[1.0, 1.0, 0.6]], dtype=np.float32))
    checker.set_space(Space(wall))
    contact = checker.contact(q)
    assert contact is not None
    assert contact.second == OCTREE
    assert contact.distance < 0.0
    checker.set_space(Space(Boxes.none(), wall))
    contact = checker.contact(q)
    assert contact is not None
    assert contact.second == UNSEEN
    checker.set_space(Space(Boxes.none()))
    assert checker.is_free(q)
    checker.set_space(Space(wall))
    assert not checker.is_free(q)
    checker.set_space(None)
    assert checker.is_free(q)


def test_a_map_that_changes_is_as_a_map_made_anew() -> None:
    """It grows and shrinks; answers and work counted depend on what there is now."""
    Q = np.array(configurations("bandit", 60, seed=5))
    changing = CollisionChecker(robot_of("bandit"), 0.01)
    spaces = [Space(boxes_of(cloud(count, seed))) for seed, count in enumerate((40, 800, 100, 2000))]
    for _, space in pairwise([None, *spaces]):
        changing.set_space(space)
        anew = CollisionChecker(robot_of("bandit"), 0.01)
        anew.set_space(space)
        before = changing.checks
        assert changing.contacts(Q) == anew.contacts(Q)
        assert changing.checks - before == anew.checks


def test_objects_come_and_go_beside_a_map() -> None:
    """The pairs of both stay apart."""
    robot = robot_of("bandit")
    checker, q = CollisionChecker(robot), robot.posture(robot.stance)
    wall = Boxes(np.array([[-1.0, -1.0, 0.3]], dtype=np.float32), np.array([[1.0, 1.0, 0.4]], dtype=np.float32))
    box = ObjectModel("box", "obstacle", (Shape("box", (3.0, 3.0, 0.1), pose()),))
    checker.set_bodies([Body(box, pose((0.0, 0.0, 0.35)))])
    checker.set_space(Space(wall))
    names = {name for pair in checker.touching(q) for name in checker.names(pair)}
    assert {"box", OCTREE} <= names
    checker.set_bodies([])
    names = {name for pair in checker.touching(q) for name in checker.names(pair)}
    assert OCTREE in names
    assert "box" not in names


def test_of_maps_that_are_gone_a_few_are_kept() -> None:
    """One comes with every image: trees over all of them would take hundreds of megabytes within a minute."""
    gone = []
    for far in range(20):
        corner = np.full((1, 3), float(far), dtype=np.float32)
        boxes = Boxes(corner, corner + 1)
        occupancy_body_of(boxes)
        gone.append(weakref.ref(boxes))
    del boxes
    gc.collect()
    assert sum(boxes() is not None for boxes in gone) <= 8
