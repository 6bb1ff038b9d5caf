"""Scatters short judged runs over a Dask cluster of several processes, which are killed at random meanwhile.

Counts what was lost and doubled, compares the matrix with that of one process, and measures what the engine costs.
Results are kept as they come: cut off, the same command goes on.
"""

from __future__ import annotations

import json
import os
import random
import signal
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import fmean
from time import perf_counter, process_time
from typing import Annotated, Any

import typer
from console import Console
from dask.distributed import LocalCluster
from options import main
from rich.table import Table

from taskmatrix.session.session import simulate
from taskmatrix.studio.validation import Case, Matrix, Result, run_case
from taskmatrix.studio.validation.engines import open_engine
from taskmatrix.studio.validation.scatter import Scatter
from taskmatrix.studio.validation.store import Store

BEHAVIORS, ROBOTS, WORLD = ("postural", "fixate"), ("asimo", "nao"), "sparse"
EMPTY = 1000  # runs that do nothing, from which the handling of one is measured
SESSIONS = 10  # that are built to measure one
OUT = Path("out/scatter")


def nothing(case: Case, picture: str) -> Result:
    """A run that takes no time."""
    return Result(case, "success")


def scatter(
    runs: Annotated[int, typer.Option(help="How many.", min=4)] = 300,
    workers: Annotated[int, typer.Option(help="Processes of the cluster.", min=2)] = 2,
    kill_every: Annotated[
        float, typer.Option(metavar="SECONDS", help="Between two workers killed; 0 for none.", min=0.0)
    ] = 15.0,
    seed: Annotated[int, typer.Option(help="Of who is killed when.")] = 0,
    one: Annotated[bool, typer.Option("--one/--no-one", help="Compare with the matrix of one process.")] = True,
    out: Annotated[Path, typer.Option(help="Folder of the results.")] = OUT,
    fresh: Annotated[bool, typer.Option("--fresh", help="Forget the results in the folder.")] = False,
) -> None:
    """Scatter runs over workers that are killed, and compare with one process."""
    console = Console(width=140)
    each = -(-runs // (len(BEHAVIORS) * len(ROBOTS)))
    cases = [Case(b, r, WORLD, k) for k in range(each) for b in BEHAVIORS for r in ROBOTS][:runs]
    table = Table("measured", "value", title=f"{runs} runs on {workers} processes")
    scattered, alone = Store(out / "engine.jsonl", fresh), Store(out / "one.jsonl", fresh)
    run_case(cases[0])  # compiles what is compiled once, before anybody is killed
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, memory_limit=None, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        for name, value in _scattered(cases, scattered, cluster, kill_every, seed, console):
            table.add_row(name, value)
        handling = _handling(cluster, workers)
    results = [scattered.results[case] for case in cases if case in scattered.results]
    taken = fmean(result.wall + result.judging for result in results)
    table.add_row("lost", str(len(cases) - len(results)))
    lines = (out / "engine.jsonl").read_text(encoding="utf-8").splitlines()
    keys = Counter(json.loads(line)["key"] for line in lines)
    table.add_row("doubled, in the file", str(sum(keys.values()) - len(keys)))
    table.add_row("a run, with its judge [s]", f"{taken:.3f}")
    table.add_row("  of which building its session [s]", f"{_session():.3f}")
    table.add_row("engine, for each run that does nothing [ms]", f"{1000.0 * handling:.2f}")
    table.add_row("engine, of the runs' time (below 2 % asked for)", f"{handling / taken:.2%}")
    if one:
        _alone(cases, alone, console)
        same = _bytes(cases, scattered) == _bytes(cases, alone)
        table.add_row("matrix as of one process, byte for byte", "yes" if same else "NO")
    console.print(table)


def _scattered(
    cases: Sequence[Case], store: Store, cluster: LocalCluster, every: float, seed: int, console: Console
) -> Iterator[tuple[str, str]]:
    left = [case for case in cases if case not in store.results]
    engine = open_engine(_name(cluster), 0, run_case)
    arrivals = Scatter(left, engine, tell=lambda text: console.print(text, style="dim"))
    seen: Counter[Case] = Counter()
    walls, began, processor = 0.0, perf_counter(), process_time()
    with _killing(cluster, every, seed) as killed:
        for arrival in arrivals:
            seen[arrival.result.case] += 1
            store.add(arrival.result, arrival.worker, arrival.deaths)
            walls += arrival.result.wall + arrival.result.judging
            if sum(seen.values()) % 100 == 0:
                console.print(f"{sum(seen.values())} of {len(left)}, {perf_counter() - began:.0f} s", style="dim")
    wall = perf_counter() - began
    yield "runs now", str(len(left))
    yield "workers killed", str(len(killed))
    yield "of them while they ran a case", str(arrivals.counts.deaths)
    yield "second results dropped", str(arrivals.counts.doubled)
    yield "stragglers run again", str(arrivals.counts.stragglers)
    yield "doubled, on their way", str(sum(count - 1 for count in seen.values()))
    yield "wall time [s]", f"{wall:.1f}"
    if left:
        yield "processor time of client and scheduler, of the runs' time", f"{(process_time() - processor) / walls:.2%}"


def _name(cluster: LocalCluster) -> str:
    """Of the engine that is this cluster."""
    return f"dask://{cluster.scheduler_address.removeprefix('tcp://')}"


@contextmanager
def _killing(cluster: LocalCluster, every: float, seed: int) -> Iterator[list[int]]:
    """Kill a worker that is drawn, at times that are drawn, until it ends."""
    chance, ended = random.Random(seed), threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while every and not ended.wait(chance.uniform(0.5, 1.5) * every):
            there = set(cluster.scheduler_info["workers"])  # a nanny whose worker dies while it starts gives up
            pids = [nanny.pid for nanny in list(cluster.workers.values()) if nanny.worker_address in there]
            cluster.scale(len(cluster.worker_spec))
            if len(pids) == len(cluster.worker_spec):
                killed.append(chance.choice(pids))
                os.kill(killed[-1], signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    try:
        yield killed
    finally:
        ended.set()
        thread.join()


def _handling(cluster: LocalCluster, workers: int) -> float:
    """[s] For each run that does nothing, of all workers together."""
    cluster.wait_for_workers(workers, timeout=60)
    cases = [Case("postural", "asimo", WORLD, seed) for seed in range(EMPTY)]
    warm = Scatter(cases[: 10 * workers], open_engine(_name(cluster), 0, nothing))
    assert len(list(warm)) == 10 * workers
    arrivals = Scatter(cases, open_engine(_name(cluster), 0, nothing))
    began = perf_counter()
    assert len(list(arrivals)) == EMPTY
    return (perf_counter() - began) / EMPTY


def _session() -> float:
    """[s] To build a session."""
    with simulate(ROBOTS[0], WORLD, 0):
        pass
    began = perf_counter()
    for seed in range(SESSIONS):
        with simulate(ROBOTS[0], WORLD, seed):
            pass
    return (perf_counter() - began) / SESSIONS


def _alone(cases: Sequence[Case], store: Store, console: Console) -> None:
    for number, case in enumerate(cases):
        if case not in store.results:
            store.add(run_case(case))
            if number % 100 == 99:
                console.print(f"one process: {number + 1} of {len(cases)}", style="dim")


def _bytes(cases: Sequence[Case], store: Store) -> bytes:
    matrix: dict[str, Any] = Matrix(tuple(store.results[case] for case in cases)).to_dict()
    return json.dumps(matrix).encode()


if __name__ == "__main__":
    main(scatter)
