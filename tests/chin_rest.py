"""A robot whose head cannot go down as far as its neck turns."""

from __future__ import annotations

import shutil
from pathlib import Path

from taskmatrix.robots.loading.loader import find_adapter


def with_a_chin_rest(folder: Path) -> Path:
    """The mannequin with a bar that turns with its neck, and on which its head lies when it is a third down."""
    shutil.copytree(find_adapter("mannequin").parent, folder)
    bar = '<link name="bar"><collision><geometry><box size="0.02 0.08 0.02"/></geometry></collision></link>'
    bar += '<joint name="bar" type="fixed"><parent link="neck_base"/><child link="bar"/><origin xyz="0.075 0 0.03"/>'
    urdf = folder / "mannequin.urdf"
    urdf.write_text(urdf.read_text().replace("</robot>", bar + "</joint></robot>"))
    return folder / "robot.toml"
