"""A process that answers one question after the other, and whose death is noticed wherever it happens.

`concurrent.futures.ProcessPoolExecutor` hangs for good when its process dies in the middle of a message that does not
fit into a pipe (CPython issue 94777); snapshots with some hundred goals do not.
"""

from __future__ import annotations

import multiprocessing
import signal
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.reduction import ForkingPickler
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any


class WorkerDiedError(Exception):
    """The process ended before it had answered."""


class WorkerRaisedError(Exception):
    """What was asked raised an exception in the process; the text is its trace."""


class Worker:
    """Starts a process; it is ended by :meth:`close`, or with this one.

    Args:
        prepare: Called first in the process, with ``arguments``; a function of a module.
        *arguments: What can be pickled.
    """

    def __init__(self, prepare: Callable[..., object], *arguments: object) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._prepare = ForkingPickler.dumps((prepare, arguments))  # in start(), it would hang a process that ends
        self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()  # so that the end of the process is the end of the pipe
        self._questions = SimpleQueue[tuple[Future[Any], object] | None]()
        self._lock, self._closing = Lock(), False
        self.alive = True
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def ask(self, function: Callable[..., Any], *arguments: object) -> Future[Any]:
        """Have a function of a module called in the process; returns at once.

        The future raises WorkerDiedError where the process ends first, and WorkerRaisedError where the function raises.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self.alive:
                self._questions.put((future, (function, arguments)))
            else:
                future.set_exception(WorkerDiedError("it had ended before"))
        return future

    def close(self) -> None:
        """End the process, whatever it does; what it has not answered is cancelled."""
        self._closing = True
        self._process.terminate()
        self._questions.put(None)
        self._thread.join()
        self._process.join()
        self._pipe.close()

    def _run(self) -> None:
        with suppress(OSError):  # it has ended already, which the first question finds
            self._pipe.send_bytes(self._prepare)
        while (item := self._questions.get()) is not None:
            future, question = item
            if self._closing or not future.set_running_or_notify_cancel():
                future.cancel()
                continue
            try:
                self._pipe.send(question)
                answer, trace = self._pipe.recv()
            except (EOFError, OSError):
                future.set_exception(WorkerDiedError(f"exit code {self._exit_code()}"))
                break
            except Exception as error:  # what cannot be pickled was not sent
                future.set_exception(error)
            else:
                if trace:
                    future.set_exception(WorkerRaisedError(trace))
                else:
                    future.set_result(answer)
        self._end()

    def _end(self) -> None:
        """Take no more questions, and answer those that wait."""
        with self._lock:
            self.alive = False
        while True:
            try:
                item = self._questions.get_nowait()
            except Empty:
                return
            if item is not None and self._closing:
                item[0].cancel()
            elif item is not None and item[0].set_running_or_notify_cancel():
                item[0].set_exception(WorkerDiedError(f"exit code {self._exit_code()}"))

    def _exit_code(self) -> int | None:
        self._process.join(1.0)
        return self._process.exitcode


def _serve(pipe: Connection[Any, Any]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asked; it ends this one
    prepare, arguments = pipe.recv()
    prepare(*arguments)
    while True:
        try:
            function, given = pipe.recv()
        except EOFError:
            return
        try:
            answer = function(*given), ""
        except Exception:
            answer = None, traceback.format_exc()
        pipe.send(answer)
