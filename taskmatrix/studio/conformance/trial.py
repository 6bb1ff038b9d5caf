"""What an adapter proposes is tried before anybody relies on it: stand, grasp with each hand, look, reach, judged."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.robot.plans import HandGoal
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.session import Session, simulate
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.planning.planning import Planner
from taskmatrix.skills.planning.queries import PoseQuery, Snapshot

from ..validation import Case, Task, run_case
from ..validation.case import NOT_ABLE, SUCCESS, Result
from .advice import about_hulls, hand_table
from .finding import FAILS, PASSES, UNABLE, Finding, judged

PART = "tried"
WORLD = "sparse"
PLACES = 3  # to which each arm reaches
TRIES = 600  # random configurations in which such a place is looked for
LOW, HIGH = 0.2, 0.9  # of the robot's height, between which they are
GRASPED = ("soda_can", "vacuum", "tennis_ball", "broom")
"""What a hand is tried on: the first of these that it takes."""
LEVEL = 0.005  # [m] that the lowest point may be off the floor
SLOWEST = 30.0  # [s] of a run, on its own clock
NEAR, ALIKE = 1e-3, 1e-2  # [m], [rad] that a place may be missed by


def try_out(robot: Robot, source: str) -> Iterator[Finding]:
    """Try a robot in a world.

    Args:
        robot: As loaded.
        source: Path of its ``robot.toml`` or of the folder with it.

    Yields:
        A finding for the stance, two for each hand, and one for the view; the text of one that fails says what to
        change in the adapter.
    """
    try:
        session = simulate(robot, WORLD, 0)
    except TaskMatrixError as error:
        yield Finding(PART, "stand", FAILS, f"{error}; see stand in postures.toml, and [base] floor")
        return
    with session:
        yield _stands(session)
        things = {hand: _takes(session, hand) for hand in robot.hands}
        objects = list(session.world.objects)
    for hand, thing in things.items():
        yield _grasps(source, hand, thing)
        yield _reaches(robot, source, hand)
    if robot.view is None:
        yield Finding(PART, "view", UNABLE, "there is no view")
    else:
        target = next(id for id in GRASPED if id in objects)
        result = run_case(Case("fixate", source, WORLD, 0), task=Task("fixate", {"target": target}, timeout=SLOWEST))
        yield _told("view", result, f"'{target}' is looked at", "see frame, forward and up of [view], and chain head")


def _stands(session: Session) -> Finding:
    """Whether the stance is clear of itself and the world, on the floor."""
    robot = session.robot
    q = robot.posture(robot.stance)
    if (touching := CollisionChecker(robot).contact(q)) is not None:
        text = f"{touching.first} and {touching.second} touch; change stand in postures.toml, or leave the pair out"
        return Finding(PART, "stand", FAILS, text)
    low = _lowest(robot, q)
    text = f"its lowest point is {1000 * low:.0f} mm above the floor"
    return judged(PART, "stand", abs(low) < LEVEL, text if abs(low) < LEVEL else f"{text}; see [base] floor")


def _lowest(robot: Robot, q: Array) -> float:
    """[m] Height of the lowest point that collides: of corners, and of the boxes around what has none."""
    import pinocchio as pin  # noqa: PLC0415 - only here

    data, placed = robot.model.createData(), robot.collision.createData()
    pin.updateGeometryPlacements(robot.model, data, robot.collision, placed, robot.expand(q))
    lows = []
    for body, X in zip(robot.collision.geometryObjects, placed.oMg, strict=True):
        body.geometry.computeLocalAABB()
        box = body.geometry.aabb_local
        ends = np.array([box.min_, box.max_])
        corners = np.array([[ends[i, 0], ends[j, 1], ends[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        vertices = np.asarray(body.geometry.vertices()) if hasattr(body.geometry, "vertices") else corners
        if hasattr(body.geometry, "num_points"):
            vertices = np.array([body.geometry.point(i) for i in range(body.geometry.num_points)])
        lows.append(float((vertices @ X.rotation.T + X.translation)[:, 2].min()))
    return min(lows, default=0.0)


def _takes(session: Session, hand: str) -> str:
    """The first thing that a hand has a grasp of; empty if there is none."""
    there = [id for id in GRASPED if id in session.world.objects]
    return next((id for id in there if session.skills.grasps(id, hand)), "")


def _grasps(source: str, hand: str, thing: str) -> Finding:
    """Whether a hand reaches for a thing, closes on it, and holds it."""
    see = f"see origin, z, aperture, open and closed of {hand_table(source, hand)}"
    if not thing:
        return Finding(PART, f"hand {hand}", FAILS, f"it has no grasp of {', '.join(GRASPED)}; {see}")
    before = (("reach", {"object": thing, "using": hand, "duration": 1.0}),)
    result = run_case(Case("grasp", source, WORLD, 0), task=Task("grasp", {"object": thing}, before, SLOWEST))
    return _told(f"hand {hand}", result, f"'{thing}' is grasped", see + about_hulls(source, result.reason))


def _told(name: str, result: Result, done: str, see: str) -> Finding:
    """A finding from the judge's word on a run."""
    if result.verdict == SUCCESS:
        return Finding(PART, name, PASSES, f"{done}, judged, after {result.duration:.1f} s")
    verdict = UNABLE if result.verdict == NOT_ABLE else FAILS
    return Finding(PART, name, verdict, f"{' '.join(result.reason.split())}; {see}")


def _reaches(robot: Robot, source: str, hand: str) -> Finding:
    """Whether plans to places at random before the robot end there, and touch nothing on the way."""
    random, checker, planner = np.random.default_rng(0), CollisionChecker(robot), Planner(robot)
    stance, arm = robot.posture(robot.stance), list(robot.indices(robot.hands[hand].arm))
    name, see = f"reach {hand}", f"see the arm of [hands.{hand}], and whether all of its joints are in that chain"
    goals, ahead = [], 0.5 * hand_pose(robot, hand, stance)[0, 3]
    for _ in range(TRIES):
        q = stance.copy()
        q[arm] = random.uniform(robot.lower[arm], robot.upper[arm])
        X = hand_pose(robot, hand, q)
        if X[0, 3] > ahead and LOW < X[2, 3] / robot.height < HIGH and checker.is_free(q):
            goals.append(X)
        if len(goals) == PLACES:
            break
    if not goals:
        return Finding(
            PART, name, FAILS, f"the hand is clear of the robot and before it in none of {TRIES} configurations; {see}"
        )
    done, why = 0, ""
    for k, X in enumerate(goals):
        found = planner.solve(Snapshot(stance, {}), PoseQuery((HandGoal(hand, X, "target"),), (), {}, 0.0, k))
        if isinstance(found, Failure):
            why = why or " ".join(found.explain().split())
            continue
        path = found.trajectory
        Q = np.tile(stance, (100, 1))
        for row, time in zip(Q, np.linspace(0.0, path.duration, len(Q)), strict=True):
            row[path.indices] = path.sample(float(time))[0]
        distance, angle = pose_error(hand_pose(robot, hand, Q[-1]), X)
        touching = next((pair for pair in checker.contacts(Q) if pair is not None), None)
        done += touching is None and distance < NEAR and angle < ALIKE
        why = why or (f"{' and '.join(touching)} touch on the way" if touching else "")
    text = f"{done} of {len(goals)} places"
    return judged(
        PART,
        name,
        done == len(goals),
        text if done == len(goals) else f"{text}: {why}; {see}{about_hulls(source, why)}",
    )
