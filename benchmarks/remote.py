"""What it costs to use a component of another process: calls a second, latency, and the age of what is known.

    python benchmarks/remote.py --json remote.json

Two processes on this machine, by Zenoh on the loopback. Beside them, in the same run, a bare Zenoh query that is
answered by a loop which does nothing else: what the library adds is the difference. The served process runs its cycle
again and again without a pause ("at once"), and at 100 Hz, as a robot does, where a call waits for the next cycle.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import socket
import statistics
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
import sheet
from console import Console
from options import parsed
from rich.table import Table

from taskmatrix.core import ActivationTree, Component, Modulation, RealClock, Remote
from taskmatrix.core.base.wire import decode, encode
from taskmatrix.testing import Bench
from taskmatrix.transports import Zenoh

TIMEOUT = 2.0  # [s] however busy the machine is
PERIOD = 0.01  # [s] of a robot's cycle
STATE = {"place": (0.1, 0.2), "ball": (1.0, 2.0), "distance": 1.0, "q": np.zeros(30)}


class Player(Component):
    """Has a state as a robot has one."""

    speed = Modulation(float, default=0.0)
    place = (0.1, 0.2)
    ball = (1.0, 2.0)
    cycles = 0

    @property
    def now(self) -> float:
        """[s] On the clock that all processes of this machine share."""
        return time.monotonic()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.q = np.zeros(30)

    def work(self) -> None:
        """Count."""
        self.cycles += 1

    def double(self, value: float) -> float:
        """Answer."""
        return 2.0 * value


class Asker(Component):
    """Has the player as a part."""

    fast = Remote(Player, at="player", frequency=100.0, timeout=TIMEOUT)
    reliable = Remote(Player, at="player", frequency=100.0, timeout=TIMEOUT, reliable=True)

    def inform(self) -> None:
        """Hear of it."""
        self.fast.step()
        self.reliable.step()


def serve(port: int, pipe: Connection[Any, Any]) -> None:
    """Serve a player and a bare query, until told to end; what is sent is the period of the cycles [s]."""
    transport, clock = Zenoh(port=port), RealClock()
    bench = Bench(transport=transport)
    tree = ActivationTree(Player(), at="player")
    bare = transport.answer("bare", 256)
    bench.executive.prepare(tree)
    period = 0.0
    pipe.send("ready")
    while period is not None:
        if period < 0:  # only the bare query
            request = bare.take()
            if request is not None:
                request.reply(request.data)
        else:
            cycle(bench, tree, clock, period)
        if pipe.poll():
            period = pipe.recv()
    transport.close()


def cycle(bench: Bench, tree: ActivationTree, clock: RealClock, period: float) -> None:
    """One cycle of a tree by the clock on the wall."""
    began = clock.now()
    bench.context.clock.sleep_until(began)
    bench.executive.step(tree)
    if period > 0:
        clock.sleep_until(began + period)


def times(do: Callable[[], object], count: int) -> dict[str, float]:
    """Seconds that something takes, again and again."""
    taken = []
    for _ in range(count):
        began = time.perf_counter()
        do()
        taken.append(time.perf_counter() - began)
    taken.sort()
    return {
        "median": statistics.median(taken),
        "p99": taken[int(0.99 * (len(taken) - 1))],
        "longest": taken[-1],
        "per second": len(taken) / sum(taken),
    }


def measure(port: int, count: int) -> dict[str, dict[str, float]]:
    """All figures, by what was done."""
    context = multiprocessing.get_context("spawn")
    pipe, theirs = context.Pipe()
    process = context.Process(target=serve, args=(port, theirs), daemon=True)
    process.start()
    pipe.recv()
    transport, clock = Zenoh(port=port), RealClock()
    bench, asker = Bench(transport=transport), Asker()
    tree = ActivationTree(asker)
    bench.executive.prepare(tree)
    found: dict[str, dict[str, float]] = {}
    while asker.stepped < 0 or asker.fast.state != "active" or asker.reliable.state != "active":
        cycle(bench, tree, clock, PERIOD)
    pipe.send(-1.0)
    word = encode({"do": "call", "name": "double", "args": [2.0]})
    time.sleep(0.1)
    found["a bare query"] = times(lambda: transport.ask("bare", word, 1.0), count)
    pipe.send(0.0)
    time.sleep(0.1)
    found["a call, cycles at once"] = times(lambda: asker.fast.double(2.0), count)
    found["a reliable attribute, cycles at once"] = times(lambda: asker.reliable.ball, count)
    pipe.send(PERIOD)
    time.sleep(0.1)
    found["a call, cycles at 100 Hz"] = times(lambda: asker.fast.double(2.0), max(20, count // 20))
    found["a fast attribute"] = times(lambda: asker.fast.ball, count)
    found["a fast modulation"] = times(lambda: setattr(asker.fast, "speed", 0.5), count)
    ages = []
    for count_down in range(400, 0, -1):
        cycle(bench, tree, clock, PERIOD)
        if count_down <= 300:
            ages.append(time.monotonic() - asker.fast.now)
    ages.sort()
    found["the age of a state at 100 Hz"] = {
        "median": statistics.median(ages),
        "p99": ages[int(0.99 * len(ages))],
        "longest": ages[-1],
    }
    found["a cycle with two remote parts"] = times(lambda: bench.executive.step(tree), count)
    found["a state as bytes and back"] = times(lambda: decode(encode(STATE)), count)
    pipe.send(None)
    process.join(5.0)
    transport.close()
    return found


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=2000, help="how often each is done")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parsed(parser)
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        port = int(asked.getsockname()[1])
    found = measure(port, options.count)
    table = Table(
        "", "median [us]", "99 % [us]", "longest [us]", "a second", title="two processes on one machine, by Zenoh"
    )
    for what, figures in found.items():
        rate = f"{figures['per second']:.0f}" if "per second" in figures else ""
        shown = [f"{1e6 * figures[name]:.1f}" for name in ("median", "p99", "longest")]
        table.add_row(what, *shown, rate)
    console = Console()
    console.print(table)
    console.bars(table, "median [us]", "99 % [us]", "a second")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
