from __future__ import annotations

import pytest

pytestmark = [pytest.mark.pictures, pytest.mark.pages]


@pytest.mark.parametrize(
    ("fault", "kinds"),
    [
        ("joint sticks in reach", {"tracking"}),
    ],
)
def test_a_fault_ends_in_the_failure_that_names_it(fault: str, kinds: set[str]) -> None:
    """Judged by ground truth, with no joint faster than its limit, and in time."""
    from faults import FAST, run  # noqa: PLC0415  # after the path is set

    found = run(("asimo", fault, 0))
    assert found["verdict"] != "wrong", found["reason"]
    assert found["kind"].value in kinds
    assert 0.0 < found["speed"] <= FAST
    assert found["duration"] < 60.0
