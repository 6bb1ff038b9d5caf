"""Gives a row to each peer in turn, each in a process of its own, and tells what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from problems.rows import Array

HERE = Path(__file__).parent
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Runner:
    """Where peers run.

    A process of its own for each peer and row: no peer's libraries, threads or crash meet another's.
    """

    pythons: Mapping[str, str] = field(default_factory=dict)
    """Interpreters of the peers that are installed elsewhere, by the peer's name up to a hyphen."""
    clock: str = "wall"
    """``wall``, or ``processor`` for a machine that others use as well."""

    def run(
        self,
        benchmark: str,
        adapter: str,
        peer: str,
        row: Path,
        timeout: float,
        arrays: Mapping[str, Array] | None = None,
        **settings: object,
    ) -> dict[str, Any]:
        """What a peer did; ``skipped`` or ``failed`` and the reason if it did nothing.

        Args:
            benchmark: ``ik``, ``collision`` or ``planning``.
            adapter: ``module:function``.
            peer: Its name.
            row: File of the row.
            timeout: [s] After which its process is ended.
            arrays: What the measurement reads and is too much for JSON: the job names a file for each.
            settings: What else the measurement reads.
        """
        python = self.pythons.get(peer, self.pythons.get(peer.partition("-")[0], sys.executable))
        environment = {**os.environ, **ONE_THREAD, "BENCHMARK_CLOCK": self.clock}
        if python != sys.executable:
            environment.pop("PYTHONPATH", None)
        with tempfile.TemporaryDirectory() as folder:
            job, out, told = (Path(folder) / name for name in ("job.json", "out.json", "told.txt"))
            task = {"benchmark": benchmark, "adapter": adapter, "row": str(row), "out": str(out), **settings}
            for name, array in (arrays or {}).items():
                np.save(Path(folder) / f"{name}.npy", array)
                task[name] = str(Path(folder) / f"{name}.npy")
            job.write_text(json.dumps(task))
            with told.open("w") as stream:
                command = [python, "-B", str(HERE / "worker.py"), str(job)]
                try:
                    ended = subprocess.run(  # noqa: S603  # an interpreter that the user names
                        command, env=environment, stdout=stream, stderr=stream, timeout=timeout, check=False
                    )
                except subprocess.TimeoutExpired:
                    return {"failed": f"not done after {timeout:.0f} s"}
                except OSError as error:
                    return {"failed": f"{python}: {error.strerror}"}
            if not out.exists():
                last = (told.read_text(errors="replace").strip().splitlines() or [""])[-1]
                return {"failed": f"its process ended with {ended.returncode}: {last[:200]}"}
            result: dict[str, Any] = json.loads(out.read_text())
            return result
