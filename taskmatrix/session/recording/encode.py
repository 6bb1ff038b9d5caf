"""Events as JSON, quickly: the one form in which files and viewers get them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import orjson

from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import plain

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


class Encoder:
    """Encodes the events of one run, each once: whoever asks for the last event again gets the same bytes.

    An event is an object with ``time`` [s], ``step``, ``kind``, ``source`` and ``data``. A pose that is the same array
    as in the step before is not encoded again: plants replace the poses of what moves.

    Args:
        whole: Of so many control steps one has the poses of all objects; the others have those that are other arrays
            than in the step before, and null for what is not there any more.
    """

    def __init__(self, whole: int = 1) -> None:
        self._whole, self._steps = whole, 0
        self._last: tuple[Event | None, bytes] = (None, b"")
        self._poses: Mapping[str, object] = {}
        self._kept: dict[str, tuple[object, orjson.Fragment]] = {}

    def __call__(self, event: Event) -> bytes:
        """JSON in UTF-8, on one line."""
        last, encoded = self._last
        if last is event:
            return encoded
        data = event.data
        if event.kind == "step":
            poses = data.get("poses")
            if isinstance(poses, Mapping):
                data = {**data, "poses": self._told(poses)}
        told = {"time": round(event.time, 9), "step": event.step, "kind": event.kind, "source": event.source}
        told["data"] = data
        encoded = dumps(told)
        self._last = event, encoded
        return encoded

    def _told(self, poses: Mapping[str, object]) -> Mapping[str, object]:
        """The poses to tell in a step."""
        before, self._poses = self._poses, poses
        number, self._steps = self._steps, self._steps + 1
        if number % self._whole == 0:
            return {id: self._pose(id, X_WO) for id, X_WO in poses.items()}
        moved = {id: X_WO for id, X_WO in poses.items() if before.get(id) is not X_WO}
        if len(before) + sum(id not in before for id in moved) > len(poses):
            moved.update({id: None for id in before if id not in poses})
        return moved

    def _pose(self, id: str, X_WO: object) -> orjson.Fragment:
        """A pose as JSON, encoded when it is another than before."""
        known = self._kept.get(id)
        if known is None or known[0] is not X_WO:
            known = self._kept[id] = X_WO, orjson.Fragment(dumps(X_WO))
        return known[1]


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
