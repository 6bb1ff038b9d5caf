from __future__ import annotations

import numpy as np

from taskmatrix.studio.drawing.camera import FIELD_OF_VIEW, Camera, best_azimuth, facing, follow


def test_camera_keeps_a_ball_inside_its_view() -> None:
    """The ball touches the view's cone and the camera looks at its centre from above."""
    center = np.array([1.0, 2.0, 0.5])
    camera = facing(0.7, center, 0.8)
    distance = np.linalg.norm(camera.eye - center)
    assert np.degrees(np.arcsin(0.8 / distance)) <= FIELD_OF_VIEW / 2 + 1e-6
    assert camera.eye[2] > center[2]


def test_camera_avoids_the_side_where_a_wall_hides_the_robot() -> None:
    """With a wall on the preferred side, the camera goes to the other."""
    center = np.array([0.0, 0.0, 0.7])
    points = np.array([[0.0, 0.0, 0.2], [0.0, 0.0, 1.2]])
    free = best_azimuth(0.0, points, center, 1.0, [])
    direction = np.array([np.cos(free), np.sin(free), 0.0])
    wall = (center + direction - 0.4 + [0, 0, -0.7], center + direction + 0.4 + [0, 0, 3.0])
    assert np.cos(best_azimuth(0.0, points, center, 1.0, [wall]) - free) < 0.9


def test_following_keeps_robot_and_target_in_the_picture() -> None:
    """Through a walk of two metres both stay inside the view, and the camera moves less than the robot."""
    count = 40
    body = np.array([[0, 0.2, 0.1], [0, -0.2, 0.1], [0.2, 0, 0.8], [0, 0, 1.4]])
    robot = [body + np.array([2.0 * i / (count - 1), 0, 0]) for i in range(count)]
    target = np.tile([2.4, 0.1, 0.7], (count, 1))
    cameras = follow(robot, target, [])
    assert len(cameras) == count
    for camera, points in zip(cameras, robot, strict=True):
        axis = camera.look_at - camera.eye
        for point in [*points, target[0]]:
            ray = point - camera.eye
            angle = np.degrees(np.arccos(ray @ axis / np.linalg.norm(ray) / np.linalg.norm(axis)))
            assert angle < FIELD_OF_VIEW / 2 * 4 / 3
    steps = np.linalg.norm(np.diff([camera.look_at for camera in cameras], axis=0), axis=1)
    assert steps.max() < 2.0 / (count - 1)


def test_one_frame_is_enough_to_follow() -> None:
    """A run of a single frame has a camera."""
    assert len(follow([np.zeros((3, 3))], np.array([[1.0, 0.0, 0.5]]), [])) == 1


def test_a_wall_before_the_subject_hides_it_and_one_behind_does_not() -> None:
    """The subject is the middle of the picture, or the points given."""
    eye, look_at = np.array([0.0, -5.0, 1.5]), np.array([0.0, 0.0, 1.0])
    before, behind, aside = (
        (np.array([x - 1, y - 0.05, 0.0]), np.array([x + 1, y + 0.05, 2.2])) for x, y in ((0, -2), (0, 1), (3, -0.2))
    )
    camera = Camera(eye, look_at)
    assert [camera.is_hidden_by(wall) for wall in (before, behind, aside)] == [True, False, False]
    camera = Camera(eye, look_at, np.array([[0.0, 0.0, 1.0], [3.0, 0.5, 1.0]]))
    assert [camera.is_hidden_by(wall) for wall in (before, behind, aside)] == [True, False, True]


def test_following_asks_for_the_robots_whole_way_to_be_seen() -> None:
    """Every camera's subject holds where the robot begins and where it ends, and the target."""
    robot = [np.array([[0.1 * i, 0.0, 0.2], [0.1 * i, 0.0, 1.2]]) for i in range(30)]
    for camera in follow(robot, np.tile([4.0, 0.0, 0.8], (30, 1)), []):
        assert camera.subject is not None
        assert camera.subject[:, 0].min() == 0.0
        assert camera.subject[:, 0].max() == 4.0
