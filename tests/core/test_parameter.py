"""Parameters: declared once, validated wherever a value comes in."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from taskmatrix.core import Output, Parameter, ParameterError, ReservedNameError, State, TaskBehavior
from taskmatrix.core.base.parameter import find


class Sample(TaskBehavior):
    word = Parameter(str, doc="required")
    count = Parameter(int, default=3)
    length = Parameter(float, default=2, minimum=0.5, maximum=10.0)
    flag = Parameter(bool, default=False)
    hand = Parameter(str, default=None)

    found = Output(str)


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        ("word", "x", "x"),
        ("word", np.str_("x"), "x"),
        ("count", -4, -4),
        ("count", np.int64(5), 5),
        ("length", 1.5, 1.5),
        ("length", 4, 4.0),
        ("length", np.float32(0.5), 0.5),
        ("flag", True, True),
        ("flag", np.bool_(True), True),
        ("hand", None, None),
        ("hand", "left", "left"),
    ],
)
def test_a_value_of_the_right_type_is_taken(name: str, value: object, stored: object) -> None:
    """Also numpy's scalars and integers for floats; what is stored has exactly the declared type."""
    given: dict[str, Any] = {"word": "w", name: value}
    behavior = Sample(**given)
    assert getattr(behavior, name) == stored
    assert type(getattr(behavior, name)) is type(stored)


@pytest.mark.parametrize(
    ("name", "value", "complaint"),
    [
        ("word", 1, "parameter 'word' has to be a string, not 1 (int)"),
        ("word", None, "parameter 'word' has to be a string, not None (NoneType)"),
        ("count", 1.0, "parameter 'count' has to be an integer, not 1.0 (float)"),
        ("count", True, "parameter 'count' has to be an integer, not True (bool)"),
        ("length", True, "parameter 'length' has to be a number, not True (bool)"),
        ("length", "2", "parameter 'length' has to be a number, not '2' (str)"),
        ("length", float("nan"), "parameter 'length' has to be a finite number, not nan"),
        ("length", float("inf"), "parameter 'length' has to be a finite number, not inf"),
        ("length", 0.4, "parameter 'length' is 0.4; the smallest allowed is 0.5"),
        ("length", 11, "parameter 'length' is 11.0; the largest allowed is 10.0"),
        ("flag", 1, "parameter 'flag' has to be true or false, not 1 (int)"),
        ("lenght", 1.0, "no parameter 'lenght' in Sample; did you mean 'length'?"),
    ],
)
def test_a_wrong_value_is_refused_and_nothing_changes(name: str, value: object, complaint: str) -> None:
    """The complaint says which, what is allowed and what was given; other values of the call are not taken either."""
    with pytest.raises(ParameterError, match=re.escape(complaint)):
        Sample(**dict[str, Any]({"word": "w", name: value}))
    behavior = Sample(word="w")
    with pytest.raises(ParameterError, match=re.escape(complaint)):
        behavior.set_parameters(**{"count": 9, name: value})
    assert (behavior.count, behavior.length) == (3, 2.0)


def test_assignment_validates_as_well() -> None:
    """An attribute is set through the same gate."""
    behavior = Sample(word="w")
    behavior.count = 5
    assert behavior.parameters["count"] == 5
    with pytest.raises(ParameterError, match="Sample: parameter 'count' has to be an integer"):
        behavior.count = "five"  # type: ignore[assignment]


def test_a_required_parameter_without_value_says_so() -> None:
    """Reading it before it is set is an error that names it."""
    with pytest.raises(ParameterError, match="parameter 'word' of Sample has no value yet"):
        _ = Sample().word
    assert Sample.declared["word"].required
    assert not Sample.declared["hand"].required


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("word", "any thing", "any thing"),
        ("count", "-7", -7),
        ("length", "1e0", 1.0),
        ("length", "3", 3.0),
        ("flag", "Yes", True),
        ("flag", "false", False),
        ("hand", "left", "left"),
    ],
)
def test_text_is_parsed(name: str, text: str, value: object) -> None:
    """As it comes from the command line."""
    assert Sample.declared[name].parse(text) == value


