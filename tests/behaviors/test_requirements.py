"""Behaviors on robots that have not what they take: refused before anything moves, by the name of what is missing."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from taskmatrix import Session, TaskBehavior, simulate
from taskmatrix.behaviors import (
    AperiodicCanned,
    Find,
    Fixate,
    Grasp,
    Greet,
    Meet,
    PickAndPlace,
    Pickup,
    Position,
    Postural,
    Putdown,
    RandomWalk,
    Reach,
    Regrasp,
    Release,
    Scan,
    Timer,
    Transfer,
    Turn,
    Vacuum,
)
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.testing import Bench, box_percept

CUP = {"object": "cup"}
ON = {"object": "cup", "on": "table"}
HANDS: list[TaskBehavior] = [
    Reach(**CUP),
    Grasp(**CUP),
    Release(**CUP),
    Position(**ON),
    Pickup(**CUP),
    Putdown(**ON),
    PickAndPlace(**ON),
    Regrasp(**ON),
    Vacuum(**ON),
]
TWO_HANDS: list[TaskBehavior] = [Meet(**CUP), Transfer(**CUP)]
HEAD: list[TaskBehavior] = [Scan(duration=1.0), Fixate(target="cup")]
ANY: list[TaskBehavior] = [
    Postural(posture="stance"),
    AperiodicCanned(motion="nod"),
    Turn(),
    RandomWalk(duration=1.0),
    Timer(duration=0.1),
    Find(type="object"),
    Greet(target="cup"),
]


def bench() -> Bench:
    return Bench([box_percept("cup"), box_percept("table", (0.8, 0.0, 0.35), (0.6, 1.0, 0.7), "furniture/table")])


def with_hands(monkeypatch: pytest.MonkeyPatch, *hands: str) -> Bench:
    made = bench()
    monkeypatch.setattr(type(made.skills), "hands", property(lambda self: hands))
    return made


def not_able(made: Bench, behavior: TaskBehavior) -> str:
    """Why, in the root's words; that is said before anything else."""
    failure = made.run(behavior).failure
    assert failure is not None
    assert failure.kind is FailureKind.NOT_ABLE
    assert [message for message in made.messages() if "planning-started" in message] == []
    return failure.root.message


@pytest.mark.parametrize("behavior", [*HANDS, *TWO_HANDS], ids=lambda behavior: behavior.name)
def test_without_hands_nothing_is_handled(behavior: TaskBehavior, monkeypatch: pytest.MonkeyPatch) -> None:
    """By machines, too, of whatever depth."""
    assert "the robot has none" in not_able(with_hands(monkeypatch), behavior)


@pytest.mark.parametrize("behavior", TWO_HANDS, ids=lambda behavior: behavior.name)
def test_one_hand_cannot_pass_to_the_other(behavior: TaskBehavior, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not_able(with_hands(monkeypatch, "left"), behavior) == "it takes two hands; the robot has left"


@pytest.mark.parametrize("behavior", HEAD, ids=lambda behavior: behavior.name)
def test_without_a_head_nothing_is_looked_at(behavior: TaskBehavior) -> None:
    made = bench()
    made.skills.sees = False
    assert not_able(made, behavior) == "it takes a head that turns the view; the robot has no head to turn"


@pytest.mark.parametrize("behavior", ANY, ids=lambda behavior: behavior.name)
def test_what_takes_neither_is_not_refused(behavior: TaskBehavior, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looking at whom it greets is what a robot may leave out."""
    made = with_hands(monkeypatch)
    made.skills.sees = False
    failure = made.run(behavior).failure
    assert failure is None or failure.kind is not FailureKind.NOT_ABLE


def test_what_is_too_heavy_for_a_declared_payload_is_refused() -> None:
    """By its mass; the other hand, of which nobody says, is not asked in vain."""
    cup = box_percept("cup")
    made = Bench([replace(cup, model=replace(cup.model, mass=0.4))])
    made.skills.payloads = {"left": 0.2, "right": 0.1}
    assert not_able(made, Pickup(**CUP)) == "it takes a hand that carries 0.4 kg for 'cup'; left carries 0.2 kg"
    made.skills.payloads = {"left": 0.2}
    reach = Reach(**CUP)
    assert made.run(reach).success
    assert reach.hand == "right"


def test_both_hands_have_to_carry_what_one_passes_to_the_other() -> None:
    """What the giver holds it can hold."""
    cup = box_percept("cup")
    made = Bench([replace(cup, model=replace(cup.model, mass=0.4))])
    made.plant.attach("left", "cup")
    made.skills.payloads = {"left": 0.2, "right": 0.1}
    made.run(Timer(duration=0.1))
    failure = made.run(Transfer(**CUP)).failure
    assert failure is not None
    assert failure.root.message == "it takes two hands that carry 0.4 kg for 'cup'; right carries 0.1 kg"
    made.skills.payloads = {"left": 0.2}
    assert made.run(Meet(**CUP)).success


def reason(session: Session, behavior: TaskBehavior) -> Failure:
    """Why a session says that its robot is not able, with and without running."""
    unmet = session.unmet(behavior)
    outcome = session.run(behavior)
    assert outcome.failure is not None
    assert outcome.failure == unmet
    assert outcome.steps == 1
    return outcome.failure


def test_g1_has_no_neck() -> None:
    """It can fetch things, and cannot look at them."""
    with simulate("g1", seed=1) as session:
        assert session.unmet(Pickup(object="soda_can")) is None
        for behavior in (Scan(duration=1.0), Fixate(target="soda_can")):
            assert "no head to turn" in reason(session, behavior).message


def test_a_hand_that_affixes_holds_as_others_do() -> None:
    """To what is no wider than it says; iCub has no fingers."""
    with simulate("icub", seed=1) as session:
        assert session.unmet(Pickup(object="soda_can")) is None


def test_a_declared_payload_of_a_real_robot_is_held_to(tmp_path: Path) -> None:
    """What it carries is told with what the object weighs."""
    folder = Path(shutil.copytree(find_adapter("mannequin").parent, tmp_path / "weak"))
    adapter = folder / "robot.toml"
    text = adapter.read_text(encoding="utf-8")
    assert "[hands.left]\n" in text
    adapter.write_text(text.replace("[hands.left]\n", "[hands.left]\npayload = 0.2\n"), encoding="utf-8")
    with simulate(folder, seed=1) as session:
        failure = reason(session, PickAndPlace(object="vacuum", on="table"))
        assert failure.explain().endswith("it takes a hand that carries 1.1 kg for 'vacuum'; left carries 0.2 kg.")
        assert failure.root.where == "pick-and-place/pickup/reach"


def test_what_is_wider_than_any_hand_is_refused_by_its_width() -> None:
    """As the world's file has its grasps."""
    world = load_world("sparse", shoulder_height=1.0)
    can = world.objects["soda_can"]
    wide = replace(can, grasps=tuple(replace(grasp, width=0.2) for grasp in can.grasps))
    with simulate("asimo", replace(world, objects={**world.objects, "soda_can": wide}), 1) as session:
        failure = reason(session, Reach(object="soda_can"))
    assert failure.message == "it takes a hand that opens 200 mm for 'soda_can'; left opens 84 mm"
    assert failure.facts["width"] == 0.2
