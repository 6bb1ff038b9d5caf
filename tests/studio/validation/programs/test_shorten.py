"""The shortest program that fails."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from taskmatrix.studio.validation.programs.shorten import shortest


@pytest.mark.parametrize("needed", ["c", "ah", "adh", "abcdefgh", "de"])
def test_what_is_left_is_needed_and_nothing_else(needed: str) -> None:
    """Whichever steps it takes, in their order."""
    assert "".join(shortest("abcdefgh", lambda kept: set(needed) <= set(kept))) == needed


def test_nothing_is_run_twice_and_never_too_often() -> None:
    """Runs are dear."""
    asked: list[str] = []

    def fails(kept: Sequence[str]) -> bool:
        asked.append("".join(kept))
        return {"b", "g"} <= set(kept)

    assert shortest("abcdefgh", fails) == ("b", "g")
    assert len(asked) == len(set(asked))
    few: list[str] = []
    left = shortest("abcdefgh", lambda kept: bool(few.append("") or {"b", "g"} <= set(kept)), tries=3)  # type: ignore[func-returns-value]
    assert {"b", "g"} <= set(left)
    assert len(few) == 3


def test_equal_steps_are_different_steps() -> None:
    """It may take the same behavior twice."""
    assert shortest("abab", lambda kept: list(kept).count("a") == 2) == ("a", "a")
