"""What behaviors require, matched with what robots provide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from taskmatrix.behaviors import RandomWalk
from taskmatrix.core.behavior.requirement import (
    Hands,
    HasChain,
    HasHand,
    Holds,
    MovesBase,
    Requirement,
    Sees,
    TakesImpedance,
    TurnsView,
    narrowest,
)
from taskmatrix.core.robot.capability import Capabilities, HandCapability, ViewCapability
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Shape
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.testing import box_percept

SMALL = HandCapability("left_arm", 6, 1, (0.0, 0.04), 0.5)
WIDE = HandCapability("right_arm", 6, 1, (0.0, 0.09), 0.5)
VIEW = ViewCapability(True, 1.0, 1.0, 0.5, 0.5, (0.3, 4.0))
ROBOT = Capabilities({"base": 3, "left_arm": 6, "right_arm": 6}, {"left": SMALL, "right": WIDE}, VIEW, holonomic=True)
ROBOT = replace(ROBOT, impedance=("left_arm",))
HANDLESS = replace(ROBOT, hands={})


def ball(width: float = 0.065, mass: float | None = None) -> Percept:
    """A ball with one grasp."""
    seen = box_percept("ball", size=(width, width, width))
    return replace(seen, model=replace(seen.model, mass=mass))


def knowing(*percepts: Percept) -> PerceptualModel:
    perception = PerceptualModel()
    perception.update(percepts, 0.0)
    return perception


def carrying(left: float | None, right: float | None) -> Capabilities:
    """The robot with declared payloads [kg]."""
    hands = {"left": left, "right": right}
    return replace(
        ROBOT,
        hands={
            name: replace(ROBOT.hands[name], payload=payload, declared=payload is not None)
            for name, payload in hands.items()
        },
    )


@pytest.mark.parametrize(
    "requirement",
    [
        HasChain("base"),
        HasHand("left"),
        Hands(),
        Hands(2),
        Holds("ball"),
        TurnsView(1.0, 0.5, 0.5),
        MovesBase(),
        Sees(3.0),
        TakesImpedance("left_arm"),
    ],
)
def test_what_there_is_enough_of_meets_a_requirement(requirement: Requirement) -> None:
    """Anything at least as good does."""
    assert requirement.met(ROBOT, knowing(ball()))


@pytest.mark.parametrize(
    ("requirement", "robot", "why"),
    [
        (HasChain("torso"), ROBOT, "it takes a chain 'torso'; the robot has base, left_arm, right_arm"),
        (HasHand("rihgt"), ROBOT, "no hand 'rihgt'; did you mean 'right'? There are: left, right"),
        (TakesImpedance("tail"), ROBOT, "it takes a chain 'tail'; the robot has base, left_arm, right_arm"),
        (
            TakesImpedance("right_arm"),
            ROBOT,
            "it takes a plant that drives 'right_arm' with a stiffness; this one drives so: left_arm",
        ),
        (Hands(), HANDLESS, "it takes a hand; the robot has none"),
        (Hands(2), replace(ROBOT, hands={"left": SMALL}), "it takes two hands; the robot has left"),
        (Hands(3), ROBOT, "it takes 3 hands; the robot has left, right"),
        (Holds("ball"), HANDLESS, "it takes a hand; the robot has none"),
        (Holds("ball", "tail"), ROBOT, "no hand 'tail'. There are: left, right"),
        (TurnsView(), replace(ROBOT, view=None), "it takes a head that turns the view; the robot has no view"),
        (
            TurnsView(),
            replace(ROBOT, view=ViewCapability(False)),
            "it takes a head that turns the view; the robot has no head to turn",
        ),
        (
            TurnsView(sideways=1.2),
            ROBOT,
            "it takes a head that turns the view 69 deg to each side; that of the robot does 57 deg",
        ),
        (
            TurnsView(0.5, down=0.8),
            ROBOT,
            "it takes a head that turns the view 46 deg down; that of the robot does 29 deg",
        ),
        (Sees(6.0), ROBOT, "it takes a view of what is 6 m away; the robot sees from 0.3 to 4 m"),
        (Sees(0.1), ROBOT, "it takes a view of what is 0.1 m away; the robot sees from 0.3 to 4 m"),
        (Sees(0.1), replace(ROBOT, view=None), "it takes a view of what is 0.1 m away; the robot has no view"),
    ],
)
def test_a_mismatch_says_what_it_takes_and_what_there_is(
    requirement: Requirement, robot: Capabilities, why: str
) -> None:
    """In one sentence."""
    verdict = requirement.met(robot, knowing(ball()))
    assert not verdict
    assert verdict.why == why


def test_a_view_of_which_nobody_says_how_far_it_reaches_will_do() -> None:
    assert Sees(100.0).met(replace(ROBOT, view=ViewCapability(False)), knowing())


def test_of_hands_that_do_not_open_wide_enough_the_widest_is_named() -> None:
    """With both widths, also as data."""
    assert Holds("ball").met(ROBOT, knowing(ball(0.0904))).why.endswith("opens 90.4 mm for 'ball'; right opens 90 mm")
    verdict = Holds("ball").met(ROBOT, knowing(ball(0.1)))
    assert verdict.why == "it takes a hand that opens 100 mm for 'ball'; right opens 90 mm"
    assert verdict.values == {"object": "ball", "width": 0.1, "hand": "right", "opening": 0.09}


def test_a_hand_that_is_named_has_to_do_it_itself() -> None:
    """However wide the other opens."""
    verdict = Holds("ball", "left").met(ROBOT, knowing(ball()))
    assert verdict.why == "it takes a hand that opens 65 mm for 'ball'; left opens 40 mm"
    assert Holds("ball", "right").met(ROBOT, knowing(ball()))


def test_one_hand_has_to_be_wide_and_strong_enough() -> None:
    """Two with half of it each will not do."""
    heavy = knowing(ball(mass=0.5))
    assert Holds("ball").met(carrying(0.1, 0.5), heavy)
    verdict = Holds("ball").met(carrying(2.0, 0.4), heavy)
    assert verdict.why == "it takes a hand that carries 0.5 kg for 'ball'; right carries 0.4 kg"
    assert verdict.values == {"object": "ball", "mass": 0.5, "hand": "right", "payload": 0.4}


def test_a_payload_that_is_not_declared_refuses_nothing() -> None:
    """Whether it is derived or not known at all."""
    hands = {name: replace(hand, payload=0.01) for name, hand in ROBOT.hands.items()}
    assert Holds("ball").met(replace(ROBOT, hands=hands), knowing(ball(mass=0.5)))
    assert Holds("ball").met(carrying(0.1, None), knowing(ball(mass=0.5)))
    assert Holds("ball").met(carrying(0.1, 0.1), knowing(ball()))  # nor does a mass that nobody knows


def test_what_is_not_known_or_held_already_requires_nothing_more() -> None:
    """Whether there is such an object is another question."""
    assert Holds("cup").met(ROBOT, knowing(ball()))
    assert Holds("ball").met(ROBOT, knowing(replace(ball(0.3), held_by="left")))
    assert not Holds("ball", "right").met(ROBOT, knowing(replace(ball(0.3), held_by="left")))


def test_two_hands_have_to_be_wide_enough_where_two_take_it() -> None:
    """The one that is not is named."""
    verdict = Holds("ball", count=2).met(ROBOT, knowing(ball()))
    assert verdict.why == "it takes two hands that open 65 mm for 'ball'; left opens 40 mm"
    assert Holds("ball", count=2).met(ROBOT, knowing(ball(0.03)))
    one = replace(ROBOT, hands={"left": SMALL})
    assert Holds("ball", count=2).met(one, knowing(ball())).why == "it takes two hands; the robot has left"


def test_the_narrowest_opening_is_that_of_the_grasps_or_of_a_single_box() -> None:
    """Of what is round or of several pieces it takes a search."""
    model = box_percept("box", size=(0.3, 0.2, 0.1), type="graspable/box").model
    assert narrowest(model) == 0.2
    assert narrowest(replace(model, grasps=())) == 0.1
    assert narrowest(replace(model, grasps=(), type="box")) is None  # of which no grasps are found
    assert narrowest(replace(model, grasps=(), shapes=model.shapes * 2)) is None
    assert narrowest(replace(model, grasps=(), shapes=(Shape("sphere", (0.1,), pose()),))) is None


def test_a_base_that_stands_does_not_move() -> None:
    """However little its adapter lets it; and a walk says so before it begins."""
    verdict = MovesBase().met(replace(ROBOT, room=(0.001, 0.001)), knowing())
    assert not verdict
    assert verdict.why.startswith("it takes a base that moves; that of the robot stands, its range is 1 mm")
    assert MovesBase() in RandomWalk().requirements()
