"""Filters of users in a session, and what it tells of distances."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from taskmatrix import Session, simulate
from taskmatrix.behaviors import FollowCommands, Pickup
from taskmatrix.core import Command, JointFeedback, JointTarget, ObjectModel, ParameterError, Reflex, Shape, pose
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.session.settings import RunSettings
from taskmatrix.simulation.judges import Record
from taskmatrix.simulation.judges.measures.contacts import contacts
from taskmatrix.simulation.scenes.world import Placement, World

STILL = (0.0, 0.0, 0.0)


def room() -> World:
    """A wall right ahead, and beside."""
    sizes = {"wall": (0.1, 3.0, 3.0), "side": (3.0, 0.1, 3.0)}
    at = {"wall": pose((0.45, 0.0, 1.5)), "side": pose((0.0, 0.55, 1.5))}
    objects = {id: ObjectModel(id, "obstacle", (Shape("box", size, np.eye(4)),)) for id, size in sizes.items()}
    placed = {id: Placement(None, X[:3, 3] * [1.0, 1.0, 0.0], np.eye(3), STILL) for id, X in at.items()}
    return World("room", "", "", objects, at, "wall", (STILL, STILL), (-9.0, -9.0, 9.0, 9.0), 1.0, placed)


class Explorer:
    """Goes somewhere else whenever the last target is reached or refused."""

    def __init__(self, robot: Robot) -> None:
        self.random = np.random.default_rng(0)
        self.limits = {name: (robot.lower[k], robot.upper[k]) for k, name in enumerate(robot.joints)}

    def __call__(self, now: JointFeedback) -> JointTarget | None:
        aim = {joint: self.random.uniform(*self.limits[joint]) for joint in now.joints}
        return None if now.moving else JointTarget(aim)


def reflexes(session: Session) -> list[Any]:
    """What the reflex tells from now on."""
    told: list[Any] = []
    session.events.subscribe(lambda event: told.append(event) if event.kind == "reflex" else None)
    return told


def test_a_reflex_keeps_an_exploring_robot_from_everything() -> None:
    """By the judge's shapes; it is back at the pose it tells whenever it says so, and the run is the same each time."""
    ends = []
    for _ in range(2):
        with simulate("asimo", room(), seed=1, start=STILL, filters=[Reflex()]) as session:
            told, record = reflexes(session), Record(session.robot, session.world.objects, 0.01, session.plant.truth())
            session.events.subscribe(record)
            assert session.run(FollowCommands(Explorer(session.robot), duration=6.0)).success
            back = [event for event in told if event.data["did"] == "back"]
            assert len(back) >= 3
            assert {"wall", "side"} & {name for event in told for name in event.data["pair"]}
            assert not list(contacts(record, lambda *at: False))
            for event in back:
                assert_allclose(record.steps[event.step + 1].q, event.data["q"], atol=0.01)
            ends.append(record.end.q)
    assert_allclose(ends[0], ends[1], rtol=0.0, atol=0.0)


def test_programs_that_plan_run_with_a_narrow_reflex() -> None:
    """Hands may touch what they grasp, and what is held may leave what it stands on."""
    with simulate("asimo", seed=1, filters=[Reflex(margin=0.002)]) as session:
        told = reflexes(session)
        assert session.run(Pickup(object="soda_can")).success
        assert told == []


def test_limits_hold_for_what_a_filter_returns() -> None:
    """Whatever that is."""

    def leap(command: Command, q: Array) -> Command:
        return replace(command, q=command.q + 1.0)

    with simulate("asimo", room(), seed=1, start=STILL, filters=[leap]) as session:
        before = session.plant.truth()["q"]
        session.run(FollowCommands(lambda now: None, duration=0.005))
        fastest = session.robot.velocity * 0.01
        assert (np.abs(session.context.arbiter.last - before) <= 2 * fastest + 1e-9).all()  # type: ignore[operator]


def test_what_is_no_list_of_filters_is_refused() -> None:
    """Before a robot is loaded."""
    for wrong in ("reflex", Reflex(), [Reflex], [3]):
        with pytest.raises(ParameterError, match="filter"):
            RunSettings("asimo", filters=wrong)  # type: ignore[arg-type]


def test_distances_are_told_to_whoever_asks_for_as_long_as_they_do() -> None:
    """With their gradients, by finite differences; an object that is not solid is left out at once."""
    with simulate("asimo", room(), seed=1, start=STILL) as session:
        told: list[Any] = []
        session.events.subscribe(lambda event: told.append(event.data) if event.kind == "distances" else None)
        session.look()
        assert told == []
        stop = session.tell_distances(0.4)
        session.look()
        data, skills = told[-1], session.skills
        q, k = skills.position(), next(k for k, pair in enumerate(data["pairs"]) if "wall" in pair)
        step = np.zeros(len(q))
        step[0] = 1e-5
        assert data["gradients"].shape == (len(data["pairs"]), len(q))
        pairs, distances, _ = skills.near_pairs(q + step, 0.4)
        assert list(pairs) == data["pairs"]
        change = (distances[k] - data["distances"][k]) / 1e-5
        assert change == pytest.approx(data["gradients"][k, 0], abs=1e-4)
        undo = session.ignore_collisions("wall")
        session.look()
        assert not any("wall" in pair for pair in told[-1]["pairs"])
        undo()
        session.look()
        assert list(told[-1]["pairs"]) == data["pairs"]
        stop()
        session.look()
        assert len(told) == 3
