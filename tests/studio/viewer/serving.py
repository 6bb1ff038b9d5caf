"""A server in the loop of a test, and clients that can be as hostile as they like."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from taskmatrix.core.base.errors import ParameterError
from taskmatrix.studio.viewer.server import Server
from taskmatrix.studio.viewer.timeline import Timeline
from taskmatrix.studio.viewer.viewer import Run

from .tales import Tale, pickup

FORM = {"name": "wait", "doc": "", "parameters": [{"name": "seconds", "type": "float"}]}


HELLO = {"header": {"robot": "gantry"}, "behaviors": [FORM], "objects": ["cup"], "joints": ["a", "b"]}


Message = dict[str, Any]


class Served:
    """A server in the loop of a test, with what was asked of the run."""

    def __init__(self, tale: Tale, live: bool, controls: bool, **options: Any) -> None:
        self.commands: list[Message] = []
        self.busy = False
        self.timeline = Timeline()
        for frame in tale.frames():
            self.timeline.add(frame)
        self.run = Run(self.timeline, HELLO, live, self._command if controls else None)
        self.server = Server(self.run, gzip.compress(b'{"robot": {}}'), self._now, **options)
        self.time = 0.0

    def _now(self) -> float:
        self.time += 1 / 30  # every time that somebody asks
        return self.time

    def _command(self, message: Message) -> None:
        if self.busy:
            raise ParameterError("the run is busy")
        self.commands.append(message)


class Client:
    """A page, or what would be taken for one."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.sections: dict[str, Any] = {}
        self.rows: list[list[Any]] = []
        self.last: Message = {}

    async def next(self, kind: str) -> Message:
        """The next message of a kind; what came before is taken in."""
        while True:
            message = await asyncio.wait_for(self.socket.receive_json(), 20.0)
            if message["type"] == "state":
                self.sections |= message["sections"]
                self.last = message
            elif message["type"] == "log":
                self.rows += message["rows"]
            if message["type"] == kind:
                return message  # type: ignore[no-any-return]

    async def until(self, true: Callable[[], object]) -> None:
        """Take in messages until something is true."""
        while not true():
            await self.next("state")

    async def say(self, kind: str, **fields: Any) -> None:
        await self.socket.send_str(json.dumps({"type": kind, **fields}))


def serving(
    test: Callable[[Served, aiohttp.ClientSession, str], Awaitable[None]],
    tale: Tale | None = None,
    live: bool = True,
    controls: bool = True,
    **options: Any,
) -> None:
    """Run a test with a server and a client session."""

    async def run() -> None:
        served = Served(tale or pickup(), live, controls, **options)
        address = await served.server.start()
        try:
            async with aiohttp.ClientSession() as session:
                await asyncio.wait_for(test(served, session, address.partition("?")[0].rstrip("/")), 60.0)
        finally:
            await served.server.close()

    asyncio.run(run())


async def connect(session: aiohttp.ClientSession, address: str, **headers: str) -> Client:
    return Client(await session.ws_connect(f"{address}/stream", headers={"Origin": address, **headers}))


async def asked(served: Served) -> None:
    """Until something has been asked of the run."""
    while not served.commands:
        await asyncio.sleep(0)


def refused(caplog: pytest.LogCaptureFixture, words: str) -> bool:
    return any(words in record.getMessage() and len(record.getMessage()) < 400 for record in caplog.records)
