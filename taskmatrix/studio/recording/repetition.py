"""A program on a recording of itself: the test that it still does what it did."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from taskmatrix.core.base.errors import ParameterError, RecordingError
from taskmatrix.core.world.objects import ObjectModel
from taskmatrix.session.connection import NOWHERE, nowhere
from taskmatrix.session.perception_pipeline import ReportedPipeline
from taskmatrix.session.session import Session, simulate
from taskmatrix.skills.planning.settings import PlannerSettings

from .comparison import Comparison, compare
from .log_plant import LogPlant
from .recording_reader import Recording

TAKEN = ("start", "second_robot", "perception", "policy")


def repeat(
    recording: str | Path | Recording,
    program: Callable[[Session], object],
    objects: Iterable[ObjectModel] = (),
    **settings: Any,
) -> Comparison:
    """Run a program on what a recording of it has sensed, and compare what it does with what it did.

    ::

        assert repeat("pickup.mcap", lambda session: session.run(Pickup(object="soda_can"))).same

    The session has the recording's robot, world, seed, perception and policy, and nothing is simulated. Whatever the
    program commands, it senses what was sensed then; the first message or command that differs is in the result. A
    program that goes on for longer than the recording fails with :attr:`~taskmatrix.core.FailureKind.PLANT`.

    Args:
        recording: Of a session from its beginning; or its file.
        program: Runs behaviors in a session.
        objects: Models of what a robot perceived that was connected without a world: a recording has what they look
            like, and not how they are grasped.
        settings: Of the session, in place of the recording's: a robot or a world that is known by its file only, say.

    Raises:
        RecordingError: This is no recording, it does not fit the session, or there is no model of an object.
        ParameterError: Models are given, and the recording has a world.
    """
    first = recording if isinstance(recording, Recording) else Recording.open(recording)
    header = first.header
    known = {name: header[name] for name in ("robot", "world", "seed", *TAKEN) if header.get(name) is not None}
    if header.get("planner"):
        known["planning"] = PlannerSettings(str(header["planner"]))
    if known.get("start") is not None:
        known["start"] = tuple(known["start"])
    if known.get("world") == NOWHERE and "world" not in settings:
        known["world"] = nowhere(_models(first, objects))
    elif tuple(objects):
        raise ParameterError(f"{first.path} has a world, with the models of its objects")
    if known.get("perception") == ReportedPipeline.name:
        known["perception"] = "omniscient"  # what was reported is what there is
    plant, dt = partial(LogPlant, first), header["dt"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / first.path.name
        with simulate(**{**known, **settings, "plant": plant, "control_step": dt}) as session:
            session.record(path)
            program(session)
        return compare(first, Recording.open(path))


def _models(recording: Recording, given: Iterable[ObjectModel]) -> list[ObjectModel]:
    """Models of all that was perceived in a recording."""
    models = {model.id: model for model in given}
    missing = [f"'{each['id']}'" for each in recording.scene["objects"] if each["id"] not in models]
    if missing:
        listed = ", ".join(missing)
        raise RecordingError(f"{recording.path} has {listed}, of which it knows the looks only: give objects=[...]")
    return list(models.values())
