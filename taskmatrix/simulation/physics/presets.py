"""How finely physics is computed."""

from __future__ import annotations

from dataclasses import dataclass

from taskmatrix.core.base.errors import NotFoundError


@dataclass(frozen=True)
class Physics:
    """Settings of the physics; named ones are in :data:`PRESETS`."""

    substeps: int = 2
    """Steps of the physics in each control step."""
    iterations: int = 300
    """Of the constraint solver in each of them, at most: with a third of it, what two fingertips hold turns slowly."""
    friction: float = 0.6
    """Coulomb's coefficient between an object and a surface; about that of dry wood, paper or painted metal."""
    grip_friction: float = 1.0
    """Coulomb's coefficient between a finger and what it touches: rubber pads."""
    grip: float = 30.0
    """[N] With which a pad presses on what it holds, at least: harder on a load that would turn in the hand."""


PRESETS = {
    "fast": Physics(substeps=1, iterations=50),
    "default": Physics(),
    "robust": Physics(substeps=8),
}
"""At control steps of 1/120 s: 120, 240 and 960 steps a second."""


def physics(settings: str | Physics) -> Physics:
    """Settings by the name of a preset, or as given.

    Raises:
        NotFoundError: There is no such preset.
    """
    if isinstance(settings, Physics):
        return settings
    if settings not in PRESETS:
        raise NotFoundError("physics", settings, PRESETS)
    return PRESETS[settings]
