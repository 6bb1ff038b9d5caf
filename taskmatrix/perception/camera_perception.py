"""The perception process of a robot with a camera: images become objects of the perceptual model (thesis 5.4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

import numpy as np

from taskmatrix.core.base.events import EventStream
from taskmatrix.core.world.depth_image import DepthImage
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.perception import Percept, PerceptualModel
from taskmatrix.robots import Robot
from taskmatrix.robots.hand_pose import hand_pose

from .fit import ImageSegment
from .frozen_camera import is_frozen
from .point_cloud_track import TYPE, PointCloudTrack
from .track import Track

SEARCHES = 2
"""Objects that are looked for anew in one image, those with the most pixels first: to look is slow."""
WIDE = 0.45
"""[m] Objects with a larger radius are not waited for to be seen whole; what is seen of them is collected."""


class CameraPerception:
    """Fills the perceptual model with what a camera sees and has seen.

    What is not in view stays where it was seen last; what is held moves with the hand; what should be in view and is
    looked through is forgotten. The camera tells objects apart (thesis 5.4), so each has its track.

    Args:
        robot: The robot, for where its hands are.
        model: Where it is written; this is its only writer.
        catalogue: Objects whose shapes are known, by id. Of others there are only points.
        known: X_WO (4, 4) of what is known to begin with, by id.
        fixed: Ids among them that stay where they are: they are not looked at.
        events: Where is told what was found and what was lost, as events ``perception``; nowhere unless given.
        left: Ids of what is left to a map of space: not looked for, and not drawn.
    """

    def __init__(
        self,
        robot: Robot,
        model: PerceptualModel,
        catalogue: Mapping[str, ObjectModel],
        known: Mapping[str, Array] | None = None,
        fixed: Collection[str] = (),
        events: EventStream | None = None,
        left: Collection[str] = (),
    ) -> None:
        self._robot, self._model, self._events = robot, model, events
        self._catalogue = catalogue
        known = {} if known is None else known
        self._fixed = {id: Percept(catalogue[id], known[id]) for id in known if id in fixed}
        self._unheeded = {*self._fixed, *left}
        self._tracks = {id: Track(catalogue[id], known[id]) for id in known if id not in fixed}
        self._sketches: dict[str, PointCloudTrack] = {}
        self._last: DepthImage | None = None
        self._time = 0.0
        self._there: frozenset[str] = frozenset(known)

    def see(self, image: DepthImage) -> None:
        """Take in an image; that of a frozen camera is ignored."""
        if self._last is not None and is_frozen(self._last, image):
            return
        self._last = image
        counts = np.bincount(image.labels[image.labels >= 0].astype(np.intp), minlength=len(image.names))
        searches = iter(range(SEARCHES))
        for label in np.argsort(-counts, kind="stable").tolist():
            if image.names[label] not in self._unheeded:
                self._see(image, label, int(counts[label]), lambda: next(searches, None) is not None)

    def move(self, q: Array, held: Mapping[str, str], time: float) -> None:
        """Move what is held with the hands; called in every control step, before an image of that step.

        Args:
            q: (n,) [m, rad] Positions of the joints, as sensed.
            held: Ids of what the hands feel that they hold, by hand.
            time: [s]
        """
        dt, self._time = time - self._time, time
        for id, track in self._tracks.items():
            hands = tuple(hand for hand, thing in held.items() if thing == id)
            track.rest(time)
            track.hold(hands, hand_pose(self._robot, hands[0], q) if hands else None, dt)

    def write(self) -> None:
        """Write down what is known now; called in every control step, at its end."""
        followed = [*(track.percept for track in self._tracks.values()), *(s.percept for s in self._sketches.values())]
        percepts = [*self._fixed.values(), *(percept for percept in followed if percept is not None)]
        self._model.update(percepts, self._time)
        self._tell(frozenset(self._model.percepts))

    def _see(self, image: DepthImage, label: int, pixels: int, search: Callable[[], bool]) -> None:
        """Take in what an image shows of one object, or that it does not."""
        id = image.names[label]
        track, sketch = self._tracks.get(id), self._sketches.get(id)
        if not pixels:
            for each in (track, sketch):
                if each is not None:
                    each.miss(image)
            return
        whole = not _cut(image, label)
        if id in self._catalogue and track is None:
            track = self._tracks[id] = Track(self._catalogue[id])
        if track is not None:
            track.see(ImageSegment.of(image, label), pixels, whole, search)
        if track is None or not track.known:
            self._draw(image, label, wide=track is None or track.radius >= WIDE)
        else:
            self._sketches.pop(id, None)

    def _draw(self, image: DepthImage, label: int, wide: bool) -> None:
        """Collect what is seen of an object that nobody described, or that is too large to be seen whole."""
        id = image.names[label]
        if id not in self._sketches:
            if not wide:
                return
            self._sketches[id] = PointCloudTrack(id, self._catalogue[id].type if id in self._catalogue else TYPE)
        self._sketches[id].see(image, label)

    def _tell(self, there: frozenset[str]) -> None:
        if self._events is not None and there != self._there:
            found, lost = sorted(there - self._there), sorted(self._there - there)
            self._events.emit("perception", "camera", found=tuple(found), lost=tuple(lost))
        self._there = there


def _cut(image: DepthImage, label: int) -> bool:
    """Whether an object reaches the edge of the image."""
    edges = (image.labels[0], image.labels[-1], image.labels[:, 0], image.labels[:, -1])
    return any(bool((edge == label).any()) for edge in edges)
