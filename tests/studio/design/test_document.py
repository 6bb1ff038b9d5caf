"""A file keeps every byte that nobody changed, and its history."""

from __future__ import annotations

from pathlib import Path

import pytest

import taskmatrix
from taskmatrix.core.base.errors import MachineError, TaskMatrixError
from taskmatrix.studio.design.class_edits import set_argument
from taskmatrix.studio.design.document import Document
from taskmatrix.studio.design.edits import add_transition

from .test_edits import TEXT

PACKAGE = Path(taskmatrix.__file__).parent
FILES = [
    *(PACKAGE / "behaviors").rglob("*.py"),
    *(PACKAGE / "soccer").rglob("*.py"),
    *(PACKAGE.parent / "examples").rglob("*.py"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    made = tmp_path / "help.py"
    made.write_text(TEXT)
    return made


def test_every_shipped_program_is_opened_and_saved_byte_for_byte(tmp_path: Path) -> None:
    """Also after the same text was written and undone."""
    made = tmp_path / "any.py"
    for path in FILES:
        data = path.read_bytes()
        made.write_bytes(data)
        document = Document(made)
        assert document.problem == ""
        document.write(document.text + "# more\n")
        document.undo()
        assert made.read_bytes() == data, path


@pytest.mark.parametrize(
    "data",
    [
        TEXT.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        b"# -*- coding: latin-1 -*-\n# \xe9\n" + TEXT.encode(),
        TEXT.rstrip().encode(),
    ],
)
def test_line_ends_and_encodings_stay(tmp_path: Path, data: bytes) -> None:
    made = tmp_path / "any.py"
    made.write_bytes(data)
    document = Document(made)
    document.edit("Ensure", set_argument("hold", "final", None), set_argument("hold", "final", "True"))
    assert made.read_bytes() == data
    document.edit("Ensure", add_transition("on(fetch.failed, start=look, times=1)"))
    after = made.read_bytes()
    assert after.count(b"\r\n") == (after.count(b"\n") if b"\r\n" in data else 0)
    assert len(after.splitlines()) == len(data.splitlines()) + 1
    document.undo()
    assert made.read_bytes() == data


def test_changes_are_written_undone_and_made_again(path: Path) -> None:
    document = Document(path)
    document.edit("Ensure", set_argument("fetch", "duration", "2.0"))
    document.edit("Ensure", set_argument("fetch", "duration", "3.0"))
    assert "duration=3.0" in path.read_text()
    document.undo()
    assert "duration=2.0" in path.read_text()
    document.redo()
    assert "duration=3.0" in path.read_text()
    document.undo()
    document.undo()
    assert (path.read_text(), document.can_undo, document.can_redo) == (TEXT, False, True)


def test_a_change_from_outside_is_taken_up_and_loses_nothing(path: Path) -> None:
    document = Document(path)
    document.edit("Ensure", set_argument("fetch", "duration", "2.0"))
    ours = document.text
    path.write_text(TEXT.replace("Hold an object.", "Keep an object."))
    assert document.take_up()
    assert "Keep an object." in document.text
    document.undo()
    assert path.read_text() == ours
    assert not document.take_up()


def test_an_edit_is_made_in_what_is_in_the_file_now(path: Path) -> None:
    document = Document(path)
    path.write_text(TEXT.replace("Hold an object.", "Keep an object."))
    document.edit("Ensure", set_argument("fetch", "duration", "2.0"))
    assert "Keep an object." in path.read_text()
    assert "duration=2.0" in path.read_text()


def test_what_is_refused_leaves_the_file_alone(path: Path) -> None:
    document = Document(path)
    with pytest.raises(MachineError):
        document.edit("Ensure", set_argument("fetch", "duration", "-2.0"))
    assert (path.read_text(), document.can_undo) == (TEXT, False)


def test_text_that_is_no_program_is_kept_and_told(path: Path) -> None:
    """The last picture stays; drawing is refused until it is mended."""
    document = Document(path)
    document.write(TEXT.replace("class Ensure(", "class Ensure(("))
    assert "is no Python" in document.problem
    assert list(document.program.machines) == ["Ensure"]
    with pytest.raises(MachineError, match="only its text can be edited"):
        document.edit("Ensure", set_argument("fetch", "duration", "2.0"))
    document.undo()
    assert document.problem == ""


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(TaskMatrixError, match=r"no.py cannot be read: No such file"):
        Document(tmp_path / "no.py")
