"""A program on a recording of itself: the test that it still does what it did."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from taskmatrix.session.session import Session, simulate
from taskmatrix.skills.planning.settings import PlannerSettings

from .comparison import Comparison, compare
from .log_plant import LogPlant
from .recording_reader import Recording

TAKEN = ("start", "second_robot", "perception", "policy")


def repeat(recording: str | Path | Recording, program: Callable[[Session], object], **settings: Any) -> Comparison:
    """Run a program on what a recording of it has sensed, and compare what it does with what it did.

    ::

        assert repeat("pickup.mcap", lambda session: session.run(Pickup(object="soda_can"))).same

    The session has the recording's robot, world, seed, perception and policy, and nothing is simulated. Whatever the
    program commands, it senses what was sensed then; the first message or command that differs is in the result. A
    program that goes on for longer than the recording fails with :attr:`~taskmatrix.core.FailureKind.PLANT`.

    Args:
        recording: Of a session from its beginning; or its file.
        program: Runs behaviors in a session.
        settings: Of the session, in place of the recording's: a robot or a world that is known by its file only, say.

    Raises:
        RecordingError: This is no recording, or it does not fit the session.
    """
    first = recording if isinstance(recording, Recording) else Recording.open(recording)
    header = first.header
    known = {name: header[name] for name in ("robot", "world", "seed", *TAKEN) if header.get(name) is not None}
    if header.get("planner"):
        known["planning"] = PlannerSettings(str(header["planner"]))
    if known.get("start") is not None:
        known["start"] = tuple(known["start"])
    plant, dt = partial(LogPlant, first), header["dt"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / first.path.name
        with simulate(**{**known, **settings, "plant": plant, "control_step": dt}) as session:
            session.record(path)
            program(session)
        return compare(first, Recording.open(path))
