"""A file that is designed: its history, and how it is kept in step with the disk."""

from __future__ import annotations

import io
import os
import tokenize
from pathlib import Path

from taskmatrix.core.base.errors import MachineError, TaskMatrixError

from .class_edits import Edit
from .edits import add_class, apply
from .reading import Program


class Document:
    """A file, read and never run; every change is written to it at once and can be undone.

    A change from outside is one more step of the history: what was there before is an undo away.

    Args:
        path: Of the file.

    Attributes:
        path: As given.
        program: What is written in it; the last that could be read where it cannot be read now.
        text: What is written in it.
        problem: Why it cannot be read; empty where it can be.

    Raises:
        TaskMatrixError: There is no such file, or it is no text.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.program = Program("", path)
        self.text = self.problem = ""
        self._encoding = "utf-8"
        self._data = b""
        self._before: list[str] = []
        self._after: list[str] = []
        self.text = self._read()
        self._understand()

    @property
    def can_undo(self) -> bool:
        """Whether there is a change to undo."""
        return bool(self._before)

    @property
    def can_redo(self) -> bool:
        """Whether there is a change to make again."""
        return bool(self._after)

    def edit(self, name: str, *edits: Edit) -> None:
        """Edit a machine or component, in one step.

        Raises:
            MachineError: It is refused, see :func:`~taskmatrix.studio.design.edits.apply`; the file is as it was.
            TaskMatrixError: The file cannot be written.
        """
        self._change(apply(self._readable(), name, *edits).text)

    def add_class(self, kind: str, name: str, doc: str = "") -> None:
        """Write a machine or component with nothing in it at the end of the file, in one step.

        Raises:
            MachineError: The name is none for a class, or means something already.
            TaskMatrixError: The file cannot be written.
        """
        self._change(add_class(self._readable(), kind, name, doc).text)

    def write(self, text: str) -> None:
        """Change the whole text, also to what cannot be read.

        Raises:
            TaskMatrixError: The file cannot be written.
        """
        self.take_up()
        self._change(text)

    def undo(self) -> None:
        """Go one step back, if there is one."""
        self.take_up()
        if self._before:
            self._save(self._before[-1])
            self._after.append(self.text)
            self._set(self._before.pop())

    def redo(self) -> None:
        """Make the step again that was undone last, if nothing was changed since."""
        self.take_up()
        if self._after:
            self._save(self._after[-1])
            self._before.append(self.text)
            self._set(self._after.pop())

    def take_up(self) -> bool:
        """Take up what was changed in the file from outside; whether something was.

        Raises:
            TaskMatrixError: The file cannot be read any more.
        """
        before, data = self.text, self._data
        text = self._read()
        if self._data == data:
            return False
        self._before.append(before)
        self._after.clear()
        self._set(text)
        return True

    def _readable(self) -> Program:
        self.take_up()
        if self.problem:
            raise MachineError(f"only its text can be edited: {self.problem}")
        return self.program

    def _change(self, text: str) -> None:
        if text != self.text:
            self._save(text)
            self._before.append(self.text)
            self._after.clear()
            self._set(text)

    def _set(self, text: str) -> None:
        self.text = text
        self._understand()

    def _understand(self) -> None:
        try:
            self.program, self.problem = Program(self.text, self.path), ""
        except TaskMatrixError as error:
            self.problem = str(error)

    def _read(self) -> str:
        try:
            data = self.path.read_bytes()
            if data != self._data:
                encoding = tokenize.detect_encoding(io.BytesIO(data).readline)[0]
                text = data.decode(encoding)
                self._data, self._encoding = data, encoding
                return text
        except OSError as error:
            raise TaskMatrixError(f"{self.path} cannot be read: {error.strerror or error}") from None
        except (SyntaxError, ValueError) as error:
            raise TaskMatrixError(f"{self.path} is no text of Python: {error}") from None
        return self.text

    def _save(self, text: str) -> None:
        """Write the file as a whole or not at all."""
        beside = self.path.with_name(f".{self.path.name}.designer")
        try:
            data = text.encode(self._encoding)
            mode = self.path.stat().st_mode
            beside.write_bytes(data)
            beside.chmod(mode & 0o777)
            os.replace(beside, self.path.resolve())
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise TaskMatrixError(f"{self.path} cannot be written: {error.strerror or error}") from None
        except UnicodeEncodeError as error:
            raise TaskMatrixError(f"{self.path} is written in {self._encoding}, which cannot say it: {error}") from None
        self._data = data
