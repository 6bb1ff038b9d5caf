"""Room for legs that step."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import ObjectModel, Shape
from taskmatrix.robots import load_robot
from taskmatrix.skills.collision.bodies import bodies_of
from taskmatrix.skills.legs.step_clearance import ROOM, StepClearance

EDGE = np.array([0.4, 2.0, 0.1])  # [m] a beam across the way, at the height of shins


@pytest.mark.parametrize("robot", ["nao", "mannequin"])
def test_legs_have_room_where_they_are_further_from_it_than_that(robot: str) -> None:
    """Arms, trunk and the floor do not matter."""
    loaded = load_robot(robot)
    room, q = StepClearance(loaded), loaded.posture(loaded.stance)
    beam = ObjectModel("beam", "furniture", (Shape("box", tuple(EDGE), np.eye(4)),))

    def far(x: float) -> bool:
        room.set_bodies(bodies_of({"beam": (beam, pose((x + EDGE[0] / 2, 0.0, 0.1)))}, {}))
        return room(q[None])

    assert room(q[None])
    free = next(x for x in np.arange(0.0, 1.0, 0.005) if far(x))
    assert far(free + 0.1)
    assert not room(np.array([q, q + 0.12 * np.eye(len(q))[0]]))
    assert not far(free - 0.01)
    assert ROOM < free < ROOM + 0.25


def test_a_robot_without_legs_has_room() -> None:
    """Always."""
    bandit = load_robot("bandit")
    room, q = StepClearance(bandit), bandit.posture(bandit.stance)
    beam = ObjectModel("beam", "furniture", (Shape("box", tuple(EDGE), np.eye(4)),))
    room.set_bodies(bodies_of({"beam": (beam, pose((0.0, 0.0, 0.1)))}, {}))
    assert room(q[None])
