"""Behaviors are controlled 50 times a second here, which takes three quarters of the time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from taskmatrix.session import CONTROL_STEP
from taskmatrix.session import session as session_module

LONG = 0.02  # [s]


@pytest.fixture(autouse=True, scope="module")
def long_control_step() -> Iterator[None]:
    """That of kinematic simulations which set none."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(session_module, "CONTROL_STEP", LONG)
        yield


@pytest.fixture
def usual_control_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a test that counts steps."""
    monkeypatch.setattr(session_module, "CONTROL_STEP", CONTROL_STEP)
