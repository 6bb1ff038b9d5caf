"""The condition reachable."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix import Session, TaskBehavior, simulate
from taskmatrix.conditions import Reachable, RestingOn
from taskmatrix.core import Contact
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.testing import Bench, box_percept

from .satisfied import supposing


def looking(robot: str) -> Session:
    """A session that has perceived its world."""
    session = simulate(robot, start=(0.0, 0.0, 0.0))
    session.run(TaskBehavior())
    return session


def test_within_the_arms_limits_it_is_reachable() -> None:
    """And the verdict names the hand and the grasp."""
    verdict = Reachable("cup").evaluate(Bench([box_percept("cup", (0.5, 0, 1))]).context)
    assert verdict
    assert verdict.values["hand"] in ("left", "right")
    assert verdict.values["grasp"] == "top"
    assert verdict.values["distance"] == pytest.approx(0.0, abs=1e-9)


def test_too_far_away_it_is_not() -> None:
    """The fake robot's hands rise to two metres."""
    verdict = Reachable("cup", "left").evaluate(Bench([box_percept("cup", (0.5, 0, 2.5))]).context)
    assert not verdict
    assert verdict.values["distance"] == pytest.approx(0.5)
    assert "is 0.500 m" in verdict.why


def test_only_free_hands_count() -> None:
    """With both full there is none; nor is there a grasp of what is too wide for a hand."""
    bench = Bench(
        [box_percept("cup"), box_percept("pen"), box_percept("key"), box_percept("crate", size=(0.5, 0.5, 0.5))]
    )
    assert Reachable("crate").evaluate(bench.context).why == "no free hand has a grasp of 'crate'"
    for hand, id in (("left", "pen"), ("right", "key")):
        assert Reachable("cup", hand).evaluate(bench.context)
        bench.plant.attach(hand, id)
        bench.context.perception.update(bench.plant.observe(), 0.0)
        assert not Reachable("cup", hand).evaluate(bench.context)
    assert Reachable("cup").evaluate(bench.context).why == "no free hand has a grasp of 'cup'"


def test_unknown_names_are_said() -> None:
    """Of objects and of hands."""
    bench = Bench([box_percept("cup")])
    assert "did you mean 'cup'" in Reachable("cub").evaluate(bench.context).why
    assert "no hand 'third'" in Reachable("cup", "third").evaluate(bench.context).why


def test_a_grasp_that_is_not_free_does_not_count() -> None:
    """At the grasp nothing but the object may be touched, and just before it not even that."""
    bench = Bench([box_percept("cup")])
    bench.skills.contact = lambda q: Contact("palm", "wall", -0.01)
    verdict = Reachable("cup").evaluate(bench.context)
    assert not verdict
    assert "palm would touch wall" in verdict.why
    at_grasp = [0.5, 0.0, 1.0]

    def touches_at_grasp(q: Array) -> Contact | None:
        hands = [bench.skills.forward_kinematics(hand, q)[:3, 3] for hand in bench.skills.hands]
        there = any(np.allclose(p_WH, at_grasp, atol=1e-3) for p_WH in hands)
        return Contact("finger", "cup", -0.001) if there else None

    bench.skills.contact = touches_at_grasp
    assert Reachable("cup").evaluate(bench.context)
    bench.skills.contact = lambda q: Contact("palm", "cup", -0.01)
    assert "or before it, palm would touch cup" in Reachable("cup").evaluate(bench.context).why


def test_it_has_no_side_effects() -> None:
    """No permission to touch is given and nothing is commanded; asked again, it says the same."""
    bench = Bench([box_percept("cup")])
    answers = [Reachable("cup").evaluate(bench.context) for _ in range(2)]
    assert answers[0] == answers[1]
    assert bench.skills.allowed_contacts == {}
    assert bench.plant.commands == []


@pytest.mark.parametrize("robot", ["mannequin", "asimo", "talos"])
def test_a_robot_can_reach_what_is_on_the_table_and_nothing_in_the_air(robot: str) -> None:
    """From a distance only where its base may move; and at no height out of its reach."""
    with looking(robot) as session:
        context = session.context
        verdict = Reachable("soda_can").evaluate(context)
        assert verdict, verdict.why
        assert not Reachable("soda_can", move_base=False).evaluate(context)
        assert not Reachable("soda_can").evaluate(supposing(context, "soda_can", pose((1, 0, 3))))
        near = supposing(context, "soda_can", pose((0.3, 0.0, session.robot.shoulder_height * 0.7)))
        assert Reachable("soda_can", move_base=False).evaluate(near) or robot == "asimo"


def test_places_can_be_chosen_so_that_they_are_reachable() -> None:
    """Joined with what proposes places, it lets through those at which a hand can take the object."""
    with looking("mannequin") as session:
        places = RestingOn("soda_can", "table") & Reachable("soda_can")
        poses = places.sample(session.context, 4, np.random.default_rng(0))
        assert len(poses) == 4
        for X_WO in poses:
            assert places.evaluate(supposing(session.context, "soda_can", X_WO))
