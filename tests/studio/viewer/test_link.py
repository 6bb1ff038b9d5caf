"""The pipes to the viewer's process: a fake one that a test holds in its hands, and the real one."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from typing import Any

import pytest

from taskmatrix.core.base.clock import SimulatedClock
from taskmatrix.core.base.errors import MissingDependencyError, TaskMatrixError
from taskmatrix.core.base.events import EventStream
from taskmatrix.session.live import link as module
from taskmatrix.session.live.frames import HEAD, Frame, unpacked_head
from taskmatrix.session.live.link import Link
from taskmatrix.studio.viewer import page_files

from .tales import Tale, encoded, pickup


class Pipes:
    """The other end of a link, without a process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.frames_out, frames_in = os.pipe()
        commands_out, self.commands_in = os.pipe()
        frames, commands = os.fdopen(frames_in, "wb", 0), os.fdopen(commands_out, "rb", 0)

        class Process:
            stdin, stdout = frames, commands

            def __init__(self, *_: Any, **__: Any) -> None:
                self.killed = False

            def wait(self, timeout: float | None = None) -> int:
                return 0

            def kill(self) -> None:
                self.killed = True

        monkeypatch.setattr("subprocess.Popen", Process)
        os.set_blocking(self.frames_out, False)
        self.open = {self.frames_out, self.commands_in}
        self.theirs = (frames, commands)

    def say(self, line: bytes) -> None:
        os.write(self.commands_in, line + b"\n")

    def received(self) -> list[Frame]:
        """What has come, as far as it is whole."""
        read = b""
        while True:
            try:
                more = os.read(self.frames_out, 1 << 20)
            except BlockingIOError:
                break
            if not more:
                break
            read += more
        found = []
        while read:
            kind, source, body, time = unpacked_head(read[: HEAD.size])
            rest = read[HEAD.size :]
            found.append(Frame(kind, time, rest[:source].decode(), rest[source : source + body]))
            read = rest[source + body :]
        return found

    def close(self, end: int | None = None) -> None:
        for pipe in [end] if end is not None else list(self.open):
            os.close(pipe)
            self.open.discard(pipe)


@pytest.fixture
def pipes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pipes]:
    made = Pipes(monkeypatch)
    yield made
    made.close()
    for pipe in made.theirs:
        pipe.close()


@pytest.fixture
def link(pipes: Pipes) -> Iterator[Link]:
    made = Link()
    pipes.say(b'{"address": "http://here/"}')
    assert made.begin({"header": {}}, b"scene", encoded) == "http://here/"
    assert [frame.kind for frame in pipes.received()] == [b"h", b"c"]
    yield made
    made.close()


def test_events_arrive_as_they_were(link: Link, pipes: Pipes) -> None:
    """Each is a frame, in order, with its time and its source."""
    tale = pickup()
    for event in tale.events:
        link(event)
    link.status({"status": "idle"})
    link.poll()
    received = pipes.received()
    assert received[:-1] == list(tale.frames())
    assert received[-1].body == b'{"status":"idle"}'
    assert link.dropped == 0


def test_a_goal_that_stays_as_it_is_goes_out_once(link: Link, pipes: Pipes) -> None:
    """A recurrent task says it in every control step."""
    tale = Tale()
    for _ in range(5):
        tale.say("gaze", "goal-failed")
        tale.steps(1)
    for event in tale.events:
        link(event)
    assert [frame.kind for frame in pipes.received()] == [b"e", b"s", b"s", b"s", b"s", b"s"]


def test_commands_arrive_once_whole_and_checked(link: Link, pipes: Pipes, caplog: pytest.LogCaptureFixture) -> None:
    """What the viewer's process says is not trusted either."""
    assert link.poll() == []
    os.write(pipes.commands_in, b'{"type": "pause", "client": 3}\n{"type": "st')
    assert link.poll() == [{"type": "pause", "client": 3}]
    pipes.say(b'op", "client": 4}')
    assert link.poll() == [{"type": "stop", "client": 4}]
    for wrong in (
        b"x",
        b'{"type": "stop"}',
        b'{"type": "eval", "client": 1}',
        b"[]",
        b'{"type": "stop", "client": "a"}',
    ):
        pipes.say(wrong)
    assert link.poll() == []
    assert len(caplog.records) == 5


