from __future__ import annotations

from typing import Any

from taskmatrix.studio.viewer.log_rows import LONGEST, LogRows


def event(number: int, **data: Any) -> dict[str, Any]:
    return {"time": 0.1 * number, "step": number, "kind": "message", "source": "a", "data": data}


def test_rows_are_numbered_and_handed_out_in_pieces() -> None:
    """Whoever has some gets the next."""
    rows = LogRows()
    for number in range(5):
        rows.add(event(number, message="planning-started"))
    assert [row[0] for row in rows.piece(0, 2)] == [0, 1]
    assert [row[0] for row in rows.piece(3, 10)] == [3, 4]
    assert rows.piece(5, 10) == []
    assert rows.end == 5


def test_the_oldest_are_forgotten() -> None:
    """Numbers stay."""
    rows = LogRows(most=100)
    for number in range(250):
        rows.add(event(number, message="planning-started"))
    assert rows.end == 250
    assert 0 < rows.end - rows.first <= 100
    assert rows.piece(0, 1)[0][0] == rows.first
    assert rows.piece(249, 5)[0][2] == 249


def test_a_row_has_an_end() -> None:
    """A failure of thousands of words does not fill the page."""
    rows = LogRows()
    rows.add(event(0, message="x" * 2 * LONGEST))
    assert len(rows.piece(0, 1)[0][5]) < LONGEST + 10
