"""Events as JSON, quickly: the one form in which files and viewers get them."""

from __future__ import annotations

import json
from collections.abc import Mapping

import numpy as np
import orjson

from taskmatrix.core.events import Event
from taskmatrix.core.failure import plain

_OPTIONS = orjson.OPT_SERIALIZE_NUMPY


class Encoder:
    """Encodes the events of one run, each once: whoever asks for the last event again gets the same bytes.

    An event is an object with ``time`` [s], ``step``, ``kind``, ``source`` and ``data``. A pose that is the same array
    as in the step before is not encoded again; plants replace the poses of what moves.
    """

    def __init__(self) -> None:
        self._last: tuple[Event | None, bytes] = (None, b"")
        self._poses: dict[str, tuple[object, orjson.Fragment]] = {}

    def __call__(self, event: Event) -> bytes:
        """JSON in UTF-8, on one line."""
        last, encoded = self._last
        if last is not event:
            encoded = self._encoded(event)
            self._last = event, encoded
        return encoded

    def _encoded(self, event: Event) -> bytes:
        data = event.data
        poses = data.get("poses") if event.kind == "step" else None
        if isinstance(poses, dict):
            data = {**data, "poses": {id: self._pose(id, X_WO) for id, X_WO in poses.items()}}
        told = {"time": round(event.time, 9), "step": event.step, "kind": event.kind, "source": event.source}
        return dumps({**told, "data": data})

    def _pose(self, id: str, X_WO: object) -> orjson.Fragment:
        """A pose as JSON, encoded when it is another than before."""
        known = self._poses.get(id)
        if known is None or known[0] is not X_WO:
            known = self._poses[id] = X_WO, orjson.Fragment(dumps(X_WO))
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
