"""Reading TOML with errors that say which file, which key, what was found and what is allowed."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from .errors import TaskMatrixError, not_found
from .files import (
    DEEPEST,
    LONGEST_NAME,
    LONGEST_TEXT,
    MOST_DOTS,
    MOST_ENTRIES,
    MOST_TOML,
    check_size,
    is_inside,
    outside,
    shortened,
    stray_reference,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")
LARGEST = 1e9
"""No number of any file is larger."""
_WORDS = {
    str: "a text in quotes",
    float: "a finite number",
    int: "a whole number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


@dataclass(frozen=True)
class Table:
    """One table of a TOML file, with the place it came from."""

    path: Path
    """File."""
    key: str
    """Dotted key of this table in the file; empty for the whole file."""
    data: Mapping[str, Any]
    """What stands there."""
    error_class: type[TaskMatrixError]
    """What to raise."""
    home: Path | None = None
    """Folder whose files it may name; its file's own unless given."""

    def at(self, key: str) -> str:
        """The dotted key of an entry."""
        return f"{self.key}.{key}" if self.key else key

    def error(self, key: str, problem: str) -> TaskMatrixError:
        """An error that names the file and the key."""
        return self.error_class(f"{self.path}: {self.at(key)}: {problem}")

    def only(self, *allowed: str) -> Table:
        """Raise the table's error when there is a key that is not ``allowed``; return this table otherwise."""
        for name in self.data:
            if name not in allowed:
                raise self.error(name, not_found("key", name, allowed))
        return self

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The entry ``key``, which must be of the kind, and be there unless there is a default.

        A whole number passes for a ``float``; infinity does not, nor does an empty text without a default.
        """
        value = self.data.get(key, default)
        if value is None:
            raise self.error(key, f"missing; {_WORDS[kind]} is needed")
        return self._checked(key, kind, value, empty=default is not None)

    def choice(self, key: str, allowed: Iterable[str], what: str) -> str:
        """The text ``key``, which must be one of the ``allowed``; ``what`` they are is for the error."""
        value, names = self.get(key, str), list(allowed)
        if value not in names:
            raise self.error(key, not_found(what, value, names))
        return value

    def positive(self, key: str) -> float:
        """The number ``key``, which must be above zero."""
        value = self.get(key, float)
        if value <= 0.0:
            raise self.error(key, f"must be above zero, got {value!r}")
        return value

    def file(self, key: str, what: str = "file") -> Path:
        """The file that ``key`` names, relative to this one; it has to be below :attr:`home`, links followed."""
        name, home = self.get(key, str), self.home or self.path.parent
        if not name.isprintable():
            raise self.error(key, f"{shortened(repr(name))} is no path")
        path = (self.path.parent / name).resolve()
        if not is_inside(path, home):
            raise self.error(key, outside(name, home))
        if not path.is_file():
            raise self.error(key, f"the {what} {path} does not exist")
        if (stray := stray_reference(path, home)) is not None:
            raise self.error(key, f"in the {what} {path.name}, {outside(stray, home)}")
        return path

    def table(self, key: str) -> Table:
        """The table below ``key``; an empty one when it is missing."""
        return self._below(key, self.get(key, dict, {}))

    def tables(self, key: str) -> list[Table]:
        """The tables in the list below ``key``; none when it is missing."""
        rows = self._checked_all(key, dict, self.get(key, list, []))
        return [self._below(f"{key}[{i}]", row) for i, row in enumerate(rows)]

    def strings(self, key: str) -> tuple[str, ...]:
        """The list of texts below ``key``."""
        return self._checked_all(key, str, self.get(key, list))

    def numbers(
        self,
        key: str,
        count: int | tuple[int, int],
        default: Iterable[float] | None = None,
        most: float = LARGEST,
    ) -> tuple[float, ...]:
        """The list of numbers below ``key``; exactly ``count``, or one of two counts; none beyond ``most``."""
        values = self.get(key, list, None if default is None else list(default))
        counts = (count,) if isinstance(count, int) else count
        if len(values) not in counts:
            raise self.error(key, f"expected {' or '.join(map(str, counts))} numbers, got {shortened(repr(values))}")
        numbers = self._checked_all(key, float, values)
        if max(map(abs, numbers), default=0.0) > most:
            raise self.error(key, f"{max(numbers, key=abs):g} is beyond {most:g}")
        return numbers

    def mapping(self, key: str, default: dict[str, float] | None = None) -> dict[str, float]:
        """The table of numbers below ``key``: joint name to position."""
        below = self._below(key, self.get(key, dict, default))
        return {name: below.get(name, float) for name in below.data}

    def _below(self, key: str, data: dict[str, Any]) -> Table:
        return replace(self, key=self.at(key), data=data)

    def _checked_all(self, key: str, kind: type[T], values: list[Any]) -> tuple[T, ...]:
        return tuple(self._checked(f"{key}[{i}]", kind, value) for i, value in enumerate(values))

    def _checked(self, key: str, kind: type[T], value: Any, empty: bool = False) -> T:  # any value that TOML has
        if type(value) in (int, float) and LARGEST < abs(value) < math.inf:
            raise self.error(key, f"expected a number of at most {LARGEST:.0e}, got {str(value)[:40]}")
        if kind is float and type(value) is int:
            value = float(value)
        nothing = (isinstance(value, float) and not math.isfinite(value)) or (value == "" and not empty)
        if nothing or type(value) is not kind:
            raise self.error(key, f"expected {_WORDS[kind]}, got {shortened(repr(value))}")
        return value


def read_table(path: Path, error_class: type[TaskMatrixError], home: Path | None = None) -> Table:
    """Read a TOML file.

    Args:
        path: The file.
        error_class: What to raise when it is missing or is not TOML, and later for what is wrong in it.
        home: Folder that the file and the files that it names have to be in, links followed; its own unless given.
    """
    if home is not None and not is_inside(path, home):
        raise error_class(f"{path}: {outside(path.name, home)}")
    try:
        check_size(path, MOST_TOML, error_class)
        text = path.read_text(encoding="utf-8")
        for number, line in enumerate(text.splitlines(), 1):
            if line.count(".") > MOST_DOTS:
                raise error_class(f"{path}: line {number} has more than {MOST_DOTS} dots; break it into several")
        data = tomllib.loads(text)
    except FileNotFoundError:
        raise error_class(f"{path}: the file does not exist") from None
    except RecursionError:
        raise error_class(f"{path}: lists or tables in each other; {DEEPEST} levels are allowed") from None
    except UnicodeDecodeError:
        raise error_class(f"{path}: not a valid TOML file: its text is not UTF-8") from None
    except (OSError, ValueError) as error:
        raise error_class(f"{path}: not a valid TOML file: {error}") from error
    table = Table(path, "", data, error_class, home or path.parent)
    _check_bounds(table)
    return table


def _check_bounds(file: Table) -> None:
    """Raise the file's error where names, texts, lists or their nesting are beyond all bounds."""
    waiting: list[tuple[str, Any, int]] = [("", file.data, 0)]
    while waiting:
        key, value, depth = waiting.pop()
        if depth > DEEPEST:
            raise file.error(shortened(key), f"lists or tables in each other; {DEEPEST} levels are allowed")
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            raise file.error(key, f"a text of {len(value)} characters; {LONGEST_TEXT} are allowed")
        if isinstance(value, dict | list) and len(value) > MOST_ENTRIES:
            raise file.error(key, f"{len(value)} entries; {MOST_ENTRIES} are allowed")
        if isinstance(value, dict):
            for name, below in value.items():
                if len(name) > LONGEST_NAME:
                    problem = f"a key of {len(name)} characters; {LONGEST_NAME} are allowed"
                    raise file.error(f"{key}.{shortened(name)}".lstrip("."), problem)
                waiting.append((f"{key}.{name}".lstrip("."), below, depth + 1))
        elif isinstance(value, list):
            waiting += [(f"{key}[{i}]", below, depth + 1) for i, below in enumerate(value)]
