"""What goes wrong with a camera, on request."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.core.world.depth_image import DepthImage


@dataclass(frozen=True)
class Faults:
    """How noisy and how unreliable a camera is; all zero is an ideal one.

    Raises:
        ParameterError: The noise is below zero, or a share not from 0 to 1.
    """

    noise: float = 0.0
    """[m] Standard deviation of the depth of a pixel."""
    dropouts: float = 0.0
    """Share of the pixels that measure nothing."""
    dropped: float = 0.0
    """Share of the images that never arrive."""
    frozen: float = 0.0
    """Share of the images in whose place the one before arrives once more, as if it were new."""

    def __post_init__(self) -> None:
        if not 0.0 <= self.noise < np.inf:
            raise ParameterError(f"noise is a number of metres from 0, not {self.noise}")
        for name in ("dropouts", "dropped", "frozen"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise ParameterError(f"{name} is a share from 0 to 1, not {getattr(self, name)}")

    def spoil(self, image: DepthImage, before: DepthImage | None, random: np.random.Generator) -> DepthImage | None:
        """What arrives of an image; None for nothing.

        The same numbers are drawn whatever arrives, so that with one seed the faults do not depend on each other.

        Args:
            image: As it was taken.
            before: What arrived last.
            random: Where chance comes from.
        """
        drops, freezes = random.random(2) < (self.dropped, self.frozen)
        noise = random.standard_normal(image.depth.shape, dtype=np.float32) if self.noise else 0.0
        lost = random.random(image.depth.shape) < self.dropouts if self.dropouts else False
        if drops:
            return None
        if freezes and before is not None:
            return replace(before, X_WC=image.X_WC, time=image.time)
        if not self.noise and not self.dropouts:
            return image
        depth = image.depth + np.float32(self.noise) * noise
        depth[lost] = np.nan
        return replace(image, depth=depth)
