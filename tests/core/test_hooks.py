from __future__ import annotations

import pytest

from taskmatrix.core.base.hooks import items, wrong


def test_what_a_hook_returns_is_taken_once() -> None:
    """A generator, too."""
    assert items("required_chains", (chain for chain in ("base", "head")), str, "names") == ("base", "head")
    assert items("required_chains", [], str, "names") == ()


@pytest.mark.parametrize("returned", ["base", None, 3, ["base", None]])
def test_anything_else_is_an_error_with_what_is_allowed(returned: object) -> None:
    """A string is no sequence of strings."""
    with pytest.raises(TypeError, match=r"required_chains\(\) returned .*; it has to return a sequence of names"):
        items("required_chains", returned, str, "names")  # type: ignore[arg-type]


def test_the_error_says_what_was_returned() -> None:
    """And which hook it was."""
    assert str(wrong("step", 3, "True or False")) == "step() returned 3; it has to return True or False"
