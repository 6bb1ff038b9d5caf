"""Arms that carry a can among boxes and keep it upright, in a plane or on a line, beside OMPL's constrained space.

    python benchmarks/constrained_planning.py --problems 20
    python benchmarks/constrained_planning.py --robots talos,g1 --kinds upright --json constrained.json

Both search with the same exact collision checks in compiled code and the same metric, from configuration to
configuration, by bidirectional trees. OMPL's is its projected space with RRT-Connect, and Python tells it what is off
and how that changes with the joints, as a user would write it; it takes equalities only, so that upright is exact
there and within one degree here; both ends are exact. "first" is until the first path, "short" until ours is
shortened. Paths are judged each 0.01 rad along them, as straight lines: free of contact, and within 2 mm and 1 degree.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from time import process_time
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from ompl import base as ob
from ompl import geometric as og
from ompl import util as ou
from options import Json, Names, chosen, main
from rich.table import Table

from taskmatrix.core.robot.plans import HandConstraint
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.kernel.paths.tree_planner import TreePlanner
from taskmatrix.robots.loading.loader import load_robot
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.bodies import Body
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.constrained.projection import KEPT, Projection, broken
from taskmatrix.skills.constrained.search import ConstrainedSearch
from taskmatrix.skills.kinematics.kinematics import Kinematics

ROBOTS = ("mannequin", "bandit", "g1", "talos", "icub", "pr2")
KINDS = ("upright", "plane", "line")
BOXES = 8
AROUND = 0.8  # [m] of the shoulder, in which boxes are
CHECKS = 20_000
TILT = np.deg2rad(1.0)
ALONG = 0.01  # [rad] between two configurations that are judged
FAR = 0.4  # [m] the hand goes at least
TRIES = 4000  # random configurations for one problem


@dataclass(frozen=True, eq=False)
class Problem:
    """One arm between two configurations."""

    kinematics: Kinematics
    checker: CollisionChecker
    constraint: HandConstraint
    joints: Any
    q: Array
    space: TreePlanner
    project: Projection
    start: Array
    goal: Array


def constraint_of(kind: str, hand: str, X_WH: Array) -> HandConstraint:
    """What is kept by a hand that is at a pose (4, 4) at the start; its x is along the can."""
    axis, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    if kind == "upright":
        return HandConstraint(hand, kind, axis, up, TILT)
    free = {"plane": (np.inf, np.inf, 0.0), "line": (0.0, np.inf, 0.0)}[kind]
    X_WB = np.eye(4)
    X_WB[:3, 3] = X_WH[:3, 3]
    return HandConstraint(hand, kind, point=np.zeros(3), X_WB=X_WB, lower=-np.array(free), upper=np.array(free))


def problems(robot_name: str, kind: str, count: int) -> Iterator[Problem]:
    """Problems of one robot: two configurations among boxes of which both are free, and the constraint is kept."""
    robot = load_robot(robot_name)
    kinematics = Kinematics(robot)
    hand = next(iter(robot.hands))
    joints = np.array(robot.indices(robot.hands[hand].arm), dtype=np.intp)
    q = robot.posture(robot.stance, (0.0, 0.0, 0.0))
    can = load_world("sparse").objects["soda_can"]
    weights, lower, upper = kinematics.displacement[joints], robot.lower[joints], robot.upper[joints]
    for number in range(count):
        random, left = np.random.default_rng([number, ROBOTS.index(robot_name), KINDS.index(kind)]), TRIES
        while left:
            checker = CollisionChecker(robot)
            checker.set_bodies([_held(can, hand), *_boxes(random, kinematics.pose(hand, q)[:3, 3])])
            checker.set_moving(joints)
            ends, constraint = list[Array](), None
            while left and len(ends) < 2:
                left -= 1
                x = random.uniform(lower, upper)
                q[joints] = x
                if constraint is None:
                    constraint = constraint_of(kind, hand, kinematics.pose(hand, q))
                exact = [replace(constraint, tilt=0.0)]
                project = Projection(kinematics, exact, q, joints, weights, lower, upper)
                there = project(x)
                q[joints] = x if there is None else there
                if there is None or not checker.is_free(q):
                    constraint = constraint if ends else None
                elif not ends or _apart(kinematics, hand, q, joints, ends[0]) > FAR:
                    ends.append(there)
            if len(ends) == 2 and constraint is not None:
                project = Projection(kinematics, [constraint], q, joints, weights, lower, upper)
                space = checker.planner(q, joints, lower, upper, weights)
                yield Problem(kinematics, checker, constraint, joints, q.copy(), space, project, ends[0], ends[1])
                break


def _held(can: ObjectModel, hand: str) -> Body:
    """The can in a hand, with its axis along the hand's x."""
    X_HO = np.eye(4)
    X_HO[:3, :3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]
    return Body(can, np.eye(4), hand, X_HO)


