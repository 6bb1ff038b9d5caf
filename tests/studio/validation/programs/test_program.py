"""Programs as values, in files, and as Python."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from taskmatrix.core.base.errors import NotFoundError, TaskMatrixError
from taskmatrix.core.world.geometry import pose
from taskmatrix.studio.validation.programs import Program, Step, run_program, written
from taskmatrix.studio.validation.programs.disturbance import Push, Put, Take

PROGRAM = Program(
    "asimo",
    "sparse",
    2,
    items=(
        Step("find", (("type", "can"),)),
        Take("tennis_ball"),
        Put("broom", (1.5, -1.25, 0.1), (0.0, 0.0, 0.5)),
        Push((0.05, 0.0, 0.0)),
        Step("scan", (("duration", 1.0), ("period", 2.0))),
    ),
)


def test_a_program_comes_back_from_json() -> None:
    """Equal to what it was, and as hashable."""
    again = Program.from_dict(json.loads(json.dumps(PROGRAM.to_dict())))
    assert again == PROGRAM
    assert hash(again) == hash(PROGRAM)


def test_what_is_no_program_is_told() -> None:
    """And which disturbances there are."""
    with pytest.raises(TaskMatrixError, match="no program"):
        Program.from_dict({"robot": "asimo"})
    with pytest.raises(NotFoundError, match="did you mean 'push'"):
        Program.from_dict({**PROGRAM.to_dict(), "items": [{"disturbance": "pusch"}]})


def test_where_something_is_put_is_what_is_printed() -> None:
    """Rounded before it happens, so that the script does the same."""
    X_WO = pose((0.123456, 2.0, -0.1), (0.1, -0.2, 1.23456))
    put = Put.at("broom", X_WO)
    assert put.position == (0.1235, 2.0, -0.1)
    assert np.abs(pose(put.position, put.rpy) - X_WO).max() < 2e-4
    assert put.code == "session.plant.add('broom', pose((0.1235, 2.0, -0.1), (0.1, -0.2, 1.2346)))"


def test_the_script_runs_and_does_what_the_program_does(capsys: pytest.CaptureFixture[str]) -> None:
    """Step by step, with the same durations."""
    script = written(PROGRAM)
    assert "session.run(Scan(duration=1.0, period=2.0))" in script
    exec(compile(script, "program", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    told = run_program(PROGRAM).steps
    assert [line.split()[0] for line in printed] == ["success", "success"]
    assert [float(line.split()[2]) for line in printed] == pytest.approx([step.duration for step in told], abs=0.03)


def test_the_script_says_only_what_is_not_usual() -> None:
    """And longer timeouts, as those of the matrix."""
    plain = written(Program("nao", "sparse", 0, items=(Step("putdown", (("on", "table"),)),)))
    assert plain == (
        "import taskmatrix as tm\nfrom taskmatrix.behaviors import Putdown\n\n"
        "with tm.simulate('nao', world='sparse', seed=0) as session:\n"
        "    print(session.run(Putdown(on='table'), timeout=180))\n"
    )
    assert "sim='bullet', second_robot='asimo'" in written(replace(PROGRAM, sim="bullet", second_robot="asimo"))
