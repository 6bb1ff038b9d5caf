"""Worlds from TOML files, and from scenes in MJCF."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import numpy as np

from taskmatrix.core.base.errors import NotFoundError, ParameterError, WorldError, not_found
from taskmatrix.core.base.files import FURTHEST, MOST_OBJECTS
from taskmatrix.core.base.tables import Table, read_table
from taskmatrix.core.world.geometry import bounding_box, pose
from taskmatrix.core.world.objects import ObjectModel

from .mjcf_world import read_mjcf_world
from .object_loader import LoadedObject, read_object
from .script import KEYS as _SCRIPT
from .script import Script, read_script
from .suction import Suction
from .wall_loader import read_wall
from .world import PATTERNS, Ground, Placement, SecondRobotPath, World, Zone, place

NARROWEST = 0.5
"""Furniture for the very small becomes lower, but not smaller across: what stands on it keeps its size."""

_WORLDS = Path(__file__).parents[1] / "worlds"
_OBJECTS = Path(__file__).parents[1] / "objects"
_KEYS = ("description", "reference_shoulder_height", "default_object", "default_surface", "start", "bounds")
_TABLES = ("ground", "wall", "object", "regions", "second_robot")
_PLACE = ("id", "on", "position", "rpy", "jitter", "at", "open", *_SCRIPT)


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
        name_or_path: One of :func:`world_names`, or the path of a TOML file or of a scene in MJCF (``.xml``).
        shoulder_height: [m] Of the robot that will live in it: furniture is scaled by its ratio to the file's
            ``reference_shoulder_height``; a scene in MJCF has one size.
        furniture_scale: The scale itself, instead; 1 if neither is given.

    Raises:
        NotFoundError: No world has that name.
        WorldError: A file is missing, malformed or inconsistent.
        ParameterError: It is neither a name nor a path; a height or scale that is not greater than 0.
    """
    file = _find(name_or_path)
    if file.suffix == ".xml":
        if furniture_scale not in (None, 1.0):
            raise ParameterError(f"a scene in MJCF has one size: furniture_scale can only be 1, not {furniture_scale}")
        return read_mjcf_world(file)
    table = read_table(file, WorldError).only(*_KEYS, *_TABLES)
    description = table.get("description", str)
    reference = table.positive("reference_shoulder_height")
    for key, value in (("shoulder_height", shoulder_height), ("furniture_scale", furniture_scale)):
        if value is not None and not (math.isfinite(value) and value > 0):
            raise ParameterError(f"{key} must be greater than 0, not {value!r}")
    scale = furniture_scale or (shoulder_height / reference if shoulder_height else 1.0)

    scene = _Scene(scale)
    if (count := len(table.tables("wall")) + len(table.tables("object"))) > MOST_OBJECTS:
        raise table.error("object", f"{count} objects and walls; {MOST_OBJECTS} are allowed")
    for entry in table.tables("wall"):
        scene.add_wall(_named(entry, "wall"))
    for entry in table.tables("object"):
        scene.add_object(_named(entry, "object"))
    objects = scene.objects
    default = table.choice("default_object", objects, "object")
    below = scene.placements[default].on or "floor"
    surface = table.choice("default_surface", objects, "object") if "default_surface" in table.data else below
    return World(
        name=file.stem,
        description=description,
        source=str(file),
        objects=objects,
        poses=place(objects, scene.placements),
        default_object=default,
        start=_start(table.table("start")),
        bounds=_bounds(table),
        furniture_scale=scale,
        placements=scene.placements,
        default_surface=surface,
        zones=_zones(table.table("regions"), scene.scales),
        scripts=scene.scripts,
        suctions=scene.suctions,
        second_robot=_second_robot(table.table("second_robot")) if "second_robot" in table.data else None,
        grounds=tuple(_ground(entry) for entry in table.tables("ground")),
    )


