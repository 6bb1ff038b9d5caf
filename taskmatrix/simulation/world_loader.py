"""Worlds from TOML files."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np

from taskmatrix.core.errors import NotFoundError, ParameterError, WorldError, not_found
from taskmatrix.core.geometry import pose
from taskmatrix.core.objects import ObjectModel
from taskmatrix.core.tables import Table, read_table
from taskmatrix.simulation.object_loader import LoadedObject, read_object
from taskmatrix.simulation.world import Placement, World, place

_WORLDS = Path(__file__).parent / "worlds"
_OBJECTS = Path(__file__).parent / "objects"
_KEYS = ("description", "reference_shoulder_height", "default_object", "start", "bounds", "object")
_PLACE = ("id", "on", "position", "rpy", "jitter")


def world_names() -> tuple[str, ...]:
    """The names of the worlds that come with the library."""
    return tuple(sorted(file.stem for file in _WORLDS.glob("*.toml")))


def world_descriptions() -> dict[str, str]:
    """The worlds that come with the library, each with its one line."""
    return {name: read_table(_WORLDS / f"{name}.toml", WorldError).get("description", str) for name in world_names()}


def load_world(
    name_or_path: str | Path, shoulder_height: float | None = None, furniture_scale: float | None = None
) -> World:
    """Load a world.

    Args:
        name_or_path: One of :func:`world_names`, or the path of a TOML file.
        shoulder_height: [m] Of the robot that will live in it: furniture is scaled by its ratio to the file's
            ``reference_shoulder_height``.
        furniture_scale: The scale itself, instead; 1 if neither is given.

    Raises:
        NotFoundError: No world has that name.
        WorldError: A file is missing, malformed or inconsistent.
        ParameterError: A height or scale that is not greater than 0.
    """
    file = _find(name_or_path)
    table = read_table(file, WorldError).only(*_KEYS)
    description = table.get("description", str)
    reference = table.positive("reference_shoulder_height")
    for key, value in (("shoulder_height", shoulder_height), ("furniture_scale", furniture_scale)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise ParameterError(f"{key} must be greater than 0, not {value!r}")
    scale = furniture_scale or (shoulder_height / reference if shoulder_height else 1.0)

    objects: dict[str, ObjectModel] = {}
    placements: dict[str, Placement] = {}
    scales: dict[str, float] = {}
    masses: dict[str, float] = {}
    for entry in table.tables("object"):
        name = entry.get("id", str)
        entry = replace(entry, key=f"object['{name}']")  # noqa: PLW2901 - the same, by a better name
        if name in objects:
            raise entry.error("id", "there are two objects with this id; ids must be unique")
        placements[name] = _placement(entry, scales)
        loaded = _object(entry, name)
        scales[name] = scale if loaded.furniture else 1.0
        objects[name] = loaded.scaled(scale).model if loaded.furniture else loaded.model
        if loaded.mass is not None:
            masses[name] = loaded.mass

    default = table.get("default_object", str)
    if default not in objects:
        raise table.error("default_object", not_found("object", default, objects))
    return World(
        name=file.stem,
        description=description,
        source=str(file),
        objects=objects,
        poses=place(objects, placements),
        masses=masses,
        default_object=default,
        start=_start(table.table("start")),
        bounds=_bounds(table),
        furniture_scale=scale,
        placements=placements,
    )


def _find(name_or_path: str | Path) -> Path:
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix == ".toml" or len(path.parts) > 1:
        return path.resolve()
    if name_or_path not in world_names():
        raise NotFoundError("world", name_or_path, world_names())
    return _WORLDS / f"{name_or_path}.toml"


def _object(entry: Table, id: str) -> LoadedObject:
    """The object of an entry: its ``model`` by name or path, or described in place."""
    if "model" not in entry.data:
        return read_object(entry, id, *_PLACE)
    model = entry.only(*_PLACE, "model").get("model", str)
    if model.endswith(".toml"):
        return read_object(read_table(entry.path.parent / model, WorldError), id)
    known = [file.stem for file in _OBJECTS.glob("*.toml")]
    if model not in known:
        raise entry.error("model", not_found("object model", model, known))
    return read_object(read_table(_OBJECTS / f"{model}.toml", WorldError), id)


def _placement(entry: Table, scales: dict[str, float]) -> Placement:
    """Where an object stands; positions on a piece of furniture grow with it."""
    on = entry.get("on", str) if "on" in entry.data else None
    if on is not None and on not in scales:
        raise entry.error("on", f"{not_found('object', on, scales)} (only what stands earlier in the file)")
    grow = np.array([scales[on], scales[on], 1.0]) if on is not None else np.ones(3)
    position = np.array((*entry.numbers("position", (2, 3)), 0.0)[:3])
    table = entry.table("jitter").only("position", "yaw")
    x, y = table.numbers("position", 2, (0.0, 0.0))
    yaw = table.get("yaw", float, 0.0)
    if min(x, y, yaw) < 0:
        raise entry.error("jitter", "must not be negative")
    jitter = (x * float(grow[0]), y * float(grow[1]), math.radians(yaw))
    rpy = np.radians(entry.numbers("rpy", 3, (0.0, 0.0, 0.0)))
    return Placement(on, position * grow, pose(rpy=rpy.tolist())[:3, :3], jitter)


def _start(table: Table) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    table.only("lower", "upper")
    x0, y0, yaw0 = table.numbers("lower", 3)
    x1, y1, yaw1 = table.numbers("upper", 3)
    if x1 < x0 or y1 < y0 or yaw1 < yaw0:
        raise table.error("upper", "must not be below lower")
    return (x0, y0, math.radians(yaw0)), (x1, y1, math.radians(yaw1))


def _bounds(table: Table) -> tuple[float, float, float, float]:
    xmin, ymin, xmax, ymax = table.numbers("bounds", 4)
    if xmin >= xmax or ymin >= ymax:
        raise table.error("bounds", "must be xmin, ymin, xmax, ymax with xmin < xmax and ymin < ymax")
    return xmin, ymin, xmax, ymax
