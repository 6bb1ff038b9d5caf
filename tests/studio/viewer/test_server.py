"""The server over real sockets of this machine, with a client that can be as hostile as it likes."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any

import aiohttp
import pytest

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.session.live.frames import REFUSAL, STATUS, Frame

from .serving import FORM, Message, Served, asked, connect, serving
from .tales import Tale, framed


def test_a_viewer_is_told_everything_first() -> None:
    """Who it looks at, what is to be seen, and the log; then only what changes."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client = await connect(session, address)
        hello = await client.next("hello")
        assert (hello["live"], hello["controls"], hello["header"]) == (True, True, {"robot": "gantry"})
        assert hello["behaviors"] == [FORM]
        state = await client.next("state")
        assert set(state["sections"]) == {
            *("pose", "program", "machine", "tree", "chains", "conditions"),
            *("parameters", "plan", "failures", "run", "map", "objects"),
        }
        assert (state["time"], state["end"], state["live"], state["playing"]) == (2.01, 2.01, True, None)
        assert state["sections"]["run"]["status"] == "ended"
        await client.next("log")
        assert client.rows[-1][-2:] == ["success", "success"]
        tale = Tale()
        tale.time, tale.step = 3.0, 300
        tale.say("pickup", "planning-started")
        served.server.take(framed(tale.events[0]))
        state = await client.next("state")
        assert set(state["sections"]) == {"machine"}
        assert (await client.next("log"))["rows"][0][-2] == "planning-started"

    serving(test)


def test_two_viewers_have_each_their_own_time() -> None:
    """One looks back while the other follows."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        first, second = await connect(session, address), await connect(session, address)
        await first.next("state")
        await second.next("state")
        await first.say("seek", time=0.105)
        await first.until(lambda: first.last["time"] == 0.105)
        assert first.sections["machine"]["pickup/reach"]["phase"] == "planning"
        assert (first.last["live"], first.last["playing"]) == (False, None)
        assert first.last["step"] == 10
        assert second.last["live"]
        assert second.sections["machine"]["pickup/reach"]["phase"] == "done"
        await first.say("play", speed=0.5)
        await first.until(lambda: first.last["time"] > 0.3)
        assert first.last["time"] < 2.01
        await first.say("live")
        await first.until(lambda: first.last["live"])
        assert first.sections["machine"] == second.sections["machine"]

    serving(test)


def test_a_viewer_that_dies_is_forgotten_and_one_that_comes_back_sees_everything() -> None:
    """The others do not notice."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        first, second = await connect(session, address), await connect(session, address)
        await first.next("state")
        await second.next("state")
        assert len(served.server.viewers) == 2
        assert first.socket._response.connection is not None
        first.socket._response.connection.transport.abort()  # type: ignore[union-attr]
        tale = Tale()
        tale.time, tale.step = 3.0, 300
        while len(served.server.viewers) > 1:
            tale.steps(1)
            served.server.take(framed(tale.events[-1]))
            await second.next("state")
        again = await connect(session, address)
        await again.next("state")
        await second.until(lambda: second.last["time"] == served.timeline.end)
        assert again.sections == second.sections

    serving(test)


