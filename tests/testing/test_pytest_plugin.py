"""The pytest plug-in: what its fixtures give, and what a failed test leaves behind."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path
from textwrap import dedent

import pytest

from taskmatrix.behaviors import Pickup
from taskmatrix.session.session import simulate
from taskmatrix.studio.recording import Recording
from taskmatrix.testing import Bench, box_percept

pytest_plugins = "pytester"
ROOT = Path(__file__).resolve().parents[2]
QUICK = """
from taskmatrix.behaviors import Grasp, Pickup
from taskmatrix.testing import box_percept

CUP = box_percept("cup", (0.5, 0.1, 0.9))
"""


@pytest.fixture(scope="module", autouse=True)
def loaded() -> None:
    """What a run of pytest inside of this one loads is forgotten after it, and NumPy cannot be loaded twice."""
    Bench([box_percept("cup", (0.5, 0.1, 0.9))]).run(Pickup(object="cup"))
    with simulate() as session:
        session.run(Pickup(object="vacuum"), timeout=1.0)


def run(pytester: pytest.Pytester, tests: str, *options: str) -> pytest.RunResult:
    """Run tests with the plug-in, whether or not this process has it by an entry point."""
    pytester.makepyfile(QUICK + dedent(tests))
    return pytester.runpytest_inprocess("-p", "pytest_taskmatrix", "-p", "no:cacheprovider", *options)


def test_it_loads_nothing_of_the_library() -> None:
    """Nobody waits for Pinocchio who has it installed and tests something else."""
    program = (
        "import sys, pytest; before = set(sys.modules); import pytest_taskmatrix; print(*set(sys.modules) - before)"
    )
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert told.stdout.split() == ["pytest_taskmatrix"]


def test_pytest_finds_it_where_taskmatrix_is_installed() -> None:
    """By an entry point of the same name, so that it is loaded once however it is asked for."""
    found = {point.name: point.value for point in entry_points(group="pytest11")}
    written = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert found.get("pytest_taskmatrix", "pytest_taskmatrix") == "pytest_taskmatrix"
    assert '[project.entry-points.pytest11]\npytest_taskmatrix = "pytest_taskmatrix"' in written


def test_a_session_is_made_and_closed_and_its_events_are_there(pytester: pytest.Pytester) -> None:
    """With all that `simulate` takes; nothing is left behind of a test that passes."""
    tests = """
    MADE = []

    def test_failure(taskmatrix_session):
        session, events = taskmatrix_session("mannequin", "sparse", seed=3, start=(0.0, 0.0, 0.5))
        MADE.append(taskmatrix_session())
        close = session.close
        session.close = lambda: (MADE.append("closed"), close())
        assert session.seed == 3
        assert not session.run(Grasp(object="soda_can")).success
        events.failed("grasp", "precondition", saying="no hand holds soda_can")
        events.never.started("grasp")

    def test_closed():
        assert MADE[1:] == ["closed"]
    """
    run(pytester, tests).assert_outcomes(passed=2)
    assert not (pytester.path / "taskmatrix-recordings").exists()


def test_a_failed_test_leaves_a_recording_of_each_session_and_says_where(pytester: pytest.Pytester) -> None:
    """Named after the test; it opens as any other."""
    tests = """
    import pytest

    @pytest.mark.parametrize("object", ["soda_can"])
    def test_grasp(taskmatrix_session, object):
        for seed in range(2):
            session, events = taskmatrix_session(seed=seed)
            session.run(Grasp(object=object))
        events.succeeded("grasp")
    """
    result = run(pytester, tests)
    result.assert_outcomes(failed=1)
    folder = pytester.path / "taskmatrix-recordings"
    name = "test_a_failed_test_leaves_a_recording_of_each_session_and_says_where.py-test_grasp-soda_can"
    paths = [folder / f"{name}.mcap", folder / f"{name}-2.mcap"]
    assert sorted(folder.iterdir()) == sorted(paths)
    result.stdout.fnmatch_lines(["*no event tells that 'grasp' succeeded", *(f"recording: {path}" for path in paths)])
    for seed, path in enumerate(paths):
        recording = Recording.open(path)
        assert (recording.header["seed"], recording.truncated) == (seed, False)
        assert recording.header["command"] == f"pytest '{pytester.path.name.rstrip('0')}.py::test_grasp[soda_can]'"
        assert [event["data"]["success"] for event in recording.events("outcome")] == [False]
        assert recording.scene["objects"]


def test_a_failed_test_leaves_the_events_of_a_bench(pytester: pytest.Pytester) -> None:
    """As lines of JSON, for there is no robot to see; in the folder that is asked for."""
    tests = """
    def test_pickup(taskmatrix_bench):
        bench = taskmatrix_bench([CUP], seed=4)
        assert bench.run(Pickup(object="cup")).success
        bench.events.failed("reach")

    def test_other(taskmatrix_bench):
        taskmatrix_bench()
    """
    result = run(pytester, tests, "--taskmatrix-recordings", "kept/here")
    result.assert_outcomes(failed=1, passed=1)
    (path,) = (pytester.path / "kept" / "here").iterdir()
    assert path.name.endswith("-test_pickup.jsonl")
    events = [json.loads(line) for line in path.read_text().splitlines()]
    assert (events[0]["kind"], events[0]["data"]["seed"], events[-1]["kind"]) == ("run", 4, "outcome")


def test_what_fails_before_or_after_the_test_is_recorded_too(pytester: pytest.Pytester) -> None:
    """A fixture that fails with a bench, before the test or after it; but no test that is expected to fail."""
    tests = """
    import pytest

    @pytest.fixture
    def picked(taskmatrix_bench):
        bench = taskmatrix_bench([])
        assert bench.run(Pickup(object="cup")).success

    @pytest.fixture
    def checked(taskmatrix_bench):
        bench = taskmatrix_bench([CUP])
        yield bench
        bench.events.failed("reach")

    def test_before(picked):
        pass

    def test_after(checked):
        checked.run(Pickup(object="cup"))

    @pytest.mark.xfail
    def test_expected(taskmatrix_bench):
        assert taskmatrix_bench([]).run(Pickup(object="cup")).success
    """
    run(pytester, tests).assert_outcomes(errors=2, passed=1, xfailed=1)
    names = sorted(path.name for path in (pytester.path / "taskmatrix-recordings").iterdir())
    assert [name.rpartition("-")[2] for name in names] == ["test_after.jsonl", "test_before.jsonl"]


def test_a_folder_that_cannot_be_written_is_said_and_no_more(pytester: pytest.Pytester) -> None:
    """The report of the test is the report of the test."""
    pytester.makefile("", taken="a file")
    tests = """
    def test_pickup(taskmatrix_bench):
        assert taskmatrix_bench([]).run(Pickup(object="cup")).success
    """
    result = run(pytester, tests, "--taskmatrix-recordings", "taken/here")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*no recording: cannot write taken*"])


def test_events_are_let_go_when_a_test_is_over(pytester: pytest.Pytester) -> None:
    """A thousand tests need the memory of one."""
    tests = """
    import gc, weakref

    KEPT = []

    def test_pickup(taskmatrix_bench):
        bench = taskmatrix_bench([CUP])
        KEPT.append(weakref.ref(bench.events))

    def test_gone():
        gc.collect()
        assert KEPT[0]() is None
    """
    run(pytester, tests).assert_outcomes(passed=2)


@pytest.mark.pages
def test_the_tests_on_the_page_pass(pytester: pytest.Pytester) -> None:
    """As they stand there, but for one of the robots; with the other hand the last one fails as the page shows."""
    page = (ROOT / "docs" / "how-to" / "testing.md").read_text(encoding="utf-8")
    found = re.search(r":caption: test_pickup.py\n\n(.*?)```", page, re.DOTALL)
    assert found
    pytester.makepyfile(test_pickup=found[1].replace('hand="left"', 'hand="right"'))
    result = pytester.runpytest_inprocess("-p", "pytest_taskmatrix", "-k", "hand")
    result.assert_outcomes(failed=1, deselected=3)
    result.stdout.no_fnmatch_line("*event_log.py*")
    result.stdout.fnmatch_lines(
        ["*AssertionError: no event tells that 'reach' said parameter-set (hand right)", "*test_it_takes_a_hand.jsonl"]
    )
    pytester.makepyfile(test_pickup=found[1])
    pytester.runpytest_inprocess("-p", "pytest_taskmatrix", "-k", "not nao").assert_outcomes(passed=3, deselected=1)
