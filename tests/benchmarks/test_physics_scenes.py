from __future__ import annotations

import pytest

from taskmatrix.simulation.physics import PRESETS

pytestmark = pytest.mark.pictures


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_ball_falls_as_long_as_it_must(preset: str) -> None:
    """4 m, to a step of the physics."""
    from physics_scenes import CONTROL_STEP, SCENES  # noqa: PLC0415  # after the path is set

    scene, settings = SCENES["ball"], PRESETS[preset]
    assert scene.run(settings) == pytest.approx(scene.exact, abs=CONTROL_STEP / settings.substeps)


def test_a_box_slides_as_far_as_friction_lets_it() -> None:
    """Half a metre, to a hundredth of that, along an axis and across."""
    from physics_scenes import SCENES, slide  # noqa: PLC0415  # after the path is set

    for direction in (0.0, 45.0):
        assert slide(PRESETS["default"], direction) == pytest.approx(SCENES["box"].exact, rel=0.012)


@pytest.mark.pages
def test_stacks_stand() -> None:
    """Their boxes move by less than the gaps between them."""
    from physics_scenes import stacks  # noqa: PLC0415  # after the path is set

    assert stacks(PRESETS["default"]) < 1.0


def test_equal_torques_lead_straight_ahead() -> None:
    """To a millimetre in the first two metres, with the base at the speed that mechanics says."""
    from physics_scenes import LINE, path  # noqa: PLC0415  # after the path is set

    way = path(PRESETS["default"], LINE, 1.0, 4.0)
    assert abs(way[:, 1]).max() < 1e-3
    assert way[-1, 0] == pytest.approx(LINE * 4.0**2 / 2, rel=0.1)
