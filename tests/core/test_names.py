from __future__ import annotations

import pytest

from taskmatrix.core.base.names import in_lower_case


@pytest.mark.parametrize(
    ("name", "written"),
    [("PickAndPlace", "pick-and-place"), ("Reach", "reach"), ("MTMPickup", "mtmpickup"), ("Find2Cups", "find2-cups")],
)
def test_words_begin_with_a_capital_after_a_small_letter(name: str, written: str) -> None:
    """As commands are called."""
    assert in_lower_case(name, "-") == written
