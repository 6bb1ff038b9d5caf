"""Runs a job in the interpreter of one peer: ``python worker.py JOB.json``. Started by ``runner.py``."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from measure import MEASURES
from peers.base import UnsuitedError
from problems.rows import read_row


def work(job: dict[str, Any]) -> dict[str, Any]:
    """What the peer did, or why it is skipped, or how it failed."""
    module, function = job["adapter"].split(":")
    try:
        make = getattr(import_module(module), function)
        return MEASURES[job["benchmark"]](make, read_row(Path(job["row"])), job)
    except ModuleNotFoundError as error:
        return {"skipped": f"{error.name} is not installed"}
    except UnsuitedError as error:
        return {"skipped": str(error)}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:300]}


if __name__ == "__main__":
    task = json.loads(Path(sys.argv[1]).read_text())
    Path(task["out"]).write_text(json.dumps(work(task)))
    sys.stdout.flush()
    os._exit(0)  # some peers fail while the interpreter cleans up
