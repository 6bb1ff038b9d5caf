"""A URDF from elsewhere as a copy in the adapter's folder, as an adapter reads only what is below its folder."""

from __future__ import annotations

import os
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.files import is_inside

from ..loading.urdf import Description, find_mesh, read_xml

MESHES = "meshes"
"""Folder of the copied meshes, in the adapter's."""
_BESIDE = (".mtl", ".png", ".jpg", ".jpeg")  # what belongs to a mesh of the same name


def place_in(folder: Path, description: Description) -> Path:
    """Where a URDF is for an adapter in a folder: where it is if it and its meshes are below it, else in a copy."""
    urdf = description.path.resolve()
    files = [urdf, *(Path(mesh.get("filename", "")) for mesh in description.root.iter("mesh"))]
    if all(is_inside(file, folder) for file in files):
        return urdf
    copy = folder.resolve() / f"{urdf.stem}.urdf"
    return copy if copy != urdf else copy.with_stem(f"{urdf.stem}_adopted")


def copy_in(folder: Path, description: Description) -> tuple[Path, ...]:
    """Copy a URDF and its meshes to :func:`place_in` the folder; returns the URDF's copy, or nothing if none is needed.

    With a mesh goes what has its name and gives it colours; textures of other names do not. A mesh that is only drawn
    and not there is left as it is.
    """
    urdf, target = description.path.resolve(), place_in(folder, description)
    if target == urdf:
        return ()
    root = read_xml(urdf, "a URDF")
    meshes = dict(_found(urdf, root))
    above = Path(os.path.commonpath([file.parent for file in meshes.values()])) if meshes else urdf.parent
    for mesh, file in meshes.items():
        copy = folder.resolve() / MESHES / file.relative_to(above)
        copy.parent.mkdir(parents=True, exist_ok=True)
        for source in (file, *(beside for end in _BESIDE if (beside := file.with_suffix(end)).is_file())):
            if copy.with_name(source.name) != source.resolve():
                shutil.copyfile(source, copy.with_name(source.name))
        mesh.set("filename", copy.relative_to(target.parent).as_posix())
    ET.ElementTree(root).write(target, encoding="utf-8", xml_declaration=True)
    return (target,)


def _found(urdf: Path, root: ET.Element) -> Iterator[tuple[ET.Element, Path]]:
    """The meshes of a URDF, with their files."""
    drawn = set(root.iterfind("link/visual/geometry/mesh"))
    for mesh in root.iter("mesh"):
        try:
            yield mesh, find_mesh(urdf, mesh.get("filename", ""))
        except RobotError:
            if mesh not in drawn:
                raise
