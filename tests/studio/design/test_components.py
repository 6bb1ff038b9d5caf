"""Components are drawn and edited as machines are: each change its own lines, and what the class refuses refused."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import Any

import pytest

import taskmatrix.soccer
from taskmatrix.core.base.errors import MachineError, NotFoundError, TaskMatrixError
from taskmatrix.studio.design.class_edits import Edit, remove_parameter, rename, set_argument, set_parameter
from taskmatrix.studio.design.component_edits import (
    add_mode,
    add_part,
    add_switch,
    change_switch,
    remove_mode,
    remove_part,
    remove_switch,
    set_frequency,
)
from taskmatrix.studio.design.edits import add_class, apply
from taskmatrix.studio.design.reading import Program

TEXT = '''"""A guard."""

from taskmatrix.core import Component, ModalComponent, Mode, Modulation, Parameter, Part

LONG = 20.0


class Eye(Component, frequency=25.0):
    pan = Modulation(float, default=0.0)
    seen = False


class Legs(Component):
    speed = Modulation(float, default=0.0, doc="[m/s]")


class Guard(ModalComponent, frequency=10.0):
    """Walk up and down."""

    place = Parameter(str, default="door", doc="what to guard")

    eye = Part(Eye)  # sees
    legs = Part(Legs, frequency=50.0, optional=True)

    look = Mode(inform=[eye])
    go = Mode(inform=[eye], act=[legs])

    @go.code
    def walk(self) -> None:
        look = 0.3  # no mode
        self.legs.speed = look

    @look.to(go, after=2.0)
    def all_is_quiet(self) -> bool:
        """Whether nothing moves."""
        return not self.eye.seen

    # in the end
    go.to(look, after=LONG)

    def helper(self):
        return   {  "odd" :1 }
'''


def changed(*edits: Edit, text: str = TEXT) -> list[str]:
    after = apply(Program(text), "Guard", *edits).text
    return list(difflib.unified_diff(text.splitlines(), after.splitlines(), n=0, lineterm=""))[2:]


def lines(diff: list[str]) -> list[str]:
    return [line for line in diff if not line.startswith("@@")]


def test_a_component_is_read_without_running_it() -> None:
    guard = Program(TEXT).component("Guard")
    assert (guard.frequency, guard.modal, guard.checked, guard.problem) == ("10.0", True, True, "")
    assert {name: each.arguments for name, each in guard.parts.items()} == {
        "eye": {},
        "legs": {"frequency": "50.0", "optional": "True"},
    }
    assert [(each.source, each.target, each.after, each.method) for each in guard.switches] == [
        ("look", "go", "2.0", "all_is_quiet"),
        ("go", "look", "LONG", ""),
    ]
    assert (guard.modes["go"].code, list(Program(TEXT).component("Eye").modulations)) == ("walk", ["pan"])
    assert [arrow.label for arrow in guard.graph(0).arrows] == ["", "all is quiet after 2 s", "after 20 s"]
    assert [box.label for box in guard.graph(1).boxes] == ["start", "guard\n10 Hz", "eye\n25 Hz", "legs\n50 Hz"]


def test_the_shipped_player_is_drawn_with_nine_modes_and_all_transitions() -> None:
    path = Path(taskmatrix.soccer.__file__).with_name("player.py")
    player = Program(path.read_text(encoding="utf-8"), path).component("Player")
    assert (len(player.modes), len(player.switches), player.unread, player.code) == (9, 21, [], [])
    assert list(player.modes) == list(taskmatrix.soccer.Player.modes)
    drawn = {(each.source, each.target, each.made.description) for each in player.switches}
    made = taskmatrix.soccer.Player.modes.values()
    assert drawn == {(mode.name, each.target.name, each.description) for mode in made for each in mode.switches}


@pytest.mark.parametrize("name", ["body", "follow_ball", "go_straight", "head", "search_ball", "search_net", "turn"])
def test_shipped_components_are_read_whole(name: str) -> None:
    path = Path(taskmatrix.soccer.__file__).with_name(f"{name}.py")
    for each in Program(path.read_text(encoding="utf-8"), path).components.values():
        assert (each.problem, each.code, each.unread) == ("", [], [])
        assert each.made is not None


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        ([add_switch("go", "look", "5.0")], ["+    go.to(look, after=5.0)"]),
        (
            [add_switch("look", "go", "", "hears_steps", "Whether somebody comes.")],
            [
                "+    @look.to(go)",
                "+    def hears_steps(self) -> bool:",
                '+        """Whether somebody comes."""',
                "+        return False",
                "+",
            ],
        ),
        ([add_switch("go", "look", "", "all_is_quiet")], ["+    @go.to(look)"]),
        (
            [add_mode("stand", ["eye"], [], achieved=True), add_switch("look", "stand", "9.0")],
            ["+    stand = Mode(inform=[eye], achieved=True)", "+    look.to(stand, after=9.0)", "+"],
        ),
        (
            [set_frequency("20.0")],
            ["-class Guard(ModalComponent, frequency=10.0):", "+class Guard(ModalComponent, frequency=20.0):"],
        ),
        ([set_frequency(None)], ["-class Guard(ModalComponent, frequency=10.0):", "+class Guard(ModalComponent):"]),
        ([add_part("ear", "Eye", name="'ear'")], ["+    ear = Part(Eye, name='ear')"]),
        (
            [add_part("head", "Head", "taskmatrix.soccer")],
            ["+from taskmatrix.soccer import Head", "+    head = Part(Head)"],
        ),
        ([change_switch(1, "look", "3.0")], ["-    go.to(look, after=LONG)", "+    go.to(look, after=3.0)"]),
        ([change_switch(0, "go")], ["-    @look.to(go, after=2.0)", "+    @look.to(go)"]),
        ([remove_switch(1)], ["-    # in the end", "-    go.to(look, after=LONG)", "-"]),
        (
            [set_argument("look", "act", "[legs]")],
            ["-    look = Mode(inform=[eye])", "+    look = Mode(inform=[eye], act=[legs])"],
        ),
        (
            [set_argument("legs", "frequency", None)],
            ["-    legs = Part(Legs, frequency=50.0, optional=True)", "+    legs = Part(Legs, optional=True)"],
        ),
        (
            [set_parameter("pace", 'Modulation(float, default=1.0, doc="[m/s]")')],
            ['+    pace = Modulation(float, default=1.0, doc="[m/s]")'],
        ),
        ([remove_parameter("place")], ['-    place = Parameter(str, default="door", doc="what to guard")', "-"]),
    ],
)
def test_an_edit_changes_its_own_lines_only(edit: list[Edit], expected: list[str]) -> None:
    assert sorted(lines(changed(*edit))) == sorted(expected)


def test_a_mode_is_renamed_where_the_class_means_it_and_nowhere_else() -> None:
    diff = lines(changed(rename("look", "watch")))
    assert [line for line in diff if line.startswith("+")] == [
        "+    watch = Mode(inform=[eye])",
        "+    @watch.to(go, after=2.0)",
        "+    go.to(watch, after=LONG)",
    ]


def test_a_part_is_renamed_in_methods_too() -> None:
    diff = lines(changed(rename("legs", "feet")))
    assert "+        self.feet.speed = look" in diff
    assert "+    go = Mode(inform=[eye], act=[feet])" in diff


def test_a_mode_is_removed_with_its_transitions_and_methods_stay() -> None:
    text = apply(Program(TEXT), "Guard", remove_mode("go")).text
    guard = Program(text).component("Guard")
    assert (list(guard.modes), guard.switches, guard.methods) == (["look"], [], ["walk", "all_is_quiet", "helper"])


@pytest.mark.parametrize(
    ("edit", "error", "why"),
    [
        ([add_mode("rest")], MachineError, "mode 'rest' of Guard is never reached: no transition leads to it"),
        ([remove_switch(0)], MachineError, "mode 'go' of Guard is never reached"),
        ([remove_part("legs")], MachineError, r"'legs' is used by the method walk\(\) of Guard"),
        ([add_switch("go", "lok")], NotFoundError, "no mode 'lok' in Guard; did you mean 'look'?"),
        ([change_switch(2, "look")], NotFoundError, "no transition '2' in Guard"),
        ([add_mode("walk")], MachineError, "'walk' means something else in Guard already"),
        ([add_mode("rest", ["leg"])], NotFoundError, "no part 'leg' in Guard; did you mean 'legs'?"),
        (
            [add_switch("go", "look", "-1.0")],
            MachineError,
            "a transition is taken after a time of 0 s or more, not -1.0",
        ),
        ([set_frequency("0")], MachineError, "frequency"),
        ([set_argument("eye", "pam", "1")], MachineError, "pam"),
        ([set_argument("go", "act", "[leg]")], MachineError, "no name 'leg'"),
        ([set_argument("legs", "frequency", "0")], MachineError, "the frequency of legs has to be above 0 Hz"),
        (
            [set_argument("legs", "name", "'eye'")],
            MachineError,
            "two different components of one tree are called 'eye'",
        ),
        ([add_switch("go", "look", "", "step")], MachineError, "'step' is a name of the library's"),
        ([add_switch("go", "look", "place")], MachineError, "a transition is taken after a time"),
        ([add_switch("go", "look", "2,5")], MachineError, "this is not one value: 2,5"),
        ([set_argument("eye", "name", "xylophone")], MachineError, "A text is written in quotes: 'xylophone'"),
        ([rename("look", "class")], MachineError, "'class' is a word of Python's own"),
        ([set_frequency("10 Hz")], MachineError, "no expression of Python"),
    ],
)
def test_what_the_class_check_refuses_is_refused(edit: list[Edit], error: type[TaskMatrixError], why: str) -> None:
    with pytest.raises(error, match=why):
        apply(Program(TEXT), "Guard", *edit)


def test_modes_in_one_line_are_drawn_and_edited_as_code() -> None:
    text = "from taskmatrix.core import ModalComponent, Mode\n\n\nclass Guard(ModalComponent):\n"
    text += "    dark, light = Mode(), Mode(achieved=True)\n    dark.to(light, after=0.5)\n"
    guard = Program(text).component("Guard")
    assert (list(guard.modes), len(guard.switches)) == (["dark", "light"], 1)
    with pytest.raises(MachineError, match="not written as a call in a line of its own"):
        apply(Program(text), "Guard", set_argument("dark", "achieved", "True"))


def test_a_transition_of_another_class_s_mode_is_code() -> None:
    text = TEXT + "\n\nclass Other(Guard):\n    rest = Mode()\n    Guard.look.to(rest)\n"
    other = Program(text).component("Other")
    assert [each.why for each in other.code] == ["it is about a mode of another class"]
    assert len(Program(text).component("Guard").switches) == 2


def test_a_component_is_begun_from_nothing() -> None:
    program = add_class(Program(""), "ModalComponent", "Blink", "Go on and off.")
    program = apply(program, "Blink", add_mode("dark"))
    program = apply(program, "Blink", add_mode("light", achieved=True), add_switch("dark", "light", "0.5"))
    made: dict[str, Any] = {"__name__": "blink"}
    exec(compile(program.text, "blink.py", "exec"), made)
    assert list(made["Blink"].modes) == ["dark", "light"]


def test_a_class_may_not_be_called_like_what_it_is_made_of() -> None:
    with pytest.raises(MachineError, match="'tm' is the name of what classes"):
        add_class(Program(""), "Machine", "tm")


def test_an_error_tells_the_line_of_the_program() -> None:
    problem = Program(TEXT.replace("after=LONG", "after=-1.0"), "guard.py").component("Guard").problem
    assert problem.endswith("guard.py:39: go.to(look, after=-1.0)")
    assert "component_reading" not in problem


def test_components_in_a_circle_are_refused() -> None:
    text = "from taskmatrix.core import Component, Part\n\n\nclass A(Component):\n    b = Part(B)\n\n\n"
    text += "class B(Component):\n    a = Part(A)\n"
    problems = [each.problem for each in Program(text).components.values()]
    assert any("within one another in a circle" in each for each in problems)


def test_errors_of_the_library_are_its_own() -> None:
    text = TEXT.replace("frequency=10.0", "frequency=-1.0")
    assert "frequency" in Program(text).component("Guard").problem
