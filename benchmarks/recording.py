"""What recording costs: of the processor's time of a control loop, and of the disk.

    python benchmarks/recording.py --rounds 5 --json recording.json

Runs with and without a recording take turns in one process, each of a pickup with the same seed. The loop's time is the
processor's from one control step to the next, so that planning, which happens in few of the steps, does not make it
look better. Prints

    loop        the median control step without a recording
    recording   what it takes more for each control step, encoding, compression and writing included, as measured around
                the recorder
    share       of the loop
    difference  of the loop's means in runs with and without, all steps but those that planned: what others on the
                machine do is in it, as it is not in the figures before
    open        the time in which a recording is opened, and its scene read
    a minute    of simulated time on the disk, the scene left out
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from console import Console
from options import Json, main
from rich.table import Table

from taskmatrix.behaviors import Pickup
from taskmatrix.core.base.events import Event
from taskmatrix.session.recording import Recorder
from taskmatrix.session.session import simulate
from taskmatrix.studio.recording import Recording

CASES = {
    "mannequin": {"robot": "mannequin", "sim": "kinematic"},
    "talos": {"robot": "talos", "sim": "kinematic"},
    "talos with physics": {"robot": "talos", "sim": "bullet"},
}
PLANNED = 10.0  # times the median: a control step that took longer planned


class Timed:
    """A recorder, and the processor's time [s] that it takes."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder, self.took = recorder, 0.0
        self.clock = min(-(time.process_time() - time.process_time()) for _ in range(1000))

    def __call__(self, event: Event) -> None:
        """Hand it on."""
        began = time.process_time()
        self.recorder(event)
        self.took += time.process_time() - began - self.clock

    def close(self) -> None:
        """Write what is left."""
        began = time.process_time()
        self.recorder.close()
        self.took += time.process_time() - began


def run(case: dict[str, Any], path: Path | None) -> dict[str, Any]:
    """Pick the vacuum up; with a path, and record it."""
    stamps: list[float] = []
    with simulate(**case, seed=1) as session:
        timed = None
        if path is not None:
            recorder = Recorder(path, session.header(), session.scene())
            timed = Timed(recorder)
            session.events.subscribe(timed)
        session.events.subscribe(lambda event: stamps.append(time.process_time()) if event.kind == "step" else None)
        outcome = session.run(Pickup(object="vacuum"))
        if timed is not None:
            timed.close()
    steps = np.diff(stamps)
    loop = float(np.median(steps))
    found = {"success": outcome.success, "seconds": outcome.duration, "loop": loop}
    found["mean"] = float(np.mean(steps[steps < PLANNED * loop]))
    if path is not None and timed is not None:
        recording = Recording.open(path)
        size = path.stat().st_size - len(recording.scene_gz)
        found |= {"recording": timed.took / len(stamps), "events": len(recording)}
        found |= {"minute": size / outcome.duration * 60, "scene": len(recording.scene_gz)}
        began = time.process_time()
        Recording.open(path).scene  # noqa: B018 - it is read when it is asked for
        found["open"] = time.process_time() - began
    return found


def measure(
    rounds: Annotated[int, typer.Option(help="Runs with and without a recording of each case.", min=1)] = 5,
    only: Annotated[list[str] | None, typer.Option(help="Only these cases. Repeatable.")] = None,
    json_file: Json = None,
) -> None:
    """Measure all and report."""
    heads = ("case", "loop [us]", "recording [us]", "share", "difference", "open [ms]", "scene [kB]", "a minute [MB]")
    console, table, report = Console(width=120), Table(*heads), {}
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES.items():
            if only and name not in only:
                continue
            run(case, None)  # what is loaded and compiled is so from here on
            pairs = [(run(case, None), run(case, Path(folder) / "run.mcap")) for _ in range(rounds)]
            figures = _medians(pairs)
            report[name] = {"figures": figures, "runs": pairs}
            table.add_row(
                name,
                f"{1e6 * figures['loop']:.0f}",
                f"{1e6 * figures['recording']:.1f}",
                f"{100 * figures['share']:.1f} %",
                f"{100 * figures['difference']:+.1f} %",
                f"{1e3 * figures['open']:.0f}",
                f"{figures['scene'] / 1e3:.0f}",
                f"{figures['minute'] / 1e6:.1f}",
            )
    console.print(table)
    console.bars(table, "recording [us]", "share", "open [ms]", "a minute [MB]")
    if json_file is not None:
        json_file.write_text(json.dumps(report, indent=1))


def _medians(pairs: list[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, float]:
    """Of runs without and with a recording."""
    found = {key: float(np.median([on[key] for _, on in pairs])) for key in ("recording", "open", "scene", "minute")}
    found["loop"] = float(np.median([off["loop"] for off, _ in pairs]))
    found["share"] = found["recording"] / found["loop"]
    found["difference"] = float(np.median([on["mean"] / off["mean"] - 1.0 for off, on in pairs]))
    return found


if __name__ == "__main__":
    main(measure)
