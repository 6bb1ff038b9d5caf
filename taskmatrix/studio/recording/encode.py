"""Events as JSON, quickly: the one form in which files and viewers get them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import orjson

from taskmatrix.core.events import Event
from taskmatrix.core.failure import plain

WHOLE = 100  # control steps after which one has the poses of all objects again
_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


class Encoder:
    """Encodes the events of one run, each once: whoever asks for the last event again gets the same bytes.

    An event is an object with ``time`` [s], ``step``, ``kind``, ``source`` and ``data``. Of the control steps one in
    :data:`WHOLE` has the poses of all objects; the others have the poses that are other arrays than in the step before
    - plants replace the poses of what moves - and null for what is not there any more.
    """

    def __init__(self) -> None:
        self._last: tuple[Event | None, bytes] = (None, b"")
        self._poses: Mapping[str, object] = {}
        self._since = WHOLE

    def __call__(self, event: Event) -> bytes:
        """JSON in UTF-8, on one line."""
        last, encoded = self._last
        if last is event:
            return encoded
        data = event.data
        if event.kind == "step" and "poses" in data:
            data = {**data, "poses": self._moved(data["poses"])}
        told = {"time": round(event.time, 9), "step": event.step, "kind": event.kind, "source": event.source}
        told["data"] = data
        encoded = dumps(told)
        self._last = event, encoded
        return encoded

    def whole(self) -> None:
        """Have the poses of all objects in the next control step, for somebody who begins to read there."""
        self._since = WHOLE

    def _moved(self, poses: object) -> object:
        """The poses to tell in a step."""
        if not isinstance(poses, Mapping):
            return poses
        before, self._poses = self._poses, poses
        self._since += 1
        if self._since >= WHOLE:
            self._since = 0
            return poses
        moved = {id: X_WO for id, X_WO in poses.items() if before.get(id) is not X_WO}
        if len(before) + sum(id not in before for id in moved) > len(poses):
            moved.update({id: None for id in before if id not in poses})
        return moved


def dumps(value: object) -> bytes:
    """JSON in UTF-8: arrays as lists, dataclasses as objects, numbers that are not finite as null, the rest as text."""
    try:
        return orjson.dumps(value, _plain, _OPTIONS)
    except TypeError:  # a key that is no text, a number of more than 64 bits, half a character
        return json.dumps(plain(value)).encode()


def _plain(value: object) -> object:
    """What orjson does not know by itself."""
    if isinstance(value, np.ndarray) and value.dtype != object:
        return np.ascontiguousarray(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, (set, frozenset)):
        return sorted(map(str, value))
    return plain(value)
