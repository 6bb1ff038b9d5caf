"""The server over real sockets of this machine, with a client that can be as hostile as it likes."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from collections.abc import Awaitable, Callable
from typing import Any

import aiohttp
import pytest

from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.session.live.frames import REFUSAL, STATUS, Frame
from taskmatrix.studio.viewer.security import COOKIE
from taskmatrix.studio.viewer.server import MOST_VIEWERS, Server
from taskmatrix.studio.viewer.timeline import Timeline
from taskmatrix.studio.viewer.viewer import BURST, Run

from .tales import Tale, framed, pickup

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
            *("parameters", "plan", "failures", "run", "map"),
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


def refused(caplog: pytest.LogCaptureFixture, words: str) -> bool:
    return any(words in record.getMessage() and len(record.getMessage()) < 400 for record in caplog.records)


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ({"type": "move", "object": "cub", "position": [0, 0, 0]}, "did you mean 'cup'"),
        ({"type": "start", "behavior": "wayt", "parameters": {}}, "did you mean 'wait'"),
        ({"type": "start", "behavior": "wait", "parameters": {"second": 1}}, "did you mean 'seconds'"),
        ({"type": "start", "behavior": "os:system", "parameters": {}}, "no behavior"),
        ({"type": "series", "joints": ["c"], "from": 0, "to": 1}, "no joint"),
    ],
)
def test_names_that_do_not_exist_are_refused(message: Message, words: str, caplog: pytest.LogCaptureFixture) -> None:
    """With the nearest; the connection stays."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client = await connect(session, address)
        await client.socket.send_str(json.dumps(message))
        assert words in (await client.next("refused"))["why"]
        await client.say("pause")
        await asked(served)
        assert [command["type"] for command in served.commands] == ["pause"]

    serving(test)
    assert refused(caplog, "no ")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"type": "eval"}', '{"type": "stop", "x": "\\u001b[2J"}', "\x00"])
def test_what_no_page_says_ends_the_connection(text: str, caplog: pytest.LogCaptureFixture) -> None:
    """Refused, logged on one line of plain letters, closed; the others stay."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        client, other = await connect(session, address), await connect(session, address)
        await client.socket.send_str(text)
        await client.next("refused")
        while not client.socket.closed:
            await client.socket.receive()
        assert client.socket.close_code == 1008
        await other.next("state")
        assert served.commands == []

    serving(test)
    (record,) = caplog.records
    assert "refused a message" in record.getMessage()
    assert record.getMessage().isprintable()


def test_what_is_large_or_binary_ends_the_connection(caplog: pytest.LogCaptureFixture) -> None:
    """Too large is not even read to its end."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        for send, code in (("text", 1009), ("bytes", 1008)):
            client = await connect(session, address)
            if send == "text":
                await client.socket.send_str("x" * 200_000)
            else:
                await client.socket.send_bytes(b'{"type": "stop"}')
            while not client.socket.closed:
                await client.socket.receive()
            assert client.socket.close_code == code
        assert served.commands == []

    serving(test)
    assert len(caplog.records) == 2
    assert refused(caplog, "refused a message")


def test_too_many_messages_are_refused(caplog: pytest.LogCaptureFixture) -> None:
    """The log has a line, not thousands."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        served.server._now = lambda: 0.0
        client = await connect(session, address)
        for _ in range(2 * int(BURST)):
            await client.say("pause")
        assert "too many" in (await client.next("refused"))["why"]
        assert len(served.commands) == BURST

    serving(test)
    assert sum("too many" in record.getMessage() for record in caplog.records) == 1


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"Origin": "http://evil.example"}, "origin"),
        ({"Origin": "null"}, "origin"),
        ({"Host": "evil.example"}, "host"),
        ({"Host": "evil.example", "Origin": "http://evil.example"}, "host"),
    ],
)
def test_other_sites_are_refused(headers: dict[str, str], why: str, caplog: pytest.LogCaptureFixture) -> None:
    """A page elsewhere, and a name that was made to lead here."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError) as error:
            await connect(session, address, **headers)
        assert error.value.status == 403
        assert served.server.viewers == {}

    serving(test)
    assert refused(
        caplog, f"{why} 'http://evil" if headers.get("Origin", "null") != "null" and why == "origin" else why
    )


def test_who_says_nothing_of_where_it_comes_from_is_refused() -> None:
    """A browser always says so."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await session.ws_connect(f"{address}/stream")

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


def test_a_path_writes_no_lines_into_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Nor anything that a terminal would take for more than text."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        async with session.post(f"{address}/%0aall%20is%20well%1b[2J") as answer:
            assert answer.status == 403
            assert answer.headers["X-Content-Type-Options"] == "nosniff"

    serving(test)
    (record,) = caplog.records
    assert record.getMessage().isprintable()


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
def test_nothing_is_changed_by_requests(method: str, caplog: pytest.LogCaptureFixture) -> None:
    """What changes something goes over the stream."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        async with session.request(method, address + "/", data=b"x") as answer:
            assert answer.status == 403

    serving(test)
    assert refused(caplog, f"refused {method}")


def test_others_need_the_token(caplog: pytest.LogCaptureFixture) -> None:
    """In the address once, then in a cookie that no script sees."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        address = address.replace("0.0.0.0", "127.0.0.1")
        assert served.server.address.endswith("/?token=secret")
        for path in ("/", "/scene.json", "/three.js", "/?token=Secret"):
            async with session.get(address + path) as answer:
                assert answer.status == 403
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await connect(session, address)
        async with session.get(f"{address}/scene.json?token=secret") as answer:
            assert answer.status == 200
        client = await connect(session, address, Cookie=f"{COOKIE}=secret")
        await client.next("hello")

    serving(test, host="0.0.0.0", token="secret")
    assert refused(caplog, "token")


def test_there_are_only_so_many_viewers(caplog: pytest.LogCaptureFixture) -> None:
    """One more is told so; when one goes there is room again."""

    async def test(served: Served, session: aiohttp.ClientSession, address: str) -> None:
        clients = [await connect(session, address) for _ in range(MOST_VIEWERS)]
        with pytest.raises(aiohttp.WSServerHandshakeError):
            await connect(session, address)
        await clients[0].socket.close()
        await clients[1].next("state")
        await (await connect(session, address)).next("hello")

    serving(test)
    assert refused(caplog, "there are 20 already")


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
