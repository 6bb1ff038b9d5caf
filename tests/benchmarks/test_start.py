from __future__ import annotations

from start import seconds


def test_it_measures_the_work_of_a_process() -> None:
    """All of it, and the starting of Python."""
    assert 0.3 <= seconds("import time\nwhile time.process_time() < 0.3: pass") < 0.6
