"""Disturbs a run: at a random instant of a control loop something happens to the target, the way, or the base."""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from taskmatrix.core.base.events import Event
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.world.geometry import bounding_box, box_distance, pose
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.robots import load_robot
from taskmatrix.session.session import Session
from taskmatrix.simulation.judges import Record
from taskmatrix.simulation.scenes.script import Script
from taskmatrix.simulation.scenes.world import Placement, World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.collision.collision import CollisionChecker

MOVES = ("jump", "nudge", "slide", "removed", "dropped")
OBSTACLES = ("obstacle", "obstacle that shuts", "obstacle that passes")
PHASES = {
    "reach": (("reach", 1.0),),
    "pickup": (("reach", 0.7), ("grasp", 0.3)),
    "position": (("position", 1.0),),
    "putdown": (("position", 0.7), ("release", 0.3)),
    "postural": (("postural", 1.0),),
}
"""Control loops that may be disturbed, by task, each with its probability."""
DISTURBANCES = {
    "reach": (*MOVES, *OBSTACLES, "push"),
    "pickup": (*MOVES, *OBSTACLES, "push"),
    "position": ("taken", *OBSTACLES, "push"),
    "putdown": ("taken", *OBSTACLES, "push"),
    "postural": (*OBSTACLES, "push"),
}
PASSING = 2.0  # [s] that an obstacle stays, and that a target moves
CUBE, BLOCK, COVER = 0.10, 0.25, 0.45  # [m] sides of the obstacles
POST = (0.2, 0.2, 1.2)  # [m]
AHEAD = 0.3  # [s] from now to where an obstacle may stand in the way
ROOM = 0.03  # [m] round a target that was moved
NEAR = 1.0  # [m] round the surface, where a robot starts that is to hold something


class Slide:
    """A motion that begins when it is told to; see :class:`taskmatrix.simulation.scenes.object_motion.ObjectMotion`."""

    def __init__(self) -> None:
        self.begin, self.way = math.inf, np.zeros(3)

    def at(self, time: float) -> tuple[Array, Array]:
        """The displacement (3,) [m] and the turn (3, 3) at a time [s]."""
        return float(np.clip((time - self.begin) / PASSING, 0.0, 1.0)) * self.way, np.eye(3)

    def travelled(self, time: float) -> float:
        """[m] How far it has gone at a time [s]."""
        return float(np.linalg.norm(self.at(time)[0]))


def prepared(robot: str, name: str, near: bool) -> World:
    """A world with obstacles that are not there yet; with ``near`` robots start round the surface."""
    world = load_world(name, shoulder_height=load_robot(robot).shoulder_height)
    surface = world.box(world.default_surface)
    width, depth, _ = (surface[1] - surface[0] + 0.1).tolist()
    sizes = {"cube": (CUBE,) * 3, "block": (BLOCK,) * 3, "cover": (COVER,) * 3, "post": POST}
    for kind, size in {**sizes, "slab": (width, depth, 0.5)}.items():
        id = f"obstacle_{kind}"
        shape = Shape("box", tuple(size), np.eye(4), (0.9, 0.5, 0.1, 1.0))
        below = Placement(None, np.array([0.0, 0.0, -10.0]), np.eye(3), (0.0, 0.0, 0.0))
        world = replace(
            world,
            objects={**world.objects, id: ObjectModel(id, "obstacle", (shape,))},
            poses={**world.poses, id: pose((0.0, 0.0, -10.0))},
            placements={**world.placements, id: below},
            scripts={**world.scripts, id: Script(appears=math.inf)},
        )
    if near:
        low, high = surface[0] - NEAR, surface[1] + NEAR
        world = replace(world, start=((low[0], low[1], -np.pi), (high[0], high[1], np.pi)))
    return world


