"""Reading URDF files: meshes, roots and the base underneath."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix.core.base.errors import RobotError
from taskmatrix.robots.loading.urdf import read_urdf

LINK = '<link name="{}"><visual><geometry><mesh filename="{}"/></geometry></visual></link>'


@pytest.mark.parametrize(
    ("written", "place"),
    [
        ("package://robots/arm/meshes/a.stl", "robots/arm/meshes/a.stl"),
        ("package:///robots/arm/meshes/a.stl", "robots/arm/meshes/a.stl"),
        ("package://other_name/meshes/a.stl", "robots/arm/meshes/a.stl"),
        ("../meshes/a.stl", "robots/arm/meshes/a.stl"),
        ("a.stl", "robots/arm/urdf/a.stl"),
    ],
)
def test_meshes_are_found_however_they_are_named(tmp_path: Path, written: str, place: str) -> None:
    """Package URIs are looked up above the URDF, with and without the package's name; others beside it."""
    mesh = tmp_path / place
    mesh.parent.mkdir(parents=True)
    mesh.write_text("")
    urdf = tmp_path / "robots/arm/urdf/arm.urdf"
    urdf.parent.mkdir(parents=True, exist_ok=True)
    urdf.write_text(f'<robot name="r">{LINK.format("a", written)}</robot>')
    found = read_urdf(urdf).root.find(".//mesh")
    assert found is not None
    assert found.get("filename") == str(mesh.resolve())


@pytest.mark.parametrize(
    ("written", "told"),
    [
        (
            "package://arm_description/meshes/a.stl",
            "looked for 'meshes/a.stl' in folders named 'arm_description' from {0}/arm/urdf upwards, and in "
            "{0}/arm/urdf, {0}/arm, {0}; put the URDF in or beside a folder named 'arm_description' that has it",
        ),
        ("../meshes/a.stl", "looked for {0}/arm/meshes/a.stl; put it there"),
        ("../../elsewhere/a.stl", "looked for {0}/elsewhere/a.stl; put it below {0}/arm"),
    ],
)
def test_a_mesh_that_is_not_found_says_where_it_was_looked_for(tmp_path: Path, written: str, told: str) -> None:
    """And what to do."""
    urdf = tmp_path / "arm/urdf/arm.urdf"
    urdf.parent.mkdir(parents=True)
    urdf.write_text(f'<robot name="r">{LINK.format("a", written).replace("visual", "collision")}</robot>')
    with pytest.raises(RobotError) as caught:
        read_urdf(urdf)
    assert str(caught.value).endswith(told.format(tmp_path.resolve()))


def test_a_file_uri_is_a_path(tmp_path: Path) -> None:
    """`file://` names the file itself."""
    mesh, urdf = tmp_path / "a.stl", tmp_path / "r.urdf"
    mesh.write_text("")
    urdf.write_text(f'<robot name="r">{LINK.format("a", f"file://{mesh}")}</robot>')
    found = read_urdf(urdf).root.find(".//mesh")
    assert found is not None
    assert found.get("filename") == str(mesh)


def test_a_urdf_has_one_root(tmp_path: Path) -> None:
    """Two links without a parent are named."""
    urdf = tmp_path / "r.urdf"
    urdf.write_text('<robot name="r"><link name="a"/><link name="b"/></robot>')
    with pytest.raises(RobotError, match=r"r\.urdf: .*exactly one link without a parent, this has 2: \['a', 'b'\]"):
        read_urdf(urdf)


def test_mimic_tags_and_foreign_elements_are_taken_out(tmp_path: Path) -> None:
    """What is handed to Pinocchio has links, joints and materials, no mimic tag and no continuous joint."""
    urdf = tmp_path / "r.urdf"
    urdf.write_text(
        '<robot name="r"><gazebo/><transmission/><link name="a"/><link name="b"/><link name="c"/>'
        '<joint name="ab" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint>'
        '<joint name="bc" type="revolute"><parent link="b"/><child link="c"/><axis xyz="0 0 1"/>'
        '<limit lower="0" upper="1" velocity="1" effort="1"/><mimic joint="ab" multiplier="2"/></joint></robot>'
    )
    description = read_urdf(urdf)
    assert description.mimic["bc"].leader == "ab"
    assert description.mimic["bc"].multiplier == 2.0
    assert description.mimic["bc"].offset == 0.0
    tags = {element.tag for element in ET.fromstring(description.on_base(0.5, 0.1, (1.0, 2.0))).iter()}
    assert tags.isdisjoint({"mimic", "gazebo", "transmission"})
    model = pin.buildModelFromXML(description.on_base(0.5, 0.1, (1.0, 2.0)))
    assert list(model.names)[1:] == ["base_x", "base_y", "base_yaw", "ab", "bc"]
    assert model.nq == model.nv == 5
    assert model.upperPositionLimit[:3].tolist() == [1.0, 1.0, 2.0]
    assert [model.joints[i].shortname() for i in (1, 2, 3)] == ["JointModelPX", "JointModelPY", "JointModelRZ"]


def test_meshes_with_y_upwards_are_turned(tmp_path: Path) -> None:
    """Their y axis becomes the body's z axis; what is no mesh stays as it is."""
    (tmp_path / "a.stl").write_bytes(b"")
    urdf = tmp_path / "r.urdf"
    urdf.write_text(
        '<robot name="r"><link name="a"><visual><origin xyz="1 2 3" rpy="0 -1.5708 0.4"/><geometry>'
        '<mesh filename="a.stl"/></geometry></visual><collision><geometry><box size="1 1 1"/></geometry></collision>'
        "</link></robot>"
    )
    plain, turned = (read_urdf(urdf, up).root.find("link/visual/origin") for up in ("z", "y"))
    assert plain is not None
    assert turned is not None
    R, R_turned = (
        pin.rpy.rpyToMatrix(*(float(v) for v in origin.get("rpy", "").split())) for origin in (plain, turned)
    )
    np.testing.assert_allclose(R_turned[:, 1], R[:, 2], atol=1e-6)
    np.testing.assert_allclose(R_turned[:, 0], R[:, 0], atol=1e-6)
    assert turned.get("xyz") == "1 2 3"
    assert read_urdf(urdf, "y").root.find("link/collision/origin") is None


def test_the_colour_under_a_texture_is_not_taken(tmp_path: Path) -> None:
    """It is often black, and the texture is not shown."""
    urdf = tmp_path / "r.urdf"
    urdf.write_text(
        '<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry><material name="m"><texture/>'
        '<color rgba="0 0 0 1"/></material></visual></link></robot>'
    )
    assert read_urdf(urdf).root.find("link/visual/material/color") is None
