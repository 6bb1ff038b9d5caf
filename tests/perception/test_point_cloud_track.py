"""Objects that nobody described."""

from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import pose
from taskmatrix.perception.point_cloud_track import RESOLUTION, PointCloudTrack

from .drawing import BRICK, SLAB, camera_at, draw

NAMES = ("slab", "brick")


def scene(x: float | None, eye: tuple[float, float, float] = (-0.7, 0.0, 0.6)) -> DepthImage:
    there = {"slab": (SLAB, pose())} | ({} if x is None else {"brick": (BRICK, pose((x, 0.0, 0.03)))})
    return draw(there, camera_at(eye), names=NAMES)


def test_its_box_is_what_was_seen() -> None:
    """From one side, and after a look from the other side the whole of it."""
    sketch = PointCloudTrack("brick")
    sketch.see(scene(0.0), 1)
    assert sketch.percept is not None
    assert sketch.percept.model.type == "unknown"
    sketch.see(scene(0.0, (0.7, 0.1, 0.5)), 1)
    lower, upper = sketch.percept.box
    assert lower[:2] == pytest.approx([-0.1, -0.05], abs=2 * RESOLUTION)
    assert upper == pytest.approx([0.1, 0.05, 0.06], abs=2 * RESOLUTION)


def test_it_is_told_only_when_there_is_news() -> None:
    """The same image again changes nothing."""
    sketch = PointCloudTrack("brick")
    sketch.see(scene(0.0), 1)
    before = sketch.percept
    sketch.see(scene(0.0), 1)
    assert sketch.percept is before


def test_what_moved_is_begun_anew() -> None:
    """Its old place is looked through."""
    sketch = PointCloudTrack("brick")
    sketch.see(scene(0.0), 1)
    sketch.see(scene(0.25), 1)
    assert sketch.percept is not None
    assert sketch.percept.box[0][0] == pytest.approx(0.15, abs=2 * RESOLUTION)


def test_what_is_taken_away_is_forgotten() -> None:
    """And what was never seen is not known."""
    sketch = PointCloudTrack("brick")
    sketch.miss(scene(None))
    assert sketch.percept is None
    sketch.see(scene(0.0), 1)
    sketch.miss(scene(None))
    assert sketch.percept is None


def test_dropped_pixels_take_nothing_away() -> None:
    """What was not measured says nothing."""
    sketch, blind = PointCloudTrack("brick"), scene(None)
    sketch.see(scene(0.0), 1)
    blind.depth[:] = np.nan
    sketch.miss(blind)
    assert sketch.percept is not None
