"""Names of the library's, and what a user may define and set beside them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from py_trees.common import Status

from taskmatrix.core import (
    ActivationTree,
    Component,
    Condition,
    FailureKind,
    Machine,
    ModalComponent,
    Mode,
    Parameter,
    Part,
    ReservedNameError,
    State,
    TaskBehavior,
    TaskMatrixError,
    Verdict,
    start,
)
from taskmatrix.core.behavior.context import Context
from taskmatrix.testing import Bench

from .samples import Probe, untyped

PRIVATE = ["_job", "_random", "_attempts", "_context", "_begin", "_finish", "_end", "_live", "_held", "_tree", "_leave"]


def modal(name: str, value: object) -> type:
    return type("Mine", (ModalComponent,), {"only": Mode(achieved=True), name: value})


def machine(name: str, value: object) -> type:
    first = State(Probe, final=True)
    return type("Mine", (Machine,), {"first": first, "transitions": (start(first),), name: value})


def made(base: type, name: str, value: object) -> type:
    makers: dict[type, Any] = {Machine: machine, ModalComponent: modal}
    return makers[base](name, value) if base in makers else type("Mine", (base,), {name: value})


@pytest.mark.parametrize(
    ("base", "names"),
    [
        (TaskBehavior, "path phase failure outputs parameters context elapsed random command follow fail"),
        (TaskBehavior, "update setup tick status name children parent id logger iterator declared"),
        (Machine, "states live definition unmet restart path tick context"),
        (Component, "step failure achieved path parts made context frequency stop elapsed name modulations"),
        (ModalComponent, "modes state mode_elapsed step made"),
        (Condition, "sample invertible arguments bind"),
        (ActivationTree, "nodes loads components schedule path"),
    ],
)
def test_a_class_cannot_take_a_name_of_the_library(base: type, names: str) -> None:
    """As an attribute, a property, a method, a parameter, a state or a part: told when the class is made."""
    values = (None, "mine", property(lambda self: 1), lambda self: 1, Parameter(str), State(Probe), Part(Component))
    for name in names.split():
        for value in values:
            with pytest.raises(ReservedNameError, match=f"Mine: '{name}' is a name of the library's; choose another"):
                made(base, name, value)


def test_a_class_that_is_mixed_in_cannot_take_one_either() -> None:
    """Wherever it stands among the bases; a class of the user's in between is the user's own affair."""
    mixed = type("Mixed", (), {"path": "mine"})
    for bases in ((mixed, TaskBehavior), (Probe, mixed), (type("Between", (Probe,), {"own": 1}), mixed)):
        with pytest.raises(ReservedNameError, match="Mine: 'path' is a name of the library's"):
            type("Mine", bases, {})
    type("Mine", (type("Between", (Probe,), {"own": 1}),), {"own": 2})


def test_the_line_is_shown_where_it_is_known() -> None:
    """Of a method and of a state."""
    with pytest.raises(ReservedNameError, match=r"test_reserved.py:\d+: def phase\(self\)"):

        class Mine(TaskBehavior):
            def phase(self) -> str:  # type: ignore[override]
                return "waxing"


def test_base_classes_have_no_private_names_that_a_user_could_take() -> None:
    """They have two underscores, which Python keeps apart from those of subclasses."""
    found = []
    for made in (TaskBehavior(), Machine(), Component(), modal("colour", "red")(), ActivationTree(Component())):
        found += [name for name in dir(made) if re.match("_[a-z]", name) and name != "_abc_impl"]
    assert found == []


def test_a_users_private_names_are_the_users() -> None:
    """What the library keeps to itself is out of the way, whatever a class calls its own."""

    class Own(TaskBehavior):
        def required_chains(self) -> list[str]:
            for name in PRIVATE:
                setattr(self, name, "mine")
            return ["head"]

        def step(self) -> bool:
            return self.elapsed > 0.05 and all(getattr(self, name) == "mine" for name in PRIVATE)

    class OwnPart(Component):
        needs = ("head",)

        def started(self) -> None:
            for name in PRIVATE:
                setattr(self, name, "mine")

        def work(self) -> bool:
            return self.elapsed > 0.05 and all(getattr(self, name) == "mine" for name in PRIVATE)

    bench = Bench()
    for behavior in (Own(), ActivationTree(OwnPart())):
        outcome = bench.run(behavior)
        assert outcome.success, outcome
        assert outcome.duration > 0.05
        assert bench.violation() is None


@pytest.mark.parametrize("name", ["phase", "path", "failure", "outputs", "plan", "goal", "random", "step"])
def test_a_behavior_that_sets_what_the_library_keeps_is_refused(name: str) -> None:
    """It fails, in that very line, rather than succeeding after a step; a hook cannot be hidden by a value either."""

    class Careless(TaskBehavior):
        def step(self) -> bool:
            setattr(self, name, "mine")
            return False

    failure = Bench().run(Careless()).failure
    assert failure is not None
    assert failure.kind is FailureKind.EXCEPTION
    assert f"'{name}' is a name of the library's; choose another" in failure.message


@pytest.mark.parametrize("name", ["failure", "achieved", "path", "made", "work", "state"])
def test_a_component_that_sets_what_the_library_keeps_is_refused(name: str) -> None:
    """Likewise; of what it has, only its frequency and its modulations can be set."""

    class Careless(Component):
        def work(self) -> None:
            self.frequency = 10.0
            setattr(self, name, True)

    failure = Bench().run(ActivationTree(Careless())).failure
    assert failure is not None
    assert f"'{name}' is a name of the library's; choose another" in failure.message


def test_hooks_and_py_trees_attributes_stay_free() -> None:
    """What a class is meant to say, and what py_trees and its users set."""

    class Mine(TaskBehavior):
        needs = ("head",)
        planning_time = 0.0

        def step(self) -> bool:
            self.feedback_message = "so far, so good"
            return True

    behavior = Mine()
    behavior.name, behavior.status = "other", Status.INVALID
    assert Bench().run(behavior).success


@pytest.mark.parametrize(
    ("base", "hook", "function", "complaint"),
    [
        (TaskBehavior, "plan", lambda self, goal: None, r"plan\(self, goal\)"),
        (TaskBehavior, "step", lambda: True, r"step\(\)"),
        (TaskBehavior, "planned", lambda self: None, r"planned\(self\)"),
        (Component, "work", lambda self, dt: True, r"work\(self, dt\)"),
        (Condition, "evaluate", lambda self: Verdict(True, ""), r"evaluate\(self\)"),
    ],
)
def test_a_hook_that_could_not_be_called_is_told(base: type, hook: str, function: Any, complaint: str) -> None:
    """When the class is made, with what the library calls."""
    with pytest.raises(TaskMatrixError, match=rf"Mine\.{complaint}.* is called as {hook}\("):
        type("Mine", (base,), {hook: function})
    if base is not Condition:
        type("Fine", (base,), {hook: lambda self, plan=None, *more: None})


def test_what_is_overridden_on_purpose_is_said() -> None:
    """By a class keyword; and a base class of somebody else's keeps its own names in the same way."""

    class Watched(TaskBehavior, overrides=("bind",)):
        def bind(self, context: Context, path: str) -> None:
            super().bind(context, f"watched-{path}")

    behavior = Watched()
    assert Bench().run(behavior).success
    assert behavior.path == "watched-watched"


def test_a_class_keyword_that_there_is_not_is_told() -> None:
    """With the nearest that there is."""
    with pytest.raises(TaskMatrixError, match="no class keyword 'frequncy' in Mine; did you mean 'frequency'"):
        untyped(type)("Mine", (Component,), {}, frequncy=10.0)
    with pytest.raises(TaskMatrixError, match="no class keyword 'frequency' in Mine"):
        untyped(type)("Mine", (TaskBehavior,), {}, frequency=10.0)
