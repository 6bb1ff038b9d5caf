"""A small problem of each kind, so that everything is compiled at once, and not when a robot is waiting for it."""

from __future__ import annotations

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import Boxes

from .collision.checker import Checker
from .collision.detached_bodies import doubtful_places
from .collision.occupancy_body import OccupancyBody
from .collision.swept import few
from .ik.chain import Chain
from .ik.gaze import turn_each
from .ik.ik import IkSettings, solve, solve_along, solve_each
from .paths.tree_planner import TreePlanner
from .rendering.rasterizer import Meshes, Pixels, View, draw
from .timing.spline import lengths, resample, through
from .timing.time_parameterization import follow, topp_ra

SIZE = 0.2  # [m]
TIP = "tip"


def solve_all() -> None:
    """Call every compiled function that is called from elsewhere, as it is called there.

    What other compiled functions call too comes first: they then take it as it is.
    """
    model, geometry = _arm()
    checker = Checker(model, geometry)
    _check(checker)
    _plan(checker)
    _reach(Chain.from_model(model, TIP, range(model.nq)))
    _pass(np.array([[0.0, 0.0], [0.5, 0.5], [0.0, 1.0]]))
    _map(checker)
    _draw()
    few(np.random.default_rng(0).normal(size=(20, 3)), 8)


def _arm() -> tuple[pin.Model, pin.GeometryModel]:
    """Two joints with a box on each, and a mesh in the world."""
    model, geometry, parent = pin.Model(), pin.GeometryModel(), 0
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(2, 6)
    for z in (0.0, SIZE):
        mesh.addTriangle(np.array([0.0, 0.0, z]), np.array([SIZE, 0.0, z]), np.array([0.0, SIZE, z]))
    mesh.endModel()
    boxes = [pin.GeometryObject("world", 0, pin.SE3.Identity(), mesh)]
    for kind in (pin.JointModelPX(), pin.JointModelRZ()):
        parent = model.addJoint(parent, kind, pin.SE3(np.eye(3), np.array([3 * SIZE, 0.0, 0.0])), f"joint_{parent}")
        boxes.append(pin.GeometryObject(f"box_{parent}", parent, pin.SE3.Identity(), coal.Box(SIZE, SIZE, SIZE)))
    model.addFrame(pin.Frame(TIP, parent, 0, pin.SE3(np.eye(3), np.array([SIZE, 0.0, 0.0])), pin.FrameType.OP_FRAME))
    model.lowerPositionLimit, model.upperPositionLimit = np.full(2, -1.0), np.full(2, 1.0)
    for box in boxes:
        geometry.addGeometryObject(box)
    geometry.addAllCollisionPairs()
    return model, geometry


def _check(checker: Checker) -> None:
    kernel, q = checker.kernel, np.zeros(2)
    kernel.doubtful(q)
    kernel.doubts(q[None])
    kernel.doubtful_pieces(q, q + 0.1)
    kernel.frames(q)
    doubtful_places(kernel, [2], np.array([1]), q, np.eye(4), np.eye(4)[None])


def _plan(checker: Checker) -> None:
    here, there = np.zeros(2), np.array([0.1, 0.1])
    planner = TreePlanner(checker, here, np.eye(2), np.full(2, -1.0), np.full(2, 1.0), np.ones(2))
    planner.line_is_free(here, there)
    planner.way(here, there)
    planner.connect(here, there, seed=0, checks=10)
    planner.shortened(np.array([here, there, here]), seed=0, attempts=2)


def _map(checker: Checker) -> None:
    corner = np.zeros((1, 3), dtype=np.float32)
    occupancy_body = OccupancyBody.of(Boxes(corner, corner + np.float32(SIZE)))
    checker.add_occupancy_body(occupancy_body)
    occupancy_body.near(np.zeros(3), np.ones(3))


def _reach(chain: Chain) -> None:
    q, X, once = np.zeros(chain.n), np.eye(4), IkSettings(attempts=1)
    solve(chain, X, q, once)
    solve_each(chain, X[None], q, once)
    solve_along(chain, X[None], q, largest=1.0)
    turn_each(chain.joints, q[None], X[0, :3].copy(), q[None], 1, 1.0, False)


def _pass(path: Array) -> None:
    ones = np.ones(2)
    points = resample(path, ones, SIZE)
    knots = lengths(points, ones)
    course = topp_ra(knots, through(knots, points, -ones, ones), ones, ones, 1.0, 1.0)
    q, v, a = np.empty((3, 4, 2))
    follow(course, np.linspace(0.0, 1.0, 4), 1.0, q, v, a)


def _draw() -> None:
    corners, none = np.array([[0.0, 0.0, -1.0], [1.0, 0.0, -1.0], [0.0, 1.0, -1.0]]), np.zeros((3, 3))
    meshes = Meshes(corners, none, np.array([[0, 1, 2]]), np.array([[0, 0], [3, 1]]))
    depth, light = (np.full((2, 2), 9.0, dtype=np.float32) for _ in range(2))
    view = View(np.eye(4), 1.0, 0.1, 9.0, np.zeros(3))
    draw(meshes, np.eye(4)[None], np.ones(1, dtype=bool), view, Pixels(depth, light, np.zeros((2, 2), dtype=np.int32)))
