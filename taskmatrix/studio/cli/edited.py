"""A behavior whose file is edited while its page is open."""

from __future__ import annotations

from collections.abc import Callable

from py_trees.behaviour import Behaviour

from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.session.catalogue import file_of, find_again


class Edited:
    """What is to run again in place of what ran: the same, or made of what its file has now where that has changed.

    Args:
        name: Of the behavior, as on the command line.
        make: Makes it with the parameters that were given.
    """

    def __init__(self, name: str, make: Callable[[], TaskBehavior]) -> None:
        self._name, self._make = name, make
        self._file = file_of(name)
        self._text = self._read()

    def __call__(self, task: Behaviour) -> Behaviour:
        """What is to run, of the same name as what ran.

        Raises:
            TaskMatrixError: The file cannot be loaded, or makes no such behavior any more.
        """
        text = self._read()
        if text == self._text or f"{type(task).__module__}:{type(task).__name__}" != self._name:
            return task
        find_again(self._name)
        made = self._make()
        self._text = text
        return made

    def _read(self) -> bytes:
        try:
            return self._file.read_bytes() if self._file is not None else b""
        except OSError:
            return b""
