"""Engines by name, and Dask with real processes."""

from __future__ import annotations

import importlib
import importlib.util
import subprocess
import sys
import time
from pathlib import Path

import pytest

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.studio.validation import Case, Result
from taskmatrix.studio.validation.engine import EngineError, Job, perform
from taskmatrix.studio.validation.engines import open_engine
from taskmatrix.studio.validation.scatter import Scatter
from taskmatrix.studio.validation.store import fingerprint
from taskmatrix.studio.validation.work import Run

CASE = Case("reach", "robot", "world", 0)
RUN = """
import os
import signal
import time
from pathlib import Path
from taskmatrix.studio.validation import Result

def run(case, picture):
    if case.behavior == "Ctrl-C":
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.3)
    if case.behavior == "raises":
        raise ValueError("no such joint")
    if case.behavior == "dies once" and not Path(picture).exists():
        Path(picture).touch()
        time.sleep(0.3)  # until what the worker did before is known
        os._exit(7)
    return Result(case, "success")
"""


def nothing(case: Case, picture: str) -> Result:
    return Result(case, "success", picture=picture)


def test_a_worker_with_another_library_runs_nothing() -> None:
    """Both are named."""
    with pytest.raises(EngineError, match=f"its library is {fingerprint()}, and that of .* the runs 0123"):
        perform(nothing, Job("key", CASE), "0123")
    assert perform(nothing, Job("key", CASE, "a.png"), fingerprint()).picture == "a.png"


def test_what_a_run_raises_is_its_failure() -> None:
    """As in the pool of one machine."""

    def run(case: Case, picture: str) -> Result:
        raise ValueError("no such joint")

    result = perform(run, Job("key", CASE), fingerprint())
    assert (result.kind, result.reason) == ("error", "ValueError: no such joint")


def test_an_engine_that_does_not_exist_is_refused() -> None:
    """With those that do."""
    with pytest.raises(NotFoundError, match="dask"):
        open_engine("dusk://localhost:8786", 1, nothing)


def test_nothing_loads_dask_before_it_is_asked_for() -> None:
    """It takes a second."""
    program = (
        "import sys, taskmatrix.studio.validation.command;"
        "sys.exit(any(name in sys.modules for name in ('dask', 'distributed', 'scipy.stats')))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_a_bad_address_is_an_error_at_once() -> None:
    """Not a number, nobody there."""
    pytest.importorskip("distributed")
    with pytest.raises(ParameterError, match="HOST:PORT"):
        open_engine("dask://localhost", 1, nothing)
    began = time.perf_counter()
    with pytest.raises(EngineError, match=r"there is no Dask scheduler at 127\.0\.0\.1:1: "):
        open_engine("dask://127.0.0.1:1", 1, nothing)
    assert time.perf_counter() - began < 10.0


@pytest.mark.slow
def test_a_cluster_of_two_processes_survives_one_that_is_killed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its case is run again; what raises is a failed case; Ctrl-C is no business of a worker's; nothing is doubled."""
    pytest.importorskip("distributed")
    (tmp_path / "scattered_workers.py").write_text(RUN)
    monkeypatch.syspath_prepend(tmp_path)
    run = importlib.import_module("scattered_workers").run
    behaviors = ["ok", "dies once", "ok", "raises", "Ctrl-C", *["ok"] * 15]
    given = [Case(behavior, "robot", "world", seed) for seed, behavior in enumerate(behaviors)]
    told: list[str] = []
    engine = open_engine("dask", 2, run)
    began = time.perf_counter()

    def tell(text: str) -> None:
        told.append(text)

    arrivals = Scatter(given, engine, {given[1]: str(tmp_path / "died")}, limit=60.0, tell=tell)
    found = {}
    for arrival in arrivals:
        assert arrival.result.case not in found
        assert time.perf_counter() - began < 120.0
        found[arrival.result.case] = arrival
    assert sorted(found, key=lambda case: case.seed) == given
    assert [found[case].result.verdict for case in given].count("success") == 19
    assert found[given[3]].result.reason == "ValueError: no such joint"
    assert len(found[given[1]].deaths) == 1
    assert len(told) == 1
    assert "dies once by robot in world, seed 1: its worker tcp://127.0.0.1:" in told[0]


@pytest.mark.slow
def test_workers_that_cannot_run_cases_and_a_scheduler_that_goes_are_errors(tmp_path: Path) -> None:
    """Within seconds; what came before was kept by the reader."""
    distributed = pytest.importorskip("distributed")
    given = [Case("ok", "robot", "world", seed) for seed in range(2000)]
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        name = f"dask://{cluster.scheduler_address.removeprefix('tcp://')}"
        with pytest.raises(EngineError, match=r"its library is not one that can run them \(.*only_here"):
            list(Scatter(given, open_engine(name, 1, only_here(tmp_path))))
        reader = iter(Scatter(given, open_engine(name, 1, perfect())))
        assert next(reader).result.verdict == "success"
    with pytest.raises(EngineError, match=r"the scheduler at .* has gone"):
        list(reader)


def only_here(folder: Path) -> Run:
    """A run of a module that no worker has."""
    (folder / "only_here.py").write_text(RUN)
    spec = importlib.util.spec_from_file_location("only_here", folder / "only_here.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["only_here"] = module
    spec.loader.exec_module(module)
    run: Run = module.run
    return run


def perfect() -> Run:
    """A run that travels by value."""

    def run(case: Case, picture: str) -> Result:
        return Result(case, "success")

    return run
