from __future__ import annotations

from io import StringIO

from rich.console import Console

from taskmatrix.studio.validation import Matrix
from taskmatrix.studio.validation.table import show

from .test_matrix import results


def test_the_table_shows_rates_reasons_and_the_verdict() -> None:
    """With a replay command for each kind of failure."""
    text = StringIO()
    show(Matrix(results("sf") + results("ss", "grasp") + results("n", "grasp", "asimo")), Console(file=text, width=200))
    printed = text.getvalue()
    for piece in ("in sparse", "asimo", "1/2", "2/2", "not able", "1 x reach: collision: at step #", "--seed 1"):
        assert piece in printed
    assert "75.0% of 4 runs succeed; not able in 1 of 3 cells" in printed
    assert "reach by talos in sparse: 1 of 2 runs succeed, less than 95%" in printed
