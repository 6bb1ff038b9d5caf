"""One object that a camera follows: where it is, as far as it was seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.geometry import inverse, pose_error
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.perception import Percept
from taskmatrix.core.world.symmetry import symmetry_of

from .fit import Fit, ImageSegment, fit, judged, kept, looked_through, share_in_view
from .locate import locate
from .surface import surface_of

FEWEST = 6
"""Pixels that an object has to have to be found; half of them to be followed."""
MANY = 100
"""Points that it has to have where the edge of the image cuts it off."""
AGAIN = 0.2
"""Share by which their number has to change for it to be looked for once more where it is cut off."""
SAME_VIEW = 0.02
"""[m] or [rad] that the camera may have moved, and shows the same."""
MOST_OF_IT = 0.6
"""Share of what should be seen of it that has to be in the image then."""
STEPS = 4
"""Iterations of a fit from where the object is already."""
TRUSTED = (0.0012, 0.7)
"""[m] Mean error of a fit that is believed, and what is added for each metre of the image's noise."""
MOVED = (0.004, 0.6)
"""[m] An object is elsewhere if it is further off than this, and what is added for each metre of noise."""
ROUGH = 1e-3
"""[m] Noise of an image above which it takes another that agrees for an object to be elsewhere."""
DECIDED = 5e-4
"""[m] By which an image has to speak against where an object was, for it to be elsewhere."""
STEADY = 5
"""Images over which a pose is averaged; those with few pixels count less."""
PUBLISHED = (3e-4, 0.2)
"""[m] By how much a point of an object at rest has to be elsewhere for that to be told, and what is added for each
metre of noise: less is not worth a new plan."""
DOUBTS = 2
"""Images in a row that contradict a pose before it is given up."""
SLOWEST = 1e-9
"""[m/s], [rad/s] What is slower is rounding."""
RECENT = 0.5
"""[s] Since it was seen last, for what moved to have a velocity, and to keep it."""
SEEN_THROUGH = 0.7
"""Share of what should be seen of an object that has to be looked through for it to be gone."""


