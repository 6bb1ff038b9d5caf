"""What pictures of a run are made from, out of its recording alone: no robot, no world and no seed is needed."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.base.errors import RecordingError
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.objects import Array, ObjectModel, Shape
from taskmatrix.session.catalogue import SUBJECTS
from taskmatrix.simulation.scenes.world import Ground, World

from ..drawing.frame_recorder import FrameRecorder
from ..drawing.renderer import Frame
from .body import RecordedBody
from .recording_reader import Recording

BOX_CORNERS, BOX_TRIANGLES = 8, 12
_STL = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


@dataclass(frozen=True, eq=False)
class Drawable:
    """A recording as what can be drawn of it."""

    body: RecordedBody
    """The robot."""
    world: World
    """Only what is seen of it: objects, where they are at the start, and the floor."""
    frames: Sequence[Frame]
    """The run."""
    subject: str
    """Id of the object that it is about."""


@contextmanager
def drawable(recording: Recording) -> Iterator[Drawable]:
    """What pictures are made from, as long as its surfaces are needed, which are in files for the time.

    Raises:
        RecordingError: The recording has no control steps, no scene, or no objects in it.
    """
    scene = recording.scene
    objects = scene.get("objects", ())
    if not objects:
        raise RecordingError(f"no pictures of {recording.path}: there are no objects in its scene")
    frames = _frames(recording)
    if not frames:
        raise RecordingError(f"no pictures of {recording.path}: it has no control steps")
    with TemporaryDirectory(prefix="taskmatrix-") as folder:
        surfaces = [_Surface(mesh, Path(folder) / f"{number}.stl") for number, mesh in enumerate(scene["meshes"])]
        seen = [
            surfaces[each["mesh"]].shape(np.eye(4).reshape(-1), each["color"]) for each in scene["robot"]["visuals"]
        ]
        models = {each["id"]: _object(each, surfaces) for each in objects}
        subject = _subject(recording, models)
        world = World(
            name=str(recording.header.get("world", "")),
            description="",
            source="",
            objects=models,
            poses={each["id"]: np.array(each["X_WO"]).reshape(4, 4) for each in objects},
            default_object=subject,
            start=((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
            bounds=tuple(scene["bounds"]),
            furniture_scale=1.0,
            placements={},
            grounds=tuple(_ground(each) for each in scene.get("grounds", ())),
        )
        yield Drawable(RecordedBody(scene["robot"], seen), world, frames, subject)


class _Surface:
    """A mesh of a scene as a file, or as a box where it is one."""

    def __init__(self, mesh: Mapping[str, str], path: Path) -> None:
        positions = _decoded(mesh["positions"], "<f4").reshape(-1, 3)
        corners = positions[_decoded(mesh["triangles"], "<u4").reshape(-1, 3)]
        self._extent = _box(positions, len(corners))
        self._path = path
        if self._extent is None:
            facets = np.zeros(len(corners), dtype=_STL)
            facets["corners"] = corners
            path.write_bytes(bytes(80) + np.uint32(len(corners)).astype("<u4").tobytes() + facets.tobytes())

    def shape(self, X_OS: Any, color: Sequence[float]) -> Shape:
        """The surface at a pose, in a colour."""
        pose = np.array(X_OS, dtype=float).reshape(4, 4)
        red, green, blue, opacity = color
        if self._extent is not None:
            return Shape("box", self._extent, pose, (red, green, blue, opacity))
        return Shape("mesh", (1.0, 1.0, 1.0), pose, (red, green, blue, opacity), mesh=self._path)


def _box(positions: NDArray[Any], triangles: int) -> tuple[float, ...] | None:
    """Extents [m] of a surface that is a box around its origin; None of any other. Walls are cut where they hide."""
    corners = np.unique(positions, axis=0)
    extent = positions.max(axis=0) - positions.min(axis=0) if len(positions) else np.zeros(3)
    is_box = len(corners) == BOX_CORNERS and triangles == BOX_TRIANGLES and np.allclose(abs(corners), extent / 2)
    return tuple(float(each) for each in extent) if is_box else None


def _object(each: Mapping[str, Any], surfaces: Sequence[_Surface]) -> ObjectModel:
    shapes = tuple(surfaces[shape["mesh"]].shape(shape["X_OS"], shape["color"]) for shape in each["shapes"])
    return ObjectModel(each["id"], each["type"], shapes, movable=not each["fixed"])


def _ground(each: Mapping[str, Any]) -> Ground:
    (x, y), (right, top), (red, green, blue) = each["lower"], each["upper"], each["color"][:3]
    return Ground((x, y), (right, top), (red, green, blue), each["pattern"])


def _frames(recording: Recording) -> list[Frame]:
    """Frames of the recording, with what runs in them."""
    recorder = FrameRecorder()
    for event in recording.events("message", "step", "outcome"):
        data = event["data"]
        if event["kind"] == "step":
            data = {"q": np.array(data["q"], dtype=float), "poses": _poses(data["poses"])}
        recorder(Event(event["time"], event["step"], event["kind"], event["source"], data))
    return recorder.frames


def _poses(told: Mapping[str, Any]) -> dict[str, Array]:
    return {id: np.array(X_WO, dtype=float) for id, X_WO in told.items() if X_WO is not None}


def _subject(recording: Recording, models: Mapping[str, ObjectModel]) -> str:
    """What the last behavior is about: an object that its parameters name, else one that can be carried, else any."""
    programs = list(recording.events("program"))
    given = programs[-1]["data"].get("parameters") or {} if programs else {}
    named = [given[name] for name in SUBJECTS if given.get(name) in models]
    return str([*named, *(id for id, model in models.items() if model.movable), *models][0])


def _decoded(text: str, kind: str) -> NDArray[Any]:
    return np.frombuffer(base64.b64decode(text), kind)
