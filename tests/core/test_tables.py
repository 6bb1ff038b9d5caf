"""Reading TOML with errors that name file and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from taskmatrix.core.base.errors import RobotError, TaskMatrixError, WorldError
from taskmatrix.core.base.tables import Table, read_table


def table(**data: Any) -> Table:
    """A table `part` of a file `r.toml`."""
    return Table(Path("r.toml"), "part", data, RobotError)


def test_entries_arrive_with_their_kind() -> None:
    """Whole numbers pass for numbers, defaults stand in for what is missing."""
    given = table(name="a", size=2, both=[1, 2.5], words=["x", "y"], joints={"j": 1}, rows=[{"a": 1}, {"a": 2}])
    assert given.get("name", str) == "a"
    assert given.get("size", float) == given.positive("size") == 2.0
    assert isinstance(given.get("size", float), float)
    assert given.numbers("both", 2) == given.numbers("both", (2, 3)) == (1.0, 2.5)
    assert given.strings("words") == ("x", "y")
    assert given.mapping("joints") == {"j": 1.0}
    assert [row.get("a", int) for row in given.tables("rows")] == [1, 2]
    assert given.only("name", "size", "both", "words", "joints", "rows") is given


def test_what_is_missing_is_its_default() -> None:
    """An empty text may be a default; tables that are missing are empty."""
    given = table()
    assert given.get("name", str, "") == ""
    assert given.numbers("both", 2, (0, 1)) == (0.0, 1.0)
    assert given.mapping("joints", {"j": 1.0}) == {"j": 1.0}
    assert given.table("nothing").data == {}
    assert given.tables("nothing") == []


@pytest.mark.parametrize(
    ("data", "read", "message"),
    [
        ({}, lambda t: t.get("name", str), r"r\.toml: part\.name: missing; a text in quotes is needed"),
        ({"name": 3}, lambda t: t.get("name", str), r"part\.name: expected a text in quotes, got 3"),
        ({"name": ""}, lambda t: t.get("name", str), r"part\.name: expected a text in quotes, got ''"),
        ({"size": True}, lambda t: t.get("size", float), r"part\.size: expected a finite number, got True"),
        ({"size": float("inf")}, lambda t: t.get("size", float), r"part\.size: expected a finite number, got inf"),
        ({"size": 0}, lambda t: t.positive("size"), r"part\.size: must be above zero, got 0"),
        ({"count": 1.5}, lambda t: t.get("count", int), r"part\.count: expected a whole number, got 1\.5"),
        ({"flag": 1}, lambda t: t.get("flag", bool), r"part\.flag: expected true or false, got 1"),
        ({"both": [1]}, lambda t: t.numbers("both", 2), r"part\.both: expected 2 numbers, got \[1\]"),
        ({"both": [1]}, lambda t: t.numbers("both", (2, 3)), r"part\.both: expected 2 or 3 numbers, got \[1\]"),
        ({"both": [1, "a"]}, lambda t: t.numbers("both", 2), r"part\.both\[1\]: expected a finite number, got 'a'"),
        ({"words": ["a", 1]}, lambda t: t.strings("words"), r"part\.words\[1\]: expected a text in quotes, got 1"),
        ({"joints": {"j": "a"}}, lambda t: t.mapping("joints"), r"part\.joints\.j: expected a finite number, got 'a'"),
        ({"below": 1}, lambda t: t.table("below"), r"part\.below: expected a table, got 1"),
        ({"below": {}}, lambda t: t.table("below").get("a", list), r"part\.below\.a: missing; a list is needed"),
        ({"rows": [{}, 1]}, lambda t: t.tables("rows"), r"part\.rows\[1\]: expected a table, got 1"),
        ({"rows": [{}]}, lambda t: t.tables("rows")[0].get("a", int), r"part\.rows\[0\]\.a: missing"),
        ({"nmae": 1}, lambda t: t.only("name"), r"part\.nmae: no key 'nmae'; did you mean 'name'"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(data: dict[str, Any], read: Any, message: str) -> None:
    """Every error has the file, the dotted key, what is expected and what was found."""
    with pytest.raises(RobotError, match=message):
        read(table(**data))


@pytest.mark.parametrize("error_class", [RobotError, WorldError])
def test_every_table_of_a_file_raises_the_error_of_its_reader(
    tmp_path: Path, error_class: type[TaskMatrixError]
) -> None:
    """Whoever reads a file says what its mistakes are, however deep they stand."""
    path = tmp_path / "r.toml"
    path.write_text("[[a]]\n[a.b]\nc = 1\n")
    with pytest.raises(error_class, match=r"r\.toml: a\[0\]\.b\.c: expected a text in quotes, got 1"):
        read_table(path, error_class).tables("a")[0].table("b").get("c", str)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    """The path is in the error."""
    with pytest.raises(WorldError, match=r"none\.toml: the file does not exist"):
        read_table(tmp_path / "none.toml", WorldError)


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"a = [1"])
def test_a_file_that_is_not_toml_is_named(tmp_path: Path, content: bytes) -> None:
    """Bytes that are not UTF-8 or not TOML are an error of the file, not of the reader."""
    path = tmp_path / "r.toml"
    path.write_bytes(content)
    with pytest.raises(RobotError, match=r"r\.toml: not a valid TOML file"):
        read_table(path, RobotError)


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """What cannot be read is an error of the same kind."""
    with pytest.raises(RobotError, match="not a valid TOML file"):
        read_table(tmp_path, RobotError)


def test_a_choice_is_one_of_those_allowed() -> None:
    """Anything else is answered with the nearest."""
    table = Table(Path("x.toml"), "part", {"kind": "boxx"}, WorldError)
    assert table.choice("kind", ["boxx", "ball"], "kind of part") == "boxx"
    with pytest.raises(WorldError, match=r"part\.kind: no kind of part 'boxx'; did you mean 'box'"):
        table.choice("kind", ["box", "ball"], "kind of part")
