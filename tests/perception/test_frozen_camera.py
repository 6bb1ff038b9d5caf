"""Images that hang, and those that show the same because nothing changes."""

from __future__ import annotations

from dataclasses import replace

from taskmatrix.core.world.geometry import pose
from taskmatrix.perception.frozen_camera import is_frozen
from tests.perception.drawing import BRICK, SLAB, camera_at, draw

HERE, THERE = camera_at((-0.75, 0.0, 0.6)), camera_at((-0.75, 0.2, 0.6))
SCENE = {"slab": (SLAB, pose()), "brick": (BRICK, pose((0.0, 0.0, 0.03)))}


def test_a_camera_that_was_moved_and_shows_the_same_hangs() -> None:
    """What it shows is what it saw before."""
    image = draw(SCENE, HERE)
    assert is_frozen(image, replace(image, X_WC=THERE, time=0.2))
    assert not is_frozen(image, draw(SCENE, THERE, 0.2))


def test_a_still_camera_without_noise_may_show_the_same() -> None:
    """Because nothing has changed."""
    assert not is_frozen(draw(SCENE, HERE), draw(SCENE, HERE, 0.2))


def test_a_noisy_camera_that_shows_the_same_hangs() -> None:
    """Noise never repeats itself."""
    image = draw(SCENE, HERE, noise=0.005)
    assert is_frozen(image, replace(image, time=0.2))
    assert not is_frozen(image, draw(SCENE, HERE, 0.2, noise=0.005))
