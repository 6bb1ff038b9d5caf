"""Errors that say what there is."""

from __future__ import annotations

import pytest

from taskmatrix.core.base import errors
from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError, not_found


@pytest.mark.parametrize(
    ("name", "known", "text"),
    [
        ("vacum", ["vacuum", "table"], "no object 'vacum'; did you mean 'vacuum'? There are: table, vacuum"),
        ("xyz", ["vacuum", "table"], "no object 'xyz'. There are: table, vacuum"),
        ("xyz", [], "no object 'xyz'. There are: none"),
    ],
)
def test_not_found_lists_what_there_is_and_the_nearest(name: str, known: list[str], text: str) -> None:
    """A wrong name is answered with the names there are and, if one is near, with that one."""
    assert not_found("object", name, known) == text


def test_not_found_says_where() -> None:
    """The place that was searched is named."""
    assert not_found("chain", "arm", ["left_arm"], "robot 'x'").startswith("no chain 'arm' in robot 'x'; did you mean")


def test_not_found_error_carries_its_data() -> None:
    """Programs read the attributes, people the text, and it is a KeyError for who looks something up."""
    error = NotFoundError("robot", "asimov", ["asimo", "bandit"])
    assert isinstance(error, KeyError)
    assert (error.noun, error.name, error.known) == ("robot", "asimov", ("asimo", "bandit"))
    assert str(error) == "no robot 'asimov'; did you mean 'asimo'? There are: asimo, bandit"


def test_every_error_has_the_one_base_and_stands_in_the_tree() -> None:
    """Who catches TaskMatrixError catches everything raised on purpose; the module's docstring draws them all."""
    found = [value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, Exception)]
    assert all(issubclass(error, TaskMatrixError) for error in found)
    for error in found:
        assert error.__name__ in (errors.__doc__ or "")


def test_parts_come_last_and_are_meant_by_who_names_one() -> None:
    """The links of other robots are objects beside the few that there are; names of grasps are all parts."""
    known = ["ann/left_shin", "table", "ann/head"]
    assert (
        not_found("object", "nothing_left", known)
        == "no object 'nothing_left'. There are: table, ann/head, ann/left_shin"
    )
    assert "did you mean 'ann/head'" in not_found("object", "ann/haed", known)
    assert "did you mean 'side/3'" in not_found("grasp", "side", ["side/3", "top/1"])
