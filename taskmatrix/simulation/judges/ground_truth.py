"""What judges judge: the plant's own truth, step by step, and what the run says of itself."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

import numpy as np

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import Failure
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.robots import Robot

from .tolerance import EXACT, Tolerance


@dataclass(frozen=True, eq=False)
class Step:
    """The plant's truth after one control step."""

    q: Array
    """(n,) [m, rad] Joint positions."""
    poses: Mapping[str, Array]
    """X_WO (4, 4) by id, of the objects that are there."""
    held: Mapping[str, str]
    """Ids of what is held, by hand."""
    forces: Mapping[str, Array] = field(default_factory=dict)
    """(3,) [N] Of what pushes hands, in their grasp frames, by hand; of those that touch something."""

    def holders(self, id: str) -> list[str]:
        """The hands that hold an object."""
        return [hand for hand, held in self.held.items() if held == id]


@dataclass
class Record:
    """A reader of the event stream that keeps the plant's truth of one session, and nothing that behaviors compute.

    What is judged is the last run; the runs before it prepared it. Subscribe it before the first run.

    Args:
        robot: The robot.
        objects: Models by id.
        dt: [s] Control step.
        truth: The plant's truth before the first step.
        still: Ids of the objects that move with a hand only: neither by themselves nor put elsewhere by somebody.
        tolerance: What judges let pass; ``PHYSICAL`` for a plant with gravity and contact.
        moving: Ids of those that moved when the record began: what fell or rolls goes on until it rests.

    Example:
        ``record = Record(session.robot, session.world.objects, CONTROL_STEP, session.plant.truth())``
    """

    robot: Robot
    objects: Mapping[str, ObjectModel]
    dt: float
    truth: Mapping[str, object]
    still: Collection[str] = ()
    tolerance: Tolerance = EXACT
    moving: Collection[str] = ()
    steps: list[Step] = field(init=False)
    """All runs, one after the other; the first is the state before the first step."""
    claimed: bool | None = field(init=False, default=None)
    """Whether the last run says that it succeeded; None if it did not end."""
    failure: Failure | None = field(init=False, default=None)
    """Why not, in its words."""
    published: dict[str, object] = field(init=False, default_factory=dict)
    """What the last run published with ``parameter-set``, by name; the last value of each."""
    begin: int = field(init=False, default=0)
    """Index in ``steps`` of the state before the last run."""

    def __post_init__(self) -> None:
        self.steps = [_step(self.truth, None)]

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        if event.kind == "step":
            self.steps.append(_step(event.data, self.steps[-1]))
        elif event.kind == "run":
            self.begin, self.claimed, self.failure, self.published = len(self.steps) - 1, None, None, {}
        elif event.kind == "outcome":
            self.claimed = bool(event.data["success"])
            self.failure = cast(Failure | None, event.data["failure"])
        elif event.kind == "message" and event.data["message"] == "parameter-set":
            self.published |= {name: value for name, value in event.data.items() if name != "message"}

    @property
    def start(self) -> Step:
        """The state before the run that is judged."""
        return self.steps[self.begin]

    @property
    def end(self) -> Step:
        """The state after it."""
        return self.steps[-1]

    @property
    def run(self) -> Sequence[Step]:
        """The run that is judged, with the state before it."""
        return self.steps[self.begin :]

    def positions(self) -> Array:
        """(steps of the run + 1, n) [m, rad] Joint positions during the run that is judged."""
        return np.array([step.q for step in self.run])

    def moved(self) -> bool:
        """Whether the robot moved a joint, or grasped or released anything, in the run that is judged."""
        start, still = self.start, self.tolerance.limits
        return any(step.held != start.held or np.abs(step.q - start.q).max() > still for step in self.run)


def _step(data: Mapping[str, object], before: Step | None) -> Step:
    """A step; what is as before is kept once, because runs are long."""
    q = cast(Array, data["q"])
    poses = cast(Mapping[str, Array], data["poses"])
    held = cast(Mapping[str, str], data["held"])
    if before is not None:
        q = before.q if np.array_equal(q, before.q) else q
        same = len(poses) == len(before.poses) and all(X is before.poses.get(id) for id, X in poses.items())
        poses = before.poses if same else poses
        held = before.held if held == before.held else held
    felt = cast(Mapping[str, Mapping[str, Array]], data.get("felt", {}))
    return Step(q, poses, held, {hand: state["force"] for hand, state in felt.items()})
