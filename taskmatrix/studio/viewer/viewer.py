"""One who looks: a WebSocket, what it is sent and what it may ask for."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from aiohttp import WSCloseCode, web

from taskmatrix.core.base.errors import NotFoundError, ParameterError, TaskMatrixError
from taskmatrix.session.live.messages import MalformedError, Message, parse

from .security import Allowance
from .timeline import Timeline
from .watch import Watch

PERIOD = 1 / 30  # [s] between two states at least
RATE, BURST = 60.0, 120.0  # messages a second, and at once
_log = logging.getLogger(__name__)


@dataclass
class Run:
    """The run that is served to pages."""

    timeline: Timeline
    """What has been told of it so far."""
    hello: Mapping[str, Any]
    """``header``, ``behaviors``, ``objects`` that may be moved, ``joints``: names in the order of ``q``."""
    live: bool = False
    """Whether it goes on; else it is a recording."""
    command: Callable[[Message], None] | None = None
    """Takes what is to be done in the run; raises TaskMatrixError where that cannot be. None: nobody controls it."""
    names: dict[str, Mapping[str, Any]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self.names = {
            "behavior": {each["name"]: each for each in self.hello.get("behaviors", ())},
            "object": dict.fromkeys(self.hello.get("objects", ())),
            "joint": {name: index for index, name in enumerate(self.hello.get("joints", ()))},
        }

    def look_up(self, noun: str, name: str) -> Any:
        """What a name stands for; raises NotFoundError with the nearest."""
        if name not in self.names[noun]:
            raise NotFoundError(noun, name[:60], self.names[noun])
        return self.names[noun][name]


class Viewer:
    """Sends one viewer what changed, and does what it asks for if it may.

    Args:
        number: Of this viewer.
        socket: Its connection.
        watch: What it has seen.
        run: What is served.
        now: A clock [s].
        name: For the log.
    """

    def __init__(
        self,
        number: int,
        socket: web.WebSocketResponse,
        watch: Watch,
        run: Run,
        now: Callable[[], float],
        name: str,
    ) -> None:
        self.number, self.socket, self.watch, self.name = number, socket, watch, f"{number} ({name})"
        self._run, self._now = run, now
        self._allowance = Allowance(RATE, BURST, now)
        self._answers: list[Mapping[str, Any]] = []
        self._muted = False
        self._speed = 1.0

    async def write(self) -> None:
        """Send what changed, again and again; what cannot be taken yet is waited for, and nothing is put in a queue."""
        watch, socket = self.watch, self.socket
        controls = self._run.command is not None
        hello = {"type": "hello", "live": self._run.live, "controls": controls, **self._run.hello}
        await socket.send_str(orjson.dumps(hello).decode())
        last = self._now()
        try:
            while not socket.closed:
                now = self._now()
                watch.pass_time(now - last)
                last = now
                answers, self._answers = self._answers, []
                for answer in answers:
                    await socket.send_str(orjson.dumps(answer).decode())
                for part in (watch.state(), watch.log()):
                    if part is not None:
                        await socket.send_str(part.decode())
                await asyncio.sleep(PERIOD)
        except (ConnectionError, RuntimeError):  # it has gone meanwhile
            await socket.close()

    async def read(self, text: str) -> None:
        """Take a message; what cannot be is refused and logged, and who sends what no page does is thrown out."""
        if not self._allowance.take():
            if not self._muted:
                self.refuse("too many messages")
            self._muted = True
            return
        self._muted = False
        try:
            message = parse(text)
        except MalformedError as error:
            await self.throw_out(str(error))
            return
        try:
            self._do(message)
        except TaskMatrixError as error:
            self.refuse(str(error))

    def refuse(self, why: str) -> None:
        """Say that something is not done, and why."""
        _log.warning("refused a message of viewer %s: %s", self.name, ascii(why)[1:-1][:200])
        if len(self._answers) < BURST:
            self._answers.append({"type": "refused", "why": why})

    async def throw_out(self, why: str) -> None:
        """End the connection with one that is no page of ours."""
        _log.warning("refused a message of viewer %s, and closed: %s", self.name, ascii(why)[1:-1][:200])
        await self.socket.send_str(orjson.dumps({"type": "refused", "why": why}).decode())
        await self.socket.close(code=WSCloseCode.POLICY_VIOLATION, message=b"refused")

    def _do(self, message: Message) -> None:
        kind, watch = message["type"], self.watch
        if kind == "seek":
            watch.seek(message["time"])
        elif kind == "live":
            watch.follow()
        elif kind == "play":
            watch.play(message["speed"])
            self._speed = message["speed"]
        elif kind == "series":
            joints = {name: self._run.look_up("joint", name) for name in message["joints"]}
            told = self._run.timeline.series(joints, message["from"], message["to"])
            self._answers.append({"type": "series", "from": message["from"], "to": message["to"], **told})
        elif not self._run.live:
            self._do_in_recording(kind)
        elif self._run.command is None:
            raise ParameterError(f"'{kind}' is not possible: this run is only watched")
        else:
            self._check(message)
            self._run.command({**message, "client": self.number})

    def _do_in_recording(self, kind: str) -> None:
        watch, timeline = self.watch, self._run.timeline
        if kind == "pause":
            watch.play(0.0)
        elif kind == "resume":
            watch.play(self._speed)
        elif kind == "step":
            watch.seek(timeline.next_step(watch.time))
        elif kind == "step-transition":
            watch.seek(timeline.next_transition(watch.time))
        else:
            raise ParameterError(f"'{kind}' is not possible: this is a recording")

    def _check(self, message: Message) -> None:
        """Check that what a message names exists."""
        if message["type"] == "move":
            if message["object"] not in self._run.names["object"]:
                raise NotFoundError("object that can be moved", message["object"][:60], self._run.names["object"])
        elif message["type"] == "start":
            behavior = self._run.look_up("behavior", message["behavior"])
            known = {each["name"] for each in behavior["parameters"]}
            for name in message["parameters"]:
                if name not in known:
                    raise NotFoundError("parameter", name[:60], known, message["behavior"])
