"""Disturbances that a state allows."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges.measures.contacts import overlap
from taskmatrix.simulation.judges.measures.scene import Scene
from taskmatrix.studio.validation.programs.disturbance import Disturbance, Push, Put, Take
from taskmatrix.studio.validation.programs.disturbance_generator import DEEP, DisturbanceGenerator
from taskmatrix.studio.validation.programs.step_generator import Situation


def drawn(count: int) -> list[tuple[tuple[Disturbance, ...], float]]:
    """Disturbances of a robot at its start, each alone, and how deep things would be in the robot after it."""
    found = []
    with simulate("asimo", seed=1) as session:
        now = Situation(session)
        now.note()
        trouble, scene = DisturbanceGenerator(now), Scene(session.robot, session.world.objects)
        for seed in range(count):
            items, truth = trouble.draw(np.random.default_rng(seed)), session.plant.truth()
            q: Array = truth["q"].copy()  # type: ignore[attr-defined]
            poses: dict[str, Array] = dict(truth["poses"])  # type: ignore[call-overload]
            for item in items:
                if isinstance(item, Push):
                    q[:3] += item.offset
                elif isinstance(item, Put):
                    poses[item.object] = pose(item.position, item.rpy)
            found.append((items, overlap(scene, q, poses, set(poses))))
    return found


def test_disturbances_bring_into_contact_and_no_deeper_than_8_mm() -> None:
    """Of every kind: what is taken is gone, furniture takes along what stands on it, and the base is pushed."""
    found = drawn(12)
    kinds = {type(item) for items, _ in found for item in items}
    assert kinds == {Take, Put, Push}
    furniture = [items for items, _ in found if len(items) > 1]
    assert furniture
    assert all(isinstance(item, Put) for items in furniture for item in items)
    assert max(deep for _, deep in found) < DEEP + 1e-3
    assert any(deep > 0.0 for _, deep in found)


def test_what_a_hand_holds_is_part_of_the_robot_that_is_disturbed() -> None:
    """A wall that comes, and a push of the base, stop at the can in its hand."""
    with simulate("asimo", seed=1) as session:
        assert session.run(Pickup(object="soda_can")).success
        now, scene = Situation(session), Scene(session.robot, session.world.objects)
        now.note()
        assert now.held == ("soda_can",)
        trouble, truth = DisturbanceGenerator(now), session.plant.truth()
        depths = []
        for seed in range(12):
            q: Array = truth["q"].copy()  # type: ignore[attr-defined]
            poses: dict[str, Array] = dict(truth["poses"])  # type: ignore[call-overload]
            for item in trouble.draw(np.random.default_rng(seed)):
                if isinstance(item, Push):
                    q[:3] += item.offset
                    poses["soda_can"] = pose(item.offset) @ poses["soda_can"]
                elif isinstance(item, Put):
                    poses[item.object] = pose(item.position, item.rpy)
            depths.append(overlap(scene, q, poses, set(poses), now.held))
    assert max(depths) < DEEP + 1e-3


def test_the_same_seed_disturbs_likewise() -> None:
    """To the last digit."""
    assert [items for items, _ in drawn(2)] == [items for items, _ in drawn(2)]


@pytest.mark.parametrize("item", [Take("soda_can"), Put("soda_can", (2.0, 2.0, 0.1)), Push((0.1, 0.0, 0.2))])
def test_what_a_disturbance_does_is_what_its_line_does(item: Disturbance) -> None:
    """So that the script of a program does the same."""
    truths = []
    for line in (None, item.code):
        with simulate("asimo", seed=1) as session:
            if line is None:
                item.apply(session)
            else:
                exec(line, {"session": session, "pose": pose})
            truths.append(session.plant.truth())
    first, second = truths
    assert np.array_equal(first["q"], second["q"])  # type: ignore[arg-type]
    ids = first["poses"].keys()  # type: ignore[attr-defined]
    assert ids == second["poses"].keys()  # type: ignore[attr-defined]
    assert all(np.array_equal(first["poses"][id], second["poses"][id]) for id in ids)  # type: ignore[index]
