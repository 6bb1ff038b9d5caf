"""What the hooks of a behavior return, checked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")


def items(hook: str, result: Iterable[T], kind: type, words: str) -> Sequence[T]:
    """What a hook returned, checked to be a sequence of such things."""
    found = None if isinstance(result, str) or not isinstance(result, Iterable) else tuple(result)
    if found is None or not all(isinstance(item, kind) for item in found):
        raise wrong(hook, result, f"a sequence of {words}")
    return found


def wrong(hook: str, result: object, allowed: str) -> TypeError:
    """The error for what a hook may not return."""
    return TypeError(f"{hook}() returned {result!r}; it has to return {allowed}")