def test_a_slow_viewer_gets_fewer_states() -> None:
    """What it does not take is not kept for it: nothing grows."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client = await connect(session, address)
        await client.next("state")
        (viewer,) = served.server.viewers.values()
        sent: list[str] = []
        gate = asyncio.Event()
        send = viewer.socket.send_str

        async def slow(text: str, *options: Any) -> None:
            sent.append(text)
            await gate.wait()
            await send(text)

        viewer.socket.send_str = slow  # type: ignore[method-assign, assignment]
        tale = Tale()
        tale.time, tale.step = 3.0, 300
        for _ in range(2000):
            tale.steps(1)
            served.server.take(framed(tale.events[-1]))
            await asyncio.sleep(0)
        await asyncio.sleep(0.1)
        assert len(sent) <= 1
        gate.set()
        await client.until(lambda: client.last["time"] == served.timeline.end)
        assert len(sent) < 10

    serving(test)


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("pause", {}),
        ("resume", {}),
        ("step", {}),
        ("step-transition", {}),
        ("speed", {"value": 2.0}),
        ("break", {"on": "message", "what": "planning-ended", "enabled": True}),
        ("start", {"behavior": "wait", "parameters": {"seconds": 2}}),
        ("move", {"object": "cup", "position": [0.0, 1.0, 2.0]}),
        ("stop", {}),
    ],
)
def test_what_is_asked_of_the_run_is_handed_on(kind: str, fields: Message) -> None:
    """With the number of the viewer, to whom the run may answer that it will not."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client = await connect(session, address)
        await client.say(kind, **fields)
        await asked(served)
        (viewer,) = served.server.viewers
        assert served.commands == [{"type": kind, **fields, "client": viewer}]
        served.server.take(Frame(REFUSAL, 0.0, "", json.dumps({"client": viewer, "why": "no"}).encode()))
        served.server.take(Frame(REFUSAL, 0.0, "", json.dumps({"client": 99, "why": "no"}).encode()))
        assert (await client.next("refused"))["why"] == "no"
        served.server.take(Frame(STATUS, 0.0, "", json.dumps({"status": "paused", "paused_by": "me"}).encode()))
        await client.until(lambda: client.sections["run"]["status"] == "paused")
        assert client.sections["run"]["outcome"]["success"]
        served.busy = True
        await client.say(kind, **fields)
        assert "busy" in (await client.next("refused"))["why"]

    serving(test)


def test_files_and_their_headers() -> None:
    """Only what belongs to the page is there; every answer has the strict headers."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        async with session.get(f"{address}/scene.json") as answer:
            assert await answer.json() == {"robot": {}}
            assert answer.headers["Content-Encoding"] == "gzip"
        async with session.get(f"{address}/three.js") as answer:
            assert answer.content_type == "text/javascript"
            assert "OrbitControls" in await answer.text()
            assert "script-src 'self'" in answer.headers["Content-Security-Policy"]
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
        for path in ("/nothing", "/../server.py", "/%2e%2e/server.py", "//etc/passwd", "/page"):
            async with session.get(address + path) as answer:
                assert answer.status == 404
                assert "default-src 'none'" in answer.headers["Content-Security-Policy"]

    serving(test)


def test_a_recording_is_looked_at_step_by_step() -> None:
    """The controls are the viewer's own; what would change the run is refused."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client = await connect(session, address)
        assert not (await client.next("hello"))["live"]
        await client.next("state")
        assert client.sections["run"]["status"] == "recorded"
        await client.say("seek", time=0.0)
        await client.say("step")
        await client.until(lambda: client.last["time"] == 0.01)
        await client.say("step-transition")
        await client.until(lambda: client.last["time"] == 1.5)
        await client.say("play", speed=0.1)
        await client.say("pause")
        await client.until(lambda: client.last["playing"] is None)
        await client.say("resume")
        await client.until(lambda: client.last["playing"] == 0.1)
        await client.say("stop")
        assert "recording" in (await client.next("refused"))["why"]
        await client.say("series", joints=["b"], **{"from": 0.0, "to": 0.02})
        assert (await client.next("series"))["joints"]["b"]["q"] == [1.0, 1.0, 1.0]

    serving(test, live=False, controls=False)


def test_a_run_that_is_only_watched_is_not_changed() -> None:
    """Each knows its place."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client = await connect(session, address)
        assert not (await client.next("hello"))["controls"]
        await client.say("pause")
        assert "only watched" in (await client.next("refused"))["why"]

    serving(test, controls=False)


def test_a_port_that_is_taken() -> None:
    """A clear word."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        port = int(address.rpartition(":")[2])
        with pytest.raises(TaskMatrixError, match=f"cannot listen at 127.0.0.1:{port}"):
            await Served(Tale(), True, True, port=port).server.start()

    serving(test)


@pytest.fixture(autouse=True)
def _warnings(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "taskmatrix")
