"""What goes wrong with a camera, on request."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.simulation.sensors.faults import Faults


def image_at(time: float, depth: float = 1.0) -> DepthImage:
    full = np.full((50, 60), depth, dtype=np.float32)
    return DepthImage(full, np.zeros((50, 60), np.int16), ("wall",), np.eye(4), 0.6, (0.2, 1.5), time)


def arriving(faults: Faults, count: int = 400) -> list[DepthImage | None]:
    random, before, arrived = np.random.default_rng(0), None, []
    for k in range(count):
        image = faults.spoil(image_at(0.2 * k, 1.0 + 1e-3 * k), before, random)
        before = image or before
        arrived.append(image)
    return arrived


def test_without_faults_images_arrive_as_they_are() -> None:
    """The same object."""
    image = image_at(0.0)
    assert Faults().spoil(image, None, np.random.default_rng(0)) is image


def test_noise_has_its_standard_deviation() -> None:
    """And no bias."""
    image = Faults(noise=0.005).spoil(image_at(0.0), None, np.random.default_rng(0))
    assert image is not None
    assert float(image.depth.std()) == pytest.approx(0.005, rel=0.05)
    assert float(image.depth.mean()) == pytest.approx(1.0, abs=5e-4)


def test_pixels_drop_out() -> None:
    """Without depth, but not without a label."""
    image = Faults(dropouts=0.3).spoil(image_at(0.0), None, np.random.default_rng(0))
    assert image is not None
    assert float(np.isnan(image.depth).mean()) == pytest.approx(0.3, abs=0.03)


def test_images_are_dropped() -> None:
    """About their share."""
    assert sum(image is None for image in arriving(Faults(dropped=0.3))) == pytest.approx(120, abs=25)


def test_frozen_images_pretend_to_be_new() -> None:
    """The depth of the one before with the time of now."""
    images = [image for image in arriving(Faults(frozen=0.3)) if image is not None]
    assert len(images) == 400
    frozen = [b for a, b in pairwise(images) if a.depth is b.depth]
    assert len(frozen) == pytest.approx(120, abs=25)
    assert len({image.time for image in images}) == 400


@pytest.mark.parametrize(
    ("given", "message"),
    [({"noise": -0.1}, "noise is a number of metres from 0, not -0.1"), ({"dropped": 30}, "dropped is a share")],
)
def test_faults_that_cannot_be_are_refused(given: dict[str, float], message: str) -> None:
    """With what is allowed."""
    with pytest.raises(ParameterError, match=message):
        Faults(**given)
