"""The process that keeps a map of space: it takes each new image, and leaves out what is known otherwise."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.world.depth_image import NOTHING, OWN, DepthImage
from taskmatrix.core.world.objects import Array
from taskmatrix.robots.self_filter import SelfFilter

from .carving import EXPLAINED, HIT, IGNORED
from .frozen_camera import is_frozen
from .octree import Octree


class Mapper:
    """Puts depth images into a map; called once a control step, it does something when there is a new image.

    What the robot sees of itself is left out, and what objects explain that the perceptual model knows: they are
    checked for collisions themselves, and do not stay behind in the map when they are moved. Where the robot stands
    when the map begins counts as free, and so does the column in which it can turn there, since it cannot look at all
    of that.

    Args:
        source: Gives the last image, None as long as there is none.
        octree: The map.
        own: The space that the robot takes up.
        positions: Gives its joint positions (n,) as sensed.
        modelled: Gives the ids of the objects that the perceptual model has; none unless given.
        around: [m] By which the column that counts as free at the beginning is wider and higher than what the robot
            turns in: the camera does not see the floor at its feet, nor what is above its head.
        labelled: Whether the camera labels what it sees of the robot; if not, boxes around the robot's bodies tell.
    """

    def __init__(
        self,
        source: Callable[[], DepthImage | None],
        octree: Octree,
        own: SelfFilter,
        positions: Callable[[], Array],
        modelled: Callable[[], Collection[str]] = tuple,
        around: float = 0.15,
        labelled: bool = True,
    ) -> None:
        self._source, self._octree, self._own = source, octree, own
        self._positions, self._modelled, self._labelled = positions, modelled, labelled
        self._around = around
        self._last: DepthImage | None = None
        self._begun = False
        self.images = 0
        """How many were taken over."""

    @property
    def octree(self) -> Octree:
        """The map that is kept."""
        return self._octree

    def __call__(self) -> None:
        """Take over the last image, if it is a new one."""
        if not self._begun:
            self._begun = True
            self.stand_free()
        image, last = self._source(), self._last
        if image is None or image is last:
            return
        if last is None or not is_frozen(last, image):
            self._last = image
            self.images += 1
            self._octree.insert(image, self.kinds(image))

    def stand_free(self) -> None:
        """Take the unknown space where the robot is for free, and the column in which it can turn."""
        q = self._positions()
        for box in (*self._own.boxes(q), self._own.column(q, self._around)):
            self._octree.release(box.X_WB, box.half, box.round)

    def kinds(self, image: DepthImage) -> NDArray[np.uint8]:
        """(h, w) What the pixels of an image show: something new, the robot itself, or what is modelled."""
        known = self._modelled()
        of_label = np.full(len(image.names) + 2, HIT, dtype=np.uint8)  # the last two are those of negative labels
        of_label[[number for number, name in enumerate(image.names) if name in known]] = EXPLAINED
        of_label[OWN] = IGNORED
        of_label[NOTHING] = HIT
        kinds: NDArray[np.uint8] = of_label[image.labels]
        if not self._labelled:
            kinds[self._shows_itself(image)] = IGNORED
        return kinds

    def _shows_itself(self, image: DepthImage) -> NDArray[np.bool_]:
        """(h, w) Which pixels show what is in the boxes around the robot's bodies."""
        there = np.isfinite(image.depth)
        points = image.rays[there].astype(float) * image.depth[there, None]
        places = points @ image.X_WC[:3, :3].T + image.X_WC[:3, 3]
        inside = np.zeros(len(points), dtype=bool)
        for box in self._own.boxes(self._positions()):
            inside |= box.holds(places)
        shown = np.zeros(image.depth.shape, dtype=bool)
        shown[there] = inside
        return shown
