"""What a session perceives its world with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.behaviors import Fixate, Pickup, Scan
from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import pose_error
from taskmatrix.core.world.occupancy import OCCUPIED
from taskmatrix.robots import load_robot
from taskmatrix.session.perception_pipeline import FAR, CameraPipeline, MapPipeline, pipeline_of
from taskmatrix.session.perception_process import CameraProcess
from taskmatrix.session.session import Session, simulate
from taskmatrix.simulation.sensors import Faults
from taskmatrix.skills.collision.collision import OCTREE

FURNITURE = {"table", "stool", "broom_stand"}
AT_TABLE = (1.2, 0.0, 0.0)


def pickup(pipeline: CameraPipeline, seed: int = 0) -> tuple[Session, list[Event], bool]:
    events: list[Event] = []
    with simulate("mannequin", seed=seed, start=AT_TABLE, perception=pipeline) as session:
        session.events.subscribe(events.append)
        success = session.run(Pickup(object="vacuum")).success
    return session, events, success


def test_all_is_seen_unless_said_otherwise() -> None:
    """The kinematic simulation's own perception."""
    with simulate("mannequin") as session:
        assert set(session.context.perception.percepts) == set(session.world.objects)


@pytest.mark.pictures
def test_a_camera_knows_the_furniture_to_begin_with() -> None:
    """And of the rest what it sees: at the start nothing."""
    with simulate("mannequin", start=(0.0, 0.0, np.pi), perception="camera") as session:
        assert set(session.context.perception.percepts) == FURNITURE


@pytest.mark.pictures
def test_what_is_known_to_begin_with_can_be_said() -> None:
    """By ids; nothing, too."""
    with simulate("mannequin", start=(0.0, 0.0, np.pi), perception=CameraPipeline(known=["vacuum"])) as session:
        assert set(session.context.perception.percepts) == {"vacuum"}
    with simulate("mannequin", start=(0.0, 0.0, np.pi), perception=CameraPipeline(known=())) as session:
        assert not session.context.perception.percepts


@pytest.mark.pictures
def test_what_was_never_seen_fails_with_its_name() -> None:
    """And with the names of what is known."""
    with simulate("mannequin", start=(0.0, 0.0, np.pi), perception="camera") as session:
        failure = session.run(Pickup(object="vacuum")).failure
    assert failure is not None
    assert failure.root.kind is FailureKind.UNKNOWN_OBJECT
    assert "stool" in failure.explain()


@pytest.mark.pictures
def test_a_look_at_the_table_makes_its_objects_known() -> None:
    """To a millimetre where they are whole in the image."""
    with simulate("mannequin", start=AT_TABLE, perception="camera") as session:
        session.run(Scan(duration=6.0))
        known, truth = session.context.perception, session.plant.truth()["poses"]
        assert isinstance(truth, dict)
        assert "vacuum" in known
        assert pose_error(known.pose("vacuum"), truth["vacuum"])[0] < 1e-3


@pytest.mark.pictures
def test_pickup_works_by_camera_alone() -> None:
    """The object is seen once it was looked for; what is held is where it is held."""
    with simulate("mannequin", start=AT_TABLE, perception="camera") as session:
        session.run(Scan(duration=6.0))
        assert session.run(Pickup(object="vacuum"))
        percept, truth = session.context.perception.object("vacuum"), session.plant.truth()
    poses = truth["poses"]
    assert isinstance(poses, dict)
    assert truth["held"] == {percept.held_by: "vacuum"}
    assert pose_error(percept.X_WO, poses["vacuum"])[0] < 1e-3


@pytest.mark.pictures
def test_images_come_at_their_own_rate() -> None:
    """Five a second beside a hundred control steps."""
    images: list[DepthImage] = []
    with simulate("mannequin", start=AT_TABLE, perception="camera") as session:
        assert isinstance(session.perception_process, CameraProcess)
        session.perception_process.subscribe(images.append)
        outcome = session.run(Fixate(target="stool"))
    assert len(images) == pytest.approx(5 * outcome.duration, abs=1)
    assert np.diff([image.time for image in images]) == pytest.approx(0.2, abs=0.0101)  # with the next control step


