"""Workers may be killed, doubled, late, or of another library: every case has exactly one result."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import pytest

from taskmatrix.studio.validation import Case, Matrix, Result
from taskmatrix.studio.validation.engine import Answer, EngineError, Job
from taskmatrix.studio.validation.scatter import DEATHS, PATIENCE, Arrival, Scatter
from taskmatrix.studio.validation.store import fingerprint, key_of

STEP = 0.5  # [s] that one call of wait takes


def cases(count: int) -> list[Case]:
    return [Case(f"behavior{seed % 3}", "robot", "world", seed) for seed in range(count)]


def key(case: Case) -> str:
    return key_of(case, fingerprint())


def result_of(case: Case) -> Result:
    return Result(case, "failure" if case.seed % 5 == 4 else "success", wall=random.random())


class FakeEngine:
    """Workers that run one job after the other, each in so many steps of its own clock."""

    def __init__(self, names: Sequence[str], steps: int = 1) -> None:
        self.now = 0.0
        self.steps = steps
        self.jobs: dict[str, list[Job]] = {name: [] for name in names}
        self.left: dict[str, int] = {}  # steps that the first job of a worker takes yet
        self.slow: dict[tuple[int, str], int] = {}  # steps, by seed and worker
        self.given: list[tuple[int, str]] = []  # seed and worker
        self.extra: list[Answer] = []
        self.restarts: list[str] = []
        self.closed = False

    def clock(self) -> float:
        return self.now

    def workers(self) -> list[str]:
        return sorted(self.jobs)

    def submit(self, job: Job, worker: str) -> None:
        self.given.append((job.case.seed, worker))
        if worker in self.jobs:
            self.jobs[worker].append(job)

    def wait(self, seconds: float) -> list[Answer]:
        found, self.extra = self.extra, []
        if not seconds:
            return found
        self.now += STEP
        for worker, jobs in self.jobs.items():
            if not jobs:
                continue
            steps = self.left.setdefault(worker, self.slow.get((jobs[0].case.seed, worker), self.steps))
            self.left[worker] = steps - 1
            if steps <= 1:
                del self.left[worker]
                job = jobs.pop(0)
                found.append(Answer(job.key, worker, result_of(job.case)))
        return found

    def cancel(self, key: str, worker: str) -> None:
        jobs = self.jobs.get(worker, [])
        jobs[1:] = [job for job in jobs[1:] if job.key != key]

    def restart(self, worker: str) -> bool:
        self.restarts.append(worker)
        self.kill(worker)
        return True

    def close(self) -> None:
        self.closed = True

    def kill(self, worker: str) -> None:
        del self.jobs[worker]
        self.left.pop(worker, None)


def scatter(given: Sequence[Case], engine: FakeEngine, limit: float = 1e9) -> tuple[Scatter, list[str]]:
    told: list[str] = []
    return Scatter(given, engine, limit=limit, tell=told.append, clock=engine.clock), told


def bounded(arrivals: Scatter, most: int = 10_000) -> Iterator[Arrival]:
    """No test waits for ever."""
    for count, arrival in enumerate(arrivals):
        assert count < most
        yield arrival


def test_each_case_has_one_result_and_workers_are_never_idle() -> None:
    engine = FakeEngine(["a", "b", "c"])
    arrivals, told = scatter(cases(30), engine)
    assert sorted(arrival.result.case.seed for arrival in bounded(arrivals)) == list(range(30))
    assert engine.now == pytest.approx(30 / 3 * STEP)
    assert told == []
    assert engine.closed


@pytest.mark.parametrize("seed", range(20))
def test_the_table_is_that_of_one_process_whatever_happens_to_the_workers(seed: int) -> None:
    """They are killed, they come, their answers come twice, get lost or come from the dead."""
    engine, chance, number = FakeEngine(["w0", "w1", "w2"], steps=3), random.Random(seed), 3
    given = cases(60)
    engine.slow = {(chance.randrange(60), f"w{chance.randrange(3)}"): 400 for _ in range(3)}
    arrivals, _ = scatter(given, engine)
    found: list[Result] = []
    killed: set[int] = set()
    for arrival in bounded(arrivals):
        found.append(arrival.result)
        late = chance.choice(given)  # from a worker that was taken for dead, or a second time
        if chance.random() < 0.2:
            engine.extra.append(Answer(key(late), chance.choice(["w9", "w1"]), result_of(late)))
        victims = [name for name, jobs in engine.jobs.items() if jobs and not killed & {job.case.seed for job in jobs}]
        if victims and chance.random() < 0.4:
            worker = chance.choice(victims)
            killed |= {job.case.seed for job in engine.jobs[worker]}
            engine.kill(worker)
            engine.jobs[f"w{number}"] = []
            number += 1
    one = Matrix(tuple(result_of(case) for case in given))
    assert Matrix(tuple(found)).to_dict() == one.to_dict()
    assert arrivals.counts.deaths > 0
    assert arrivals.counts.doubled > 0


def test_a_case_that_kills_its_worker_three_times_is_a_crash_and_the_one_behind_it_is_not() -> None:
    engine = FakeEngine(["w0"], steps=2)
    arrivals, told = scatter(cases(4), engine)
    number, found = 1, {}
    wait = engine.wait

    def deadly(seconds: float) -> list[Answer]:
        nonlocal number
        answers = wait(seconds)
        for worker, jobs in list(engine.jobs.items()):
            if jobs and jobs[0].case.seed == 1:
                engine.kill(worker)
                engine.jobs[f"w{number}"] = []
                number += 1
        return answers

    engine.wait = deadly  # type: ignore[method-assign]
    for arrival in bounded(arrivals):
        found[arrival.result.case.seed] = arrival
    assert sorted(found) == [0, 1, 2, 3]
    assert (found[1].result.kind, found[1].result.reason) == ("crash", f"its process died {DEATHS} times")
    assert [found[seed].deaths for seed in (0, 2, 3)] == [(), (), ()]
    assert [text for text in told if "seed 1: its worker w" in text and "died" in text] == told
    assert len(told) == DEATHS


def test_a_straggler_is_told_and_run_elsewhere_and_the_first_result_counts() -> None:
    engine = FakeEngine(["a", "b"])
    engine.slow = {(0, "a"): 1000}
    arrivals, told = scatter(cases(6), engine)
    found = list(bounded(arrivals))
    assert sorted(arrival.result.case.seed for arrival in found) == list(range(6))
    assert engine.given.count((0, "a")) == engine.given.count((0, "b")) == 1
    assert arrivals.counts.stragglers == 1
    assert found[-1].worker == "b"
    assert "behavior0 by robot in world, seed 0: runs on a for" in told[0]


def test_a_run_over_the_limit_is_a_failure_and_its_worker_is_restarted() -> None:
    engine = FakeEngine(["a", "b"])
    engine.slow = {(0, "a"): 10_000}
    arrivals, _ = scatter(cases(4), engine, limit=5.0)
    found = {arrival.result.case.seed: arrival.result for arrival in bounded(arrivals)}
    assert sorted(found) == [0, 1, 2, 3]
    assert (found[0].kind, found[0].reason) == ("time limit", "still running after 5 s of wall time")
    assert engine.restarts == ["a"]


def test_without_any_worker_it_ends_with_an_error() -> None:
    engine = FakeEngine([])
    arrivals, _ = scatter(cases(2), engine)
    with pytest.raises(EngineError, match=f"no worker was there for {PATIENCE:g} s"):
        list(bounded(arrivals))
    assert engine.closed


def test_who_reads_no_further_cancels_the_rest() -> None:
    engine = FakeEngine(["a"])
    arrivals, _ = scatter(cases(5), engine)
    reader = iter(arrivals)
    next(reader)
    reader.close()  # type: ignore[attr-defined]
    assert engine.closed


def test_two_results_that_differ_are_told() -> None:
    """The same case has the same result; where not, that is worth knowing."""
    engine = FakeEngine(["a"])
    arrivals, told = scatter(cases(3), engine)
    for arrival in bounded(arrivals):
        if arrival.result.case.seed == 0:
            other = Result(arrival.result.case, "failure", "collision")
            engine.extra.append(Answer(key(arrival.result.case), "b", other))
    assert told == ["behavior0 by robot in world, seed 0: b has another result than came first; the first one counts"]


def test_a_result_that_is_lost_with_its_worker_is_made_again_and_not_blamed() -> None:
    """The run had ended; what the worker died of is the next one."""
    engine = FakeEngine(["a", "b"])
    engine.slow = {(1, "b"): 10}
    arrivals, told = scatter(cases(6), engine)
    found = []
    for arrival in bounded(arrivals):
        found.append(arrival)
        if len(found) == 1:
            ended, running = engine.jobs["b"]
            engine.extra.append(Answer(ended.key, "b", None, ended=True))
            engine.kill("b")
    assert sorted(arrival.result.case.seed for arrival in found) == list(range(6))
    assert [text.partition(":")[0] for text in told] == [str(running.case)]
