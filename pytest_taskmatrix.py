"""The pytest plug-in of taskmatrix: sessions and benches for tests, whose recordings a failed test leaves behind.

It is a module beside the package, because pytest loads it at the start of every run of whoever has taskmatrix
installed: it loads in a moment, and the package when a test asks for it.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

if TYPE_CHECKING:
    from taskmatrix.robots import Robot
    from taskmatrix.session.session import Session
    from taskmatrix.simulation.scenes.world import World
    from taskmatrix.testing import Bench, EventLog

FOLDER = "taskmatrix-recordings"
LONGEST = 150  # characters of the name of a file

Write = Callable[[Path, str], Path]
"""Writes a recording to a path without its ending, with what to type to run the test; returns the path."""


class Trial(NamedTuple):
    """A robot in a world in a test."""

    session: Session
    """The session."""
    events: EventLog
    """Everything that it tells."""


class MakeTrial:
    """Puts robots into worlds, as :func:`taskmatrix.simulate` does; the sessions are closed when the test is over."""

    def __init__(self, keep: Callable[[Write], None]) -> None:
        self._keep = keep
        self._open: list[Session] = []

    def __call__(
        self,
        robot: str | Path | Robot = "mannequin",
        world: str | Path | World = "sparse",
        seed: int = 0,
        **options: Any,
    ) -> Trial:
        """A session and its events.

        Args:
            robot: As for :func:`taskmatrix.simulate`.
            world: As for it.
            seed: As for it.
            **options: The rest of its arguments.

        Raises:
            TaskMatrixError: As it does.
        """
        from taskmatrix.session.session import simulate  # noqa: PLC0415 - loaded by tests that use it
        from taskmatrix.testing import EventLog  # noqa: PLC0415

        session, events = simulate(robot, world, seed, **options), EventLog()
        self._open.append(session)
        session.events.subscribe(events)
        self._keep(lambda path, command: _record(session, events, path, command))
        return Trial(session, events)

    def close(self) -> None:
        """Close all sessions."""
        while self._open:
            self._open.pop().close()


class MakeBench:
    """Makes benches of fakes, with the arguments of :class:`taskmatrix.testing.Bench`."""

    def __init__(self, keep: Callable[[Write], None]) -> None:
        self._keep = keep

    def __call__(self, *arguments: Any, **options: Any) -> Bench:
        """A bench.

        Args:
            *arguments: As for :class:`taskmatrix.testing.Bench`.
            **options: As for it.
        """
        from taskmatrix.testing import Bench  # noqa: PLC0415 - loaded by tests that use it

        bench = Bench(*arguments, **options)
        self._keep(lambda path, _: _log(bench.events, path))
        return bench


def pytest_addoption(parser: pytest.Parser) -> None:
    """Where recordings go."""
    parser.getgroup("taskmatrix").addoption(
        "--taskmatrix-recordings",
        metavar="DIR",
        help=f"folder for the recordings of failed tests; '{FOLDER}' in the root folder of pytest unless given",
    )


@pytest.fixture
def taskmatrix_session(request: pytest.FixtureRequest) -> Iterator[MakeTrial]:
    """Put robots into worlds, as :class:`MakeTrial` does.

    Example:
        ``session, events = taskmatrix_session("talos", "sparse", seed=1)``
    """
    make = MakeTrial(_kept(request.node).append)
    yield make
    make.close()


@pytest.fixture
def taskmatrix_bench(request: pytest.FixtureRequest) -> MakeBench:
    """Make benches of fakes, as :class:`MakeBench` does.

    Example:
        ``bench = taskmatrix_bench([thing("cup", (0.5, 0.0, 0.9))])``
    """
    return MakeBench(_kept(request.node).append)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Leave the recordings of a test that failed behind, and say where."""
    report = yield
    if report.failed and _kept(item):
        report.sections.append(("taskmatrix", "\n".join(_written(item))))
    if report.failed or call.when == "teardown":
        _kept(item).clear()  # pytest keeps its items to the end, and these keep all events
    return report


_KEPT = pytest.StashKey[list[Write]]()


def _kept(item: pytest.Item) -> list[Write]:
    """What writes the recordings of a test."""
    return item.stash.setdefault(_KEPT, [])


def _written(item: pytest.Item) -> Iterator[str]:
    """Write the recordings of a test; what to say of each."""
    folder = Path(item.config.getoption("--taskmatrix-recordings") or item.config.rootpath / FOLDER)
    name = re.sub(r"[^\w.=+-]+", "-", item.nodeid).strip("-")[-LONGEST:]
    for number, write in enumerate(_kept(item), 1):
        try:
            folder.mkdir(parents=True, exist_ok=True)
            path = folder / (name if number == 1 else f"{name}-{number}")
            yield f"recording: {write(path, shlex.join(['pytest', item.nodeid]))}"
        except OSError as error:
            yield f"no recording: cannot write {error.filename or folder}: {error.strerror or error}"


def _record(session: Session, events: EventLog, path: Path, command: str) -> Path:
    """Write the recording of a session, which may be closed."""
    from taskmatrix.session.recording import Recorder  # noqa: PLC0415 - loaded when needed

    path = path.with_name(f"{path.name}.mcap")
    recorder = Recorder(path, session.header(command), session.scene())
    try:
        for event in events:
            recorder(event)
    finally:
        recorder.close()
    return path


def _log(events: EventLog, path: Path) -> Path:
    """Write events without a robot as lines of JSON."""
    path = path.with_name(f"{path.name}.jsonl")
    path.write_text("".join(f"{event.to_json()}\n" for event in events), encoding="utf-8")
    return path
