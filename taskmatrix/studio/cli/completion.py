"""What a shell completes."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def completing(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A callback that completes what is typed to one of the names, which are asked for when they are needed."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete
