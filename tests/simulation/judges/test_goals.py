from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.simulation.judges import Step, scores
from taskmatrix.simulation.judges.goals import mouth
from taskmatrix.simulation.scenes.world_loader import load_world

WORLD = load_world("soccer")


def rolled(places: Sequence[tuple[float, float, float]]) -> list[str]:
    steps = [Step(np.zeros(3), {**WORLD.poses, "ball": pose(place)}, {}) for place in places]
    return [f"{score.step} {score.goal}" for score in scores(steps, WORLD.objects, "ball")]


def test_mouth_is_that_of_the_rules() -> None:
    """1.4 m between the posts, 0.8 m under the bar."""
    assert mouth(WORLD.objects["yellow_goal"]) == pytest.approx((1.4, 0.8))


@pytest.mark.parametrize(
    ("places", "found"),
    [
        ([(2.9, 0.0, 0.03), (3.03, 0.0, 0.03), (3.04, 0.0, 0.03), (3.2, 0.0, 0.03)], ["2 yellow_goal"]),
        ([(-2.9, 0.3, 0.03), (-3.1, 0.3, 0.03)], ["1 blue_goal"]),
        ([(2.9, 0.69, 0.03), (3.1, 0.72, 0.03)], []),  # crosses the line beside the post
        ([(2.9, 0.0, 0.7), (3.1, 0.0, 0.9)], []),  # over the bar
        ([(2.9, 0.0, 0.03), (3.02, 0.0, 0.03)], []),  # on the line
        ([(2.9, 0.0, 0.03), (3.1, 0.0, 0.03), (2.9, 0.0, 0.03), (3.1, 0.0, 0.03)], ["1 yellow_goal", "3 yellow_goal"]),
    ],
)
def test_all_of_the_ball_has_to_cross_the_line_in_the_mouth(
    places: list[tuple[float, float, float]], found: list[str]
) -> None:
    """At which step, and in which goal."""
    assert rolled(places) == found
