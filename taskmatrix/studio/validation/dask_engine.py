"""Dask as the engine: an existing scheduler, or a cluster of this machine made for the runs."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Callable
from contextlib import ExitStack, suppress
from itertools import count
from queue import Empty, SimpleQueue
from typing import Any

from taskmatrix.core.base.errors import MissingDependencyError, ParameterError, how_to_install

from .engine import Answer, EngineError, Job, perform
from .store import fingerprint
from .work import Run

try:
    import dask
    from cloudpickle import dumps
    from dask.distributed import Client, Future, LocalCluster
except ImportError as error:
    needs = "--engine dask needs Dask, which is not installed; install it "
    raise MissingDependencyError(needs + how_to_install("cluster")) from error

LOG = logging.getLogger("taskmatrix")
SECONDS = 5.0  # [s] to connect to a scheduler
FETCH = 10.0  # [s] for a result that is done
DEAF = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"  # of workers: Ctrl-C is for who scatters
RESTART = 10.0  # [s] for a worker to end


class DaskEngine:
    """Workers of a Dask scheduler.

    Args:
        client: Of the scheduler.
        run: Runs a case.
        held: Closed with the engine.
        cluster: That was made for the runs, if one was.
        processes: Of that cluster.
    """

    def __init__(
        self, client: Client, run: Run, held: ExitStack, cluster: LocalCluster | None = None, processes: int = 0
    ) -> None:
        self._cluster, self._processes = cluster, processes
        self._client, self._run, self._held, self._library = client, run, held, fingerprint()
        self._address = str(client.scheduler.address) if client.scheduler else ""
        self._futures: dict[tuple[str, str], Future] = {}
        self._ended: SimpleQueue[tuple[str, str, Future, str]] = SimpleQueue()
        self._numbers = count()
        self._fine: set[str] = set()  # of those the ones that may
        self._asked: dict[str, Future] = {}  # workers that were asked whether they may run cases

    def workers(self) -> list[str]:
        """Addresses, as Dask has them, in their order; of those that have said that their library is the same."""
        self._check()
        try:
            there = sorted(self._client.nthreads())
            if self._cluster is not None and len(there) < self._processes:
                self._cluster.scale(self._processes)  # a nanny whose worker dies while it starts gives up
            self._asked = {worker: self._asked.get(worker) or self._ask(worker) for worker in there}
            return [worker for worker in there if self._may(worker)]
        except (OSError, RuntimeError, ValueError) as error:
            raise self._gone() from error

    def _ask(self, worker: str) -> Future:
        """What cannot be loaded there would end the worker, so that is tried before."""
        name = f"taskmatrix-{os.getpid()}-asked-{next(self._numbers)}"
        return self._client.submit(
            _question(dumps(self._run)), key=name, workers=[worker], allow_other_workers=False, pure=False
        )

    def _may(self, worker: str) -> bool:
        future = self._asked[worker]
        if future is None or future.status != "finished":
            return False
        if worker not in self._fine:
            try:
                answer = future.result(timeout=FETCH)
            except Exception:  # it has gone meanwhile
                return False
            if answer != self._library:
                raise EngineError(
                    f"worker {worker} may not run cases: its library is {answer}, "
                    f"and that of the process that scatters the runs {self._library}"
                )
            self._fine.add(worker)
        return True

    def submit(self, job: Job, worker: str) -> None:
        """As a task of Dask that may run on no other worker: who has what is decided by the one who gives it."""
        self._check()
        name = f"taskmatrix-{os.getpid()}-{job.key}-{next(self._numbers)}"  # a second try is another task
        future = self._client.submit(
            perform, self._run, job, self._library, key=name, workers=[worker], allow_other_workers=False, pure=False
        )
        self._futures[job.key, worker] = future
        future.add_done_callback(lambda ended: self._ended.put((job.key, worker, ended, ended.status)))

    def wait(self, seconds: float) -> list[Answer]:
        """Answers that are there; what was cancelled gives none."""
        self._check()
        found: list[Answer] = []
        with suppress(Empty):
            found += self._answer(*self._ended.get(timeout=seconds))
            while True:
                found += self._answer(*self._ended.get_nowait())
        return found

    def _answer(self, key: str, worker: str, future: Any, status: str) -> list[Answer]:
        """What a future that ended with a status gives; nothing if nobody wants it any more."""
        if (key, worker) not in self._futures or self._futures[key, worker] is not future:
            return []
        del self._futures[key, worker]
        error = None
        try:
            if status == "finished":
                return [Answer(key, worker, future.result(timeout=FETCH))]
            error = future.exception(timeout=FETCH) if status == "error" else None
        except Exception:  # the worker went with what it had
            LOG.debug("what %s had of %s is lost", worker, key, exc_info=True)
        self._check()
        if error is None or type(error).__name__ == "KilledWorker":
            return [Answer(key, worker, None, ended=status == "finished")]
        raise EngineError(f"worker {worker} cannot run cases: {error}") from error

    def cancel(self, key: str, worker: str) -> None:
        """Cancel, if it did not begin."""
        future = self._futures.pop((key, worker), None)
        if future is not None and self._client.status == "running":
            future.cancel()

    def restart(self, worker: str) -> bool:
        """By its nanny; a worker without one stays as it is."""
        try:
            ended = self._client.restart_workers([worker], timeout=RESTART, raise_for_error=False)
        except (OSError, RuntimeError, ValueError):
            return False
        return ended.get(worker) in {"OK", "removed"}

    def close(self) -> None:
        """Also ends the cluster, if it was made for the runs."""
        with suppress(Exception):
            if self._client.status == "running":
                self._client.cancel(list(self._futures.values()), force=True)
        self._futures.clear()
        self._held.close()

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _gone(self) -> EngineError:
        return EngineError(f"the scheduler at {self._address} has gone")


def open_dask(address: str, processes: int, run: Run) -> DaskEngine:
    """Open the scheduler at an address ``HOST:PORT``, or a cluster of so many processes if that is empty.

    Raises:
        ParameterError: It is no address.
        EngineError: There is no scheduler.
    """
    with ExitStack() as stack:
        stack.enter_context(dask.config.set({"distributed.comm.timeouts.connect": f"{SECONDS:g}s"}))
        logger = logging.getLogger("distributed")
        cluster = None
        stack.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)  # what is worth telling is told by the one who scatters
        if not address:
            cluster = LocalCluster(
                n_workers=processes, threads_per_worker=1, processes=True, memory_limit=None,
                dashboard_address="127.0.0.1:0", silence_logs=logging.CRITICAL, preload=[DEAF],
            )  # fmt: skip
            address = cluster.scheduler_address
            stack.callback(cluster.close, timeout=RESTART)
        else:
            _listens(address)
            address = f"tcp://{address}"
        try:
            client = Client(address, timeout=SECONDS, set_as_default=False, name="taskmatrix")
        except Exception as error:  # whatever a peer that is no scheduler makes of it
            raise EngineError(f"there is no Dask scheduler at {address}: {type(error).__name__}: {error}") from error
        stack.callback(client.close, timeout=RESTART)
        return DaskEngine(client, run, stack.pop_all(), cluster, processes)


def _listens(address: str) -> None:
    """Refuse at once what Dask would try for long."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise ParameterError(f"--engine dask://{address}: an address is HOST:PORT, as in dask://10.0.0.1:8786")
    try:
        socket.create_connection((host, int(port)), timeout=SECONDS).close()
    except (OSError, OverflowError) as error:
        raise EngineError(f"there is no Dask scheduler at {address}: {error}") from error


def _question(run: bytes) -> Callable[[], str]:
    """Asks a worker for the fingerprint of its library, or why it has none; made here, so that it travels by value."""

    def ask() -> str:
        try:
            import pickle  # noqa: PLC0415

            from .store import fingerprint  # noqa: PLC0415

            mine = fingerprint()
            pickle.loads(run)  # noqa: S301 - of the process that scatters, as all that a worker is given
        except Exception as error:
            return f"not one that can run them ({type(error).__name__}: {error})"
        return mine

    return ask
