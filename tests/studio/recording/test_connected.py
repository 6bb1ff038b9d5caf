"""Recordings of a robot that somebody connected: no world, no truth, objects that are perceived."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest

from taskmatrix import ParameterError, connect, simulate
from taskmatrix.behaviors import Pickup, Putdown, Timer
from taskmatrix.core import Command, JointState, ObjectModel, Percept, Shape
from taskmatrix.core.base.errors import RecordingError
from taskmatrix.core.world.geometry import pose
from taskmatrix.robots import Robot, load_robot
from taskmatrix.session.session import Session
from taskmatrix.studio.recording import Recording, repeat, summary
from taskmatrix.studio.recording.drawable import drawable
from taskmatrix.studio.viewer.pose import pose_of

CAN = ObjectModel("can", "object/graspable/can", (Shape("cylinder", (0.03, 0.12), np.eye(4)),), movable=True)
BOX = ObjectModel("crate", "obstacle/crate", (Shape("box", (0.2, 0.3, 0.4), np.eye(4), (1.0, 0.0, 0.0, 1.0)),))


class Arms:
    """Somebody's own simulation, of which only joints are known and what its hands are told to hold."""

    def __init__(self, session: Session) -> None:
        self.sense: Callable[[], JointState] = session.plant.sense
        self.apply: Callable[[Command, float], None] = session.plant.apply
        self.attach: Callable[[str, str], None] = session.plant.attach
        self.detach: Callable[[str], None] = session.plant.detach


@pytest.fixture(scope="module")
def robot() -> Robot:
    return load_robot("mannequin")


def program(session: Session) -> None:
    assert session.run(Pickup(object="soda_can")).success
    assert session.run(Putdown(object="soda_can", on="table")).success


@pytest.fixture(scope="module")
def recorded(robot: Robot, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[ObjectModel]]:
    """A pickup and a putdown of a robot that has perceived all, from somewhere, and the models of that."""
    path = tmp_path_factory.mktemp("connected") / "run.mcap"
    with simulate(robot, seed=1) as other:
        with connect(robot, Arms(other), other.plant.observe, real_time=False) as session:
            session.record(path)
            program(session)
        return path, list(other.world.objects.values())


def test_what_is_perceived_is_in_the_recording(recorded: tuple[Path, list[ObjectModel]]) -> None:
    """What it looks like, where it is in each control step, and which hand holds it."""
    path, models = recorded
    recording = Recording.open(path)
    assert {each["id"] for each in recording.scene["objects"]} == {model.id for model in models}
    steps = list(recording.events("step"))
    assert all(set(step["data"]["poses"]) == {model.id for model in models} for step in steps)
    held = [step["data"]["held"] for step in steps]
    assert {tuple(each.values()) for each in held} == {(), ("soda_can",)}
    assert "soda_can" in pose_of(steps[-1]["data"])["objects"]
    with drawable(recording) as drawn:
        assert drawn.subject == "soda_can"
        assert set(drawn.frames[0].poses) == set(drawn.world.objects)


def test_the_header_says_what_the_plant_was(robot: Robot, recorded: tuple[Path, list[ObjectModel]]) -> None:
    """A simulation that was asked for by its name is called by that."""
    header = Recording.open(recorded[0]).header
    told = {name: header[name] for name in ("sim", "plant", "truth", "perception", "world")}
    assert told == {"sim": None, "plant": "Arms", "truth": False, "perception": "reported", "world": "nowhere"}
    with simulate(robot, seed=1) as session:
        assert session.header()["sim"] == "kinematic"
        assert session.header()["plant"] is None
        q = session.plant.sense().q
        with connect(robot, session.plant, real_time=False) as other:
            known = other.header()
            assert known["plant"] == "KinematicPlant"
            assert known["truth"] is True
            np.testing.assert_allclose(np.array(known["q"]), q)
            np.testing.assert_allclose(np.array(known["start"]), q[:3])


def test_the_program_does_on_it_what_it_did(recorded: tuple[Path, list[ObjectModel]]) -> None:
    path, models = recorded
    comparison = repeat(path, program, objects=models)
    assert comparison.same, summary(comparison)
    other = repeat(path, lambda session: session.run(Pickup(object="tennis_ball")), objects=models)
    assert not other.same


def test_models_are_needed_where_there_is_no_world_and_only_there(
    recorded: tuple[Path, list[ObjectModel]], tmp_path: Path
) -> None:
    path, models = recorded
    with pytest.raises(RecordingError, match=r"has 'soda_can', of which it knows the looks only: give objects="):
        repeat(path, program, objects=[model for model in models if model.id != "soda_can"])
    with simulate("mannequin", seed=1) as session:
        session.record(tmp_path / "run.mcap")
        session.run(Timer(duration=0.1))
    with pytest.raises(ParameterError, match="has a world, with the models of its objects"):
        repeat(tmp_path / "run.mcap", program, objects=models)


def test_what_is_perceived_later_is_seen_from_then_on(robot: Robot, tmp_path: Path) -> None:
    """By an event, once; a recording that begins then has it from its beginning."""
    known: list[Percept] = [Percept(CAN, pose((0.6, 0.2, 0.9)))]
    with simulate(robot, seed=1) as other, connect(robot, Arms(other), lambda: known, real_time=False) as session:
        session.record(tmp_path / "first.mcap")
        session.run(Timer(duration=0.1))
        known.append(Percept(BOX, pose((2.0, 0.0, 0.2)), np.array([0.1, 0.0, 0.0, 0.0, 0.0, 0.0])))
        session.run(Timer(duration=0.1))
        del known[0]
        session.run(Timer(duration=0.1))
        session.record(tmp_path / "second.mcap")
        session.run(Timer(duration=0.1))
    first, second = (Recording.open(tmp_path / f"{name}.mcap") for name in ("first", "second"))
    told = list(first.events("object"))
    assert [event["data"]["object"]["id"] for event in told] == ["crate"]
    assert not list(second.events("object"))
    for recording in (first, second):
        assert [each["id"] for each in recording.scene["objects"]] == ["can", "crate"]
        assert _extent(recording.scene, "crate") == pytest.approx([0.2, 0.3, 0.4])
    steps = [event["data"] for event in first.events("step")]
    assert [set(steps[number]["poses"]) for number in (0, 15, -1)] == [{"can"}, {"can", "crate"}, {"crate"}]
    assert steps[-1]["velocities"] == {"crate": [0.1, 0.0, 0.0, 0.0, 0.0, 0.0]}
    assert orjson.loads(orjson.dumps(first.scene)) == first.scene


def _extent(scene: dict[str, Any], id: str) -> list[float]:
    """[m] Of an object's first shape."""
    (shape,) = next(each["shapes"] for each in scene["objects"] if each["id"] == id)
    positions = np.frombuffer(b64decode(scene["meshes"][shape["mesh"]]["positions"]), "<f4").reshape(-1, 3)
    return list(positions.max(axis=0) - positions.min(axis=0))
