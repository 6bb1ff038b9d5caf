"""How grasps are looked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from taskmatrix.core.base.errors import ParameterError

from .closure import Friction


@dataclass(frozen=True)
class GraspSettings:
    """How hard to look, and what counts as a grasp; the same settings find the same grasps."""

    friction: Friction = field(default_factory=Friction)
    """Of the pads on the object."""
    samples: int = 160
    """Points of the surface at which a finger, or the palm, is tried."""
    rounds: int = 4
    """How often as many are drawn again, if too few hold the object where it stands."""
    turns: int = 16
    """Directions of approach about the line between the fingers, or turns of a palm on its spot."""
    limit: int = 96
    """Grasps that are kept at most."""
    standing: float = 0.75
    """[-] Share of them, as far as there are so many, that fit where the object stands upright in its frame."""
    slack: float = 0.004
    """[m] By which a hand opens wider than what it grasps."""
    approach: float = 0.05
    """[m] Last stretch along the hand's z on which the opened hand is free."""
    seed: int = 0
    """Of the points."""

    def __post_init__(self) -> None:
        for name in ("samples", "turns", "limit"):
            if getattr(self, name) < 1:
                raise ParameterError(f"'{name}' must be 1 or more; it is {getattr(self, name)}")
        if not 0 <= self.standing <= 1:
            raise ParameterError(f"'standing' must be a share from 0 to 1; it is {self.standing}")
        for name in ("rounds", "slack", "approach"):
            if not getattr(self, name) >= 0:
                raise ParameterError(f"'{name}' must not be negative; it is {getattr(self, name)}")
