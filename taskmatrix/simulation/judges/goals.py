"""Goals: whether and when a ball went into one, from the plant's ground truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.geometry import bounding_box, inverse
from taskmatrix.core.world.objects import Array, ObjectModel

from .ground_truth import Step

GOAL = "goal"  # word of the taxonomy
UPRIGHT = 0.9  # cosine between a post and the vertical


@dataclass(frozen=True)
class Score:
    """A ball went into a goal."""

    step: int
    """Index of the first step in which all of it was behind the line."""
    goal: str
    """Id of the goal."""


def scores(steps: Sequence[Step], objects: Mapping[str, ObjectModel], ball: str) -> list[Score]:
    """Every time that all of a ball crossed the line of a goal, between the posts and under the bar (laws 1 and 10).

    A ball that comes in over the bar, through the net or from behind has not crossed the line there; one that has to
    cross it again was in front of it in between.

    Args:
        steps: The plant's truth, step by step.
        objects: Models by id; goals are those of the type ``goal``: x into the net, the origin in the middle of the
            line, posts as upright cylinders, the bar as a level one.
        ball: Id of the ball.
    """
    lower, upper = bounding_box(objects[ball].shapes, np.eye(4))
    radius = float(upper[2] - lower[2]) / 2
    found: list[Score] = []
    for id, model in objects.items():
        if not model.is_a(GOAL):
            continue
        width, height = mouth(model)
        before: Array | None = None
        for index, step in enumerate(steps):
            if ball not in step.poses or id not in step.poses:
                before = None
                continue
            p = (inverse(step.poses[id]) @ step.poses[ball])[:3, 3]
            if before is not None and before[0] < radius <= p[0]:
                share = (radius - before[0]) / (p[0] - before[0])
                _, y, z = (before + share * (p - before)).tolist()
                if abs(y) < width / 2 and 0.0 < z < height:
                    found.append(Score(index, id))
            before = p
    return sorted(found, key=lambda score: score.step)


def mouth(model: ObjectModel) -> tuple[float, float]:
    """[m] How wide a goal is between its posts, and how high under its bar."""
    round_ones = [shape for shape in model.shapes if shape.kind == "cylinder"]
    posts = [shape for shape in round_ones if abs(shape.X_OS[2, 2]) > UPRIGHT]
    bars = [shape for shape in round_ones if abs(shape.X_OS[2, 2]) <= UPRIGHT]
    half = min(abs(float(shape.X_OS[1, 3])) - shape.size[0] for shape in posts)
    return 2.0 * half, min(float(shape.X_OS[2, 3]) - shape.size[0] for shape in bars)
