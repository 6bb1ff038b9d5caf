from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from exactness import judge
from problems.contacts import near_contact
from problems.furnished import WORLDS, furnished
from problems.models import Checker
from problems.rows import random_source


@pytest.mark.parametrize("world", WORLDS)
def test_states_near_contact_are_on_both_sides_of_it(world: str) -> None:
    """And the same each time."""
    problem = furnished("mannequin", world)
    checker = Checker(problem.model, problem.geometry)
    states = near_contact(problem, checker, 12, random_source("near"))
    assert {checker.hits(q) for q in states} == {True, False}
    assert (states >= problem.lower).all()
    assert (states <= problem.upper).all()
    same = furnished("mannequin", world)
    again = near_contact(same, Checker(same.model, same.geometry), 12, random_source("near"))
    np.testing.assert_array_equal(states, again)


@pytest.mark.pages
def test_nothing_is_called_free_that_touches(tmp_path: Path) -> None:
    result = judge(furnished("mannequin", "meshes"), 200, 20, 2, tmp_path)
    assert result.get("missed_pairs") == result.get("false_free") == 0.0
    assert float(result.get("touching") or 0.0) > 100.0
