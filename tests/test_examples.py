"""Every example runs as its reader would run it, and all look alike."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

import taskmatrix

FIRST_TIME = ("compiling ", "waiting for another process, which is compiling ", "measuring collision bodies")
EXAMPLES = sorted((Path(__file__).resolve().parent.parent / "examples").glob("*.py"))


def test_there_are_examples() -> None:
    """They stand beside the tests, in a checkout and elsewhere."""
    assert EXAMPLES


@pytest.mark.pages
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_tells_something(example: Path, tmp_path: Path) -> None:
    """Started as a program of its own, in an empty folder, it ends well, says nothing about a fault and prints.

    What is compiled or measured for the first time may be told.
    """
    if 'sim="bullet"' in example.read_text(encoding="utf-8"):
        pytest.importorskip("pybullet")
    environment = {**os.environ, "PYTHONPATH": str(Path(taskmatrix.__file__).parent.parent)}
    finished = subprocess.run(
        [sys.executable, "-X", "faulthandler", str(example)],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert [line for line in finished.stderr.splitlines() if not line.startswith(FIRST_TIME)] == []
    assert "success" in finished.stdout or example.stem.endswith("failure")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_example_has_the_common_skeleton(example: Path) -> None:
    """A docstring first, and everything that runs in `main`, called under the guard at the end."""
    module = ast.parse(example.read_text(encoding="utf-8"))
    assert ast.get_docstring(module)
    *body, guard = module.body
    assert ast.unparse(guard) == "if __name__ == '__main__':\n    main()"
    assert isinstance(body[-1], ast.FunctionDef)
    assert body[-1].name == "main"
    allowed = (ast.Expr, ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.Assign)
    assert all(isinstance(statement, allowed) for statement in body)
