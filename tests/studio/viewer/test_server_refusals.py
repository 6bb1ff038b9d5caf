"""What the server refuses, and that it says so."""

from __future__ import annotations

import json
import logging

import aiohttp
import pytest

from taskmatrix.studio.viewer.security import COOKIE
from taskmatrix.studio.viewer.server import MOST_VIEWERS
from taskmatrix.studio.viewer.viewer import BURST

from .serving import Message, Served, asked, connect, refused, serving


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


@pytest.fixture(autouse=True)
def _warnings(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "taskmatrix")
