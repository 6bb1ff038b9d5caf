from __future__ import annotations

from pathlib import Path

from taskmatrix.studio.validation import Case, Result
from taskmatrix.studio.validation.store import Store, fingerprint

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
