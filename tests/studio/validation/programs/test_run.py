"""Programs that are chosen while they run, each step judged from where the last one led."""

from __future__ import annotations

from taskmatrix import simulate
from taskmatrix.core.world.geometry import pose
from taskmatrix.core.world.objects import Array
from taskmatrix.session.session import Session
from taskmatrix.simulation.judges.measures.contacts import overlap
from taskmatrix.simulation.judges.measures.scene import Scene
from taskmatrix.studio.validation.programs import Program, Step, run_program
from taskmatrix.studio.validation.programs.disturbance import Put
from taskmatrix.studio.validation.programs.run import random_steps
from taskmatrix.studio.validation.programs.step_generator import Situation, made, may_start, offered

EMPTY = Program("asimo", "sparse", 5)


def hold(session: Session, id: str) -> None:
    """Have the left hand hold an object where that is."""
    session.plant.attach("left", id)
    session.look()


def test_the_same_seed_makes_the_same_program() -> None:
    """To the last parameter, and what becomes of it; another seed another one."""
    first, again, other = (run_program(EMPTY, random_steps(count, seed)) for count, seed in ((1, 5), (1, 5), (1, 6)))
    assert len(first.program.items) == 1
    assert first == again
    assert first.program.items[0] != other.program.items[0]


def test_only_possible_steps_are_offered() -> None:
    """What is held is not picked up, and nothing else is put down or let go."""
    with simulate("asimo", seed=0) as session:
        now = Situation(session)
        now.note()
        assert all(offered(now, name) for name in ("pickup", "fixate", "scan", "vacuum", "pick-and-place"))
        assert not any(offered(now, name) for name in ("putdown", "release", "transfer", "regrasp", "greet"))
        hold(session, "soda_can")
        now.note()
        assert Step("release", (("object", "soda_can"),)) in offered(now, "release")
        assert Step("pickup", (("object", "soda_can"),)) not in offered(now, "pickup")
        assert {dict(step.parameters)["object"] for step in offered(now, "putdown")} == {"soda_can"}
        assert not offered(now, "vacuum")


def test_what_cannot_start_is_not_chosen() -> None:
    """A grasp without a hand at the object, or a way to put down what no hand holds."""
    with simulate("asimo", seed=0) as session:
        assert not may_start(session, made(Step("grasp", (("object", "soda_can"),))))
        assert may_start(session, made(Step("reach", (("object", "soda_can"),))))
        assert not may_start(session, made(Step("position", (("object", "soda_can"), ("on", "table")))))


def test_a_contact_that_was_there_is_not_blamed_on_the_next_step() -> None:
    """A stool is put against the robot; the find after it is judged successful, and says what touches still."""
    with simulate("asimo", seed=5) as session:
        truth = session.plant.truth()
        q: Array = truth["q"]  # type: ignore[assignment]
        scene, beside = Scene(session.robot, session.world.objects), 1.0
        poses = dict(session.world.poses)

        def put(beside: float) -> Put:
            return Put("stool", (round(float(q[0]) + beside, 4), round(float(q[1]), 4), 0.001))

        while overlap(scene, q, {**poses, "stool": pose(put(beside).position)}, {"stool"}) < 0.0:
            beside -= 0.005
        item = put(beside)
    run = run_program(Program("asimo", "sparse", 5, items=(item, Step("find", (("type", "can"),)))))
    (told,) = run.steps
    assert told.verdict == "success", told.reason
    assert any("stool" in pair for pair in told.facts["inherited"])
