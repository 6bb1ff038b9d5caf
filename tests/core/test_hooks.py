from __future__ import annotations

import re

import pytest

from taskmatrix.core.base.hooks import items, wrong


class Told:
    def step(self) -> int:
        return 3

    def required_chains(self) -> object:
        return None


def test_what_a_hook_returns_is_taken_once() -> None:
    """A generator, too."""
    assert items(Told(), "required_chains", (chain for chain in ("base", "head")), str, "names") == ("base", "head")
    assert items(Told(), "required_chains", [], str, "names") == ()


@pytest.mark.parametrize("returned", ["base", None, 3, ["base", None]])
def test_anything_else_is_an_error_with_what_is_allowed(returned: object) -> None:
    """A string is no sequence of strings."""
    with pytest.raises(TypeError, match=r"required_chains\(\) returned .*; it has to return a sequence of names"):
        items(Told(), "required_chains", returned, str, "names")  # type: ignore[arg-type]


def test_the_error_says_what_was_returned() -> None:
    """And which hook it was, with the line where that is defined."""
    assert re.fullmatch(
        r"step\(\) returned 3; it has to return True or False, at .*test_hooks.py:\d+: def step\(self\) -> int:",
        str(wrong(Told(), "step", 3, "True or False")),
    )
