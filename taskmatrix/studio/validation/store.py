"""Results as lines of JSON, so that a matrix that was cut off goes on where it was."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from .case import Case, Result

READ = {".py", ".toml", ".urdf", ".obj"}


@lru_cache(maxsize=1)
def fingerprint() -> str:
    """Sixteen digits that change whenever a file of the library does."""
    digest, package = hashlib.sha256(), Path(__file__).parents[2]
    for path in sorted(path for path in package.rglob("*") if path.suffix in READ):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


class Store:
    """Keeps results in a file, each as soon as it is there.

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
        self.outdated = 0
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            data = _read(line)
            if data is None:
                continue
            if data.get("library") == self._library:
                result = Result.from_dict(data)
                self.results[result.case] = result
            else:
                self.outdated += 1

    def add(self, result: Result) -> None:
        """Keep a result."""
        self.results[result.case] = result
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({**result.to_dict(), "library": self._library}) + "\n")


def _read(line: str) -> Mapping[str, str] | None:
    """A line as written, None if it was cut off."""
    try:
        data = json.loads(line)
    except ValueError:
        return None
    return data if isinstance(data, dict) and "seed" in data else None
