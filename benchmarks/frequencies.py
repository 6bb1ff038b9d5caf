"""Frequencies in real time: whether components work as often as they ask, with load and beyond it.

    python benchmarks/frequencies.py --seconds 60 --json frequencies.json

A tree whose components work at 1 to 100 Hz runs on a simulated Nao by the clock of the machine, while another process
keeps a second core busy. Each component computes as long as it takes for all of them to have a share of a core. Before
each run the tree says whether that can be met, with what a short run in simulated time has measured.

Prints, for each component, how far its mean rate is off what it asked, and how late it worked. Where the load is more
than there is time, the rates should fall by one factor.
"""

from __future__ import annotations

import json
import multiprocessing
import time
from typing import Annotated, Any

import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix.core import ActivationTree, Component, Load, Parameter, Part
from taskmatrix.session.session import simulate

RATES = (1.0, 5.0, 10.0, 25.0, 30.0, 50.0, 60.0, 100.0)  # [Hz]
CALIBRATION = 2.0  # [s] in simulated time


class Worker(Component):
    """Computes for some time whenever it works."""

    cost = Parameter(float, doc="[s]")

    def work(self) -> None:
        """Keep a core busy."""
        until = time.thread_time() + self.cost
        while time.thread_time() < until:
            pass


def tree(share: float, costs: dict[str, Load] | None = None, measured: bool = False) -> ActivationTree:
    """One whose components take a share of a core, each the same."""
    parts: dict[str, Any] = {
        f"at_{rate:g}": Part(Worker, name=f"{rate:g} Hz", frequency=rate, cost=share / len(RATES) / rate)
        for rate in RATES
    }

    def act(self: Component) -> None:
        for part in self.made.values():
            part.step()

    root: type[Component] = type("Root", (Component,), {**parts, "act": act})
    return ActivationTree(root(), costs=costs, stopwatch=time.perf_counter if measured else None)


def spin() -> None:
    """Keep a core busy for ever."""
    while True:
        pass


def run(share: float, seconds: float) -> dict[str, Any]:
    """Measure one share of the time for some seconds."""
    with simulate("nao", "sparse", seed=0) as session:
        first = tree(share, measured=True)
        session.run(first, timeout=CALIBRATION)
    with simulate("nao", "sparse", seed=0, real_time=True) as session:
        told: list[Any] = []
        session.events.subscribe(lambda event: told.append(event) if event.kind == "schedule" else None)
        second = tree(share, costs=dict(first.loads))
        outcome = session.run(second, timeout=seconds)
        rates = {name: {"asked": load.asked, "rate": load.rate, "mean late": load.late / load.works,
                        "latest": load.latest} for name, load in second.loads.items() if load.asked}  # fmt: skip
        problems = list(told[0].data["problems"])
    return {"share": share, "load": outcome.load, "overruns": outcome.overruns, "problems": problems, "rates": rates}


def measure(
    seconds: Annotated[float, typer.Option(help="Of each run, in real time.", min=1.0)] = 60.0,
    shares: Annotated[
        str, typer.Option(help="Of a core that the components take, separated by commas.")
    ] = "0.3,0.6,1.5",
    idle: Annotated[bool, typer.Option("--idle", help="Leave the second core idle.")] = False,
    json_file: Json = None,
) -> None:
    """Measure all and report."""
    other = multiprocessing.get_context("spawn").Process(target=spin, daemon=True)
    if not idle:
        other.start()
    console, runs = Console(width=120), []
    try:
        for share in (float(text) for text in shares.split(",")):
            runs.append(run(share, seconds))
            report(runs[-1], console)
    finally:
        if not idle:
            other.terminate()
    if json_file is not None:
        json_file.write_text(json.dumps({"seconds": seconds, "runs": runs}, indent=1))


def report(found: dict[str, Any], console: Console) -> None:
    """Print one run."""
    console.print(f"components {found['share']:.0%} of a core, load of all control steps {found['load']:.0%}")
    console.print(f"  ahead: {'; '.join(found['problems']) or 'can be met'}")
    table = Table("asked [Hz]", "rate [Hz]", "off", "late in the mean [ms]", "at most [ms]")
    for row in found["rates"].values():
        off = row["rate"] / row["asked"] - 1.0
        late = (1000 * row["mean late"], 1000 * row["latest"])
        table.add_row(f"{row['asked']:g}", f"{row['rate']:.3f}", f"{off:+.2%}", *(f"{each:.2f}" for each in late))
    console.print(table)
    console.bars(table, "off", "late in the mean [ms]", "at most [ms]")


if __name__ == "__main__":
    main(measure)
