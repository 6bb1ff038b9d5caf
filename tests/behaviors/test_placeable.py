"""Grasps with which an object can be put somewhere."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import PickAndPlace
from taskmatrix.behaviors.manipulation.placeable import ENOUGH, placeable
from taskmatrix.conditions import RestingOn
from taskmatrix.core.base.events import Event
from taskmatrix.core.robot.plans import GoalSolution, HandGoal
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Grasp
from taskmatrix.session.session import Session


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with simulate("nao", "apartment", seed=8) as made:
        yield made


def grasps_of(session: Session, id: str) -> list[tuple[str, Grasp]]:
    skills = session.skills
    return [(hand, grasp) for hand in skills.hands for grasp in skills.grasps(id, hand)]


def found(session: Session, id: str, on: str) -> list[tuple[str, Grasp]]:
    return placeable(session.context, id, on, grasps_of(session, id), np.random.default_rng(0))


def test_each_of_them_will_do_there(session: Session) -> None:
    """Asked for each anew, inverse kinematics has the hand at it with the object on the table."""
    some = found(session, "detergent", "table")
    assert 0 < len(some) <= ENOUGH
    assert len({(hand, grasp.name) for hand, grasp in some}) == len(some)
    places = RestingOn("detergent", "table").sample(session.context, 20, np.random.default_rng(1))
    for hand, grasp in some:
        goals = [HandGoal(hand, X_WO @ grasp.X_OH, grasp.name, "table") for X_WO in places]
        chains = ["base", "torso"] if "torso" in session.skills.chains else ["base"]
        chains.append(session.skills.chains_of_hand(hand)[0])
        answer = session.skills.find_configuration(goals, chains, free=True, base_range=6.0)
        assert isinstance(answer, GoalSolution)


def test_where_no_hand_gets_to_there_are_none(session: Session) -> None:
    """A table at the ceiling, and one that nobody has seen."""
    table = session.context.perception.pose("table")
    session.plant.set_pose("table", table @ pose((0.0, 0.0, 2.0)))
    session.look()
    assert found(session, "detergent", "table") == []
    session.plant.set_pose("table", table)
    session.look()
    assert found(session, "detergent", "hearth") == []


def test_pick_and_place_takes_a_grasp_with_which_it_can_put_it_there() -> None:
    with simulate("nao", "apartment", seed=8) as session:
        some = {grasp.name for _, grasp in found(session, "detergent", "table")}
        events: list[Event] = []
        session.events.subscribe(events.append)
        for _ in session.steps(PickAndPlace(object="detergent", on="table", duration=1.0)):
            if taken := {event.data["grasp"] for event in events if event.data.get("grasp")}:
                break
        assert taken
        assert taken <= some
