from __future__ import annotations

import pytest

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.simulation.physics.presets import PRESETS, Physics, physics


def test_presets_are_found_by_name_and_settings_are_taken_as_they_are() -> None:
    """The default is what is used where nothing is said."""
    assert physics("default") == Physics()
    own = Physics(substeps=3)
    assert physics(own) is own


def test_finer_presets_have_more_steps() -> None:
    """From fast to robust; the default makes 240 a second at control steps of 1/120 s."""
    steps = [PRESETS[name].substeps for name in ("fast", "default", "robust")]
    assert steps == sorted(set(steps))
    assert steps[1] * 120 == 240


def test_a_preset_that_does_not_exist_is_told_with_the_nearest() -> None:
    """And with all that there are."""
    with pytest.raises(NotFoundError, match="did you mean 'robust'"):
        physics("robus")
