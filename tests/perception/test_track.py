"""One object that a camera follows."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import pose, pose_error
from taskmatrix.core.world.objects import Array
from taskmatrix.perception.fit import ImageSegment
from taskmatrix.perception.track import Track

from .drawing import BRICK, CAN, SLAB, camera_at, draw

EYES = [camera_at((-0.7, y, 0.6)) for y in (-0.2, -0.1, 0.0, 0.1, 0.2)]
UP = 0.06


def image_of(X_WO: Array | None, number: int = 0, noise: float = 0.0) -> DepthImage:
    """A can on a slab, or the slab alone; the camera moves on a little from image to image, at 5 Hz."""
    scene = {"slab": (SLAB, pose())} | ({} if X_WO is None else {"can": (CAN, X_WO)})
    return draw(scene, EYES[number % 5], 0.2 * number, noise, ("slab", "can"))


def show(track: Track, image: DepthImage, whole: bool = True, search: bool = True) -> None:
    pixels = int((image.labels == 1).sum())
    if pixels:
        track.see(ImageSegment.of(image, 1), pixels, whole, lambda: search)
    else:
        track.miss(image)


def off(track: Track, X_WO: Array) -> float:
    assert track.percept is not None
    return float(np.linalg.norm(track.percept.X_WO[:3, 3] - X_WO[:3, 3]))


def test_it_is_found_where_it_is() -> None:
    """At first sight, at rest."""
    track, X_WO = Track(CAN), pose((0.05, 0.02, UP))
    assert track.percept is None
    show(track, image_of(X_WO))
    assert off(track, X_WO) < 1e-3
    assert track.percept is not None
    assert not track.percept.velocity.any()


def test_it_is_not_guessed_from_a_small_part() -> None:
    """At the edge of the image; nor where there is no time to look for it."""
    track = Track(CAN)
    edge = draw({"slab": (SLAB, pose()), "can": (CAN, pose((0.0, 0.43, UP)))}, EYES[0], names=("slab", "can"))
    assert 0 < (edge.labels == 1).sum() < 250
    show(track, edge, whole=False)
    show(track, image_of(pose((0.0, 0.0, UP))), search=False)
    assert track.percept is None


def test_what_is_cut_off_is_looked_for_once_in_the_same_view() -> None:
    """In vain, and not again with every image."""
    track, asked = Track(CAN), list[int]()
    image = draw({"slab": (SLAB, pose()), "can": (CAN, pose((0.0, 0.43, UP)))}, EYES[0], names=("slab", "can"))

    def search() -> bool:
        asked.append(1)
        return True

    for _ in range(3):
        track.see(ImageSegment.of(image, 1), 500, False, search)
    assert track.percept is None
    assert len(asked) == 1


def test_what_is_found_from_the_most_of_it_is_looked_for_again_once_it_is_whole() -> None:
    """The better of the two counts."""
    X_WO = pose((0.05, 0.02, UP))
    track, asked = Track(CAN), list[bool]()

    def search() -> bool:
        asked.append(True)
        return True

    show(track, image_of(X_WO), whole=False)
    assert off(track, X_WO) < 1e-3
    image = image_of(X_WO, 1)
    for _ in range(2):
        track.see(ImageSegment.of(image, 1), 500, True, search)
    assert len(asked) == 1


def test_it_stays_where_it_was_seen_last() -> None:
    """Hidden behind something."""
    track, X_WO = Track(CAN), pose((0.05, 0.02, UP))
    show(track, image_of(X_WO))
    before = track.percept
    wall = (BRICK, EYES[0] @ pose((0.3, 0.0, 0.0)))
    for number in range(5):
        show(track, draw({"slab": (SLAB, pose()), "wall": wall}, EYES[0], 0.2 * number, names=("slab", "can", "wall")))
    assert track.percept is before


def test_it_is_forgotten_where_it_is_looked_through() -> None:
    """Twice, since one image may be mistaken; seen again it is known again."""
    track, X_WO = Track(CAN), pose((0.05, 0.02, UP))
    show(track, image_of(X_WO))
    show(track, image_of(None, 1))
    assert track.percept is not None
    show(track, image_of(None, 2))
    assert track.percept is None
    show(track, image_of(X_WO, 3))
    assert off(track, X_WO) < 1e-3


def test_at_rest_it_is_the_same_percept() -> None:
    """What is known a tenth of a millimetre better is no news."""
    track, X_WO = Track(CAN), pose((0.05, 0.02, UP))
    for number in range(3):
        show(track, image_of(X_WO, number))
    settled = track.percept
    for number in range(3, 8):
        show(track, image_of(X_WO, number))
    assert track.percept is settled


def test_a_noisy_camera_settles() -> None:
    """The mean of many images is better than one."""
    X_WO, one, many = pose((0.05, 0.02, UP)), [], []
    for start in range(0, 100, 20):
        track = Track(CAN)
        for number in range(start, start + 12):
            show(track, image_of(X_WO, number, noise=0.005))
            if number == start:
                one.append(off(track, X_WO))
        many.append(off(track, X_WO))
    assert np.mean(many) < np.mean(one)
    assert max(many) < 2.5e-3


def test_what_was_put_elsewhere_is_there() -> None:
    """With a velocity once, and then at rest."""
    track, there = Track(CAN), pose((0.12, -0.05, UP))
    show(track, image_of(pose((0.05, 0.02, UP))))
    show(track, image_of(there, 1))
    assert off(track, there) < 1e-3
    assert track.percept is not None
    assert np.linalg.norm(track.percept.velocity[:3]) == pytest.approx(np.hypot(0.07, 0.07) / 0.2, rel=0.05)
    show(track, image_of(there, 2))
    assert not track.percept.velocity.any()


def test_one_bad_image_of_a_noisy_camera_moves_nothing() -> None:
    """It takes two that agree: of what was put elsewhere, and of what moves, whose velocity they tell."""
    track, here, there = Track(CAN), pose((0.05, 0.02, UP)), pose((0.09, -0.03, UP))
    for number in range(3):
        show(track, image_of(here, number, noise=0.003))
    show(track, image_of(there, 3, noise=0.003))
    assert off(track, here) < 4e-3
    show(track, image_of(here, 4, noise=0.003))
    show(track, image_of(there, 5, noise=0.003))
    assert off(track, here) < 4e-3
    show(track, image_of(there, 6, noise=0.003))
    assert off(track, there) < 4e-3
    for number in (7, 8):
        there = there @ pose((0.0, 0.04, 0.0))
        show(track, image_of(there, number, noise=0.003))
    assert off(track, there) < 4e-3
    assert track.percept is not None
    assert track.percept.velocity[1] == pytest.approx(0.04 / 0.2, rel=0.3)


def test_what_moved_out_of_sight_comes_to_rest() -> None:
    """Half a second after it was seen last: nobody knows better."""
    track, there = Track(CAN), pose((0.12, -0.05, UP))
    show(track, image_of(pose((0.05, 0.02, UP))))
    show(track, image_of(there, 1))
    track.rest(0.6)
    assert track.percept is not None
    assert track.percept.velocity.any()
    track.rest(0.8)
    assert not track.percept.velocity.any()
    assert off(track, there) < 1e-3


def test_what_is_held_moves_with_the_hand() -> None:
    """Between images, too, and back at rest where it is let go."""
    track, X_WO, X_WH = Track(CAN), pose((0.05, 0.02, UP)), pose((0.05, 0.02, 0.2), (0.3, 0.0, 0.0))
    show(track, image_of(X_WO))
    assert track.percept is not None
    before = track.percept.X_WO
    track.hold(("left",), X_WH, 0.01)
    assert track.percept.held_by == "left"
    lift = pose((0.0, 0.0, 0.003))
    track.hold(("left",), lift @ X_WH, 0.01)
    assert pytest.approx(lift @ before) == track.percept.X_WO
    assert track.percept.velocity == pytest.approx([0, 0, 0.3, 0, 0, 0])
    track.hold(("left",), lift @ X_WH, 0.01)
    assert not track.percept.velocity.any()
    track.hold((), None, 0.01)
    assert track.percept.held_by is None
    assert pytest.approx(lift @ before) == track.percept.X_WO


def test_images_correct_how_it_is_held() -> None:
    """Slowly: the hand that carries it is known better than one image."""
    X_WO, X_WH = pose((0.05, 0.02, UP)), pose((0.05, 0.02, 0.2))
    track = Track(CAN, X_WO @ pose((0.003, 0.0, 0.0)))
    track.hold(("left",), X_WH, 0.01)
    for number in range(15):
        show(track, image_of(X_WO, number))
        track.hold(("left",), X_WH, 0.01)
    assert track.percept is not None
    assert track.percept.held_by == "left"
    assert pose_error(track.percept.X_WO, X_WO)[0] < 7e-4
