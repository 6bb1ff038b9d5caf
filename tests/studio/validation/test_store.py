from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from taskmatrix.studio.validation import Case, Result
from taskmatrix.studio.validation.store import Origin, Store, fingerprint, key_of
from taskmatrix.studio.validation.timing import hosts

RESULT = Result(Case("reach", "talos", "sparse", 3), "failure", "collision", "the hand touches the table")


def test_results_are_found_again(tmp_path: Path) -> None:
    """Also when the last line was cut off."""
    path = tmp_path / "deep" / "results.jsonl"
    Store(path).add(RESULT)
    with path.open("a") as file:
        file.write('{"behavior": "rea')
    assert Store(path).results == {RESULT.case: RESULT}


def test_results_of_another_library_do_not_count(tmp_path: Path) -> None:
    """They are told, and not used."""
    path = tmp_path / "results.jsonl"
    Store(path, library="old").add(RESULT)
    store = Store(path)
    assert (store.results, store.outdated) == ({}, 1)


def test_fresh_forgets(tmp_path: Path) -> None:
    """What was there before."""
    path = tmp_path / "results.jsonl"
    Store(path).add(RESULT)
    assert Store(path, fresh=True).results == {}
    assert Store(path).results == {}


def test_the_fingerprint_is_of_the_files() -> None:
    """Sixteen hexadecimal digits."""
    assert len(fingerprint()) == 16
    assert int(fingerprint(), 16) >= 0


def test_what_is_added_after_a_line_that_was_cut_off_is_kept(tmp_path: Path) -> None:
    """The writer was killed in the middle of it."""
    path = tmp_path / "results.jsonl"
    path.write_text('{"behavior": "rea')
    Store(path).add(RESULT)
    assert Store(path).results == {RESULT.case: RESULT}


def test_a_result_that_is_there_is_not_added_again(tmp_path: Path) -> None:
    """Whatever the wall clock and the worker say; where it was made is no part of it."""
    path = tmp_path / "results.jsonl"
    store = Store(path)
    store.add(RESULT, "tcp://10.0.0.1:4711", ("tcp://10.0.0.3:4711",))
    store.add(replace(RESULT, wall=3.0), "tcp://10.0.0.2:4711")
    assert len(path.read_text().splitlines()) == 1
    assert hosts([RESULT.case], Store(path)) == {
        "10.0.0.1": {"runs": 1, "not successful": 1, "deaths": 0},
        "10.0.0.3": {"runs": 0, "not successful": 0, "deaths": 1},
    }
    assert Store(path).origins == {RESULT.case: Origin("tcp://10.0.0.1:4711", ("tcp://10.0.0.3:4711",))}


def test_the_key_is_of_the_case_and_the_library() -> None:
    """And not of the folder of the results."""
    key = key_of(RESULT.case, "a")
    assert key == key_of(replace(RESULT.case, out="elsewhere"), "a")
    assert len({key, key_of(RESULT.case, "b"), key_of(replace(RESULT.case, seed=4), "a")}) == 3