class Track:
    """Follows one object whose shapes are known.

    Args:
        model: The object.
        X_WO: (4, 4) Where it is, if that is known already.

    Attributes:
        percept: What is known of it now; None if it was never seen, or is not where it was.
        points: (k, 3) [m] What was seen of it last, in the world.
    """

    def __init__(self, model: ObjectModel, X_WO: Array | None = None) -> None:
        self._model = model
        self._surface, self._symmetry = surface_of(model.shapes), symmetry_of(model.shapes)
        self._X_WO = X_WO
        self._before = X_WO  # where it was last, also once it is gone
        self._hands: tuple[str, ...] = ()
        self._X_HO = np.eye(4)
        self._weight, self._most, self._seen, self._doubts = 0.0, 0.0, -np.inf, 0
        self._elsewhere: tuple[Array, float] | None = None  # X_WO (4, 4) and time [s] of one image that says so
        self._vain: tuple[int, Array] | None = None  # points and X_WC of an image in which it was looked for in vain
        self._provisional = False  # found where the edge of the image cut it off
        self.percept = None if X_WO is None else Percept(model, X_WO)
        self.points = np.empty((0, 3))

    @property
    def known(self) -> bool:
        """Whether it is known where the object is."""
        return self._X_WO is not None

    @property
    def radius(self) -> float:
        """[m] Of the object."""
        return self._surface.radius

    def see(self, segment: ImageSegment, pixels: int, whole: bool, search: Callable[[], bool]) -> None:
        """Take in what an image shows of it.

        Args:
            segment: What is seen.
            pixels: How many show it.
            whole: Whether it is not cut off by the edge of the image.
            search: Whether there is time to look for it anew; asked only if that is needed.
        """
        X, noise = self._X_WO, segment.image.noise
        if len(segment.points) < FEWEST / 2 or (X is None and pixels < FEWEST):
            return
        found = None if X is None else fit(self._surface, self._symmetry, segment, X, STEPS)
        if found is None or not _trusted(found, noise):
            found = self._searched(segment, whole, search)
        elif self._provisional and whole and search():
            found = min(found, locate(self._surface, self._symmetry, segment), key=lambda each: each.cost)
            self._provisional = False
        if found is None:
            return
        self.points, self._doubts = segment.points, 0
        if self._hands and X is not None:
            self._regrip(X, found.X_WO)
            return
        if X is None:
            self._jump(found.X_WO, segment.image.time)
        elif not self._moved(X, found.X_WO, segment):
            self._elsewhere = None
            self._average(X, found.X_WO, float(pixels), noise)
        elif noise <= ROUGH or self._agrees(X, found.X_WO):
            self._jump(found.X_WO, segment.image.time)
        else:
            self._elsewhere = found.X_WO, segment.image.time
        self._seen = segment.image.time

    def miss(self, image: DepthImage) -> None:
        """Take in an image that does not show it: where it should have been seen, it is gone."""
        if self._X_WO is None or self._hands:
            return
        if looked_through(self._surface.coarse, image, self._X_WO) > SEEN_THROUGH:
            self._doubt()
        else:
            self._doubts = 0

    def rest(self, time: float) -> None:
        """Take it for being at rest if it was not seen to move lately; at a time [s]."""
        if not self._hands and self.percept is not None and time - self._seen > RECENT and self.percept.velocity.any():
            self.percept = Percept(self._model, self.percept.X_WO)

    def hold(self, hands: tuple[str, ...], X_WH: Array | None, dt: float) -> None:
        """Follow the hand that holds it.

        Args:
            hands: Names of the hands that do; it goes with the first.
            X_WH: (4, 4) Where that is.
            dt: [s] Since the last call.
        """
        if self._X_WO is None:
            return
        if hands != self._hands:
            self._hands, self._weight, self._most, self._doubts = hands, 0.0, 0.0, 0
            self._elsewhere = None
            if X_WH is not None:
                self._X_HO = inverse(X_WH) @ self._X_WO
            self.percept = Percept(self._model, self._X_WO, np.zeros(6), *hands)
        if X_WH is not None and hands:
            X = X_WH @ self._X_HO
            velocity = _velocity(self._X_WO, X, dt) if dt > 0.0 else np.zeros(6)
            if self.percept is None or not np.array_equal(X, self._X_WO) or np.any(self.percept.velocity):
                self._X_WO = self._before = X
                self.percept = Percept(self._model, X, velocity, *hands)

    def _searched(self, segment: ImageSegment, whole: bool, search: Callable[[], bool]) -> Fit | None:
        """Where it is if it is not where it was; None if that cannot be told from this image."""
        seen, X_WC = len(segment.points), segment.image.X_WC
        if self._hands or (not whole and (seen < MANY or self._as_in_vain(seen, X_WC))):
            return None
        if not search():
            return None
        found = locate(self._surface, self._symmetry, segment, self._before)
        if _trusted(found, segment.image.noise):
            if whole or share_in_view(self._surface.coarse, segment.image, found.X_WO) > MOST_OF_IT:
                self._provisional, self._vain = not whole, None
                return found
        elif whole:
            self._doubt()
        self._vain = None if whole else (seen, X_WC)
        return None

    def _as_in_vain(self, seen: int, X_WC: Array) -> bool:
        """Whether an image shows what it was looked for in vain in already: as many points from the same place."""
        if self._vain is None or abs(seen - self._vain[0]) > AGAIN * seen:
            return False
        moved, turned = pose_error(self._vain[1], X_WC)
        return moved + turned <= SAME_VIEW

    def _moved(self, X: Array, X_new: Array, segment: ImageSegment) -> bool:
        """Whether it is elsewhere, and the image does not agree with where it was."""
        noise = segment.image.noise
        if _shift(X, X_new, self._surface.radius) <= MOVED[0] + MOVED[1] * noise:
            return False
        here, there = (judged(self._surface, segment, pose) for pose in (X, X_new))
        return here.cost > there.cost + DECIDED

    def _agrees(self, X: Array, X_new: Array) -> bool:
        """Whether the last image had it elsewhere, too, and nearer to there than it was."""
        radius = self._surface.radius
        return self._elsewhere is not None and _shift(self._elsewhere[0], X_new, radius) < _shift(X, X_new, radius)

    def _doubt(self) -> None:
        self._doubts += 1
        if self._doubts >= DOUBTS and self._X_WO is not None:
            self._X_WO, self.percept, self._weight, self._most, self._doubts = None, None, 0.0, 0.0, 0
            self._elsewhere = None

    def _jump(self, X: Array, time: float) -> None:
        """It is elsewhere than it was."""
        before, seen = (self._X_WO, self._seen) if self._elsewhere is None else self._elsewhere
        velocity, since = np.zeros(6), time - seen
        if before is not None and 0.0 < since <= RECENT:
            velocity = _velocity(before, X, since)
        self._elsewhere = None
        self._X_WO = self._before = X
        self._weight = self._most = 0.0
        self.percept = Percept(self._model, X, velocity)

    def _average(self, X: Array, X_new: Array, weight: float, noise: float) -> None:
        """It is where it was, which is known a little better now."""
        self._most = max(self._most, weight)
        self._weight = min(self._weight + weight, STEADY * self._most)
        mean = _between(X, X_new, weight / self._weight)
        self._X_WO = self._before = kept(self._symmetry, X, mean)
        told = self.percept
        if told is not None:
            news = _shift(told.X_WO, mean, self._surface.radius) > PUBLISHED[0] + PUBLISHED[1] * noise
            if not news and not np.any(told.velocity):
                return
        self.percept = Percept(self._model, self._X_WO)

    def _regrip(self, X: Array, X_new: Array) -> None:
        """It is held a little otherwise than was thought."""
        X_WH = X @ inverse(self._X_HO)
        if _shift(X, X_new, self._surface.radius) > PUBLISHED[0]:
            self._X_HO = inverse(X_WH) @ _between(X, X_new, 1.0 / STEADY)


def _trusted(found: Fit, noise: float) -> bool:
    return found.error < TRUSTED[0] + TRUSTED[1] * noise


def _shift(X: Array, X_new: Array, radius: float) -> float:
    """[m] How far the furthest point of an object is from where it was, at most."""
    distance, angle = pose_error(X, X_new)
    return distance + angle * radius


def _between(X: Array, X_new: Array, share: float) -> Array:
    """(4, 4) The pose that is a share of the way from one to another."""
    mean = np.eye(4)
    mean[:3, :3] = X[:3, :3] @ pin.exp3(share * pin.log3(X[:3, :3].T @ X_new[:3, :3]))
    mean[:3, 3] = X[:3, 3] + share * (X_new[:3, 3] - X[:3, 3])
    return mean


def _velocity(X: Array, X_new: Array, dt: float) -> Array:
    """(6,) [m/s, rad/s] Of what went from one pose to another."""
    spin = pin.log3(X_new[:3, :3] @ X[:3, :3].T)
    velocity: Array = np.concatenate([X_new[:3, 3] - X[:3, 3], spin]) / dt
    return np.where(np.abs(velocity) > SLOWEST, velocity, 0.0)
