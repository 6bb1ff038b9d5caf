"""Records a run: a reader of the stream of events that writes them to one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from taskmatrix.core.base.events import Event

from .container import Container
from .encode import Encoder, dumps
from .schemas import schema

PROFILE = "taskmatrix"
HEADER, SCENE = "header.json", "scene.json.gz"
WHOLE, POSES = 100, "steps between poses of all objects"
"""Of so many control steps one has the poses of all objects, the others of those that moved; how the topic says so."""
BATCH = 100
"""Events that are written at once: one at a time they cost three times as much, since in between the control loop uses
the processor's caches for something else."""
AT_MOST = 0.5
"""[s] Of the run that is lost at most when the process is killed."""


class Recorder:
    """Writes every event to an MCAP file, a topic for each kind; close it when done.

    Events are taken when they happen and written a little later, so their data must not be changed once they are told.

    Args:
        path: File to write; its folder has to exist, and what it was is lost.
        header: What there is to know of the run, see :func:`~taskmatrix.session.recording.header.header`.
        scene: What there is to see, see :func:`~taskmatrix.session.recording.scene.packed`.

    Raises:
        OSError: The file cannot be written.
    """

    def __init__(self, path: Path, header: Mapping[str, object], scene: bytes) -> None:
        self.path = path
        self._encode = Encoder(WHOLE)
        self._channels: dict[str, int] = {}
        self._pending: list[Event] = []
        self._until = AT_MOST  # [s] when what was written goes to the file
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
        """Take an event; nothing once it is closed."""
        pending = self._pending
        pending.append(event)
        if len(pending) >= BATCH:
            self._write()
        if event.time >= self._until:
            self._write()
            self._flush(event.time)

    def close(self) -> None:
        """End the file; nothing happens if it was ended before.

        Raises:
            OSError: It cannot be written.
        """
        if not self._file.closed:
            with self._file:
                self._write()
                self._container.close()

    def _flush(self, time: float) -> None:
        """Have everything in the file, and again when :data:`AT_MOST` has passed."""
        self._until = time + AT_MOST
        if not self._file.closed:
            self._container.flush()

    def _channel(self, kind: str) -> int:
        """A new channel for events of a kind."""
        return self._container.channel(f"/{kind}", schema(kind), {POSES: str(WHOLE)} if kind == "step" else None)

    def _write(self) -> None:
        """Write what was taken."""
        pending, self._pending = self._pending, []
        if self._file.closed:
            return
        channels, encode, add = self._channels, self._encode, self._container.add
        for event in pending:
            channel = channels.get(event.kind)
            if channel is None:
                channel = channels[event.kind] = self._channel(event.kind)
            add(channel, max(round(event.time * 1e9), 0), encode(event))
