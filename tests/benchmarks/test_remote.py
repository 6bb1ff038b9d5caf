from __future__ import annotations

import socket

import pytest
from remote import measure


@pytest.mark.pages
def test_it_measures_calls_and_states() -> None:
    """All of them, beside a bare query."""
    pytest.importorskip("zenoh")
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = int(asked.getsockname()[1])
    found = measure(port, 20)
    assert "a bare query" in found
    assert len(found) == 9
    assert all(figures["median"] > 0 for figures in found.values())