@pytest.mark.parametrize(
    ("name", "text", "complaint"),
    [
        ("count", "1.5", "parameter 'count' has to be an integer, not '1.5'"),
        ("length", "long", "parameter 'length' has to be a number, not 'long'"),
        ("length", "nan", "parameter 'length' has to be a finite number, not nan"),
        ("length", "0", "parameter 'length' is 0.0; the smallest allowed is 0.5"),
        ("flag", "1", "parameter 'flag' has to be true or false, not '1'"),
    ],
)
def test_wrong_text_is_refused(name: str, text: str, complaint: str) -> None:
    """The complaint quotes the text."""
    with pytest.raises(ParameterError, match=re.escape(complaint)):
        Sample.declared[name].parse(text)


def test_a_declaration_is_itself_on_the_class() -> None:
    """Machines wire declarations; subclasses inherit them and may declare them again."""

    class Narrower(Sample):
        length = Parameter(float, default=1.0, minimum=1.0)

    assert Sample.length is Sample.declared["length"]
    assert Narrower.declared["length"] is Narrower.length is not Sample.length
    assert list(Narrower.declared) == list(Sample.declared)
    assert list(Narrower.published) == ["found"]


def test_an_output_is_none_until_it_is_published() -> None:
    """On the class it is the declaration, on an instance the value."""
    behavior = Sample(word="w")
    assert behavior.found is None
    behavior.outputs["found"] = "it"
    assert behavior.found == "it"
    assert Sample.found is Sample.published["found"]


def test_an_output_cannot_have_a_name_that_states_use() -> None:
    """``state.failed`` is a trigger; an output of that name could never be wired. A parameter may be called so."""
    for name in ("failed", "task_successful", "message", *vars(State(TaskBehavior))):
        with pytest.raises(ReservedNameError, match=f"Shadow: .*'{name}'"):
            type("Shadow", (TaskBehavior,), {name: Output(str)})
    type("Fine", (TaskBehavior,), {"failed": Parameter(str)})


def test_a_method_of_a_base_class_is_not_shadowed() -> None:
    """Also the helpers of a user's own base class are protected."""

    class Base(TaskBehavior):
        def helper(self) -> None: ...

    with pytest.raises(ParameterError, match="declares 'helper'"):
        type("Shadow", (Base,), {"helper": Parameter(str)})


def test_a_parameter_is_not_replaced_by_a_plain_value() -> None:
    """``word = "x"`` in a subclass would silently cut the parameter off; the complaint shows how to do it."""
    with pytest.raises(ParameterError, match=re.escape("declare it again: word = Parameter(str, default=...)")):
        type("Fixed", (Sample,), {"word": "x"})


@pytest.mark.parametrize(("type_", "default"), [(int, 1.5), (float, "x"), (bool, 0), (float, -1.0)])
def test_a_wrong_default_is_found_when_the_class_is_made(type_: Any, default: object) -> None:
    """A default goes through the same gate as any value."""
    with pytest.raises(ParameterError, match="default in Wrong: parameter 'size'"):
        type(
            "Wrong",
            (TaskBehavior,),
            {"size": Parameter(type_, default=default, minimum=0.0 if type_ is float else None)},
        )


def test_a_parameter_is_one_of_four_types() -> None:
    """Only what the command line and a diagram can show."""
    with pytest.raises(ParameterError, match="a str, int, float or bool, not <class 'list'>"):
        Parameter(list)


def test_find_offers_the_nearest() -> None:
    """The command line looks parameters up by this."""
    assert find(Sample.declared, "word", "sample") is Sample.word
    with pytest.raises(ParameterError, match="no parameter 'wrod' in sample; did you mean 'word'"):
        find(Sample.declared, "wrod", "sample")


def test_only_a_string_names_a_known_object() -> None:
    """An id is a string."""
    with pytest.raises(ParameterError, match="the id of a known object is a str"):
        Parameter(int, known=True)
