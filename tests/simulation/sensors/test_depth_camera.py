"""What the camera on a robot's head delivers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import NOTHING, OWN, DepthImage
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import load_robot
from taskmatrix.simulation.scenes.world import World
from taskmatrix.simulation.scenes.world_loader import load_world
from taskmatrix.simulation.sensors import DepthCamera, Faults

ROBOT = load_robot("mannequin")
SCENE = """
description = "a can before a wall, a ball behind the robot"
default_object = "can"
bounds = [-3, -3, 3, 3]
reference_shoulder_height = 1.0
start = {{ lower = [0, 0, 0], upper = [0, 0, 0] }}

[[object]]
id = "wall"
type = "obstacle"
position = [{wall}, 0]
shape = [{{ kind = "box", size = [0.1, 4.0, 3.0] }}]

[[object]]
id = "can"
model = "soda_can"
position = [0.8, 0.1, 1.2]

[[object]]
id = "ball"
model = "tennis_ball"
position = [-1.0, 0, 1.2]
"""


def world_at(folder: Path, wall: float = 1.2) -> World:
    file = folder / "scene.toml"
    file.write_text(SCENE.format(wall=wall))
    return load_world(file, 1.0)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return world_at(tmp_path)


@pytest.fixture
def camera(world: World) -> DepthCamera:
    return DepthCamera(ROBOT, world)


def truth(world: World, q: Array | None = None) -> dict[str, object]:
    return {"q": ROBOT.posture("stand") if q is None else q, "poses": dict(world.poses)}


def taken(camera: DepthCamera, world: World, q: Array | None = None, time: float = 0.0) -> DepthImage:
    image = camera.take(truth(world, q), time)
    assert image is not None
    return image


def share(image: DepthImage, id: str) -> float:
    return float((image.labels == image.names.index(id)).mean())


def test_the_thesis_figures_are_the_default(camera: DepthCamera, world: World) -> None:
    """Of resolution, field of view and range (5.4)."""
    image = taken(camera, world)
    assert image.depth.shape == (124, 160)
    assert np.degrees(image.field_of_view) == pytest.approx(35.0)
    assert image.range == (0.2, 1.5)


def test_depth_is_exact(camera: DepthCamera, world: World) -> None:
    """The wall's points lie in its front, 1.15 m ahead, to a tenth of a millimetre; the can's on its surface."""
    image = taken(camera, world)
    wall = image.points(image.names.index("wall"))
    assert wall[:, 0] == pytest.approx(1.15, abs=1e-4)
    points = image.points(image.names.index("can")) - world.poses["can"][:3, 3]
    assert len(points) > 100
    assert np.hypot(points[:, 0], points[:, 1]).max() < 0.0337
    assert np.abs(points[:, 2]).max() < 0.0612
    assert (points[:, 2].min(), points[:, 2].max()) == pytest.approx((-0.061, 0.061), abs=0.005)
    assert (points[:, 1].min(), points[:, 1].max()) == pytest.approx((-0.033, 0.033), abs=0.005)


def test_what_is_behind_is_not_seen_until_it_is_ahead(camera: DepthCamera, world: World) -> None:
    """Bodies out of view are left out of the drawing; they come back."""
    assert share(taken(camera, world), "ball") == 0.0
    q = ROBOT.posture("stand", (0.0, 0.0, np.pi))
    behind = taken(camera, world, q)
    assert share(behind, "ball") > 0.0
    assert share(behind, "can") == 0.0
    assert share(taken(camera, world), "can") > 0.0


def test_beyond_its_range_is_nothing(tmp_path: Path) -> None:
    """Neither depth nor label; what is hidden by nothing else goes on to infinity."""
    world = world_at(tmp_path, wall=2.0)
    camera = DepthCamera(ROBOT, world)
    image = taken(camera, world)
    assert share(image, "wall") == 0.0
    assert np.isinf(image.depth[image.labels == NOTHING]).all()


def test_what_is_not_there_is_not_seen(camera: DepthCamera, world: World) -> None:
    """The plant's truth places no object that is absent."""
    image = camera.take({"q": ROBOT.posture("stand"), "poses": {"wall": world.poses["wall"]}}, 0.0)
    assert image is not None
    assert share(image, "can") == 0.0


def test_the_robot_hides_what_is_behind_it(world: World) -> None:
    """Its arm, stretched out; a camera without a body sees nothing there."""
    q = ROBOT.posture("stand")
    q[list(ROBOT.indices("left_arm")[:2])] = 1.8, 0.0
    cameras = [DepthCamera(ROBOT, world, solid=solid) for solid in (True, False)]
    own = [float((taken(camera, world, q).labels == OWN).mean()) for camera in cameras]
    assert own[0] > 0.01
    assert own[1] == 0.0


def test_the_same_seed_has_the_same_faults(world: World) -> None:
    """Bit for bit; another seed has others."""
    images = []
    for seed in (1, 1, 2):
        camera = DepthCamera(ROBOT, world, Faults(noise=0.005, dropouts=0.1), seed)
        images.append(taken(camera, world).depth)
    assert np.array_equal(images[0], images[1], equal_nan=True)
    assert not np.array_equal(images[0], images[2], equal_nan=True)


def test_a_robot_without_a_view_has_no_camera(world: World) -> None:
    """The error names the robot and the section."""

    class Blind:
        name, view = "blind", None

    with pytest.raises(ParameterError, match=r"robot 'blind' has no camera: its adapter has no section \[view\]"):
        DepthCamera(Blind(), world)  # type: ignore[arg-type]
