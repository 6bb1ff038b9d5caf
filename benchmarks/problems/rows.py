"""What a peer reads: the robot as it is for everyone, and a row of problems. Numpy and the standard library only."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]
SAMPLES = 64
"""States of an edge."""


def random_source(*parts: object) -> np.random.Generator:
    """A generator that depends on the words only."""
    return np.random.default_rng([zlib.crc32(str(part).encode()) for part in parts])


@dataclass(frozen=True, eq=False)
class Body:
    """A robot, flattened: one file that every peer can read, and what it says, so that nobody has to parse it."""

    urdf: str
    """Path of the file."""
    srdf: str
    """Path of the file that turns off all pairs of links that are not tested; empty where nothing is."""
    root: str
    """Link without a parent."""
    joints: tuple[str, ...]
    """Joints that move (n), in the order of all configurations."""
    children: tuple[str, ...]
    """Link that each of them moves."""
    prismatic: tuple[bool, ...]
    """Which of them slide."""
    lower: Array
    """(n,) [rad] or [m]."""
    upper: Array
    """(n,)."""
    tips: tuple[str, ...] = ()
    """Links that are hands."""
    links: tuple[str, ...] = ()
    """Links with collision bodies."""
    mounted: tuple[str, ...] = ()
    """Links that are fixed to the root: nobody tests them against the world."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Pairs of links that are tested against each other."""


@dataclass(frozen=True)
class Box:
    """A box of the world."""

    name: str
    """Its name."""
    size: tuple[float, float, float]
    """[m] Lengths of its edges."""
    X_WB: tuple[tuple[float, ...], ...]
    """(4, 4) Pose of its centre."""

    @property
    def pose(self) -> Array:
        """(4, 4) Pose of its centre."""
        return np.array(self.X_WB)


@dataclass(frozen=True, eq=False)
class ChainRow:
    """Targets of one kinematic chain."""

    name: str
    """Robot and group."""
    body: Body
    """Only the chain moves; it has no collision bodies."""
    start: Array
    """(n,) The middle of the limits."""
    targets: Array
    """(k, 4, 4) Poses of the tip in the root link that the chain can take."""


@dataclass(frozen=True, eq=False)
class SceneRow:
    """A whole robot in a world."""

    name: str
    """Robot, meshes (``exact`` or ``hull``) and world (``boxes`` or ``voxels``)."""
    body: Body
    """All joints move."""
    hull: bool
    """Whether meshes are replaced by their convex hulls."""
    boxes: tuple[Box, ...]
    """Of the world."""
    voxels: Array
    """(k, 3) [m] Centres of occupied cells; none in the world of boxes."""
    resolution: float
    """[m] Edge of a cell."""
    random: Array
    """(200, n) Uniform within the limits: mostly in collision."""
    free: Array
    """(200, n) Free with convex hulls in both worlds: what a planner spends its time on."""
    edges: Array
    """(k, 2, n) Ends of edges, the first ``free_edges`` wholly free with convex hulls in both worlds."""
    free_edges: int
    """How many."""


@dataclass(frozen=True, eq=False)
class Problem:
    """From one configuration to another."""

    start: Array
    """(n,)."""
    goal: Array
    """(n,)."""
    boxes: tuple[Box, ...]
    """Of the world."""


@dataclass(frozen=True, eq=False)
class PlanningRow:
    """Planning problems of one kind for one robot."""

    name: str
    """Robot, group and scene."""
    body: Body
    """Meshes are convex hulls; only the group moves."""
    exact: str
    """Path of the same robot with its meshes as they are: what the judge reads."""
    problems: tuple[Problem, ...]
    """All solvable as far as their ends tell, none by a straight line."""


Row: TypeAlias = ChainRow | SceneRow | PlanningRow


def write_row(path: Path, row: Row) -> None:
    """Keep a row."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"kind": type(row).__name__, **asdict(row)}, default=np.ndarray.tolist))
    part.replace(path)


def read_row(path: Path) -> Row:
    """Read a row."""
    data = json.loads(path.read_text())
    kind = {"ChainRow": ChainRow, "SceneRow": SceneRow, "PlanningRow": PlanningRow}[data.pop("kind")]
    row: Row = _made(kind, data)
    return row


def _made(kind: type, data: dict[str, Any]) -> Any:
    """A dataclass from JSON: arrays are arrays again, and lists tuples."""
    readers: dict[str, Callable[[Any], Any]] = {
        "Array": np.array,
        "Body": lambda item: _made(Body, item),
        "tuple[Box, ...]": lambda items: tuple(_made(Box, item) for item in items),
        "tuple[Problem, ...]": lambda items: tuple(_made(Problem, item) for item in items),
    }
    types = kind.__annotations__
    return kind(**{name: readers.get(types[name], _frozen)(value) for name, value in data.items()})


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value
