"""Results as lines of JSON, so that a matrix that was cut off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from .case import Case, Result

READ = {".py", ".toml", ".urdf", ".obj"}


@dataclass(frozen=True)
class Origin:
    """Where a result was made; no part of its content."""

    worker: str = ""
    """Address of the worker; empty if that was this machine's own pool."""
    deaths: tuple[str, ...] = ()
    """Addresses of workers that died while they were running the case."""


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Sixteen digits that change whenever a file of the library does."""
    digest, package = hashlib.sha256(), Path(__file__).parents[2]
    for path in sorted(path for path in package.rglob("*") if path.suffix in READ):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def key_of(case: Case, library: str) -> str:
    """Sixteen digits of a result by content: the same for the same case and state of the library, on every machine."""
    values = {name: value for name, value in asdict(case).items() if name != "out"}
    text = json.dumps([type(case).__qualname__, values, library], sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Store:
    """Keeps results in a file, each as soon as it is there, by content: one that is there already is not added again.

    Results of an earlier state of the library are left out when it is read, because they would prove nothing.

    Args:
        path: The file; its folder is made.
        fresh: Forget what is in it.
        library: Fingerprint of the library that writes.
    """

    def __init__(self, path: Path, fresh: bool = False, library: str = "") -> None:
        self._path, self._library = path, library or fingerprint()
        path.parent.mkdir(parents=True, exist_ok=True)
        if fresh:
            path.unlink(missing_ok=True)
        self.results: dict[Case, Result] = {}
        self.origins: dict[Case, Origin] = {}
        self.outdated = 0
        text = path.read_text(encoding="utf-8") if path.exists() else ""
        self._torn = bool(text) and not text.endswith("\n")  # its writer was killed
        for line in text.splitlines():
            data = _read(line)
            if data is None:
                continue
            if data.get("library") == self._library:
                result = Result.from_dict(data)
                self.results[result.case] = result
                self.origins[result.case] = Origin(data.get("worker", ""), tuple(data.get("deaths", ())))
            else:
                self.outdated += 1

    def add(self, result: Result, worker: str = "", deaths: tuple[str, ...] = ()) -> None:
        """Keep a result, and besides by which worker it was made, and which died of it."""
        known = self.results.get(result.case)
        if known is not None and known.content() == result.content():
            return
        self.results[result.case] = result
        origin = self.origins[result.case] = Origin(worker, deaths)
        data = {**result.to_dict(), "library": self._library, "key": key_of(result.case, self._library)}
        data |= asdict(origin) if worker else {}
        with self._path.open("a", encoding="utf-8") as file:
            file.write(("\n" if self._torn else "") + json.dumps(data) + "\n")
        self._torn = False


def _read(line: str) -> Mapping[str, Any] | None:
    """A line as written, None if it was cut off."""
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) and "seed" in data else None
