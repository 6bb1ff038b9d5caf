"""What the viewer costs a run, and how many updates a second a page gets of large programs.

    python benchmarks/watching.py --json watching.json

Cost: pickups without a viewer take turns with those that have the viewer's process and a page at it, with the same seed
and as fast as possible. The loop's time is the run's processor time from one control step to the next, so that
planning, which happens in few of the steps, does not make it look better. Prints

    loop        the median control step without a viewer
    viewer      what it takes more for each control step: encoding, the pipe, and the gate of the controls, as measured
                around them
    share       of the loop
    dropped     steps that the pipe did not take at once, and that the page did without
    hung        the longest that the viewer takes in a control step when its process is stopped: the run does not wait

Updates: a machine of 200 states and an activation tree of 500 components, in which everything changes between any two
updates, at 100 control steps a second, through the viewer's process to a client that reads as fast as it can. Prints

    updates     a second that arrive
    size        of one [kB]
    server      processor time of the viewer's process for each second
    possible    updates a second that reducing and encoding alone would allow
    seek        the longest time to reach any moment of ten minutes of it
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import aiohttp
import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.core.components.cycle import Node
from taskmatrix.session.live.frames import Frame, kind_of
from taskmatrix.session.live.link import Link
from taskmatrix.session.live.view import View
from taskmatrix.session.recording import Encoder
from taskmatrix.session.session import simulate
from taskmatrix.studio.viewer.timeline import Timeline
from taskmatrix.studio.viewer.watch import Encoded, Watch

CASES = {
    "mannequin": {"robot": "mannequin"},
    "talos": {"robot": "talos"},
    "talos with physics": {"robot": "talos", "sim": "bullet"},
}
STATES, COMPONENTS = 200, 500
DT = 0.01  # [s]
TICKS = os.sysconf("SC_CLK_TCK")


class Page(threading.Thread):
    """Reads what a page would get, and counts it.

    Attributes:
        arrived: [s] When each state arrived.
        size: [bytes] Of the states.
    """

    def __init__(self, address: str) -> None:
        super().__init__(daemon=True)
        self.arrived: list[float] = []
        self.size = 0
        self._address = address
        self.there = threading.Event()

    def run(self) -> None:
        """Read until the server goes."""
        asyncio.run(self._read())

    async def _read(self) -> None:
        origin = self._address.rstrip("/")
        stream, headers = f"{origin}/stream", {"Origin": origin}
        async with aiohttp.ClientSession() as session, session.ws_connect(stream, headers=headers) as socket:
            async for message in socket:
                if message.data.startswith('{"type":"state"'):
                    self.arrived.append(time.perf_counter())
                    self.size += len(message.data)
                    self.there.set()


class Timed:
    """Measures the processor's time [s] in what it calls."""

    def __init__(self, inside: Any) -> None:
        self._inside, self.took, self.longest = inside, 0.0, 0.0

    def __call__(self, *given: Any) -> None:
        """Call it."""
        began, woke = time.thread_time(), time.perf_counter()
        self._inside(*given)
        self.took += time.thread_time() - began
        self.longest = max(self.longest, time.perf_counter() - woke)


def pickup(case: dict[str, Any], viewed: bool, hung: bool = False) -> dict[str, float]:
    """Pick the vacuum up, with a viewer and a page or without; hung: with one whose process stands still."""
    stamps: list[float] = []
    found: dict[str, float] = {}
    with simulate(**case, seed=1) as session:
        parts: list[Timed] = []
        view = View(session, speed=None) if viewed else None
        if view is not None:
            page = Page(view.address)
            page.start()
            page.there.wait()
            session.events._readers[-2:] = [Timed(view._link), view._controls._note]
            session._processes[-1] = Timed(view._controls)
            if hung:
                os.kill(view._link._process.pid, signal.SIGSTOP)
            parts = [session.events._readers[-2], session._processes[-1]]  # type: ignore[list-item]
        session.events.subscribe(lambda event: stamps.append(time.thread_time()) if event.kind == "step" else None)
        outcome = session.run(Pickup(object="vacuum"))
        assert outcome.success or outcome.failure
        found["loop"] = float(np.median(np.diff(stamps)))
        if view is not None:
            found["viewer"] = sum(part.took for part in parts) / len(stamps)
            found["dropped"] = view._link.dropped / len(stamps)
            found["longest"] = max(part.longest for part in parts)
            if hung:
                os.kill(view._link._process.pid, signal.SIGCONT)
            view.close()
    return found


