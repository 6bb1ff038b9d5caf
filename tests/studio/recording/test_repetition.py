from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import taskmatrix as tm
from taskmatrix.behaviors import Pickup, Postural, Timer
from taskmatrix.core.base.errors import RecordingError
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import Session
from taskmatrix.studio.recording import repeat, summary


def program(session: Session) -> None:
    session.run(Pickup(object="soda_can"))


@pytest.fixture(scope="module")
def kinematic(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kinematic") / "run.mcap"
    with tm.simulate("mannequin", seed=1) as session:
        session.record(path)
        program(session)
    return path


def test_a_program_does_on_its_recording_what_it_did(kinematic: Path) -> None:
    """The same messages at the same times, and the same commands."""
    comparison = repeat(kinematic, program)
    assert comparison.same, summary(comparison)
    assert comparison.events[0] > 10


def test_fingers_press_on_in_the_next_run_as_they_did(tmp_path: Path) -> None:
    """Of a simulation with physics, in which they are off where they were told to be; it is not there any more."""
    with tm.simulate("g1", seed=1, sim="mujoco") as session:
        session.record(tmp_path / "run.mcap")
        two(session)
    comparison = repeat(tmp_path / "run.mcap", two)
    assert comparison.same, summary(comparison)


def two(session: Session) -> None:
    assert session.run(Pickup(object="soda_can")).success
    assert session.run(Timer(duration=0.1)).success


def test_another_program_parts_from_it(kinematic: Path) -> None:
    """The first difference is told, with both sides."""
    comparison = repeat(kinematic, lambda session: session.run(Pickup(object="tennis_ball")))
    assert not comparison.same
    assert comparison.values is not None
    assert comparison.motion is not None


def test_one_that_only_commands_otherwise_is_found_out(kinematic: Path) -> None:
    """What it senses is the same as then; what it commands is compared."""
    comparison = repeat(kinematic, program, robot=_slower("mannequin"))
    assert comparison.motion is not None


def test_a_run_that_goes_on_for_longer_fails(kinematic: Path) -> None:
    """The plant has no more to say."""
    outcomes = []

    def longer(session: Session) -> None:
        program(session)
        outcomes.append(session.run(Postural(posture="ready")))

    comparison = repeat(kinematic, longer)
    assert not comparison.same
    assert outcomes[0].failure is not None
    assert outcomes[0].failure.kind is FailureKind.PLANT
    assert "control steps, and this run goes on" in outcomes[0].failure.explain()


def test_a_recording_of_another_robot_is_refused(kinematic: Path) -> None:
    with pytest.raises(RecordingError, match="its joints differ"):
        repeat(kinematic, program, robot="nao")


def test_one_that_does_not_begin_at_the_beginning_is_refused(tmp_path: Path) -> None:
    with tm.simulate("mannequin", seed=1) as session:
        session.run(Postural(posture="ready"))
        session.record(tmp_path / "late.mcap")
        session.run(Postural(posture="rest"))
    with pytest.raises(RecordingError, match=r"has control step \d+ for its first"):
        repeat(tmp_path / "late.mcap", lambda session: session.run(Postural(posture="rest")))


def _slower(name: str) -> Robot:
    robot = load_robot(name)
    return replace(robot, acceleration=robot.acceleration * 0.5)
