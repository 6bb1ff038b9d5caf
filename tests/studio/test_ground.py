from __future__ import annotations

import numpy as np
import pytest

from taskmatrix.simulation.scenes.world import PATTERNS, Ground
from taskmatrix.studio.drawing.ground import floor_colors


def points(count: int = 400) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return np.random.default_rng(0).uniform(-2, 2, (count, 3)).astype(np.float32)


def test_ground_has_its_color_inside_and_the_plain_floor_is_outside() -> None:
    """The later ground lies on the earlier."""
    grounds = [Ground((-1, -1), (1, 1), (0.8, 0.1, 0.1), "plain"), Ground((0, 0), (2, 2), (0.1, 0.1, 0.8), "plain")]
    places = points()
    colors = floor_colors(places, np.full(len(places), 3.0, dtype=np.float32), grounds)
    x, y = places[:, 0], places[:, 1]
    blue = (x > 0) & (y > 0)
    red = (np.abs(x) < 1) & (np.abs(y) < 1) & ~blue
    np.testing.assert_allclose(colors[blue], np.tile([0.1, 0.1, 0.8], (blue.sum(), 1)), atol=1e-6)
    np.testing.assert_allclose(colors[red], np.tile([0.8, 0.1, 0.1], (red.sum(), 1)), atol=1e-6)
    assert np.ptp(colors[~(blue | red)], axis=1).max() < 0.05


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_only_darken_a_little(pattern: str) -> None:
    """Joints and shades of boards are at most a quarter darker than the colour, and there are some unless plain."""
    ground = Ground((-2, -2), (2, 2), (1.0, 1.0, 1.0), pattern)
    colors = floor_colors(points(4000), np.full(4000, 3.0, dtype=np.float32), [ground])
    assert colors.max() <= 1.0
    assert colors.min() > 0.75
    assert (colors.min() < 0.95) == (pattern != "plain")
