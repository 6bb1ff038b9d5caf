"""Runs a job in the interpreter of one peer: ``python worker.py JOB.json``. Started by ``runner.py``."""

from __future__ import annotations

import json
import os
import sys
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from measure import MEASURES
from peers.base import UnsuitedError
from problems.rows import read_row


def work(job: dict[str, Any]) -> dict[str, Any]:
    """What the peer did, or why it is skipped, or how it failed."""
    name, function = job["adapter"].split(":")
    try:
        module = import_module(name)
        result = MEASURES[job["benchmark"]](getattr(module, function), read_row(Path(job["row"])), job)
        return {**result, "version": installed(getattr(module, "DISTRIBUTION", ""))}
    except ModuleNotFoundError as error:
        return {"skipped": f"{error.name} is not installed"}
    except UnsuitedError as error:
        return {"skipped": str(error)}
    except Exception as error:
        return {"failed": f"{type(error).__name__}: {error}"[:300]}


def installed(distribution: str) -> str:
    """The version of what was measured; empty if it is not known."""
    try:
        return version(distribution)
    except (PackageNotFoundError, ValueError):
        return ""


if __name__ == "__main__":
    task = json.loads(Path(sys.argv[1]).read_text())
    Path(task["out"]).write_text(json.dumps(work(task)))
    sys.stdout.flush()
    os._exit(0)  # some peers fail while the interpreter cleans up
