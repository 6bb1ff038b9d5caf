"""How the files of a proposal are spelled: values as TOML has them, and remarks as comments."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping

from .anatomy.notes import Note

_WIDTH = 116
_MARK = {"found": "#", "unsure": "# ?", "missing": "# !"}


def notes(remarks: Iterable[Note], about: str) -> Iterator[str]:
    """Lines of comments: the remarks about something."""
    for note in remarks:
        if note.about == about:
            yield from comment(note.text, note.kind)


def comment(text: str, kind: str = "found") -> Iterable[str]:
    """Lines of a comment, with the mark of its kind."""
    mark = _MARK[kind]
    plain = " ".join(text.split())
    return textwrap.wrap(plain, _WIDTH, initial_indent=f"{mark} ", subsequent_indent="#   ", break_on_hyphens=False)


def quoted(value: str) -> str:
    """A text as a TOML string."""
    return json.dumps(value, ensure_ascii=False)


def key(name: str) -> str:
    """A key, in quotes if need be."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quoted(name)


def listed(values: Iterable[str]) -> str:
    """A list of texts."""
    return "[" + ", ".join(map(quoted, values)) + "]"


def listed_long(name: str, values: Iterable[str]) -> Iterator[str]:
    """Lines of a key with a list of texts that may be long."""
    yield f"{key(name)} = ["
    joined = ", ".join(map(quoted, values)) + ","
    yield from textwrap.wrap(joined, _WIDTH, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False)
    yield "]"


def table(values: Mapping[str, float]) -> str:
    """A table of numbers."""
    return "{ " + ", ".join(f"{key(name)} = {number(value)}" for name, value in values.items()) + " }"


def number(value: float) -> str:
    """A number as TOML has it, rounded to a millionth."""
    return repr(round(float(value), 6) + 0.0)


def vector(values: Iterable[float], digits: int = 4) -> str:
    """A list of numbers."""
    return "[" + ", ".join(repr(round(float(v), digits) + 0.0) for v in values) + "]"