def test_a_viewer_that_takes_nothing_does_not_stop_the_run(link: Link, pipes: Pipes) -> None:
    """Steps are left out, everything else waits and comes in order, and what was cut in two comes whole."""
    tale = Tale()
    for number in range(300):
        tale.steps(100)
        tale.tell("failure", f"a/{number}", text="x" * 1000)
    for event in tale.events:
        link(event)
    assert link.dropped > 10_000
    assert link.alive
    received: list[Frame] = []
    os.set_blocking(pipes.frames_out, False)
    data = b""
    for _ in range(1000):
        link.poll()
        try:
            data += os.read(pipes.frames_out, 1 << 20)
        except BlockingIOError:
            break
    while data:
        kind, source, body, time = unpacked_head(data[: HEAD.size])
        whole = HEAD.size + source + body
        received.append(Frame(kind, time, "", data[HEAD.size + source : whole]))
        data = data[whole:]
    said = [frame.body for frame in received if frame.kind == b"e"]
    assert said == [encoded(event) for event in tale.events if event.kind == "failure"]
    assert len(received) == len(tale.events) - link.dropped


def test_a_viewer_that_is_hung_is_given_up(
    link: Link, pipes: Pipes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What waits for it does not grow for ever."""
    monkeypatch.setattr(module, "MOST", 2_000_000)
    tale = Tale()
    tale.say("a", "x" * 10_000)
    for _ in range(1000):
        link(tale.events[0])
    assert not link.alive
    assert not link._waiting
    assert link.poll() == []
    link.wait(100.0)  # returns at once
    (record,) = caplog.records
    assert "the run goes on without it" in record.getMessage()


@pytest.mark.parametrize("end", ["frames_out", "commands_in"])
def test_a_viewer_that_dies_is_told_once(link: Link, pipes: Pipes, end: str, caplog: pytest.LogCaptureFixture) -> None:
    """A warning, and the run goes on: no event raises."""
    caplog.set_level(logging.WARNING)
    pipes.close(getattr(pipes, end))
    stream = EventStream(SimulatedClock())
    stream.subscribe(link)
    for _ in range(5):
        stream.emit("planning", "planner", ik_attempts=1)
        assert link.poll() == []
    assert not link.alive
    (record,) = caplog.records
    assert "the viewer has ended; the run goes on without it" in record.getMessage()


def test_a_viewer_that_cannot_serve_says_why(pipes: Pipes) -> None:
    """The address is taken, say."""
    link = Link()
    pipes.say(b'{"error": "the port is taken"}')
    with pytest.raises(TaskMatrixError, match="the port is taken"):
        link.begin({}, b"", encoded)
    assert not link.alive


def test_a_viewer_that_ends_before_it_serves(pipes: Pipes, caplog: pytest.LogCaptureFixture) -> None:
    """A clear word, nothing waits, and nobody says that the run goes on."""
    link = Link()
    pipes.close(pipes.commands_in)
    with pytest.raises(TaskMatrixError, match="the viewer has ended: the run does not begin"):
        link.begin({}, b"", encoded)
    assert caplog.records == []


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """With how to get it."""
    for asking in (module, page_files):
        monkeypatch.setattr(asking, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match=r'needs aiohttp and nicegui.*pip install -e "\.\[view\]"'):
        Link()
    with pytest.raises(MissingDependencyError, match=r"three\.js.*NiceGUI 3\.18"):
        page_files.three_js()


@pytest.mark.slow
def test_the_real_process(caplog: pytest.LogCaptureFixture) -> None:
    """It serves what it is told, and the run goes on when it is killed."""
    link = Link()
    address = link.begin({"header": {}, "controls": True}, b"{}", encoded)
    assert address.startswith("http://127.0.0.1:")
    with pytest.raises(TaskMatrixError, match="cannot listen at"):
        Link(port=int(address.rstrip("/").rpartition(":")[2])).begin({}, b"{}", encoded)
    tale = pickup()
    for event in tale.events:
        link(event)
    assert link.alive
    link._process.kill()
    link._process.wait()
    for event in tale.events:
        link(event)
    assert not link.alive
    link.close()
    assert "goes on without it" in caplog.text
