"""What pictures are made from, out of a recording alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import taskmatrix as tm
from taskmatrix.behaviors import Postural
from taskmatrix.core.base.errors import RecordingError
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.geometry import bounding_box
from taskmatrix.session.recording import Recorder, packed
from taskmatrix.session.session import Session
from taskmatrix.simulation.triangles import triangles
from taskmatrix.studio.recording import Recording
from taskmatrix.studio.recording.drawable import drawable


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with tm.simulate("mannequin", world="apartment", seed=3) as made:
        yield made


@pytest.fixture(scope="module")
def recording(session: Session, tmp_path_factory: pytest.TempPathFactory) -> Recording:
    """A short run in a world with walls."""
    recorder = session.record(tmp_path_factory.mktemp("runs") / "run.mcap")
    assert session.run(Postural(posture="ready")).success
    recorder.close()
    return Recording.open(recorder.path)


def test_the_robot_is_where_its_model_has_it(session: Session, recording: Recording) -> None:
    """Every piece that is seen, at any configuration."""
    robot = session.robot
    seen = [number for number, shape in enumerate(robot.visuals) if shape.color[3] > 0.0]
    random = np.random.default_rng(1)
    with drawable(recording) as drawn:
        assert len(drawn.body.visuals) == len(seen)
        for q in random.uniform(robot.lower, robot.upper, (5, len(robot.lower))):
            np.testing.assert_allclose(drawn.body.visual_placements(q), robot.visual_placements(q)[seen], atol=1e-6)


def test_the_world_is_that_of_the_run(session: Session, recording: Recording) -> None:
    """Objects of the same type, size, colour and place; walls are boxes, so that they can be cut."""
    world = session.world
    with drawable(recording) as drawn:
        assert drawn.world.objects.keys() == world.objects.keys()
        assert drawn.world.bounds == world.bounds
        assert len(drawn.world.grounds) == len(world.grounds)
        for id, model in world.objects.items():
            found = drawn.world.objects[id]
            assert (found.type, found.movable) == (model.type, model.movable)
            seen = [shape for shape in model.shapes if shape.color[3] > 0.0]
            assert [shape.color for shape in found.shapes] == [pytest.approx(shape.color) for shape in seen]
            np.testing.assert_allclose(
                bounding_box(found.shapes, drawn.world.poses[id]), bounding_box(seen, world.poses[id]), atol=2e-3
            )
        walls = [model for model in drawn.world.objects.values() if model.is_a("wall")]
        assert walls
        assert all(shape.kind == "box" for model in walls for shape in model.shapes)


def test_surfaces_are_those_that_were_recorded(recording: Recording) -> None:
    """As files, while they are needed."""
    with drawable(recording) as drawn:
        meshes = [shape for shape in drawn.body.visuals if shape.mesh is not None]
        assert meshes
        assert all(len(triangles(shape).faces) for shape in meshes)
        files = [shape.mesh for shape in meshes if shape.mesh is not None]
        assert all(file.is_file() for file in files)
    assert not any(file.exists() for file in files)


def test_frames_are_those_of_the_run(recording: Recording) -> None:
    """A tenth of a second apart and at the end, with what runs."""
    with drawable(recording) as drawn:
        times = [frame.time for frame in drawn.frames]
        assert times == sorted(times)
        assert min(np.diff(times[:-1])) >= 0.1 - 1e-6
        assert times[-1] == pytest.approx(recording.steps.times[-1])
        np.testing.assert_array_equal(drawn.frames[-1].q, recording.steps.q[-1])
        assert any("postural: moving" in frame.caption for frame in drawn.frames)


def test_a_run_is_about_what_its_behavior_is_about(session: Session, tmp_path: Path) -> None:
    """An object that it names, else any that can be carried."""
    movable = [id for id, model in session.world.objects.items() if model.movable]
    for given, expected in (({"object": movable[-1]}, movable[-1]), ({"object": "nothing"}, movable[0])):
        recorder = Recorder(tmp_path / "run.mcap", session.header(), session.scene())
        recorder(Event(0.0, 0, "program", "pickup", {"behavior": "Pickup", "parameters": given}))
        recorder(Event(0.0, 0, "step", "plant", session.plant.truth()))
        recorder.close()
        with drawable(Recording.open(recorder.path)) as drawn:
            assert drawn.subject == expected


def test_without_control_steps_there_are_no_pictures(session: Session, tmp_path: Path) -> None:
    """It is said."""
    recorder = Recorder(tmp_path / "run.mcap", session.header(), session.scene())
    recorder.close()
    with pytest.raises(RecordingError, match="no control steps"), drawable(Recording.open(recorder.path)):
        pass
    bare = Recorder(tmp_path / "bare.mcap", session.header(), packed({"robot": {}, "objects": []}))
    bare.close()
    with pytest.raises(RecordingError, match="no objects"), drawable(Recording.open(bare.path)):
        pass
