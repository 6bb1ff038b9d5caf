"""Zenoh as a transport: who meets whom, and where it listens."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from taskmatrix.core.base.clock import RealClock
from taskmatrix.core.base.errors import MissingDependencyError, ParameterError
from taskmatrix.core.base.transport import Inbox, Transport
from taskmatrix.transports import Zenoh
from taskmatrix.transports.zenoh_transport import LARGEST


def free_port() -> int:
    """A port at which nobody listens."""
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


def soon(inbox: Inbox[bytes], clock: RealClock, publish: tuple[Transport, str, bytes] | None = None) -> bytes | None:
    """What arrives within 5 s; said again and again until it does."""
    for _ in range(500):
        if publish is not None:
            publish[0].publish(publish[1], publish[2])
        clock.sleep_until(clock.now() + 0.01)
        data = inbox.take()
        if data is not None:
            return data
    return None


@pytest.fixture
def port() -> int:
    """For the processes of a test."""
    pytest.importorskip("zenoh")
    return free_port()


@pytest.fixture
def two(port: int) -> Iterator[tuple[Zenoh, Zenoh]]:
    """Two that meet."""
    first, second = Zenoh(port=port), Zenoh(port=port)
    yield first, second
    first.close()
    second.close()


def test_what_is_published_arrives(two: tuple[Zenoh, Zenoh]) -> None:
    """From one to the other, both ways, and only at its address."""
    first, second = two
    for one, other in ((first, second), (second, first)):
        inbox, elsewhere = one.listen("a/out"), one.listen("a/in")
        assert soon(inbox, RealClock(), (other, "a/out", b"word")) == b"word"
        assert elsewhere.take() is None
        inbox.close()


def test_the_last_ones_are_kept(two: tuple[Zenoh, Zenoh]) -> None:
    """As many as were asked for, in their order; what is published may be lost on the way, so it goes on."""
    first, second = two
    inbox, last = first.listen("a/out", 3), first.listen("a/last")
    assert soon(last, RealClock(), (second, "a/last", b"begin")) == b"begin"
    assert inbox.take() is None
    clock, newest = RealClock(), b""
    for k in range(250):
        second.publish("a/out", bytes([k]))
        second.publish("a/last", bytes([k]))
        clock.sleep_until(clock.now() + 0.01)
        newest = last.take() or newest
        if k > 9 and newest == bytes([k]):
            break
    kept = [inbox.take() or b"" for _ in range(3)]
    assert inbox.take() is None
    assert b"\x03" < kept[0] < kept[1] < kept[2]


def test_a_question_to_nobody_is_told_at_once(two: tuple[Zenoh, Zenoh]) -> None:
    """And one that nobody deals with after the time."""
    first, second = two
    assert first.ask("a/ask", b"?", 5.0) is None
    requests = second.answer("a/ask", 4)
    clock, began, ended = RealClock(), 0.0, 0.0
    for _ in range(100):
        began = clock.now()
        try:
            first.ask("a/ask", b"?", 0.1)
        except TimeoutError:
            ended = clock.now()
            break
        clock.sleep_until(clock.now() + 0.01)
    assert 0.09 < ended - began < 1.0
    request = requests.take()
    assert request is not None
    assert request.data == b"?"


def test_what_is_huge_is_not_let_in(two: tuple[Zenoh, Zenoh]) -> None:
    """And what comes after it arrives."""
    first, second = two
    inbox = first.listen("a/out", 8)
    assert soon(inbox, RealClock(), (second, "a/out", b"begin")) == b"begin"
    while inbox.take() is not None:
        pass
    second.publish("a/out", bytes(2 * LARGEST))
    assert soon(inbox, RealClock(), (second, "a/out", b"end")) == b"end"


def test_nothing_listens_elsewhere_than_on_the_loopback(two: tuple[Zenoh, Zenoh]) -> None:
    """Of the sockets of this process, by what the kernel says: neither TCP nor UDP, neither multicast."""
    if not sys.platform.startswith("linux"):
        pytest.skip("asks the kernel of Linux")
    assert two[0].identity != two[1].identity
    inodes = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            inodes.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
        except OSError:
            continue
    found = []
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/self/net/{kind}").read_text(encoding="ascii").splitlines()[1:]:
            words = line.split()
            if words[9] in inodes and (kind.startswith("udp") or words[3] == "0A"):
                found.append((kind, words[1].split(":")[0]))
    assert found == [("tcp", "0100007F")] * 2


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"port": 0}, "a port is a number from 1 to 65535, not 0"),
        ({"port": "7451"}, "not '7451'"),
        ({"peers": ["10.0.0.7"]}, "a peer is a host and a port, such as '10.0.0.7:7451', not '10.0.0.7'"),
        ({"host": "256.1.1.1"}, "cannot listen at '256.1.1.1'"),
    ],
)
def test_what_cannot_be_is_refused(given: dict[str, object], words: str) -> None:
    """With what is allowed."""
    pytest.importorskip("zenoh")
    with pytest.raises(ParameterError, match=words):
        Zenoh(**given)  # type: ignore[arg-type]


def test_without_zenoh_it_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """And the module can be imported all the same."""
    monkeypatch.setitem(sys.modules, "zenoh", None)
    with pytest.raises(MissingDependencyError, match=r'pip install -e "\.\[remote\]"'):
        Zenoh()
