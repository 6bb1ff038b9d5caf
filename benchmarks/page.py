"""How many updates a second the viewer's page shows of large programs, in a Chromium without a window.

    python benchmarks/page.py --json page.json

A machine of 200 states and an activation tree of 500 components in which everything changes all the time, at 100
control steps a second, beside a robot that moves, and a list of 100 000 rows. Needs Chromium on the path and
Playwright; pictures are drawn by the processor, so a computer with a graphics processor shows more. Prints

    updates     a second that the page has taken in and shown
    scene       pictures a second of the scene; it gives way where drawing is slow
    longest     [ms] between two of the page's frames
    page        [ms] of the processor's time for each update: the page itself
    drawing     [ms] likewise: the browser's process that draws
"""

from __future__ import annotations

import json
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table
from watching import DT, STATES, machine, tree

from taskmatrix.core.base.events import Event
from taskmatrix.robots import Robot
from taskmatrix.session.live.link import Link
from taskmatrix.session.recording import Encoder, packed, scene
from taskmatrix.session.session import simulate

SECONDS = 6.0
ROWS = 100_000
ARGUMENTS = ("--enable-unsafe-swiftshader", "--no-sandbox")
MEASURE = """() => {
  const drawn = taskmatrix.inspect().frames;
  const found = { began: performance.now(), updates: 0, frames: 0, longest: 0, drawn };
  let time = -1, before = performance.now();
  const look = (now) => {
    found.frames += 1;
    found.longest = Math.max(found.longest, now - before);
    before = now;
    if (taskmatrix.store.time !== time) found.updates += 1;
    time = taskmatrix.store.time;
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
  globalThis.found = found;
}"""
Program = Callable[[int], Iterator[Event]]


def program() -> Event:
    """The drawing of a machine of many states."""
    boxes = [
        {"id": f"s{number}", "label": f"state-{number}", "kind": "state", "path": f"machine/state-{number}"}
        for number in range(STATES)
    ]
    arrows = [
        {"tail": f"s{number // 3}", "head": f"s{number}", "kind": "start", "label": "task-successful"}
        for number in range(1, STATES)
    ]
    graph = {"title": "Machine", "boxes": boxes, "arrows": arrows}
    return Event(0.0, 0, "program", "machine", {"behavior": "Machine", "parameters": {}, "graph": graph})


def changing(step: int) -> Iterator[Event]:
    """All states of the machine change, twenty times a second."""
    if step % 5 == 0:
        yield from machine(step // 5)


def rows(step: int) -> Iterator[Event]:
    """Nothing but what is there already."""
    yield from ()


def moving(robot: Robot, step: int) -> Event:
    """The robot moves."""
    q = robot.posture(robot.stance)
    q[3:] += 0.2 * np.sin(np.arange(robot.n - 3) + step * DT)
    return Event(step * DT, step, "step", "plant", {"q": q, "v": q, "poses": {}, "held": {}, "commanded": q})


CASES: dict[str, tuple[Program, int, str]] = {
    "machine, 200 states": (changing, 0, "#tab-machine"),
    "tree, 500 components": (tree, 0, "#tab-tree"),
    "list, 100 000 rows": (rows, ROWS, "#tab-machine"),
}


def shown(case: tuple[Program, int, str], robot: Robot, what: bytes, chromium: str) -> dict[str, float]:
    """What the page makes of a program."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only this function needs it

    play, before, tab = case
    link, done = Link(), threading.Event()
    address = link.begin({"header": {"robot": robot.name}, "joints": list(robot.joints)}, what, Encoder())
    link(program())
    for number in range(before):
        link(Event(0.0, 0, "message", f"machine/state-{number % STATES}", {"message": "task-complete"}))

    def run() -> None:
        step = 0
        while not done.is_set():
            step += 1
            for event in (*play(step), moving(robot, step)):
                link(event)
            time.sleep(DT)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            page.goto(address)
            while not page.evaluate(f"globalThis.taskmatrix?.inspect().q && taskmatrix.store.rows.length >= {before}"):
                page.wait_for_timeout(100)
            page.evaluate("selector => document.querySelector(selector).click()", tab)
            page.wait_for_timeout(2000)
            page.evaluate(MEASURE)
            before_it = processor(browser)
            page.wait_for_timeout(1000 * SECONDS)
            spent = {kind: time - before_it.get(kind, 0.0) for kind, time in processor(browser).items()}
            drawn = "scene: taskmatrix.inspect().frames - found.drawn, took: performance.now() - found.began"
            found = page.evaluate(f"({{ ...found, {drawn} }})")
            browser.close()
    finally:
        done.set()
        thread.join()
        link.close()
    took = found["took"] / 1000.0
    return {
        "updates": found["updates"] / took,
        "scene": found["scene"] / took,
        "longest": found["longest"],
        "page": 1000.0 * spent["renderer"] / max(found["updates"], 1),
        "drawing": 1000.0 * spent["GPU"] / max(found["updates"], 1),
    }


def processor(browser: Any) -> dict[str, float]:
    """[s] Of the processor's time that the browser's processes took, by kind."""
    session = browser.new_browser_cdp_session()
    spent: dict[str, float] = {}
    for process in session.send("SystemInfo.getProcessInfo")["processInfo"]:
        spent[process["type"]] = spent.get(process["type"], 0.0) + float(process["cpuTime"])
    session.detach()
    return spent


def bench(json_file: Json = None) -> None:
    """Measure the page."""
    console = Console()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        console.print("needs Chromium on the path")
        raise typer.Exit(1)
    with simulate("mannequin") as session:
        robot, what = session.robot, packed(scene(session.robot, session.world))
    found: dict[str, Any] = {name: shown(case, robot, what, chromium) for name, case in CASES.items()}
    table = Table("program", "updates [1/s]", "scene [1/s]", "longest [ms]", "page [ms]", "drawing [ms]")
    for name, each in found.items():
        figures = (f"{each['updates']:.1f}", f"{each['scene']:.1f}", f"{each['longest']:.0f}")
        table.add_row(name, *figures, f"{each['page']:.1f}", f"{each['drawing']:.1f}")
    console.print(table)
    console.bars(table, "updates [1/s]", "longest [ms]", "page [ms]", "drawing [ms]")
    if json_file is not None:
        Path(json_file).write_text(json.dumps(found, indent=2) + "\n")


if __name__ == "__main__":
    main(bench)
