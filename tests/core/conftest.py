"""A fresh fake robot for every test."""

from __future__ import annotations

import pytest

from taskmatrix.testing import Bench, box_percept


@pytest.fixture
def bench() -> Bench:
    """A fake robot and a cup."""
    return Bench([box_percept("cup")])
