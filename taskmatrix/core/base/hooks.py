"""What the hooks of behaviors and components return, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from .source import written_at

T = TypeVar("T")


def items(owner: object, hook: str, result: Iterable[T], kind: type, words: str) -> Sequence[T]:
    """What a hook of an object returned, checked to be a sequence of such things."""
    found = None if isinstance(result, str) or not isinstance(result, Iterable) else tuple(result)
    if found is None or not all(isinstance(item, kind) for item in found):
        raise wrong(owner, hook, result, f"a sequence of {words}")
    return found


def wrong(owner: object, hook: str, result: object, allowed: str) -> TypeError:
    """The error for what a hook of an object may not return, with the line where the hook is defined."""
    lines = "".join(f", at {line}" for line in written_at(getattr(type(owner), hook)))
    return TypeError(f"{hook}() returned {result!r}; it has to return {allowed}{lines}")
