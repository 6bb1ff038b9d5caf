"""Runs as event streams, without robots."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import orjson

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.session.live.frames import Frame, kind_of

TOUCH = Failure(FailureKind.COLLISION, "planner", "the goal touches the table", {"pair": ("hand", "table")})
REACH_FAILED = Failure(TOUCH.kind, "pickup/reach", "planning failed", cause=TOUCH)
FAILED = Failure(TOUCH.kind, "pickup", "state 'reach' failed", cause=REACH_FAILED)


def encoded(event: Event) -> bytes:
    """An event as JSON."""
    told = {"time": event.time, "step": event.step, "kind": event.kind, "source": event.source, "data": event.data}
    options = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(told, lambda each: each.to_dict(), option=options)


def framed(event: Event) -> Frame:
    """An event as it goes to the viewer."""
    return Frame(kind_of(event.kind), event.time, event.source, encoded(event))


class Tale:
    """Makes events one after the other.

    Attributes:
        events: Those that were made.
        time: [s] Of the next.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.time, self.step = 0.0, 0

    def tell(self, kind: str, source: str, /, **data: Any) -> None:
        """Something happens."""
        self.events.append(Event(self.time, self.step, kind, source, data))

    def say(self, source: str, *messages: str, **data: Any) -> None:
        """A behavior sends messages."""
        for message in messages:
            self.tell("message", source, message=message, **data)

    def steps(self, count: int, dt: float = 0.01) -> None:
        """Control steps pass."""
        for _ in range(count):
            pose = np.eye(4)
            pose[0, 3] = self.step
            truth = {"q": np.array([self.step, 1.0]), "v": np.zeros(2), "poses": {"cup": pose}, "held": {}}
            self.tell("step", "plant", **truth, commanded=np.array([self.step + 1.0, 1.0]))
            self.time, self.step = round(self.time + dt, 9), self.step + 1

    def frames(self) -> Iterator[Frame]:
        """All of it for a viewer."""
        return map(framed, self.events)


def program() -> dict[str, Any]:
    """What a machine of two states tells of itself."""
    boxes = [
        {"id": "pickup_start", "label": "start", "kind": "start", "path": ""},
        {"id": "pickup_reach", "label": "reach", "kind": "state", "path": "pickup/reach"},
        {"id": "pickup_grasp", "label": "<grasp>", "kind": "state", "path": "pickup/grasp", "final": True},
    ]
    arrows = [
        {"tail": "pickup_start", "head": "pickup_reach", "kind": "start", "label": ""},
        {"tail": "pickup_reach", "head": "pickup_grasp", "kind": "start", "label": "task successful"},
    ]
    graph = {"title": "Pickup", "boxes": boxes, "arrows": arrows}
    return {"behavior": "Pickup", "parameters": {"object": "cup"}, "graph": graph, "components": None, "outline": None}


def pickup(success: bool = True) -> Tale:
    """A pickup that succeeds, or fails because it cannot reach."""
    tale = Tale()
    tale.tell("program", "pickup", **program())
    tale.tell("run", "pickup", seed=1, dt=0.01)
    tale.say("pickup", "planning-started")
    tale.tell("transition", "pickup", trigger="start", start=["reach"], stop=[])
    tale.say("pickup", "planning-ended", "controlloop-started")
    tale.say("pickup/reach", "planning-started")
    tale.tell("parameters", "pickup/reach", values={"object": "cup", "duration": 4.0})
    tale.steps(50)
    if not success:
        tale.say("pickup/reach", "planning-ended")
        tale.say("pickup/reach", "task-failed-to-start", failure=REACH_FAILED)
        tale.say("pickup/reach", "task-complete")
        tale.say("pickup", "controlloop-ended")
        tale.say("pickup", "task-failed", failure=FAILED)
        tale.say("pickup", "task-complete")
        tale.tell("outcome", "pickup", success=False, failure=FAILED)
        return tale
    tale.tell("grant", "pickup/reach", chains=["left_arm", "base"])
    tale.tell("plan", "pickup/reach", duration=1.0, stretched=False, samples=[[0.0, 1.0], [2.0, 1.0]])
    tale.say("pickup/reach", "planning-ended", "controlloop-started")
    tale.steps(100)
    tale.tell("condition", "pickup/grasp", role="precondition", condition="near(cup)", holds=True, why="", values={})
    tale.say("pickup/reach", "parameter-set", hand="left")
    tale.say("pickup/reach", "controlloop-ended", "task-successful")
    tale.tell("release", "pickup/reach", chains=["left_arm", "base"])
    tale.say("pickup/reach", "task-complete")
    tale.tell("transition", "pickup", trigger="reach task-successful", start=["grasp"], stop=[])
    tale.steps(1)
    tale.say("pickup/grasp", "planning-started", "planning-ended", "controlloop-started")
    tale.steps(50)
    tale.say("pickup/grasp", "controlloop-ended", "task-successful", "task-complete")
    tale.say("pickup", "controlloop-ended", "task-successful", "task-complete")
    tale.tell("outcome", "pickup", success=True, failure=None)
    return tale
