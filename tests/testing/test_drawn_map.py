from __future__ import annotations

import numpy as np

from taskmatrix.perception.octree import Octree
from taskmatrix.testing.box_camera import BoxCamera, looking
from taskmatrix.testing.drawn_map import DARK, HIGH, LINE, WHITE, from_above, slices


def seen() -> Octree:
    octree = Octree()
    octree.insert(BoxCamera([((0.8, -0.1, 0.9), (1.0, 0.1, 1.1))]).image(looking((0.0, 0.0, 1.0), (1.0, 0.0, 1.0))))
    return octree


def test_a_slice_has_a_color_for_each_state() -> None:
    """At its place: x to the right, y up."""
    pixels = np.asarray(slices(seen(), (0.0, -0.5, 0.0), (1.4, 0.5, 1.5), [1.0], scale=1))
    assert pixels.shape == (50, 70, 3)
    assert pixels[25, 25].tolist() == WHITE.tolist()
    assert pixels[25, 40].tolist() == HIGH.tolist()
    assert pixels[25, 60].tolist() == DARK.tolist()
    assert pixels[2, 10].tolist() == DARK.tolist()


def test_from_above_what_is_occupied_hides_what_is_below() -> None:
    """And the way of a robot is on top of all."""
    picture = from_above(seen(), (0.0, -0.5, 0.9), (1.4, 0.5, 1.1), np.array([(0.1, 0.0), (0.5, 0.0)]), scale=2)
    pixels = np.asarray(picture)
    assert pixels.shape == (100, 140, 3)
    assert pixels[50, 30].tolist() == LINE.tolist()
    red, _, blue = pixels[49, 81].astype(int)
    assert red > blue + 50
