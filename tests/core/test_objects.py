"""What is known of an object whatever its state."""

from __future__ import annotations

import pytest

from taskmatrix.core import ObjectModel


@pytest.mark.parametrize(
    ("type_", "is_a"), [("toy", True), ("ball", True), ("obstacle", True), ("bal", False), ("", False)]
)
def test_a_type_is_a_whole_word_of_the_taxonomy(type_: str, is_a: bool) -> None:
    """From the general to the special, and no part of a word."""
    assert ObjectModel("b", "obstacle/toy/ball", ()).is_a(type_) is is_a
