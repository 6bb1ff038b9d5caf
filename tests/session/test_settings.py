"""The settings of a run: one field says what the arguments, the options and the recordings have of it."""

import inspect
from dataclasses import fields

import pytest

import taskmatrix as tm
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.session.settings import RunSettings, from_options, options
from taskmatrix.skills.planning.settings import PlannerSettings


def test_every_setting_is_an_argument_and_documented() -> None:
    """Of :func:`simulate`."""
    names = [each.name for each in fields(RunSettings)]
    assert list(inspect.signature(tm.simulate).parameters) == names
    assert [name for name in names if f"\n    {name}: " not in (tm.simulate.__doc__ or "")] == []


def test_options_make_settings() -> None:
    """The planner is named, and what is left out is as it is by default."""
    usual = {name: default for name, (_, default) in options().items()}
    assert from_options(usual) == RunSettings()
    chosen = from_options({"robot": "asimo", "planner": "RRTConnect", "sim": "bullet"})
    assert chosen == RunSettings("asimo", planning=PlannerSettings("RRTConnect"), sim="bullet")
    with pytest.raises(NotFoundError, match="did you mean 'trees'"):
        from_options({"planner": "tree"})


def test_plain_data_names_what_was_chosen() -> None:
    """Without what recordings say by themselves."""
    assert RunSettings("asimo", "messy", 3, policy="sum").to_dict() == {
        "start": None,
        "real_time": False,
        "second_robot": None,
        "sim": "kinematic",
        "plant": None,
        "physics": None,
        "perception": "omniscient",
        "planner": "trees",
        "policy": "sum",
    }
