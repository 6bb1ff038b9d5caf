# ruff: noqa: E501  # one case a line, with its whole message
"""Damaged adapters, postures, motions and pairs: each is refused with the file, the key and what is allowed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot

Tiny = Callable[..., Path]
JOINTS = 'arm = ["shoulder", "wrist"]'
TABLE = "{ width = 0.012, joints"
PAIR = '[[excluded]]\nlinks = ["palm", "trunk"]\nreason = "always"\nevidence = "seen"\n'
STAND = "[stand]\nshoulder = 0.3\n"
DAMAGED: dict[str, tuple[dict[str, tuple[str, str] | str], str]] = {
    "no file": ({"robot": "\x00"}, r"robot\.toml: not a valid TOML file: .*line 1"),
    "an empty file": ({"robot": ""}, r"robot\.toml: model\.urdf: missing; a text in quotes is needed"),
    "a key twice": ({"robot": (JOINTS, f"{JOINTS}\n{JOINTS}")}, r"robot\.toml: not a valid TOML file: .*line 15"),
    "a path that is none": ({"robot": ('"tiny.urdf"', '"tiny\\u0000.urdf"')}, r"model\.urdf: 'tiny\\x00\.urdf' is no path"),
    "a folder for a URDF": ({"robot": ('"tiny.urdf"', '"."')}, r"model\.urdf: the URDF .* does not exist"),
    "a URDF that is a number": ({"robot": ('"tiny.urdf"', "3")}, r"model\.urdf: expected a text in quotes, got 3"),
    "no direction": ({"robot": ("[0.0, 1.0]", "[0, 0.0]")}, r"model\.forward: a direction is needed, this is zero"),
    "a direction that is none": ({"robot": ("[0.0, 1.0]", "[nan, 1.0]")}, r"model\.forward\[0\]: expected a finite number, got nan"),
    "a gigantic number": ({"robot": ("range = [5.0,", "range = [1e300,")}, r"base\.range\[0\]: expected a number of at most 1e\+09"),
    "a gigantic whole number": ({"robot": ("range = [5.0,", f"range = [1{'0' * 400},")}, r"base\.range\[0\]: expected a number of at most 1e\+09, got 10{39}$"),
    "less than no range": ({"robot": ("range = [5.0,", "range = [-5.0,")}, r"base\.range: must be above zero, got \[-5\.0, 6\.3\]"),
    "a floor that is no list": ({"robot": ('["foot"]', '"foot"')}, r"base\.floor: expected a list, got 'foot'"),
    "no floor": ({"robot": ('["foot"]', "[]")}, r"base\.floor: none of these links has a body to stand on"),
    "a joint twice": ({"robot": (JOINTS, 'arm = ["shoulder", "shoulder"]')}, r"chains\.arm: the joint 'shoulder' is in the chain 'arm' already"),
    "no joints": ({"robot": (JOINTS, "arm = []")}, r"chains\.arm: a chain has one joint or more"),
    "a chain that is none": ({"robot": ('arm = "arm"', 'arm = "wheels"')}, r"hands\.only\.arm: the joint 'roll' of the chain 'wheels' does not carry the link 'palm'"),
    "a chain inward": ({"robot": (JOINTS, 'arm = ["wrist", "shoulder"]')}, r"hands\.only\.arm: the joints of the chain 'arm' must be named from the shoulder outward"),
    "a hand without an arm": ({"robot": ('arm = "arm"\n', "")}, r"hands\.only\.arm: missing; a text in quotes is needed"),
    "a hand on the trunk": ({"robot": ('frame = "palm"', 'frame = "trunk"')}, r"hands\.only\.arm: the joint 'shoulder' of the chain 'arm' does not carry the link 'trunk'"),
    "arm for fingers": ({"robot": ('fingers = "hand"', 'fingers = "arm"')}, r"hands\.only\.open: must give the fingers' joints \['shoulder', 'wrist'\]"),
    "a hand that takes nothing": ({"robot": ("aperture = 0.07", "aperture = 0")}, r"hands\.only\.aperture: must be above zero"),
    "a hand as wide as a house": ({"robot": ("aperture = 0.07", "aperture = 70.0")}, r"hands\.only\.aperture: 70 is beyond 0\.3 m"),
    "a frame far away": ({"robot": ("-0.06]", "6000.0]")}, r"hands\.only\.origin: 6000 is beyond 100"),
    "widths below zero": ({"robot": (TABLE, TABLE.replace("0.012", "-0.012"))}, r"hands\.only\.table: widths are from 0 to 0\.3 m, got \[-0\.012, 0\.088\]"),
    "a table of words": ({"robot": ("table = [{", 'table = ["wide", {')}, r"hands\.only\.table\[0\]: expected a table, got 'wide'"),
    "fingers in words": ({"robot": ("open = { jaw = 0.038 }", 'open = { jaw = "wide" }')}, r"hands\.only\.open\.jaw: expected a finite number, got 'wide'"),
    "a mirror of itself": ({"robot": ("[view]", '[hands.left]\nmirror = "left"\n[view]')}, r"hands\.left\.mirror: no hand 'left'\. There are: only"),
    "a mirror of nothing": ({"robot": ("[view]", '[hands.left]\nmirror = "onyl"\n[view]')}, r"hands\.left\.mirror: no hand 'onyl'; did you mean 'only'"),
    "mirrors of each other": ({"robot": ("[view]", '[hands.left]\nmirror = "right"\n[hands.right]\nmirror = "left"\n[view]')}, r"hands\.left\.mirror: no hand 'right'"),
    "a mirror of one side": ({"robot": ("[view]", '[hands.left]\nmirror = "only"\n[view]')}, r"hands\.left\.mirror: the link 'palm' has no partner"),
    "a view that looks up its up": ({"robot": ("up = [0.0, 0.0, 1.0]", "up = [0.0, 1.0, 0.0]")}, r"view\.up: must be perpendicular to forward"),
    "no postures": ({"postures": ""}, r"robot\.toml: base\.stance: no posture 'stand'\. There are: none"),
    "a posture that is a number": ({"postures": "stand = 3"}, r"postures\.toml: stand: expected a table, got 3"),
    "a posture at infinity": ({"postures": "[stand]\nshoulder = 1e400"}, r"postures\.toml: stand\.shoulder: expected a finite number, got inf"),
    "postures of each other": ({"postures": f'{STAND}[a]\nmirror = "b"\n[b]\nmirror = "a"'}, r"postures\.toml: a\.mirror: no posture 'b'"),
    "a posture twice": ({"postures": 2 * STAND}, r"postures\.toml: not a valid TOML file: .*line 3"),
    "a motion without joints": ({"motions": "[wave]"}, r"motions\.toml: wave\.joints: at least one joint is needed"),
    "a motion that never ends": ({"motions": "[wave.joints]\nwrist = [[0, 0], [inf, 0]]"}, r"motions\.toml: wave\.joints\.wrist: expected pairs \[time, position\], got \[inf, 0\]"),
    "a motion of nothing": ({"motions": "[wave.joints]\nwrst = [[0, 0], [1, 0]]"}, r"motions\.toml: wave\.joints\.wrst: no joint 'wrst'; did you mean 'wrist'"),
    "a pair of one": ({"pairs": PAIR.replace("trunk", "palm")}, r"pairs\.toml: excluded\[0\]\.links: a pair has two links, this is 'palm' twice"),
    "a pair twice": ({"pairs": PAIR + PAIR.replace('"palm", "trunk"', '"trunk", "palm"')}, r"pairs\.toml: excluded\[1\]\.links: the pair \['trunk', 'palm'\] is there already"),
    "a reason of one's own": ({"pairs": PAIR.replace("always", "alwys")}, r"pairs\.toml: excluded\[0\]\.reason: no reason 'alwys'; did you mean 'always'"),
}  # fmt: skip


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_adapter_is_refused(tiny: Tiny, case: str) -> None:
    """As a RobotError that says where it stands and what is wrong; never as anything else."""
    changes, message = DAMAGED[case]
    path = tiny(**changes)
    with pytest.raises(RobotError) as caught:
        load_robot(path)
    assert str(path.parent) in str(caught.value)
    assert re.search(message, str(caught.value)), str(caught.value)


def test_names_in_any_script_are_fine(tiny: Tiny) -> None:
    """As long as they are the same everywhere."""
    path = tiny(robot=('frame = "palm"', 'frame = "手のひら 1"'))
    for name in ("tiny.urdf", "robot.toml"):
        text = (path.parent / name).read_text(encoding="utf-8").replace('"palm"', '"手のひら 1"')
        (path.parent / name).write_text(text, encoding="utf-8")
    assert load_robot(path).hands["only"].frame == "手のひら 1"
