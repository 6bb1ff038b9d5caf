"""Workers that die, hang or raise are failed cases; the others go on."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from taskmatrix.studio.validation import Case, Result
from taskmatrix.studio.validation.work import work

RUN = """
import os
from taskmatrix.studio.validation import Result

def run(case, picture):
    if case.behavior == "dies":
        os._exit(7)
    while case.behavior == "hangs":
        pass
    if case.behavior == "raises":
        raise ValueError("no such joint")
    return Result(case, "success", picture=picture)
"""


def cases(*behaviors: str) -> list[Case]:
    return [Case(behavior, "robot", "world", seed) for seed, behavior in enumerate(behaviors)]


def test_one_process_runs_here_in_order() -> None:
    """And passes pictures on."""

    def run(case: Case, picture: str) -> Result:
        return Result(case, "success", picture=picture)

    given = cases("a", "b", "c")
    found = list(work(given, run, 1, {given[1]: "b.png"}))
    assert [result.case for result in found] == given
    assert [result.picture for result in found] == ["", "b.png", ""]


@pytest.mark.slow
def test_a_process_that_dies_or_hangs_is_a_failed_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason; all other cases succeed."""
    (tmp_path / "validation_workers.py").write_text(RUN)
    monkeypatch.syspath_prepend(tmp_path)
    run = importlib.import_module("validation_workers").run
    given = cases("ok", "dies", "hangs", "ok", "raises", "ok", "ok")
    found = {result.case.seed: result for result in work(given, run, 2, limit=2.0)}
    assert sorted(found) == list(range(7))
    assert [found[k].verdict for k in (0, 3, 5, 6)] == ["success"] * 4
    assert (found[1].kind, found[1].reason) == ("crash", "its process died with exit code 7")
    assert (found[2].kind, found[2].reason) == ("time limit", "still running after 2 s of wall time")
    assert (found[4].kind, found[4].reason) == ("error", "ValueError: no such joint")
