from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from taskmatrix.behaviors import Pickup
from taskmatrix.core.errors import NotFoundError, TaskMatrixError
from taskmatrix.studio import catalogue

BROKEN = {"absent": "no_such_module:Thing", "strange": "math:pi"}
OTHERS = {**BROKEN, "fetch": "taskmatrix.behaviors:Pickup", "reach": "no_such_module:Reach"}


@pytest.fixture(autouse=True)
def _plugins(monkeypatch: pytest.MonkeyPatch) -> None:
    def entry_points(group: str) -> list[EntryPoint]:
        return [EntryPoint(name, value, group) for name, value in OTHERS.items()]

    monkeypatch.setattr(catalogue, "entry_points", entry_points)


def test_broken_plugins_do_not_disturb_other_behaviors() -> None:
    """Own behaviors and whole plug-ins load; own names cannot be taken."""
    assert catalogue.load("fetch") is Pickup
    assert catalogue.load("reach").__module__.startswith("taskmatrix.")
    assert set(OTHERS) < set(catalogue.behaviors())
    with pytest.raises(NotFoundError, match="did you mean 'fetch'"):
        catalogue.load("fetsh")


@pytest.mark.parametrize(("name", "why"), [("absent", "ModuleNotFoundError"), ("strange", "is no TaskBehavior")])
def test_a_broken_plugin_is_one_clear_error_when_asked_for(name: str, why: str) -> None:
    """With its name, where it comes from, and why; in a list it is the description."""
    with pytest.raises(TaskMatrixError, match=f"'{name}' of the entry point '{BROKEN[name]}' .*{why}"):
        catalogue.load(name)
    description, parameters = catalogue.describe(name)
    assert why in description
    assert not parameters
