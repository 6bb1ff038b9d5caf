"""What takes two hands: both reach, grasp, carry and let go together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Grasp, Move, Pickup, Postural, Putdown, Reach
from taskmatrix.behaviors.manipulation.reach import opposite
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.geometry import inverse, pose, pose_error
from taskmatrix.core.world.objects import Grasp as GraspEntry
from taskmatrix.robots.hand_pose import hand_pose

THING = "crate"


@pytest.fixture(scope="module")
def carrying() -> Iterator[tuple[Session, list[tuple[float, float]]]]:
    """A robot that has picked a crate up, and how far its hands were from where they are on it, step by step."""
    with simulate("pr2", "canteen", seed=0) as session:
        off = list[tuple[float, float]]()
        X_HO: dict[str, np.ndarray] = {}

        def watch(event: Event) -> None:
            data = cast("dict[str, Any]", event.data)
            held = data["held"] if event.kind == "step" else {}
            for hand in held if len(held) == 2 else ():
                X = inverse(hand_pose(session.robot, hand, data["q"])) @ data["poses"][THING]
                off.append(pose_error(X_HO.setdefault(hand, X), X))

        session.context.events.subscribe(watch)
        assert session.run(Pickup(object=THING)).success
        yield session, off


def test_both_hands_hold_it_and_stay_where_they_are_on_it(
    carrying: tuple[Session, list[tuple[float, float]]],
) -> None:
    session, off = carrying
    seen = session.context.perception.object(THING)
    assert set(seen.holders) == {"left", "right"}
    assert all(session.skills.held(hand) == THING for hand in ("left", "right"))
    alone = session.run(Postural(posture="ready"))
    assert not alone.success
    assert "hold 'crate' together" in str(alone)
    before = session.context.perception.pose(THING)
    for move in (Move(hand="left", z=0.05), Move(object=THING, pitch=0.1)):
        moved = session.run(move)
        assert moved.success, moved
    X_BA = inverse(before) @ session.context.perception.pose(THING)
    assert np.linalg.norm(X_BA[:3, 3]) == pytest.approx(0.05, abs=1e-3)
    assert pose_error(np.eye(4), X_BA)[1] == pytest.approx(0.1, abs=0.01)
    done = session.run(Putdown(object=THING, on="sideboard"))
    assert done.success, done
    assert session.context.perception.object(THING).holders == ()
    assert session.context.perception.pose(THING)[1, 3] < -1.5
    assert len(off) > 200
    assert max(distance for distance, _ in off) < 2e-3
    assert max(angle for _, angle in off) < np.deg2rad(1.0)


def test_one_hand_is_not_enough() -> None:
    with simulate("pr2", "canteen", seed=0) as session:
        named = session.run(Reach(object=THING, using="left"))
        assert not named.success
        assert "takes two hands" in str(named)
        assert not session.run(Grasp(object=THING)).success


def test_a_hand_without_a_grasp_of_it_is_named() -> None:
    with simulate("baxter", "canteen", seed=0) as session:
        outcome = session.run(Reach(object="tray"))
    assert not outcome.success
    assert "'tray' takes two hands, and the left has no grasp of it" in str(outcome)


def test_pairs_of_grasps_are_on_opposite_sides_and_mirrored_ones_come_first() -> None:
    left = GraspEntry("left", pose((0.0, 0.2, 0.1), (np.pi, 0.0, 0.0)), 0.02)
    right = GraspEntry("right", pose((0.0, -0.2, 0.1), (np.pi, 0.0, 0.0)), 0.02)
    lower = replace(right, name="lower", X_OH=pose((0.0, -0.2, 0.0), (np.pi, 0.0, 0.0)))
    found = opposite([left, right], [lower, left, right], np.zeros(3))
    assert [(one.name, other.name) for one, other in found[:2]] == [("left", "right"), ("right", "left")]
    assert ("left", "lower") in [(one.name, other.name) for one, other in found]
    assert all(one.X_OH[1, 3] * other.X_OH[1, 3] < 0 for one, other in found)
