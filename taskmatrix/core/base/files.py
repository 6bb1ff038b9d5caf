"""What is read from files: from where it may come, and how much of it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from .errors import TaskMatrixError

ALLOWED_FOLDERS = "TASKMATRIX_ALLOWED_FOLDERS"
"""Environment variable with further folders from which files may be read, separated as in ``PATH``."""
FURTHEST = 1e3
"""[m] That anything on a robot or in a world is long, or away from what carries it."""
MOST_TOML = 1_000_000
"""Bytes of a TOML file."""
MOST_XML = 5_000_000
"""Bytes of a URDF or an SRDF."""
MOST_DATA = 200_000_000
"""Bytes of a mesh or a point cloud."""
MOST_DOTS = 2_000
"""Dots in a line of TOML: a key with many takes a time that grows with their square."""
DEEPEST = 20
"""Tables and lists of TOML in each other."""
MOST_ENTRIES = 10_000
"""Entries of one table or list of TOML."""
LONGEST_NAME = 200
"""Characters of the name of a link, a joint, an object, or of a key."""
LONGEST_TEXT = 2_000
"""Characters of a text in TOML."""
MOST_OBJECTS = 1_000
"""Objects of a world."""
MOST_GRASPS = 1_000
"""Grasps of an object."""
MOST_POINTS = 1_000_000
"""Points of a cloud."""
MOST_CELLS = 32_767
"""Cells of an octree from its origin to each side: it has sixteen levels."""
MOST_LINKS = 500
"""Links of a robot."""
MOST_MOVING = 120
"""Movable joints of a robot: all pairs of what they move are looked at."""
MOST_BODIES = 1_000
"""Collision bodies of a robot, and visual ones."""
MOST_IN_A_ROW = 100
"""Links that carry each other, from the root of a robot to a tip."""
MOST_MOVING_IN_A_ROW = 40
"""Movable joints among these: what is worked out for each of them grows with the square of their number or more."""
SHOWN = 60
"""Characters of a file that an error repeats."""
_REFERENCES = {
    ".obj": re.compile(rb"^[ \t]*mtllib[ \t]+(.+?)[ \t\r]*$", re.MULTILINE),
    ".mtl": re.compile(rb"^[ \t]*(?:map_\w+|bump|disp|decal|norm|refl)[ \t]+(.+?)[ \t\r]*$", re.MULTILINE),
    ".dae": re.compile(rb"<init_from>\s*([^<]+?)\s*</init_from>"),
}  # where files of these kinds name others, which are opened with them


def shortened(text: str) -> str:
    """A text as an error repeats it: its first :data:`SHOWN` characters."""
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}..."


def is_inside(path: Path, folder: Path) -> bool:
    """Whether a path, with its links followed, is below a folder or below one that the user allows."""
    allowed = [Path(name) for name in os.environ.get(ALLOWED_FOLDERS, "").split(os.pathsep) if name]
    return any(path.resolve().is_relative_to(home.resolve()) for home in (folder, *allowed))


def outside(name: str, folder: Path) -> str:
    """What an error says of a file that is not below a folder."""
    return (
        f"'{shortened(name)}' is not below {folder}; put it there, or allow the folder that it is in with the "
        f"environment variable {ALLOWED_FOLDERS}"
    )


def stray_reference(mesh: Path, folder: Path) -> str | None:
    """What a mesh is coloured by, by name, that is not below a folder: a material or a texture that is there.

    Raises:
        OSError: The mesh or a material of it cannot be read.
        TaskMatrixError: It is too large.
    """
    pattern = _REFERENCES.get(mesh.suffix.lower())
    if pattern is None:
        return None
    check_size(mesh, MOST_DATA, TaskMatrixError)
    for found in pattern.findall(mesh.read_bytes().replace(b"\\\n", b" ")):
        for name in _file_names(found.decode(errors="replace")):
            path = mesh.parent / name
            if not os.path.isfile(path):
                continue
            if not is_inside(path, folder):
                return name
            stray = stray_reference(path, folder) if path.suffix.lower() == ".mtl" else None
            if stray is not None:
                return stray
    return None


def _file_names(text: str) -> Iterator[str]:
    """What may be meant by what stands where files are named: the whole, or a word of it beside options."""
    for name in dict.fromkeys((text, *text.split())):
        yield from dict.fromkeys((name, name.replace("\\", "/"), unquote(name.removeprefix("file://"))))


def check_size(path: Path, most: int, error_class: type[TaskMatrixError]) -> None:
    """Raise an error when a file has more than ``most`` bytes, or is a device or a pipe; OSError when it is missing."""
    size = path.stat().st_size
    if not (path.is_file() or path.is_dir()):
        raise error_class(f"{path}: is a device or a pipe, not a file")
    if size > most:
        raise error_class(f"{path}: has {size / 1e6:.1f} MB; at most {most / 1e6:g} MB are read")
