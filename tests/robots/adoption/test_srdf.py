"""An SRDF confirms chains and adds postures."""

from __future__ import annotations

from pathlib import Path

import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption.proposal import propose
from taskmatrix.robots.adoption.writing import write
from tests.robots.adoption.made import plain_arm

SRDF = """<robot name="made">
  <group name="manipulator"><chain base_link="plate" tip_link="palm"/></group>
  <group name="all"><group name="manipulator"/><joint name="open"/></group>
  <group_state name="Tilted" group="manipulator">
    <joint name="lift" value="0.2"/><joint name="bow" value="0.1"/>
  </group_state>
  <group_state name="broken" group="manipulator"><joint name="bow" value="9.0"/></group_state>
</robot>"""


def test_groups_are_compared_and_states_are_taken(tmp_path: Path) -> None:
    """States beyond the limits are not, which is said."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    (tmp_path / "arm.srdf").write_text(SRDF)
    proposal = propose(tmp_path / "arm.urdf", tmp_path / "arm.srdf")
    assert "arm is the SRDF's group 'manipulator'" in [note.text for note in proposal.of("found")]
    left_out = "the SRDF's state 'broken' is left out: bow = 9 is outside the joint's limits, 0 to 2"
    assert left_out in [note.text for note in proposal.of("unsure")]
    assert proposal.states == {"tilted": {"lift": 0.2, "bow": 0.1}}
    write(proposal, tmp_path / "out")
    assert load_robot(tmp_path / "out").postures["tilted"] == {"lift": 0.2, "bow": 0.1}


def test_what_is_no_srdf_is_refused(tmp_path: Path) -> None:
    """With the file and the reason."""
    (tmp_path / "arm.urdf").write_text(plain_arm())
    (tmp_path / "arm.srdf").write_text("<sdf/>")
    with pytest.raises(RobotError, match=r"arm\.srdf: the outermost element is <sdf>"):
        propose(tmp_path / "arm.urdf", tmp_path / "arm.srdf")


def test_pairs_that_an_srdf_leaves_out(tmp_path: Path) -> None:
    """Those that touch and are joined nearly are left out, with what was measured; far ones stay checked."""
    wide = plain_arm().replace('lower="-1" upper="1"', 'lower="-2.8" upper="2.8"')
    (tmp_path / "arm.urdf").write_text(wide.replace('lower="0" upper="2"', 'lower="0" upper="3"'))
    rows = (("lower", "hip", "User"), ("plate", "palm", "Never"), ("plate", "two", "User"))
    text = "".join(f'<disable_collisions link1="{a}" link2="{b}" reason="{why}"/>' for a, b, why in rows)
    (tmp_path / "arm.srdf").write_text(f"<robot>{text}</robot>")
    bare = propose(tmp_path / "arm.urdf")
    touched = {*bare.evidence.seldom, *bare.evidence.often}
    assert ("hip", "lower") in touched
    assert ("hip", "lower") not in {left.links for left in bare.pairs}
    proposal = propose(tmp_path / "arm.urdf", tmp_path / "arm.srdf")
    added = {left.links: left for left in proposal.pairs if left not in bare.pairs}
    assert set(added) == {("hip", "lower")}
    assert added["hip", "lower"].evidence.endswith("left out by the SRDF")
    told = [note.text for note in proposal.notes if "they stay checked" in note.text]
    far = {("palm", "plate"), ("plate", "two")} & touched
    assert len(told) == bool(far)
