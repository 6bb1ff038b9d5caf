"""What takes long to compute, kept: machine code, hulls, tables, grasps and meshes on disk, others in memory."""

from __future__ import annotations

import atexit
import logging
import os
import shutil
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryFile, mkdtemp
from typing import Any, TypeVar
from weakref import WeakKeyDictionary
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray
from platformdirs import user_cache_path

VARIABLE = "TASKMATRIX_CACHE"
"""Name of the environment variable with the path of the folder; the user's cache folder unless it is set."""
MOST = 1000  # entries of a kind; when there are more, those that were not used for longest go
Arrays = Mapping[str, NDArray[Any]]
K = TypeVar("K")
V = TypeVar("V")


def kept_arrays(kind: str, key: str, make: Callable[[], Arrays]) -> Arrays:
    """Arrays as they were made before, by any process, or as they are made now.

    Args:
        kind: Name of the folder for what is like it.
        key: Hash of all that they depend on, with a version of the way in which they are made.
        make: Makes them.
    """
    name = f"{key}.npz"
    try:
        file = folder_of(kind) / name
        with file.open("rb") as stream, np.load(stream) as data:
            arrays = dict(data)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):  # there is none, or it is damaged
        made = make()
        with suppress(OSError):  # a full disk costs time, and nothing else
            _write(folder_of(kind) / name, made)
            prune(folder_of(kind), MOST)
        return made
    mark_used(file)
    return arrays


def folder_of(kind: str) -> Path:
    """The folder for entries of a kind, which can be written."""
    folder = cache_root() / kind
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@cache
def cache_root() -> Path:
    """The folder of all that is kept.

    Where it cannot be written, which is told once, it is a temporary one, for this process and those that it starts.
    """
    given = os.environ.get(VARIABLE)
    root = Path(given).expanduser().absolute() if given else user_cache_path("taskmatrix")
    try:
        root.mkdir(parents=True, exist_ok=True)
        TemporaryFile(dir=root).close()
    except OSError as error:
        logging.getLogger("taskmatrix").warning(
            "the cache folder %s cannot be written (%s): what is compiled and measured now is lost when this process "
            "ends; the environment variable %s names another folder",
            root,
            error.strerror or error,
            VARIABLE,
        )
        root = Path(mkdtemp(prefix="taskmatrix-"))
        os.environ[VARIABLE] = str(root)
        atexit.register(shutil.rmtree, root, ignore_errors=True)
    return root


def mark_used(entry: Path) -> None:
    """Have an entry count as new for :func:`prune`."""
    with suppress(OSError):
        os.utime(entry)


def prune(folder: Path, most: int) -> None:
    """Leave the entries of a folder that were used last, no more than ``most``."""
    used = []
    for entry in folder.iterdir():
        with suppress(FileNotFoundError):  # another process was faster
            used.append((entry.stat().st_mtime_ns, entry))
    for _, entry in sorted(used)[: max(0, len(used) - most)]:
        if entry.is_dir():
            shutil.rmtree(entry, ignore_errors=True)
        else:
            entry.unlink(missing_ok=True)


def _write(file: Path, arrays: Arrays) -> None:
    """Write a file so that another process sees all of it or nothing."""
    with NamedTemporaryFile(dir=file.parent, suffix=".part", delete=False) as part:
        np.savez(part, allow_pickle=False, **arrays)
    os.replace(part.name, file)


def remembered(function: Callable[[K], V]) -> Callable[[K], V]:
    """Have a function keep its results by its argument, and none longer than that lives: a robot, an object's model.

    Its argument is one that is equal to nothing but itself; a result has to go without a reference to it.
    """
    known: WeakKeyDictionary[K, V] = WeakKeyDictionary()

    @wraps(function)
    def result(of: K) -> V:
        if of not in known:
            known[of] = function(of)
        return known[of]

    return result
