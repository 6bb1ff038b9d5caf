"""Reading TOML with errors that say which file, which key, what was found and what is allowed."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from taskmatrix.core.errors import RobotError, not_found

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REQUIRED = object()
"""Default of what must be given."""


@dataclass(frozen=True)
class Table:
    """One table of a TOML file, with the place it came from."""

    path: Path
    """File."""
    key: str
    """Dotted key of this table in the file; empty for the whole file."""
    data: dict[str, Any]
    """What stands there."""

    def error(self, key: str, problem: str) -> RobotError:
        """An error that names the file and the key."""
        return RobotError(f"{self.path}: {self.at(key)}: {problem}")

    def at(self, key: str) -> str:
        """The dotted key of an entry."""
        return f"{self.key}.{key}" if self.key and key else key or self.key or "(whole file)"

    def only(self, allowed: Iterable[str]) -> Table:
        """Raise ``RobotError`` when there is a key that is not ``allowed``; return this table otherwise."""
        known = list(allowed)
        for name in self.data:
            if name not in known:
                raise self.error(name, not_found("key", name, known))
        return self

    def get(self, key: str, kind: type, default: Any = REQUIRED) -> Any:
        """The entry ``key``, which must be a ``kind`` (a whole number passes for a ``float``)."""
        if key not in self.data:
            if default is REQUIRED:
                raise self.error(key, f"missing; a {kind.__name__} is needed")
            return default
        value = self.data[key]
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is not bool and isinstance(value, bool)):
            raise self.error(key, f"expected a {kind.__name__}, got {value!r}")
        return value

    def table(self, key: str, required: bool = False) -> Table:
        """The table below ``key``; an empty one when it is missing and not required."""
        return Table(self.path, self.at(key), self.get(key, dict, REQUIRED if required else {}))

    def strings(self, key: str, default: Any = REQUIRED) -> tuple[str, ...]:
        """The list of strings below ``key``."""
        values = self.get(key, list, default)
        for value in values:
            if not isinstance(value, str):
                raise self.error(key, f"expected a list of names, got {value!r} in it")
        return tuple(values)

    def numbers(self, key: str, count: int, default: Any = REQUIRED) -> tuple[float, ...]:
        """The list of exactly ``count`` numbers below ``key``."""
        values = self.get(key, list, default)
        if len(values) != count or any(isinstance(v, bool) or not isinstance(v, int | float) for v in values):
            raise self.error(key, f"expected {count} numbers, got {values!r}")
        return tuple(float(v) for v in values)

    def mapping(self, key: str, default: Any = REQUIRED) -> dict[str, float]:
        """The table of numbers below ``key``: joint name to position."""
        values = self.get(key, dict, default)
        below = Table(self.path, self.at(key), values)
        return {name: below.get(name, float) for name in values}


def read_table(path: Path) -> Table:
    """Read a TOML file.

    Raises:
        RobotError: The file is missing or is not TOML.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RobotError(f"{path}: the file does not exist") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RobotError(f"{path}: not a valid TOML file: {error}") from error
    return Table(path, "", data)
