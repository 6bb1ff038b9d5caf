"""Reading TOML with errors that name file and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from taskmatrix.core.errors import RobotError
from taskmatrix.robots.tables import Table, read_table


def table(**data: Any) -> Table:
    """A table `part` of a file `r.toml`."""
    return Table(Path("r.toml"), "part", data)


def test_entries_arrive_with_their_kind() -> None:
    """Whole numbers pass for numbers, defaults stand in for what is missing."""
    given = table(name="a", size=2, both=[1, 2.5], words=["x", "y"], joints={"j": 1})
    assert given.get("name", str) == "a"
    assert given.get("size", float) == 2.0
    assert given.numbers("both", 2) == (1.0, 2.5)
    assert given.strings("words") == ("x", "y")
    assert given.mapping("joints") == {"j": 1.0}
    assert given.get("other", str, "default") == "default"
    assert given.table("nothing").data == {}


@pytest.mark.parametrize(
    ("data", "read", "message"),
    [
        ({}, lambda t: t.get("name", str), r"r\.toml: part\.name: missing; a str is needed"),
        ({"name": 3}, lambda t: t.get("name", str), r"part\.name: expected a str, got 3"),
        ({"size": True}, lambda t: t.get("size", float), r"part\.size: expected a float, got True"),
        ({"both": [1, "a"]}, lambda t: t.numbers("both", 2), r"part\.both: expected 2 numbers, got \[1, 'a'\]"),
        ({"words": ["a", 1]}, lambda t: t.strings("words"), r"part\.words: expected a list of names, got 1 in it"),
        ({"joints": {"j": "a"}}, lambda t: t.mapping("joints"), r"part\.joints\.j: expected a float, got 'a'"),
        ({}, lambda t: t.table("below", required=True), r"part\.below: missing; a dict is needed"),
        ({"nmae": 1}, lambda t: t.only(("name",)), r"part\.nmae: no key 'nmae'; did you mean 'name'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(data: dict[str, Any], read: Any, message: str) -> None:
    """Every error has the file, the dotted key, what is expected and what was found."""
    with pytest.raises(RobotError, match=message):
        read(table(**data))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The path is in the error."""
    with pytest.raises(RobotError, match=r"none\.toml: the file does not exist"):
        read_table(tmp_path / "none.toml")


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are an error of the file, not of the reader."""
    path = tmp_path / "r.toml"
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RobotError, match=r"r\.toml: not a valid TOML file"):
        read_table(path)
