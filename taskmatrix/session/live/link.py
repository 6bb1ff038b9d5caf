"""From a run to the process of its viewer, and back, without ever waiting."""

from __future__ import annotations

import json
import logging
import os
import select
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from taskmatrix.core.base.errors import MissingDependencyError, ParameterError, TaskMatrixError, how_to_install
from taskmatrix.core.base.events import Event

from ..event_text import RepeatFilter
from ..recording.encode import dumps
from .frames import HELLO, LAST_MATTERS, REFUSAL, SCENE, STATUS, Frame, kind_of
from .messages import Message, parse

PATIENCE = 60.0  # [s] until the viewer's process serves
GRACE = 3.0  # [s] in which it ends when the run has
MOST = 64_000_000  # [bytes] that wait for a viewer that takes nothing, before it counts as hung
ENDS = ("step", "outcome")  # of a control step, and of a run
PIPE = 1 << 20  # [bytes] of the pipe, where the system lets us choose
_log = logging.getLogger(__name__)


class Link:
    """Starts the viewer's process and talks with it over two pipes.

    What the pipe does not take at once is kept and sent later; only of steps, trees and maps, each of which says all by
    itself, those are left out that come meanwhile, and of goal messages those that repeat the last. Where the process
    dies, or takes nothing for long, the run goes on without it, with a word in the log.

    Args:
        host: Where the viewer listens.
        port: Where it listens; any that is free unless given.

    Attributes:
        alive: Whether there is still a viewer.
        dropped: How many events were left out.

    Raises:
        MissingDependencyError: The viewer's packages are not installed.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        check_installed()
        command = [sys.executable, "-m", "taskmatrix.studio.viewer", "--host", host, "--port", str(port)]
        self._process = subprocess.Popen(command, bufsize=0, stdin=subprocess.PIPE, stdout=subprocess.PIPE)  # noqa: S603
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._out, self._in = self._process.stdin.fileno(), self._process.stdout.fileno()
        for pipe in (self._out, self._in):
            os.set_blocking(pipe, False)
        _widen(self._out)
        self._encode: Callable[[Event], bytes] = dumps
        self._waiting = bytearray()
        self._full = False
        self._repeats = RepeatFilter()
        self._read = b""
        self._begun, self._lost = True, ""
        self.alive, self.dropped = True, 0

    def begin(self, hello: Mapping[str, Any], scene: bytes, encode: Callable[[Event], bytes]) -> str:
        """Say what is going to be shown, and wait until it is served.

        Args:
            hello: As in :class:`~.viewer.Run`, with ``controls``.
            scene: ``scene.json``, gzipped.
            encode: Makes JSON of events.

        Returns:
            The address of the page.

        Raises:
            TaskMatrixError: The viewer does not start.
        """
        self._encode, self._begun = encode, False
        self.send(Frame(HELLO, 0.0, "", dumps(hello)))
        self.send(Frame(SCENE, 0.0, "", scene))
        self._flush()
        while b"\n" not in self._read and self.alive:
            readable, writable, _ = select.select([self._in], [self._out] * bool(self._waiting), [], PATIENCE)
            if not readable and not writable:
                self._lose(f"does not serve within {PATIENCE:g} s")
            self._flush()
            self._fill()
        line, _, self._read = self._read.partition(b"\n")
        told = json.loads(line) if line else {"error": f"the viewer {self._lost}: the run does not begin"}
        if "error" in told:
            self.close()
            raise TaskMatrixError(told["error"])
        self._begun = True
        return str(told["address"])

    def __call__(self, event: Event) -> None:
        """Send an event; a reader of the event stream. What is told in a control step goes out with its end."""
        if not self.alive or not self._repeats(event.kind, event.source, event.data):
            return
        kind = kind_of(event.kind)
        if self._full:
            self._flush()
            if self._full and kind in LAST_MATTERS:
                self.dropped += 1
                return
        self.send(Frame(kind, event.time, event.source, self._encode(event)))
        if event.kind in ENDS or len(self._waiting) > PIPE:
            self._flush()

    def status(self, status: Mapping[str, Any]) -> None:
        """Say how the run stands, beyond what its events say."""
        self.send(Frame(STATUS, 0.0, "", dumps(status)))
        self._flush()

    def refuse(self, client: int, why: str) -> None:
        """Say to a viewer that something is not done."""
        self.send(Frame(REFUSAL, 0.0, "", dumps({"client": client, "why": why})))

    def send(self, frame: Frame) -> None:
        """Have a frame sent with the next control step, or when it is asked what viewers want."""
        if self.alive:
            self._waiting += frame.packed()
            if len(self._waiting) > MOST:
                self._lose("takes nothing any more")

    def poll(self) -> list[Message]:
        """What viewers ask for, in the order in which they did; returns at once."""
        if self._waiting:
            self._flush()
        self._fill()
        *lines, self._read = self._read.split(b"\n")
        return [message for message in map(_message, lines) if message is not None]

    def wait(self, seconds: float) -> None:
        """Wait until a viewer asks for something, at most so long [s]."""
        if self.alive and b"\n" not in self._read:
            select.select([self._in], [self._out] * bool(self._waiting), [], max(seconds, 0.0))

    def close(self) -> None:
        """End the viewer's process."""
        self._flush()
        self.alive = False
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        try:
            self._process.wait(GRACE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _flush(self) -> None:
        if not self.alive:
            return
        try:
            while self._waiting:
                del self._waiting[: os.write(self._out, self._waiting)]
            self._full = False
        except BlockingIOError:
            self._full = True
        except OSError:
            self._lose("has ended")

    def _fill(self) -> None:
        if not self.alive:
            return
        try:
            more = os.read(self._in, 65536)
        except BlockingIOError:
            return
        if not more:
            self._lose("has ended")
        self._read += more

    def _lose(self, why: str) -> None:
        """Go on without a viewer."""
        if self.alive:
            self.alive = False
            self._waiting.clear()
            if self._begun:
                _log.warning("the viewer %s; the run goes on without it", why)
            self._lost = why


def _message(line: bytes) -> Message | None:
    """A message from the viewer's process, checked once more; what is wrong is left out."""
    try:
        told = json.loads(line)
        client = int(told.pop("client"))
        return {**parse(json.dumps(told)), "client": client}
    except (ParameterError, ValueError, KeyError, AttributeError, TypeError) as error:
        _log.warning("refused what came from the viewer's process: %s", ascii(str(error))[:200])
        return None


def _widen(pipe: int) -> None:
    """Have a pipe take more at once, where the system can do that."""
    try:
        import fcntl  # noqa: PLC0415 - Unix only

        fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, PIPE)
    except (ImportError, AttributeError, OSError):
        pass


def check_installed() -> None:
    """Raise MissingDependencyError where the viewer's packages are not installed."""
    missing = [name for name in ("aiohttp", "nicegui") if find_spec(name) is None]
    if missing:
        needs = f"the viewer needs {' and '.join(missing)}, which is not installed; install it "
        raise MissingDependencyError(needs + how_to_install("view"))
