"""Two recordings from one server: each has its own stream and scene, and one says where they differ."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp

from taskmatrix.session.recording import Recorder
from taskmatrix.studio.recording import Recording
from taskmatrix.studio.viewer.replay import beside, replayed
from taskmatrix.studio.viewer.server import Server

from .tales import pickup

HEADER = {"format": 2, "taskmatrix": "0.1.0", "robot": "gantry", "seed": 1}
SCENE = gzip.compress(b'{"robot": {"names": ["a", "b"]}}')


def recorded(path: Path, success: bool = True, **header: Any) -> Recording:
    """A pickup that succeeds or fails."""
    recorder = Recorder(path, {**HEADER, **header}, SCENE)
    for event in pickup(success).events:
        recorder(event)
    recorder.close()
    return Recording.open(path)


def serving(
    first: Recording, second: Recording | None, test: Callable[[aiohttp.ClientSession, str], Awaitable[None]]
) -> None:
    """Run a test with a server of one or two recordings."""

    async def run() -> None:
        other = None if second is None else beside(first, second)
        server = Server(replayed(first), first.scene_gz, lambda: 0.0, beside=other)
        address = (await server.start()).rstrip("/")
        try:
            async with aiohttp.ClientSession() as session:
                await asyncio.wait_for(test(session, address), 60.0)
        finally:
            await server.close()

    asyncio.run(run())


async def state(session: aiohttp.ClientSession, address: str, query: str) -> dict[str, Any]:
    """The first state that a page with this query is told."""
    async with session.ws_connect(f"{address}/stream{query}", headers={"Origin": address}) as socket:
        while True:
            message: dict[str, Any] = await socket.receive_json()
            if message["type"] == "state":
                return message


def test_each_has_its_own_stream(tmp_path: Path) -> None:
    """The first unless the query asks for the second; there is no third."""
    first, second = recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap", success=False)

    async def test(session: aiohttp.ClientSession, address: str) -> None:
        for query, success in (("", True), ("?run=0", True), ("?run=1", False)):
            told = await state(session, address, query)
            assert told["sections"]["run"]["outcome"]["success"] is success
        assert told["end"] == second.duration
        for path in ("/stream?run=2", "/scene.json?run=2"):
            async with session.get(f"{address}{path}", headers={"Origin": address}) as answer:
                assert answer.status == 404

    serving(first, second, test)


def test_the_page_of_both_says_where_they_differ(tmp_path: Path) -> None:
    """As data, beside the page; that of one has nothing of it."""
    first, second = recorded(tmp_path / "a.mcap"), recorded(tmp_path / "b.mcap", seed=2)

    async def test(session: aiohttp.ClientSession, address: str) -> None:
        async with session.get(f"{address}/differences.json") as answer:
            told = json.loads(await answer.text())
        assert told["names"] == ["a.mcap", "b.mcap"]
        assert [row["name"] for row in told["rows"]] == ["outcome", "seed"]
        async with session.get(f"{address}/") as answer:
            assert "frame-src 'self'" in answer.headers["Content-Security-Policy"]
            assert "compare.js" in await answer.text()

    async def alone(session: aiohttp.ClientSession, address: str) -> None:
        async with session.get(f"{address}/differences.json") as answer:
            assert answer.status == 404
        for path in ("/", "/index.html", "/compare.html"):
            async with session.get(f"{address}{path}") as answer:
                assert "frame-src" not in answer.headers["Content-Security-Policy"]
                assert answer.headers["X-Frame-Options"] == "DENY"

    serving(first, second, test)
    serving(first, None, alone)
