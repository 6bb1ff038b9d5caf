from __future__ import annotations

import pytest

pytestmark = pytest.mark.pictures


def test_a_robot_is_measured() -> None:
    """With its joints; how long it takes is no matter for a test."""
    from physics_speed import measure  # noqa: PLC0415  # after the path is set

    found = measure("mannequin", "sparse", "fast", 0.1)
    assert (found.robot, found.preset) == ("mannequin", "fast")
    assert found.joints == 30
    assert found.load > 0.0
    assert found.speed > 0.0


def test_a_robot_is_measured_with_its_camera() -> None:
    """Which takes an image at once."""
    from physics_speed import measure  # noqa: PLC0415  # after the path is set

    assert measure("mannequin", "sparse", "fast", 0.1, camera=5.0).speed > 0.0
