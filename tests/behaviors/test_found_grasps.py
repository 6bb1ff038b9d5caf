"""Things without a table of grasps are picked up by every robot, judged from their shape."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from taskmatrix import Session, simulate
from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.simulation.judges import Record, judge_of
from taskmatrix.simulation.scenes.world_loader import load_world

WORKTOP = Path(__file__).parents[2] / "benchmarks" / "worktop.toml"
THINGS = ("mug", "book", "l_bracket", "toy_ring", "door_wedge", "juggling_ball")
PAIRS = (*zip(("asimo", "mannequin", "bandit", "mannequin", "asimo", "bandit"), THINGS, strict=True),)


def judged(session: Session, behavior: TaskBehavior, object: str) -> str:
    """Why a behavior did not succeed, by its judge; empty if it did."""
    still = set(session.world.objects) - set(session.world.scripts)
    record = Record(session.robot, session.world.objects, session.context.dt, session.plant.truth(), still)
    session.events.subscribe(record)
    session.run(behavior)
    return judge_of(behavior.name)(record, {"object": object}).reason


@pytest.mark.slow
@pytest.mark.parametrize(("name", "object"), PAIRS)
def test_what_nobody_has_said_how_to_grasp_is_picked_up(name: str, object: str) -> None:
    """The table's other things are in the way, elsewhere with every other seed; a benchmark has all of each."""
    seed = THINGS.index(object) % 2
    with simulate(name, WORKTOP, seed) as session:
        assert judged(session, Pickup(object=object), object) == ""


@pytest.mark.parametrize("name", ["mannequin", "asimo"])
def test_without_its_table_the_soda_can_is_picked_up_too(name: str) -> None:
    world = load_world("sparse", shoulder_height=1.0)
    bare = replace(world.objects["soda_can"], grasps=())
    with simulate(name, replace(world, objects={**world.objects, "soda_can": bare}), 1) as session:
        assert judged(session, Pickup(object="soda_can"), "soda_can") == ""


def test_what_is_too_large_for_every_hand_is_refused_by_name() -> None:
    """The failure says that there is no grasp, not that the planner gave up."""
    world = load_world(WORKTOP)
    mug = world.objects["mug"]
    huge = replace(mug, shapes=tuple(replace(part, kind="box", size=(0.3, 0.3, 0.3), mesh=None) for part in mug.shapes))
    with simulate("asimo", replace(world, objects={**world.objects, "mug": huge}), 1) as session:
        outcome = session.run(Pickup(object="mug"))
    assert outcome.failure is not None
    assert outcome.failure.root.kind is FailureKind.NO_GRASP
