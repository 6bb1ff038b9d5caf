"""Reading TOML so that every mistake is answered with the file, the key and what is allowed."""

from __future__ import annotations

import difflib
import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from taskmatrix.core.errors import WorldError

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class TomlTable:
    """One table of a TOML file whose values are asked for by key and checked.

    Ask for everything that the table may hold, then call :meth:`finish`, which refuses the rest.

    Args:
        file: The file, for messages.
        place: Where in the file the table stands, such as ``object 'vacuum'``; empty for the whole file.
        values: The parsed table.
    """

    def __init__(self, file: Path, place: str, values: Mapping[str, Any]) -> None:
        self.file = file
        self.place = place
        self._values = values
        self._asked: list[str] = []

    def error(self, key: str, problem: str) -> WorldError:
        """The error to raise for a key of this table."""
        where = f"{self.place}: {key}" if self.place and key else self.place or key
        return WorldError(f"{self.file}: {where}: {problem}")

    def has(self, key: str) -> bool:
        """Whether the key is there; it counts as asked for."""
        self._asked.append(key)
        return key in self._values

    def text(self, key: str, default: str | None = None) -> str:
        """A string that is not empty, unless the default is."""
        value = self._get(key, default)
        if not isinstance(value, str) or (not value and default is None):
            raise self.error(key, f"must be a text in quotes, not {value!r}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        """``true`` or ``false``."""
        value = self._get(key, default)
        if not isinstance(value, bool):
            raise self.error(key, f"must be true or false, not {value!r}")
        return value

    def number(self, key: str, default: float | None = None, positive: bool = False) -> float:
        """A finite number."""
        return self._finite(key, self._get(key, default), positive)

    def count(self, key: str) -> int:
        """A whole number of at least one."""
        value = self._get(key, None)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self.error(key, f"must be a whole number of at least 1, not {value!r}")
        return value

    def numbers(
        self, key: str, length: int | tuple[int, ...], default: tuple[float, ...] | None = None, positive: bool = False
    ) -> tuple[float, ...]:
        """A list of finite numbers that has the length, or one of the lengths, given."""
        value = self._get(key, default)
        lengths = (length,) if isinstance(length, int) else length
        if not isinstance(value, (list, tuple)) or len(value) not in lengths:
            wanted = " or ".join(str(n) for n in lengths)
            raise self.error(key, f"must be a list of {wanted} numbers, not {value!r}")
        return tuple(self._finite(key, item, positive) for item in value)

    def table(self, key: str) -> TomlTable:
        """A table within this one."""
        value = self._get(key, None)
        if not isinstance(value, dict):
            raise self.error(key, f"must be a table, not {value!r}")
        return TomlTable(self.file, f"{self.place}: {key}" if self.place else key, value)

    def tables(self, key: str) -> list[TomlTable]:
        """The tables of an array of tables, in the file's order; none if the key is missing."""
        value = self._get(key, ())
        if not isinstance(value, (list, tuple)) or not all(isinstance(item, dict) for item in value):
            raise self.error(key, f"must be a list of tables ([[{key}]])")
        base = f"{self.place}: {key}" if self.place else key
        return [TomlTable(self.file, f"{base} {i + 1}", item) for i, item in enumerate(value)]

    def names(self) -> tuple[str, ...]:
        """The keys that are there, for tables whose keys are names; they count as asked for."""
        self._asked.extend(self._values)
        return tuple(self._values)

    def finish(self) -> None:
        """Refuse the keys that nobody asked for.

        Raises:
            WorldError: There is an unknown key; the nearest known one is offered.
        """
        for key in self._values:
            if key not in self._asked:
                near = difflib.get_close_matches(key, self._asked, n=1, cutoff=0.5)
                hint = f"; did you mean '{near[0]}'?" if near else "."
                raise self.error(key, f"unknown key{hint} Allowed here: {', '.join(sorted(set(self._asked)))}")

    def _get(self, key: str, default: object) -> Any:  # whatever TOML can hold; the callers check it
        self._asked.append(key)
        value = self._values.get(key, default)
        if value is None:
            near = difflib.get_close_matches(key, [k for k in self._values if k not in self._asked], n=1, cutoff=0.7)
            raise self.error(key, f"is missing; there is '{near[0]}'" if near else "is missing")
        return value

    def _finite(self, key: str, value: object, positive: bool) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise self.error(key, f"must be a finite number, not {value!r}")
        if positive and value <= 0:
            raise self.error(key, f"must be greater than 0, not {value!r}")
        return float(value)


def read_toml(file: Path) -> TomlTable:
    """Read a TOML file.

    Raises:
        WorldError: The file is missing, is not UTF-8 text or is malformed; the message says at which line.
    """
    try:
        return TomlTable(file, "", tomllib.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise WorldError(f"{file}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise WorldError(f"{file}: cannot be read: {error}") from error
    except tomllib.TOMLDecodeError as error:
        raise WorldError(f"{file}: malformed TOML: {error}") from error
