"""Scatters cases over the workers of an engine, which may die, hang, come and go."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from time import monotonic

from .case import FAILURE, Case, Result
from .engine import Answer, Engine, EngineError, Job
from .store import fingerprint, key_of
from .work import LIMIT

DEATHS = 3  # of workers that a case may bring about
DEPTH = 2  # jobs of a worker: one that runs, and one that waits, so that it is never idle
PATIENCE = 60.0  # [s] without any worker
SLOW = 4.0  # times as long as the slowest run so far, and a run is a straggler
LEAST = 10.0  # [s] before a run can be one
LOOK = 0.5  # [s] between two looks at who is there


@dataclass(frozen=True)
class Arrival:
    """A result, and how it came about; only the result is content."""

    result: Result
    """What became of the case."""
    worker: str = ""
    """Address of the worker that ran it; empty if that was this machine's own pool."""
    deaths: tuple[str, ...] = ()
    """Addresses of workers that died while they were running the case."""


@dataclass
class Counts:
    """How many workers died, and how many runs were begun or counted twice."""

    deaths: int = 0
    """Workers that left while they were running a case."""
    doubled: int = 0
    """Results that came a second time, and were dropped."""
    stragglers: int = 0
    """Runs that were begun a second time elsewhere, because they took long."""


class Scatter:
    """Gives jobs to workers until each has exactly one result.

    Args:
        cases: What to run, the first first; each once.
        engine: Runs them.
        pictures: Path of the contact sheet, for the cases that get one.
        limit: [s] Of wall time for one case; then its worker is restarted, and the case is a failure.
        tell: Told in words what goes wrong on the way.
        clock: [s] What time is taken by.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        engine: Engine,
        pictures: Mapping[Case, str] | None = None,
        limit: float = LIMIT,
        tell: Callable[[str], None] = lambda text: None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        drawn, library = pictures or {}, fingerprint()
        jobs = [Job(key_of(case, library), case, drawn.get(case, "")) for case in cases]
        self.counts = Counts()
        self._engine, self._limit, self._tell, self._clock = engine, limit, tell, clock
        self._left = {job.key: job for job in jobs}
        self._waiting = deque(self._left)
        self._given: dict[str, list[str]] = {}  # keys of the jobs of each worker; the first one runs
        self._since: dict[str, float] = {}  # when the first job of a worker became its first
        self._deaths: dict[str, tuple[str, ...]] = {}
        self._told: set[str] = set()  # stragglers
        self._hung: set[str] = set()  # workers that are still busy with what is over the limit
        self._done: dict[str, Result] = {}
        self._proven: set[str] = set()  # workers that gave an answer
        self._slowest = 0.0
        self._seen = 0.0  # when a worker was there

    def __iter__(self) -> Iterator[Arrival]:
        """The results as they come; what is left is cancelled when nobody reads on.

        Raises:
            EngineError: The engine has gone, no worker came for a minute, or a worker has another library.
        """
        looked = self._seen = self._clock()
        try:
            yield from self._look(looked)
            while self._left:
                self._fill()
                for answer in self._engine.wait(LOOK):
                    yield from self._taken(answer)
                now = self._clock()
                if now - looked >= LOOK:
                    looked = now
                    yield from self._look(now)
        finally:
            with suppress(EngineError):
                self._engine.close()

    def _look(self, now: float) -> Iterator[Arrival]:
        """See who is there, and who takes too long."""
        there = [worker for worker in self._engine.workers() if worker not in self._hung]
        self._seen = now if there else self._seen
        if now - self._seen > PATIENCE:
            raise EngineError(f"no worker was there for {PATIENCE:g} s")
        for answer in self._engine.wait(0.0):  # what a worker ended before it went is not what it died of
            yield from self._taken(answer)
        yield from self._without(there)
        yield from self._too_long(now)
        self._second(now)

    def _fill(self) -> None:
        """Give waiting jobs to the workers with the fewest."""
        for depth in range(DEPTH):
            for worker in [worker for worker, keys in self._given.items() if len(keys) == depth]:
                key = self._next(worker)
                if key is not None:
                    self._give(key, worker)

    def _next(self, worker: str) -> str | None:
        """The next job for a worker: one that workers died of only for a worker that ran something, as far as possible.

        A worker that is new takes long to begin; whatever ends it meanwhile would be blamed on the job.
        """
        while self._waiting and self._waiting[0] not in self._left:
            self._waiting.popleft()
        if not self._waiting:
            return None
        innocent = (key for key in self._waiting if key in self._left and key not in self._deaths)
        key = self._waiting[0] if worker in self._proven else next(innocent, self._waiting[0])
        self._waiting.remove(key)
        return key

    def _give(self, key: str, worker: str) -> None:
        if not self._given[worker]:
            self._since[worker] = self._clock()
        self._given[worker].append(key)
        self._engine.submit(self._left[key], worker)

    def _off(self, key: str, worker: str) -> None:
        """A worker has a job no longer; the next one is its first."""
        keys = self._given.get(worker, [])
        if key in keys:
            if keys[0] == key:
                self._since[worker] = self._clock()
            keys.remove(key)

    def _taken(self, answer: Answer) -> Iterator[Arrival]:
        key, worker = answer.key, answer.worker
        known, taken = key in self._given.get(worker, []), self._clock() - self._since.get(worker, self._clock())
        first = known and self._given[worker][0] == key
        self._off(key, worker)
        if answer.result is None:
            if known:
                yield from self._lost(key, worker, blamed=first and not answer.ended)
        elif key in self._done:
            self.counts.doubled += 1
            if not alike(answer.result, self._done[key]):
                self._tell(f"{answer.result.case}: {worker} has another result than came first; the first one counts")
        elif key in self._left:
            self._proven.add(worker)
            self._slowest = max(self._slowest, taken if first else 0.0)
            yield self._arrived(answer.result, key, worker)

    def _arrived(self, result: Result, key: str, worker: str) -> Arrival:
        job = self._left.pop(key)
        self._done[key] = result
        for other, keys in self._given.items():
            if key in keys[1:]:  # what runs already keeps its worker busy until its answer comes
                self._engine.cancel(key, other)
                keys.remove(key)
        return Arrival(replace(result, case=job.case), worker, self._deaths.get(key, ()))

    def _lost(self, key: str, worker: str, blamed: bool) -> Iterator[Arrival]:
        """A job did not come back; it waits again, unless it has brought about too many deaths."""
        if key not in self._left:
            return
        case = self._left[key].case
        if blamed:
            self.counts.deaths += 1
            self._deaths[key] = (*self._deaths.get(key, ()), worker)
            self._tell(f"{case}: its worker {worker} died, {len(self._deaths[key])} of {DEATHS} times")
        if len(self._deaths.get(key, ())) >= DEATHS:
            result = Result(case, FAILURE, "crash", f"its process died {DEATHS} times")
            yield self._arrived(result, key, worker)
        elif not any(key in keys for keys in self._given.values()) and key not in self._waiting:
            self._waiting.appendleft(key)

    def _without(self, there: Sequence[str]) -> Iterator[Arrival]:
        """Take up workers that came, and take back what those had that went."""
        for worker in there:
            self._given.setdefault(worker, [])
        for worker in [worker for worker in self._given if worker not in there]:
            keys = self._given.pop(worker)
            self._since.pop(worker, None)
            for key in keys:
                self._engine.cancel(key, worker)
            for key in reversed(keys):
                yield from self._lost(key, worker, blamed=key == keys[0])

    def _too_long(self, now: float) -> Iterator[Arrival]:
        """End runs that are over the limit."""
        for worker, keys in list(self._given.items()):
            if not keys or now - self._since[worker] <= self._limit:
                continue
            key = keys[0]
            if key in self._left:
                reason = f"still running after {self._limit:g} s of wall time"
                result = Result(self._left[key].case, FAILURE, "time limit", reason, wall=self._limit)
                yield self._arrived(result, key, worker)
            self._given.pop(worker)
            self._since.pop(worker)
            for other in reversed(keys):
                self._engine.cancel(other, worker)
                yield from self._lost(other, worker, blamed=False)
            if not self._engine.restart(worker):
                self._tell(f"{worker} hangs and could not be restarted; it is left out")
                self._hung.add(worker)

    def _second(self, now: float) -> None:
        """Where nothing waits, let idle workers take what others have not begun, and run stragglers again."""
        idle = deque(worker for worker, keys in self._given.items() if not keys)
        if self._waiting or not idle:
            return
        for worker, keys in self._given.items():
            for key in keys[1:]:
                if idle:
                    self._engine.cancel(key, worker)
                    self._off(key, worker)
                    self._give(key, idle.popleft())
        longest = max(LEAST, SLOW * self._slowest)
        for worker, keys in self._given.items():
            if idle and keys and keys[0] in self._left and now - self._since[worker] > longest:
                if keys[0] in self._told:
                    continue
                self._told.add(keys[0])
                self.counts.stragglers += 1
                self._tell(
                    f"{self._left[keys[0]].case}: runs on {worker} for {now - self._since[worker]:.0f} s already; "
                    f"it is run a second time on {idle[0]}"
                )
                self._give(keys[0], idle.popleft())


def alike(one: Result, other: Result) -> bool:
    """Whether two results have the same content: all but what was measured by the wall clock."""
    return one.content() == other.content()
