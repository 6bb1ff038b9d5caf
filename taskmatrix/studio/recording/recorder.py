"""Records a run: a reader of the stream of events that writes them to one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from taskmatrix.core.events import Event

from .container import Container
from .encode import Encoder, dumps
from .schemas import schema

PROFILE = "taskmatrix"
HEADER, SCENE = "header.json", "scene.json.gz"


class Recorder:
    """Writes every event to an MCAP file, a topic for each kind; close it when done.

    Args:
        path: File to write; its folder has to exist, and what it was is lost.
        header: What there is to know of the run, see :func:`~taskmatrix.studio.recording.header.header`.
        scene: What there is to see, see :func:`~taskmatrix.studio.recording.scene.packed`.
        encode: Makes JSON of events; one of its own unless given.

    Raises:
        OSError: The file cannot be written.
    """

    def __init__(
        self, path: Path, header: Mapping[str, object], scene: bytes, encode: Callable[[Event], bytes] | None = None
    ) -> None:
        self.path = path
        self._encode = encode or Encoder()
        self._channels: dict[str, int] = {}
        self._file = path.open("wb")
        try:
            self._container = Container(self._file, PROFILE)
            self._container.attach(HEADER, "application/json", dumps(header))
            self._container.attach(SCENE, "application/gzip", scene)
            self._container.flush()
        except OSError:
            self._file.close()
            raise

    def __call__(self, event: Event) -> None:
        """Write an event."""
        kind = event.kind
        channel = self._channels.get(kind)
        if channel is None:
            channel = self._channels[kind] = self._container.channel(f"/{kind}", schema(kind))
        self._container.add(channel, max(round(event.time * 1e9), 0), self._encode(event))

    def close(self) -> None:
        """End the file; nothing happens if it was ended before.

        Raises:
            OSError: It cannot be written.
        """
        if not self._file.closed:
            with self._file:
                self._container.close()