class Disturber:
    """A reader of the event stream that strikes once.

    Args:
        session: Whose plant is disturbed.
        record: Kept before.
        behavior: What is run.
        disturbance: What happens.
        seed: Of when and where.

    Attributes:
        struck: [s] When it did; None if it did not.
        step: Index in the record of the last step before.
        until: [s] Up to when what it moves goes on moving.
        push: (3,) By which the base was displaced.
        target: Id of the object that it is about.
        error: What it raised.
    """

    def __init__(self, session: Session, record: Record, behavior: TaskBehavior, disturbance: str, seed: int) -> None:
        self._session, self._record, self._behavior = session, record, behavior
        self._random = np.random.default_rng([seed, 77])
        self.disturbance, self.target = disturbance, session.world.default_object
        phases, shares = zip(*PHASES[behavior.name], strict=True)
        self._phase = str(self._random.choice(phases, p=shares))
        if disturbance in OBSTACLES:  # nothing comes between a hand and what it is at, or nearly
            self._phase = phases[0]
        self._share = float(self._random.uniform(0.05, 0.7 if disturbance in OBSTACLES else 0.9))
        self._due, self._source = math.inf, ""
        self._durations: dict[str, float] = {}
        self._later: tuple[float, Callable[[], None]] | None = None
        self.struck: float | None = None
        self.step, self.until, self.push, self.error = 0, -math.inf, np.zeros(3), ""
        self._slide = Slide()
        if disturbance == "slide":  # the object's script is there from the beginning, and begins to move it later
            session.plant._scripts[self.target] = Script(self._slide)

    def __call__(self, event: Event) -> None:
        """Take note of an event, and strike when it is time."""
        try:
            self._read(event)
        except Exception:
            self.error = self.error or traceback.format_exc()

    def _read(self, event: Event) -> None:
        if event.kind == "plan":
            self._durations[event.source] = float(str(event.data["duration"]))
        elif event.kind == "message" and event.data["message"] == "controlloop-started":
            if event.source.rsplit("/", 1)[-1] == self._phase and math.isinf(self._due):
                self._source = event.source
                self._due = event.time + self._share * self._durations.get(event.source, 1.0)
        elif event.kind == "step":
            if self._later is not None and event.time >= self._later[0]:
                self._later[1]()
                self._later = None
            if event.time >= self._due and self.struck is None and self._strike(event.time):
                self.struck, self.step = event.time, len(self._record.steps) - 1

    def _strike(self, time: float) -> bool:
        """Do it; False to try again in the next step."""
        plant, random = self._session.plant, self._random
        if self.disturbance == "push":
            angle, distance = random.uniform(-np.pi, np.pi), random.uniform(0.01, 0.08)
            turn = random.uniform(-np.deg2rad(5.0), np.deg2rad(5.0))
            self.push = np.array([distance * np.cos(angle), distance * np.sin(angle), turn])
            plant.push(self.push)
        elif self.disturbance == "removed":
            plant.remove(self.target)
        elif self.disturbance == "taken":
            self._take()
        elif self.disturbance in OBSTACLES:
            return self._obstruct(time)
        else:
            return self._move(time)
        return True

    def _take(self) -> None:
        plant, held = self._session.plant, self._record.end.held
        how = self._random.integers(3)
        for hand in held:
            plant.detach(hand)  # it slips out of the hand, and stays there
        if how == 1:
            plant.remove(self.target)
        elif how == 2:
            plant.set_pose(self.target, pose((0.0, 0.0, 0.5)) @ self._record.end.poses[self.target])

    def _move(self, time: float) -> bool:
        plant, random = self._session.plant, self._random
        X = self._record.end.poses[self.target].copy()
        if self.disturbance == "dropped":
            table = self._box(self._session.world.default_surface)
            under = random.uniform() < 0.5
            X[:3, 3] = [*(table[0] + table[1])[:2] / 2, 0.1] if under else [*X[:2, 3], 3.0]
            plant.set_pose(self.target, X)
            return True
        least, most = {"nudge": (0.002, 0.008), "jump": (0.05, 0.40), "slide": (0.05, 0.30)}[self.disturbance]
        apart = 0.0 if self.disturbance == "nudge" else ROOM
        for _ in range(200):
            angle, distance = random.uniform(-np.pi, np.pi), random.uniform(least, most)
            way = distance * np.array([np.cos(angle), np.sin(angle), 0.0])
            moved = X.copy()
            moved[:3, 3] += way
            if self._has_room(moved, apart):
                break
        else:
            return False
        if self.disturbance == "slide":
            axes = self._session.world.axes(self.target)
            self._slide.begin, self._slide.way, self.until = time, axes.T @ way, time + PASSING
        else:
            plant.set_pose(self.target, moved)
        return True

    def _has_room(self, X_WO: Array, apart: float) -> bool:
        """Whether the target would stand on the surface, so far [m] from its edge and from everything else."""
        lower, upper = bounding_box(self._record.objects[self.target].shapes, X_WO)
        table = self._box(self._session.world.default_surface)
        if (lower[:2] < table[0][:2] + apart).any() or (upper[:2] > table[1][:2] - apart).any():
            return False
        for id in self._record.end.poses:
            solid = any(shape.collides for shape in self._record.objects[id].shapes)
            other = solid and id not in (self.target, self._session.world.default_surface)
            if other and box_distance(self._box(id), (lower, upper)) <= apart:
                return False
        return True

    def _obstruct(self, time: float) -> bool:
        shuts = self.disturbance == "obstacle that shuts"
        offers = list(self._shut() if shuts else self._in_the_way())
        if not offers:
            return False
        placed = [offers[int(self._random.integers(len(offers)))]] if not shuts else offers
        plant = self._session.plant
        for id, p_WO in placed:
            plant.add(id, pose(p_WO))
            if self.disturbance == "obstacle that passes":
                self._later = (time + PASSING, partial(plant.remove, id))
        return True

    def _shut(self) -> Iterator[tuple[str, Array]]:
        """Where the goal is."""
        surface = self._box(self._session.world.default_surface)
        if self._behavior.name in ("reach", "pickup"):
            yield "obstacle_cover", self._record.end.poses[self.target][:3, 3]
        elif self._behavior.name == "postural":
            yield "obstacle_block", self._hands(self._ahead()[-1])[self._busiest()]
        else:
            middle = (surface[0] + surface[1]) / 2
            yield "obstacle_slab", np.array([*middle[:2], surface[1][2] + 0.26])

    def _in_the_way(self) -> Iterator[tuple[str, Array]]:
        """Where hand or base will be, and nothing is now."""
        checker = CollisionChecker(self._session.robot, 0.02)
        percepts = {id: (self._record.objects[id], X) for id, X in self._record.end.poses.items()}
        held = dict(self._session.skills._held())
        ahead, q, busiest = self._ahead(), self._record.end.q, self._busiest()
        walks = np.linalg.norm(ahead[-1][:2] - q[:2]) > 0.8
        for there in ahead:
            base = np.array([*there[:2], POST[2] / 2 + 0.001])
            hand = self._hands(there)[busiest]
            for id, p_WO in (("obstacle_post", base),) if walks else (("obstacle_cube", hand),):
                checker.set_bodies(bodies_of({**percepts, id: (self._record.objects[id], pose(p_WO))}, held))
                box = bounding_box(self._record.objects[id].shapes, pose(p_WO))
                others = [other for other in percepts if other not in [item for item, _ in held.values()]]
                apart = all(box_distance(self._box(other), box) > 0.005 for other in others)
                contact = checker.contact(q)
                if apart and (contact is None or id not in contact.pair):
                    yield id, p_WO

    def _ahead(self) -> list[Array]:
        """(n,) each: configurations that are planned from a moment from now on."""
        leaf = _find(self._behavior, self._source)
        pace = vars(leaf).get("_execution", vars(leaf).get("_pace"))
        if pace is None:  # closing or opening a hand: it stays where it is
            return [self._record.end.q]
        trajectory, begin = pace.trajectory, pace.time + AHEAD
        found = []
        for time in np.linspace(min(begin, trajectory.duration), trajectory.duration, 30):
            q = self._record.end.q.copy()
            q[trajectory.indices] = trajectory.sample(float(time))[0]
            found.append(q)
        return found

    def _hands(self, q: Array) -> dict[str, Array]:
        skills = self._session.skills
        return {hand: skills.forward_kinematics(hand, q)[:3, 3] for hand in skills.hands}

    def _busiest(self) -> str:
        """The hand that goes furthest from here."""
        now, then = self._hands(self._record.end.q), self._hands(self._ahead()[-1])
        return max(now, key=lambda hand: float(np.linalg.norm(then[hand] - now[hand])))

    def _box(self, id: str) -> tuple[Array, Array]:
        return bounding_box(self._record.objects[id].shapes, self._record.end.poses[id])


def _find(behavior: TaskBehavior, path: str) -> Any:
    """The state of a machine with a path."""
    if behavior.path == path:
        return behavior
    return next(member for member in behavior.children if isinstance(member, TaskBehavior) and member.path == path)