class _Scene:
    """The objects of a file, one after the other."""

    def __init__(self, scale: float) -> None:
        self._scale = scale
        self.objects: dict[str, ObjectModel] = {}
        self.placements: dict[str, Placement] = {}
        self.scales: dict[str, float] = {}  # of what is level
        self.scripts: dict[str, Script] = {}
        self.suctions: dict[str, Suction] = {}

    def add_wall(self, entry: Table) -> None:
        for model, X_WO in read_wall(entry):
            self._add(entry, model, Placement(None, X_WO[:3, 3], X_WO[:3, :3], (0.0, 0.0, 0.0)), 1.0)

    def add_object(self, entry: Table) -> None:
        name = entry.get("id", str)
        placement = _placement(entry, self.scales)
        loaded = _object(entry, name)
        scale = max(self._scale, NARROWEST) if loaded.furniture else 1.0
        model = loaded.scaled(self._scale, scale).model if loaded.furniture else loaded.model
        model = loaded.scaled(self._scale).model if loaded.equipment else model
        if placement.at is not None:
            frames = {} if placement.on is None else self.objects[placement.on].frames
            entry.choice("at", frames, f"frame of '{placement.on or 'floor'}'")
        placement, script = _scripted(entry, placement, model, self.scales)
        if placement.on in self.scripts:
            raise entry.error("on", f"'{placement.on}' moves or is not always there, and carries nothing")
        self._add(entry, model, placement, scale)
        parts = loaded.scaled(self._scale, scale).parts if loaded.furniture else loaded.parts
        shares = _shares(entry, name, parts)
        for part in parts:
            assert part.joint is not None
            opening = part.joint.opened(shares.get(part.id, 0.0))
            X_PO = part.joint.at(opening)
            placed = Placement(name, X_PO[:3, 3], X_PO[:3, :3], (0.0, 0.0, 0.0), opening)
            self._add(entry, part, placed, scale)
        if loaded.suction is not None:
            self.suctions[name] = loaded.suction
        if script is not None:
            self.scripts[name] = script

    def _add(self, entry: Table, model: ObjectModel, placement: Placement, scale: float) -> None:
        if model.id in self.objects:
            raise entry.error("id", f"there are two objects '{model.id}'; ids must be unique")
        self.objects[model.id], self.placements[model.id], self.scales[model.id] = model, placement, scale


def _find(name_or_path: str | Path) -> Path:
    if not isinstance(name_or_path, (str, Path)):
        raise ParameterError(f"a world is a name or a path, not {type(name_or_path).__name__}")
    path = Path(name_or_path)
    if isinstance(name_or_path, Path) or path.suffix in {".toml", ".xml"} or len(path.parts) > 1:
        return path.resolve()
    if name_or_path not in world_names():
        raise NotFoundError("world", name_or_path, world_names())
    return _WORLDS / f"{name_or_path}.toml"


def _named(entry: Table, kind: str) -> Table:
    """The same entry, by its id instead of its number."""
    return replace(entry, key=f"{kind}['{entry.get('id', str)}']")


def _object(entry: Table, id: str) -> LoadedObject:
    """The object of an entry: its ``model`` by name or path, or described in place."""
    if "model" not in entry.data:
        return read_object(entry, id, *_PLACE)
    model = entry.only(*_PLACE, "model").get("model", str)
    if model.endswith(".toml"):
        return read_object(read_table(entry.file("model"), WorldError, entry.home), id)
    entry.choice("model", [file.stem for file in _OBJECTS.glob("*.toml")], "object model")
    return read_object(read_table(_OBJECTS / f"{model}.toml", WorldError), id)


def _shares(entry: Table, id: str, parts: Iterable[ObjectModel]) -> dict[str, float]:
    """How far parts are open at the start, by their ids."""
    names, table, shares = [part.id.removeprefix(f"{id}_") for part in parts], entry.table("open"), {}
    for name in table.data:
        if name not in names:
            raise table.error(name, not_found("part", name, names))
        share = table.get(name, float)
        if not 0.0 <= share <= 1.0:
            raise table.error(name, f"must be from 0, closed, to 1, open, got {share}")
        shares[f"{id}_{name}"] = share
    return shares