def machine(step: int) -> Iterator[Event]:
    """A machine of many states, all of which change between two updates; a third of them in each control step."""
    message = ("planning-started", "controlloop-started", "task-successful", "task-complete")[step // 3 % 4]
    for number in range(step % 3, STATES, 3):
        yield Event(step * DT, step, "message", f"machine/state-{number}", {"message": message})


def tree(step: int) -> Iterator[Event]:
    """An activation tree of many components, of which every one has another modulation in every cycle."""
    nodes = [
        Node(f"component-{number}", number % 7, (f"component-{number // 2}",), "active", 0.0, {"aim": step + number})
        for number in range(COMPONENTS)
    ]
    yield Event(step * DT, step, "tree", "tree", {"nodes": nodes})


def steps(step: int) -> Iterator[Event]:
    """A robot that moves."""
    q = np.sin(np.arange(40) + step * DT)
    yield Event(step * DT, step, "step", "plant", {"q": q, "v": q, "poses": {}, "held": {}, "commanded": q})


PROGRAMS = {f"machine, {STATES} states": machine, f"tree, {COMPONENTS} components": tree}


def updates(program: Any, seconds: float) -> dict[str, float]:
    """How many updates a second arrive at a page."""
    encode = Encoder()
    link = Link()
    try:
        page = Page(link.begin({"header": {}}, b"{}", encode))
        page.start()
        page.there.wait()
        link_process = link._process.pid
        before, began = _processor(link_process), time.perf_counter()
        page.arrived.clear()
        page.size = 0
        for step in range(int(seconds / DT)):
            for event in (*program(step), *steps(step)):
                link(event)
            time.sleep(max(began + (step + 1) * DT - time.perf_counter(), 0.0))
        took = time.perf_counter() - began
        arrived = len(page.arrived)
        return {
            "updates": arrived / took,
            "size": page.size / max(arrived, 1) / 1000.0,
            "server": (_processor(link_process) - before) / took,
            "dropped": link.dropped,
            "longest": float(np.max(np.diff(page.arrived))) if arrived > 1 else float("inf"),
        }
    finally:
        link.close()


def possible(program: Any, count: int = 100) -> float:
    """Updates a second that reducing and encoding allow, with three control steps in each."""
    timeline, encode = Timeline(), Encoder()
    watch = Watch(timeline, lambda: (0, {}), Encoded(), live=True)
    took = 0.0
    for turn in range(count):
        events = [event for step in range(3 * turn, 3 * turn + 3) for event in (*program(step), *steps(step))]
        frames = [Frame(kind_of(event.kind), event.time, event.source, encode(event)) for event in events]
        began = time.perf_counter()
        for frame in frames:
            timeline.add(frame)
        watch.pass_time(0.03)
        watch.state()
        watch.log()
        took += time.perf_counter() - began
    return count / took


def seek(minutes: float) -> float:
    """[s] To reach the slowest of many moments of a run with a large machine, of which a state changes every 20 ms."""
    timeline, encode = Timeline(), Encoder()
    words = ("planning-started", "controlloop-started", "task-successful", "task-complete")
    for step in range(int(minutes * 60.0 / DT)):
        said = Event(step * DT, step, "message", f"machine/{step // 8 % STATES}", {"message": words[step // 2 % 4]})
        for event in (*([said] if step % 2 == 0 else []), *steps(step)):
            timeline.add(Frame(kind_of(event.kind), event.time, event.source, encode(event)))
    slowest = 0.0
    for time_there in np.random.default_rng(1).uniform(0.0, timeline.end, 100):
        began = time.perf_counter()
        timeline.at(float(time_there))
        slowest = max(slowest, time.perf_counter() - began)
    return slowest


def _processor(process: int) -> float:
    """[s] Of the processor's time that a process took."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def bench(
    rounds: Annotated[int, typer.Option(help="Runs with and without, each.", min=1)] = 5,
    seconds: Annotated[float, typer.Option(help="For which updates are counted.", min=0.5)] = 5.0,
    minutes: Annotated[float, typer.Option(help="Of the run in which is looked around.", min=0.1)] = 10.0,
    case: Annotated[list[str] | None, typer.Option(help=f"Only these: {', '.join(CASES)}. Repeatable.")] = None,
    out: Json = None,
) -> None:
    """Measure what the viewer costs, and what it shows of large programs."""
    console = Console()
    report: dict[str, Any] = {"cost": {}, "updates": {}}
    table = Table("pickup", "loop [ms]", "viewer [ms]", "share", "dropped", "hung [ms]", "dropped")
    for name in case or CASES:
        told = [pickup(CASES[name], viewed) for _ in range(rounds) for viewed in (False, True)]
        loop = float(np.median([each["loop"] for each in told[::2]]))
        viewer = float(np.median([each["viewer"] for each in told[1::2]]))
        dropped = float(np.median([each["dropped"] for each in told[1::2]]))
        hung = pickup(CASES[name], viewed=True, hung=True)
        row = {"loop": loop, "viewer": viewer, "share": viewer / loop, "dropped": dropped, "hung": hung["longest"]}
        report["cost"][name] = {**row, "dropped when hung": hung["dropped"]}
        shown = (f"{loop * 1e3:.3f}", f"{viewer * 1e3:.4f}", f"{viewer / loop:.1%}", f"{dropped:.1%}")
        table.add_row(name, *shown, f"{hung['longest'] * 1e3:.2f}", f"{hung['dropped']:.1%}")
    console.print(table)
    console.bars(table, "share", "viewer [ms]", "hung [ms]")
    table = Table("program", "updates [1/s]", "longest gap [s]", "size [kB]", "server", "possible [1/s]")
    for name, program in PROGRAMS.items():
        row = {**updates(program, seconds), "possible": possible(program)}
        report["updates"][name] = row
        table.add_row(
            name,
            *(f"{row['updates']:.1f}", f"{row['longest']:.3f}", f"{row['size']:.0f}"),
            *(f"{row['server']:.0%}", f"{row['possible']:.0f}"),
        )
    console.print(table)
    console.bars(table, "updates [1/s]", "possible [1/s]", "size [kB]")
    report["seek"] = seek(minutes)
    console.print(f"any moment of {minutes:g} minutes is reached within {report['seek'] * 1e3:.1f} ms")
    if out is not None:
        out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(bench)
