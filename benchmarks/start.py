"""How long it takes to start, the second time: what a program imports, and ``taskmatrix run`` up to its first tick.

    python benchmarks/start.py --robots mannequin,talos --json start.json

Of fresh processes, wall and processor time from before they are started until they are gone; the least of some, so
that a busy machine counts little, and the median. The first process, which fills the caches of bytecode and machine
code, is not measured. An empty program is what Python itself takes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter

import sheet
from console import Console
from options import parsed
from rich.table import Table

GOALS = {"import taskmatrix": "0.15, 0.50", "import taskmatrix.core": "0.15, 0.50", "first tick": "-, 3.00"}
"""[s] Wall and processor time."""
IMPORTS = (
    "",
    "import taskmatrix",
    "import taskmatrix.core",
    "from taskmatrix import Machine, Parameter, TaskBehavior, on",
    "from taskmatrix import simulate",
    "import taskmatrix.studio.cli.command_line",
)
REPEATS = {"import": 15, "first tick": 3}
FIRST_TICK = """
import sys
from taskmatrix.core.behavior.executive import Executive

class FirstTick(BaseException):
    pass

def run(*arguments):
    raise FirstTick

Executive.run = run
from taskmatrix.studio.cli.command_line import main
try:
    main()
except FirstTick:
    pass
"""


def seconds(repeats: int, program: str, *arguments: str) -> dict[str, float]:
    """[s] What a fresh Python that runs a program takes, after the first: the least and the median of a few."""
    walls, times = [], []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(repeats + 1):
            used, began = _used(), perf_counter()
            command = [sys.executable, "-c", program, *arguments]
            subprocess.run(command, env=environment, cwd=folder, check=True, capture_output=True)  # noqa: S603 - ours
            walls.append(perf_counter() - began)
            times.append(_used() - used)
    return {
        "wall": min(walls[1:]),
        "wall, median": median(walls[1:]),
        "processor": min(times[1:]),
        "processor, median": median(times[1:]),
    }


def _used() -> float:
    """[s] Processor time of all processes that were started here and are gone."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", default="mannequin,talos", help="names, with commas between them")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parsed(parser)
    found = {program or "nothing": seconds(REPEATS["import"], program) for program in IMPORTS}
    for robot in filter(None, options.robots.split(",")):
        run = ("run", "pickup", "--param", "object=vacuum", "--robot", robot, "--no-pictures")
        found[f"first tick of {robot}"] = seconds(REPEATS["first tick"], FIRST_TICK, *run)
    table = Table("", *(f"{figure} [s]" for figure in found["nothing"]), "goal", title="second start")
    for what, figures in found.items():
        goal = GOALS.get(what.partition(" of ")[0], "")
        table.add_row(what, *(f"{time:.3f}" for time in figures.values()), goal)
    console = Console()
    console.print(table)
    console.bars(table, "processor [s]")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