def _placement(entry: Table, scales: dict[str, float]) -> Placement:
    """Where an object stands; positions on a piece of furniture grow with it."""
    on = entry.get("on", str) if "on" in entry.data else None
    if on is not None and on not in scales:
        raise entry.error("on", f"{not_found('object', on, scales)} (only what stands earlier in the file)")
    grow = np.array([scales[on], scales[on], 1.0]) if on is not None else np.ones(3)
    position = np.array((*entry.numbers("position", (2, 3), None, FURTHEST), 0.0)[:3])
    table = entry.table("jitter").only("position", "yaw")
    x, y = table.numbers("position", 2, (0.0, 0.0))
    yaw = table.get("yaw", float, 0.0)
    if min(x, y, yaw) < 0:
        raise entry.error("jitter", "must not be negative")
    jitter = (x * float(grow[0]), y * float(grow[1]), math.radians(yaw))
    rpy = np.radians(entry.numbers("rpy", 3, (0.0, 0.0, 0.0)))
    at = entry.get("at", str) if "at" in entry.data else None
    return Placement(on, position * grow, pose(rpy=rpy.tolist())[:3, :3], jitter, at=at)


def _scripted(
    entry: Table, placement: Placement, model: ObjectModel, scales: dict[str, float]
) -> tuple[Placement, Script | None]:
    """The script of an entry if it has one, and the placement with the heading in which it starts."""
    lower, upper = bounding_box(model.shapes, np.eye(4))
    grow = scales[placement.on] if placement.on is not None else 1.0
    script, heading = read_script(entry, placement.position[:2], grow, float(upper[2] - lower[2]) / 2)
    return replace(placement, R=pose(rpy=(0.0, 0.0, heading))[:3, :3] @ placement.R), script


def _zones(table: Table, scales: dict[str, float]) -> dict[str, Zone]:
    """The regions; what is on a piece of furniture grows with it."""
    zones = {}
    for name in table.data:
        entry = table.table(name).only("on", "lower", "upper")
        on = entry.choice("on", scales, "object") if "on" in entry.data else None
        grow = np.array([scales[on], scales[on], 1.0]) if on is not None else np.ones(3)
        lower, upper = np.array(entry.numbers("lower", 3)) * grow, np.array(entry.numbers("upper", 3)) * grow
        if (lower > upper).any():
            raise entry.error("upper", "must not be below lower")
        zones[name] = Zone(on, lower, upper)
    return zones


def _second_robot(table: Table) -> SecondRobotPath:
    table.only("position", "motion")
    position = np.append(table.numbers("position", 2), 0.0)
    table.table("motion").choice("kind", ("walk", "figure_eight"), "kind of motion for a second robot")
    script, heading = read_script(table, position[:2], 1.0, 0.0)
    assert script is not None
    return SecondRobotPath(Placement(None, position, pose(rpy=(0.0, 0.0, heading))[:3, :3], (0.0, 0.0, 0.0)), script)


def _ground(table: Table) -> Ground:
    table.only("lower", "upper", "color", "pattern")
    x0, y0 = table.numbers("lower", 2)
    x1, y1 = table.numbers("upper", 2)
    r, g, b = table.numbers("color", 3)
    pattern = table.choice("pattern", PATTERNS, "pattern") if "pattern" in table.data else "tiles"
    return Ground((x0, y0), (x1, y1), (r, g, b), pattern)


def _start(table: Table) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    table.only("lower", "upper")
    x0, y0, yaw0 = table.numbers("lower", 3)
    x1, y1, yaw1 = table.numbers("upper", 3)
    if x1 < x0 or y1 < y0 or yaw1 < yaw0:
        raise table.error("upper", "must not be below lower")
    return (x0, y0, math.radians(yaw0)), (x1, y1, math.radians(yaw1))


def _bounds(table: Table) -> tuple[float, float, float, float]:
    xmin, ymin, xmax, ymax = table.numbers("bounds", 4, None, FURTHEST)
    if xmin >= xmax or ymin >= ymax:
        raise table.error("bounds", "must be xmin, ymin, xmax, ymax with xmin < xmax and ymin < ymax")
    return xmin, ymin, xmax, ymax
