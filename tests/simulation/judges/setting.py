"""Records made by hand, and one of a real pickup."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.world.geometry import inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.hand_pose import hand_pose
from taskmatrix.session.session import CONTROL_STEP
from taskmatrix.simulation.judges import Judgement, Record, Step, judge_of
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world

Change = Callable[[int, Mapping[str, Any]], Mapping[str, Any] | None]


@lru_cache(maxsize=4)
def robot(name: str = "mannequin") -> Robot:
    return load_robot(name)


@lru_cache(maxsize=1)
def world() -> World:
    return load_world("sparse", shoulder_height=robot().shoulder_height)


def start_step(name: str = "mannequin") -> Step:
    """The robot in its stance at the origin of the sparse world."""
    return Step(robot(name).posture("stand"), dict(world().poses), {})


def truth(step: Step) -> dict[str, object]:
    return {"q": step.q, "poses": step.poses, "held": step.held}


def record_of(
    steps: Sequence[Step], name: str = "mannequin", success: bool = True, failure: Failure | None = None, **said: object
) -> Record:
    """A record of one run; the first step is the state before it, ``said`` is what it publishes."""
    record = Record(robot(name), world().objects, CONTROL_STEP, truth(steps[0]))
    record(Event(0.0, 0, "run", "test", {}))
    for k, step in enumerate(steps[1:]):
        record(Event(k * CONTROL_STEP, k, "step", "plant", truth(step)))
    if said:
        record(Event(0.0, 0, "message", "test", {"message": "parameter-set", **said}))
    record(Event(0.0, len(steps), "outcome", "test", {"success": success, "failure": failure}))
    return record


def goal(behavior: str, record: Record, **parameters: object) -> str:
    """Why the goal of a behavior is not reached in a record made by hand."""
    return judge_of(behavior).goal(record, parameters, {})


def holding(hand: str = "right", grasp: int = 0, id: str = "vacuum", q: Array | None = None) -> Step:
    """The robot with an object in a hand, wherever that is."""
    at = robot().posture("stand") if q is None else q
    X_OH = world().objects[id].grasps[grasp].X_OH
    poses = {**world().poses, id: hand_pose(robot(), hand, at) @ inverse(X_OH)}
    return Step(at, poses, {hand: id})


@lru_cache(maxsize=1)
def pickup() -> tuple[Robot, World, dict[str, Any], tuple[Event, ...]]:
    """One good pickup: robot, world, the truth before it, and its events."""
    with simulate("mannequin", seed=1) as session:
        events: list[Event] = []
        session.events.subscribe(events.append)
        before = dict(session.plant.truth())
        assert session.run(Pickup(object="vacuum")).success
        return session.robot, session.world, before, tuple(events)


def judged(change: Change | None = None, target: str = "vacuum", behavior: str = "pickup") -> Judgement:
    """The judgement of the recorded pickup, with each step's number and data changed by a function."""
    own, scene, before, events = pickup()
    record = Record(own, scene.objects, CONTROL_STEP, before)
    for event in events:
        data: Mapping[str, object] = event.data
        if event.kind == "step" and change is not None:
            data = {**data, **(change(event.step, data) or {})}
        record(Event(event.time, event.step, event.kind, event.source, data))
    return judge_of(behavior)(record, {"object": target})


def sway(count: int, size: float, seed: int = 0, name: str = "mannequin") -> list[Array]:
    """(n,) each: positions of a random walk of all joints within their limits."""
    rng, own = np.random.default_rng(seed), robot(name)
    q, walk = own.posture("stand"), []
    for _ in range(count):
        q = np.clip(q + rng.normal(0.0, size, own.n), own.lower, own.upper)
        walk.append(q)
    return walk
