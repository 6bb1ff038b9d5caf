"""A fake robot on a field, and what its components said."""

from __future__ import annotations

from collections.abc import Sequence

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.core.world.perception import Percept
from taskmatrix.testing import Bench, box_percept
from taskmatrix.testing.scripted_perception import Change

RADIUS = 0.05  # [m] of the ball
GOAL = (4.0, 0.0, 0.4)


def field(ball: Sequence[float] = (2.0, 1.0), script: Sequence[Change] = ()) -> Bench:
    """A robot with two feet at the origin that looks along x, a ball, and a goal 4 m ahead."""
    parts = [((0.1, 0.1, 0.8), (0.05, y, 0.0)) for y in (-0.75, 0.75)] + [((0.02, 1.6, 0.8), (0.5, 0.0, 0.0))]
    goal = ObjectModel("yellow_goal", "goal", tuple(Shape("box", size, pose(place)) for size, place in parts))
    made = Bench([box_percept("ball", (*ball, RADIUS), (2 * RADIUS,) * 3), Percept(goal, pose(GOAL))], script)
    made.skills.liftable = ("left", "right")
    return made


def moved(time: float, x: float, y: float) -> Change:
    """The ball is put elsewhere."""
    return time, "ball", pose((x, y, RADIUS))


def transitions(made: Bench, source: str) -> list[tuple[str, str]]:
    """To which modes a component changed, and what triggered it."""
    told = [event.data for event in made.events if event.kind == "transition" and event.source == source]
    return [(str(data["start"][0]), str(data["trigger"])) for data in told]  # type: ignore[index]
