"""How long it takes to start, the second time: what a program imports, and ``taskmatrix run`` up to its first tick.

    python benchmarks/start.py --robots mannequin,talos --json start.json

Processor time of fresh processes, the least of three, so that a busy machine does not count. The first process, which
fills the caches of bytecode and machine code, is not measured.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import sheet
from console import Console
from options import parsed
from rich.table import Table

GOALS = {"import taskmatrix": 1.0, "first tick": 3.0}
"""[s]."""
REPEATS = 3
IMPORT = "import taskmatrix"
COMMAND = "import taskmatrix.studio.cli.command_line"
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
TELL = "\nimport time\nprint(time.process_time())"


def seconds(program: str, *arguments: str) -> float:
    """[s] Processor time of a fresh Python that runs a program, the least of a few after the first."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        command = [sys.executable, "-c", program + TELL, *arguments]
        told = [
            subprocess.run(  # noqa: S603  # our own programs
                command, env=environment, cwd=folder, check=True, capture_output=True, text=True
            ).stdout
            for _ in range(REPEATS + 1)
        ]
    return min(float(text.split()[-1]) for text in told[1:])


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", default="mannequin,talos", help="names, with commas between them")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    options = parsed(parser)
    found = {IMPORT: seconds(IMPORT), COMMAND: seconds(COMMAND)}
    for robot in options.robots.split(","):
        run = ("run", "pickup", "--param", "object=vacuum", "--robot", robot, "--no-pictures")
        found[f"first tick of {robot}"] = seconds(FIRST_TICK, *run)
    table = Table("", "s", "goal", title="second start, processor time")
    for what, time in found.items():
        goal = next((str(goal) for name, goal in GOALS.items() if what.startswith(name) and what != COMMAND), "")
        table.add_row(what, f"{time:.2f}", goal)
    console = Console()
    console.print(table)
    console.bars(table, "s")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
