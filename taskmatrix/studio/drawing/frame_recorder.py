"""Readers that keep what a run told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TextIO, cast

from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array

from .renderer import Frame


class FrameRecorder:
    """Keeps a frame for pictures now and then.

    Args:
        every: [s] Of the run between two frames.
    """

    def __init__(self, every: float = 0.1) -> None:
        self.frames: list[Frame] = []
        self._every = every
        self._phases: dict[str, str] = {}
        self._last: Frame | None = None

    def __call__(self, event: Event) -> None:
        """Take note of an event."""
        if event.kind == "message":
            self._note(event.source, str(event.data["message"]))
        elif event.kind == "step":
            frame = Frame(
                event.time,
                cast(Array, event.data["q"]),
                cast(Mapping[str, Array], event.data["poses"]),
                self._caption(),
            )
            if not self.frames or event.time >= self.frames[-1].time + self._every - 1e-9:
                self.frames.append(frame)
            self._last = frame
        elif event.kind == "outcome" and self._last is not None and self._last is not self.frames[-1]:
            self.frames.append(self._last)

    def _note(self, path: str, message: str) -> None:
        if message == "planning-started":
            self._phases[path] = "planning"
        elif message == "controlloop-started":
            self._phases[path] = "moving"
        elif message == "task-complete":
            self._phases.pop(path, None)

    def _caption(self) -> str:
        """The behaviors that run, without the machines that they run in."""
        leaves = [path for path in self._phases if not any(other.startswith(f"{path}/") for other in self._phases)]
        return ", ".join(f"{path.rsplit('/', 1)[-1]}: {self._phases[path]}" for path in leaves)


class EventFile:
    """Writes every event as a line of JSON.

    Args:
        path: File to write; its folder has to exist.
    """

    def __init__(self, path: Path) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8")

    def __call__(self, event: Event) -> None:
        """Write an event."""
        self._file.write(event.to_json() + "\n")

    def close(self) -> None:
        """Close the file; no event may follow."""
        self._file.close()