@pytest.mark.pictures
def test_the_same_seed_is_the_same_run_with_faults_and_all() -> None:
    """Bit for bit, noise included."""
    pipeline = CameraPipeline(known="all", faults=Faults(noise=0.003, dropped=0.3, frozen=0.2))
    runs = [pickup(pipeline)[1] for _ in range(2)]
    steps = [np.array([event.data["q"] for event in run if event.kind == "step"], dtype=float) for run in runs]
    assert np.array_equal(steps[0], steps[1])


@pytest.mark.pictures
@pytest.mark.parametrize(
    "faults",
    [Faults(dropped=0.3), Faults(frozen=0.5), Faults(noise=0.005, dropouts=0.1), Faults(dropped=1.0)],
    ids=["dropped", "frozen", "noisy", "blind"],
)
def test_a_pickup_of_what_was_seen_survives_faults(faults: Faults) -> None:
    """The object does not move, so that what was known once is enough."""
    assert pickup(CameraPipeline(known="all", faults=faults))[2]


@pytest.mark.pictures
def test_with_a_map_furniture_is_in_the_map_and_nowhere_else() -> None:
    """Objects that it recognises are in the perceptual model; collision checks know the table by the map alone."""
    with simulate("mannequin", start=AT_TABLE, perception="map") as session:
        assert not session.context.perception.percepts
        session.run(Scan(duration=6.0, down=1.0))
        assert "vacuum" in session.context.perception
        assert not FURNITURE & set(session.context.perception.percepts)
        top = session.world.poses["table"][:3, 3] + [-0.1, 0.0, 0.0]
        octree = session.skills.occupancy
        assert octree is not None
        column = octree.window(np.array([*top[:2], 0.1]), np.array([*(top[:2] + 0.03), 1.2]))[1]
        assert OCCUPIED in column
        base = session.skills.joints("base")
        contact = session.skills.collision(base, np.array([top[0], top[1], 0.0]))
        assert contact is not None
        assert OCTREE in contact.pair


def test_a_map_takes_a_camera_that_sees_the_floor() -> None:
    """Unless the range is given: by whoever asks, or by the adapter."""
    robot = load_robot("bandit")
    assert robot.view is not None
    near = replace(robot, view=replace(robot.view, range=(0.3, 2.0)))
    for given, pipeline, wanted in (
        (robot, MapPipeline(), FAR),
        (near, MapPipeline(), (0.3, 2.0)),
        (near, MapPipeline(range=(0.2, 3.0)), (0.2, 3.0)),
        (robot, CameraPipeline(), None),
        (robot, CameraPipeline(range=(0.2, 3.0)), (0.2, 3.0)),
    ):
        view = pipeline.equip(given).view
        assert view is not None
        assert view.range == wanted


def test_a_perception_that_is_none_is_an_error() -> None:
    """With the nearest name."""
    with pytest.raises(NotFoundError, match="no perception 'camra'; did you mean 'camera'"):
        pipeline_of("camra")


def test_settings_that_mean_nothing_are_errors() -> None:
    """At once, not with the first image."""
    with pytest.raises(ParameterError, match="more than zero images a second, not 0"):
        CameraPipeline(rate=0.0)
    with pytest.raises(ParameterError, match="known is 'fixed', 'all' or ids of objects, not 'some'"):
        CameraPipeline(known="some")
    with pytest.raises(ParameterError, match="range is the nearest and the furthest"):
        CameraPipeline(range=(2.0, 1.0))
    with pytest.raises(ParameterError, match="field of view is from 0 to pi"):
        CameraPipeline(field_of_view=4.0)
    with pytest.raises(ParameterError, match="resolution of a map must be above zero"):
        MapPipeline(resolution=0.0)


def test_what_is_not_in_the_world_cannot_be_known() -> None:
    """The error names it."""
    with pytest.raises(NotFoundError, match="vacum"):
        simulate("mannequin", perception=CameraPipeline(unmodelled=["vacum"]))
