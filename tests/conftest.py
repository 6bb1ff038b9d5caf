"""What every test shares: the grammar is checked over every event stream; without PyBullet nothing renders."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import pytest

from taskmatrix.core.clock import Clock
from taskmatrix.core.events import Event, EventStream
from taskmatrix.core.message import Message, MessageKind, grammar_violation


@pytest.fixture(autouse=True)
def grammar_holds(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Collect the messages of all event streams; at the end none may break the grammar."""
    streams: list[list[Message]] = []
    plain_init = EventStream.__init__

    def watched_init(self: EventStream, clock: Clock) -> None:
        plain_init(self, clock)
        messages: list[Message] = []
        streams.append(messages)

        def collect(event: Event) -> None:
            if event.kind == "message":
                data: dict[str, Any] = {key: value for key, value in event.data.items() if key != "message"}
                messages.append(Message(MessageKind(event.data["message"]), event.source, event.time, data))

        self.subscribe(collect)

    monkeypatch.setattr(EventStream, "__init__", watched_init)
    yield
    for messages in streams:
        assert grammar_violation(messages, complete=False) is None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what renders where PyBullet is not installed."""
    if importlib.util.find_spec("pybullet") is None:
        for item in items:
            if item.get_closest_marker("pictures"):
                item.add_marker(pytest.mark.skip(reason="needs PyBullet, which has wheels for CPython 3.10 and 3.11"))
