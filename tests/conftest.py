"""What every test shares: the grammar is checked over every event stream; without PyBullet nothing renders."""

from __future__ import annotations

import ctypes
import gc
import importlib.util
import os
import resource
import signal
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy is loaded: processes share the processors already

import numpy as np
import pytest

from taskmatrix.core.base import cache as cache_module
from taskmatrix.core.base.clock import Clock
from taskmatrix.core.base.events import Event, EventStream
from taskmatrix.core.base.message import Message, MessageKind, grammar_violation
from taskmatrix.robots import Robot
from taskmatrix.robots.loading import loader
from taskmatrix.robots.loading.adapter import build_robot

SESSIONS = 16  # event streams between two collections of garbage at most
GROWN = 100.0  # [MB] after which it is collected sooner
ALL = 8  # collections of which one looks through everything, the others through what is new since the last
signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background of a script Ctrl-C is ignored otherwise


@pytest.fixture(autouse=True, scope="session")
def robots_are_read_once() -> Iterator[None]:
    """The robots that come with the library are read once in a process, and their arrays are not to be written to."""

    @cache
    def shared(path: Path) -> Robot:
        robot = build_robot(path)
        for field in fields(robot):
            if isinstance(value := getattr(robot, field.name), np.ndarray):
                value.setflags(write=False)
        _shared.append(robot)
        return robot

    def build(path: Path) -> Robot:
        return shared(path) if path.is_relative_to(loader.FOLDER) else build_robot(path)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loader, "build_robot", build)
        yield


@pytest.fixture(autouse=True, scope="session")
def what_stays_is_not_looked_through_again() -> Iterator[None]:
    """Modules, robots and what else is there for good are no garbage."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


_shared = list[Robot]()
_trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc: gives the system back what is free
_since = 0  # event streams that were made since garbage was collected last
_collected = 0  # how often it was
_after = 0.0  # [MB] that the process had when it had been


def collect_garbage(made: int) -> None:
    """Collect sessions that tests have left: they refer to themselves, and their arrays do not count for Python."""
    global _since, _after, _collected  # noqa: PLW0603 - of a process
    _since += made
    if _since >= SESSIONS or resident() > _after + GROWN:
        for robot in _shared:
            vars(robot).pop("visual_model", None)  # up to 50 MB each
        if _collected % ALL == 0:
            gc.unfreeze()
        gc.collect()
        gc.freeze()
        _collected += 1
        if _trim is not None:
            _trim(0)
        _since, _after = 0, resident()


def resident() -> float:
    """[MB] Memory of the process, where the system tells it as Linux does; else 0."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0.0
    return pages * resource.getpagesize() / 1e6


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
    collect_garbage(len(streams))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what renders where PyBullet is not installed."""
    if importlib.util.find_spec("pybullet") is None:
        for item in items:
            if item.get_closest_marker("pictures"):
                item.add_marker(pytest.mark.skip(reason="needs PyBullet, which has wheels for CPython 3.10 and 3.11"))


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for what is kept on disk, in place of the user's."""
    monkeypatch.setattr(cache_module, "cache_root", lambda: tmp_path / "cache")
    return tmp_path / "cache"


@pytest.fixture
def parts() -> frozenset[str]:
    """Behaviors that are parts of machines, and are judged with them; or that take physics, as ``kick``."""
    return frozenset({"forward", "reverse", "timer", "notice", "turn", "meet", "choose-view", "travel", "kick"})
