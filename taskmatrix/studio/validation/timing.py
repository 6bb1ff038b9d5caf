"""What the wall clock and the workers had to do with a matrix: kept beside it, because no two runs agree on it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from .case import SUCCESS, Case
from .store import Store

HERE = "this machine"


def host_of(worker: str) -> str:
    """The machine of a worker, from its address."""
    return (urlsplit(worker).hostname or worker) if worker else HERE


def hosts(cases: Iterable[Case], store: Store) -> dict[str, dict[str, int]]:
    """For each machine how many runs it made, how many of them failed, and how many of its workers died."""
    found: dict[str, dict[str, int]] = {}
    for case in cases:
        if case not in store.results:
            continue
        origin = store.origins[case]
        for worker in (origin.worker, *origin.deaths):
            found.setdefault(host_of(worker), {"runs": 0, "not successful": 0, "deaths": 0})
        counts = found[host_of(origin.worker)]
        counts["runs"] += 1
        counts["not successful"] += store.results[case].verdict != SUCCESS
        for worker in origin.deaths:
            found[host_of(worker)]["deaths"] += 1
    return dict(sorted(found.items()))


def timing(cases: Iterable[Case], store: Store) -> dict[str, Any]:
    """Wall times [s], workers and deaths of all runs, as JSON has them."""
    done = [store.results[case] for case in sorted(cases) if case in store.results]
    return {
        "wall": sum(result.wall for result in done),
        "judging": sum(result.judging for result in done),
        "hosts": hosts((result.case for result in done), store),
        "runs": [
            {
                "case": str(result.case),
                "wall": result.wall,
                "judging": result.judging,
                "worker": store.origins[result.case].worker,
                "deaths": store.origins[result.case].deaths,
            }
            for result in done
        ],
    }
