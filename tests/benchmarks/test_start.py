from __future__ import annotations

from start import seconds


def test_it_measures_the_work_of_a_process() -> None:
    """All of it, and the starting of Python."""
    told = seconds(1, "import time\nwhile time.process_time() < 0.3: pass")
    assert 0.3 <= told["processor"] < 0.6
    assert told["wall"] >= 0.3