def _boxes(random: np.random.Generator, around: Array) -> list[Body]:
    bodies = []
    for number in range(BOXES):
        size = random.uniform(0.05, 0.25, 3)
        X = pose(around + random.uniform(-AROUND, AROUND, 3), (0.0, 0.0, random.uniform(-np.pi, np.pi)))
        bodies.append(Body(ObjectModel(f"box_{number}", "box", (Shape("box", tuple(size), np.eye(4)),)), X))
    return bodies


def _apart(kinematics: Kinematics, hand: str, q: Array, joints: Any, first: Array) -> float:
    """[m] From the hand at one configuration to the hand at another."""
    before = q.copy()
    before[joints] = first
    return float(np.linalg.norm(kinematics.pose(hand, q)[:3, 3] - kinematics.pose(hand, before)[:3, 3]))


def ours(problem: Problem) -> dict[str, Any]:
    """What our search comes to."""
    search, began = ConstrainedSearch(problem.space, problem.project), process_time()
    path = search.connect(problem.start, problem.goal, 0, CHECKS)
    first = process_time() - began
    if path is None:
        return {"solved": False, "first": first}
    short = search.refined(search.shortened(path, 0, 60))
    if short is None:
        return {"solved": False, "first": first}
    return {"solved": True, "first": first, "short": process_time() - began, "wrong": wrong(problem, short)}


def theirs(problem: Problem, limit: float) -> dict[str, Any]:
    """What OMPL comes to, within a limit [s] of time on the wall."""
    ou.setLogLevel(ou.LogLevel.LOG_NONE)
    ou.RNG.setSeed(1)
    space = problem.space
    k = len(problem.joints)
    box = ob.RealVectorStateSpace(k)
    bounds = ob.RealVectorBounds(k)
    for j in range(k):
        bounds.setLow(j, float(space.lower[j]))
        bounds.setHigh(j, float(space.upper[j]))
    box.setBounds(bounds)
    projected = ob.ProjectedStateSpace(box, Equalities(problem))
    information = ob.ConstrainedSpaceInformation(projected)
    setup = og.SimpleSetup(information)
    setup.setStateValidityChecker(lambda state: space.is_free(np.array([state[j] for j in range(k)])))
    ends = projected.allocState(), projected.allocState()
    for state, x in zip(ends, (problem.start, problem.goal), strict=True):
        state.copy(x)
    setup.setStartAndGoalStates(*ends, 0.01)
    setup.setPlanner(og.RRTConnect(information))
    setup.setup()
    began = process_time()
    setup.solve(limit)
    first = process_time() - began
    if not setup.haveExactSolutionPath():
        return {"solved": False, "first": first}
    path = setup.getSolutionPath()
    path.interpolate()
    states = [path.getState(n) for n in range(path.getStateCount())]
    return {"solved": True, "first": first, "wrong": wrong(problem, [[s[j] for j in range(k)] for s in states])}


