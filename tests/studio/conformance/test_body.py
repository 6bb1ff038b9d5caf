"""What a check says of a robot's body."""

from __future__ import annotations

from pathlib import Path

from taskmatrix import simulate
from taskmatrix.studio.conformance.body import check_head
from tests.chin_rest import with_a_chin_rest


def test_a_head_that_would_touch_something_is_told_with_pair_joint_and_angles(tmp_path: Path) -> None:
    """Before a robot looks down in vain."""
    with simulate(with_a_chin_rest(tmp_path / "made")) as session:
        (finding,) = check_head(session)
    assert "bar and head touch with neck_pitch at 0.44" in finding.text
    assert finding.text.endswith(" to 1.10")
    assert 0.3 < finding.figures["share in contact"] < 0.7


def test_a_head_that_is_free_all_over_says_so() -> None:
    """The same robot as it is."""
    with simulate("mannequin") as session:
        (finding,) = check_head(session)
    assert finding.text == "free of contact"
