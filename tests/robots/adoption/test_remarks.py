"""What is odd about a URDF is told."""

from __future__ import annotations

from pathlib import Path

from taskmatrix.robots.adoption.proposal import propose
from tests.robots.adoption.made import plain_arm

CUBE = """v 0 0 0
v 0.1 0 0
v 0 0.1 0
v 0 0 0.1
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
"""
MESH = '<origin xyz="{}"/><geometry><mesh filename="cube.obj"/></geometry>'


def test_a_mesh_that_collides_elsewhere_than_it_is_drawn(tmp_path: Path) -> None:
    """Is hardly what was meant; two places that are the same are fine."""
    (tmp_path / "cube.obj").write_text(CUBE)
    for at, count in (("0 0 0.05", 1), ("0 0 0", 0)):
        bodies = f"<visual>{MESH.format('0 0 0')}</visual><collision>{MESH.format(at)}</collision>"
        text = (
            plain_arm()
            .replace('<link name="wrist">', f'<link name="wrist">{bodies}')
            .replace(
                '<collision><origin xyz="0 0 0"/><geometry><box size="0.04 0.04 0.04"/></geometry></collision></link>',
                "</link>",
            )
        )
        (tmp_path / "arm.urdf").write_text(text)
        notes = [note.text for note in propose(tmp_path / "arm.urdf").of("unsure") if "collides at" in note.text]
        assert len(notes) == count, notes
        assert all("'wrist' is drawn at xyz and rpy 0 0 0 0 0 0" in note for note in notes)