class Equalities(ob.Constraint):
    """The constraint as OMPL takes it: what is to be zero."""

    def __init__(self, problem: Problem) -> None:
        self._rows = {"upright": (0, 1), "plane": (2,), "line": (0, 2)}[problem.constraint.label]
        self._problem, self._q = problem, problem.q.copy()
        super().__init__(len(problem.joints), len(self._rows), 1e-3)

    def function(self, x: Array, out: Array) -> None:
        """Horizontal parts of the can's axis, or how far the hand is off its plane or line."""
        X_WB, X_WH = self._problem.constraint.X_WB, self._at(x)[0]
        off = X_WH[:3, 0] if X_WB is None else X_WH[:3, 3] - X_WB[:3, 3]
        out[:] = off[list(self._rows)]

    def jacobian(self, x: Array, out: Array) -> None:
        """How that changes with the joints."""
        X_WH, J = self._at(x)
        R = X_WH[:3, :3]
        axis = self._problem.constraint.axis
        moves = R @ J[:3] if axis is None else R @ np.cross(J[3:].T, axis).T
        out[:, :] = moves[list(self._rows)]

    def _at(self, x: Array) -> tuple[Array, Array]:
        problem = self._problem
        self._q[problem.joints] = x
        placement, J = problem.kinematics.placement_and_jacobian(problem.constraint.hand, self._q, problem.joints)
        return placement.homogeneous, J


def wrong(problem: Problem, path: Any) -> str:
    """What is wrong with a path, looked at finely; empty if nothing is."""
    q = problem.q.copy()
    for a, b in pairwise(np.array(path)):
        for share in np.linspace(0.0, 1.0, 2 + int(np.abs(b - a).max() / ALONG)):
            q[problem.joints] = a + share * (b - a)
            if not problem.checker.is_free(q):
                return "in contact"
            lost = broken(problem.kinematics, [problem.constraint], q, KEPT)
            if lost:
                return lost
    return ""


def report(told: dict[tuple[str, str], list[dict[str, Any]]], console: Console) -> None:
    """Print the figures."""
    table = Table("robot", "kept", "planner", "solved", "first ms, median", "95 %", "short ms, median", "valid")
    for (name, planner), runs in told.items():
        solved = [run for run in runs if run["solved"]]
        first = 1000.0 * np.array([run["first"] if run["solved"] else np.inf for run in runs])
        short = [1000.0 * run["short"] for run in solved if "short" in run]
        valid = sum(not run["wrong"] for run in solved)
        figures = (float(np.median(first)), float(np.quantile(first, 0.95, method="higher")))
        table.add_row(
            *name.split(),
            planner,
            f"{len(solved)} of {len(runs)}",
            *(f"{each:.1f}" for each in figures),
            f"{np.median(short):.0f}" if short else "",
            f"{valid} of {len(solved)}",
        )
    console.print(table)


def bench(
    robots: Names = None,
    kinds: Names = None,
    count: Annotated[int, typer.Option("--problems", min=1, help="Of each robot and kind.")] = 20,
    limit: Annotated[float, typer.Option(min=0.1, help="[s] For OMPL and one problem.")] = 10.0,
    json_path: Json = None,
) -> None:
    """Plan what the command line asks for."""
    console, told = Console(width=130), dict[tuple[str, str], list[dict[str, Any]]]()
    for robot in chosen("robot", robots, ROBOTS):
        for kind in chosen("constraint", kinds, KINDS):
            for problem in problems(robot, kind, count):
                told.setdefault((f"{robot} {kind}", "ours"), []).append(ours(problem))
                told.setdefault((f"{robot} {kind}", "OMPL"), []).append(theirs(problem, limit))
            console.print(f"{robot} {kind}", style="dim")
    report(told, console)
    if json_path:
        json_path.write_text(json.dumps([[*key, runs] for key, runs in told.items()], indent=1))


if __name__ == "__main__":
    main(bench)
