from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import FREE, OCCUPIED, UNKNOWN, Space
from taskmatrix.perception.mapper import Mapper
from taskmatrix.perception.octree import Octree
from taskmatrix.robots import load_robot
from taskmatrix.robots.self_filter import SelfFilter
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.testing.box_camera import BoxCamera, looking

BOX = ((0.8, -0.1, 0.9), (1.0, 0.1, 1.1))
EYE = looking((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))
IN_BOX = np.array([(0.805, 0.0, 1.0)])


class Setting:
    """A mannequin at the origin, and images as they are handed over."""

    def __init__(self, modelled: tuple[str, ...] = (), labelled: bool = True) -> None:
        self.robot = load_robot("mannequin")
        self.q = self.robot.posture(self.robot.stance)
        self.image: DepthImage | None = None
        own = SelfFilter(self.robot)
        self.mapper = Mapper(lambda: self.image, Octree(), own, lambda: self.q, lambda: modelled, labelled=labelled)

    def show(self, camera: BoxCamera, X_WC: Array = EYE) -> Octree:
        self.image = camera.image(X_WC)
        self.mapper()
        return self.mapper.octree


def test_each_image_is_taken_over_once() -> None:
    """However often it is called meanwhile; and without an image nothing happens."""
    setting = Setting()
    setting.mapper()
    assert setting.mapper.images == 0
    octree = setting.show(BoxCamera([BOX]))
    setting.mapper()
    assert setting.mapper.images == 1
    assert octree.states(IN_BOX).tolist() == [OCCUPIED]


def test_an_image_that_hangs_says_nothing_of_where_the_camera_is_now() -> None:
    """The same depths from elsewhere are those of before."""
    setting = Setting()
    setting.show(BoxCamera([BOX]))
    assert setting.image is not None
    setting.image = replace(setting.image, X_WC=looking((0.0, 0.0, 1.0), (0.0, 1.0, 1.0)))
    setting.mapper()
    assert setting.mapper.images == 1
    setting.image = replace(setting.image, time=0.4)  # it still hangs, and the camera stands where it has turned
    setting.mapper()
    assert setting.mapper.images == 1
    assert setting.mapper.octree.states(np.array([(0.0, 0.7, 1.0)])).tolist() == [UNKNOWN]


def test_where_there_is_nothing_to_see_images_are_the_same_and_count_all_the_same() -> None:
    """But not one that would have to show the floor: that one hangs."""
    setting, empty, up = Setting(), BoxCamera([]), looking((0.0, 0.0, 1.0), (1.0, 0.0, 1.4))
    ahead = np.array([(0.0, 1.0, 1.4)])
    setting.show(empty, up)
    octree = setting.show(empty, looking((0.0, 0.0, 1.0), (0.0, 1.0, 1.4)))
    assert setting.mapper.images == 2
    assert octree.states(ahead).tolist() == [FREE]
    assert setting.image is not None
    setting.image = replace(setting.image, X_WC=looking((0.0, 0.0, 1.0), (0.0, -1.0, 0.2)))
    setting.mapper()
    assert setting.mapper.images == 2
    assert octree.states(np.array([(0.0, -0.8, 0.4)])).tolist() == [UNKNOWN]


def test_what_is_modelled_is_not_in_the_map() -> None:
    """It is an obstacle of its own, which may be carried away."""
    assert Setting(("box 0",)).show(BoxCamera([BOX])).states(IN_BOX).tolist() == [FREE]
    assert Setting(("box 1",)).show(BoxCamera([BOX])).states(IN_BOX).tolist() == [OCCUPIED]


def test_the_robot_itself_is_not_in_the_map() -> None:
    """By its label; or, where there is none, by where its bodies are."""
    assert Setting().show(BoxCamera([BOX], own=[0])).states(IN_BOX).tolist() == [UNKNOWN]
    setting = Setting(labelled=False)
    hand = setting.mapper._own.boxes(setting.q)[-1].X_WB[:3, 3]
    camera = BoxCamera([(hand - 0.02, hand + 0.02), BOX])
    octree = setting.show(camera, looking(hand + np.array([0.6, 0.0, 0.3]), hand))
    assert OCCUPIED not in octree.window(hand - 0.03, hand + 0.03)[1]
    assert octree.states(IN_BOX).tolist() != [OCCUPIED]


@pytest.mark.parametrize("name", ["asimo", "bandit", "mannequin"])
def test_where_the_robot_stands_it_is_free_to_turn(name: str) -> None:
    """Though nobody has seen anything; anywhere else it is not."""
    robot = load_robot(name)
    checker, octree = CollisionChecker(robot, 0.01), Octree()
    q = robot.posture(robot.stance, (0.3, -0.2, 0.5))
    Mapper(lambda: None, octree, SelfFilter(robot), lambda: q)()
    checker.set_space(Space(octree.boxes(OCCUPIED), octree.boxes(UNKNOWN)))
    for yaw in np.linspace(-3.0, 3.0, 13):
        q[2] = yaw
        assert checker.is_free(q)
    q[0] += 0.5
    assert not checker.is_free(q)
