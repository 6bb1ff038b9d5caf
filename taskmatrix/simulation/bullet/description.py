"""The URDF that PyBullet loads, written from Pinocchio's model, which is the truth."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.robots.loading.urdf import WIDE

from ..physics.inertia import principal_axes
from ..physics.joints import LIFT, joint_axis, little, stops
from ..physics.pieces import Piece, pieces, resized

MARGIN = 0.001  # [m] by which PyBullet takes cylinders and hulls for larger


def write_urdf(robot: Robot, model: pin.Model, folder: Path, wheels: Mapping[str, float]) -> Path:
    """Write the URDF of a robot and the meshes of its collision bodies into a folder.

    A joint of the model becomes a joint and a link of the same name; fixed links are part of what they are fixed to.

    Args:
        robot: The robot.
        model: Its model, with masses to simulate.
        folder: Where to write.
        wheels: Radius [m] by joint of the wheels that it rests on, free to move up and down, instead of standing at its
            height; they roll as spheres, which touch the floor at one point whatever they are made of.

    Returns:
        Path of the URDF.
    """
    root = ET.Element("robot", name=robot.name)
    add_link(root, "world", pin.Inertia.Zero(), [])
    bodies: dict[int, list[ET.Element]] = {joint: [] for joint in range(model.njoints)}
    for index, body in enumerate(robot.collision.geometryObjects):
        for count, piece in enumerate(pieces(body.geometry)):
            bodies[body.parentJoint].append(
                collision_element(for_engine(piece), body.placement, folder / f"{index}_{count}.obj")
            )
    for name, radius in wheels.items():
        tyre = Piece("sphere", (radius,), np.empty((0, 3)))
        bodies[model.getJointId(name)] = [collision_element(tyre, pin.SE3.Identity(), folder / "tyre.obj")]
    for joint in range(1, model.njoints):
        name, parent, X = model.names[joint], _link(model, model.parents[joint]), model.jointPlacements[joint]
        if wheels and joint == 1:
            add_joint(root, LIFT, parent, LIFT, pin.SE3.Identity(), np.array([0.0, 0.0, 1.0]), slides=True)
            add_link(root, LIFT, little(), [])
            parent = LIFT
        slides, axis = joint_axis(model, joint)
        add_joint(root, name, parent, name, X, axis, slides, stops(robot, name))
        add_link(root, name, model.inertias[joint] if joint > 2 else little(), bodies[joint])
    path = folder / f"{robot.name}.urdf"
    ET.indent(root)  # PyBullet reads by lines, and no long ones
    ET.ElementTree(root).write(path)
    return path


def for_engine(piece: Piece, skin: float = 0.0) -> Piece:
    """What PyBullet is told of a piece so that it takes it for as large as it is, and a skin [m] all round."""
    return resized(piece, skin - MARGIN if piece.kind in {"cylinder", "hull"} else skin)


def _link(model: pin.Model, joint: int) -> str:
    return "world" if joint == 0 else model.names[joint]


def add_link(root: ET.Element, name: str, inertia: pin.Inertia, collisions: Sequence[ET.Element]) -> None:
    """Add a link with its inertia, if it has mass, and collision bodies to a URDF."""
    link = ET.SubElement(root, "link", name=name)
    if inertia.mass > 0:
        inertial = ET.SubElement(link, "inertial")
        moments, axes = principal_axes(inertia)
        inertial.append(_origin(pin.SE3(axes, np.asarray(inertia.lever))))
        ET.SubElement(inertial, "mass", value=repr(float(inertia.mass)))
        values = dict(zip(("ixx", "iyy", "izz"), moments, strict=True))
        off = dict.fromkeys(("ixy", "ixz", "iyz"), 0.0)
        ET.SubElement(inertial, "inertia", {key: repr(float(value)) for key, value in {**values, **off}.items()})
    link.extend(collisions)


def add_joint(
    root: ET.Element,
    name: str,
    parent: str,
    child: str,
    X: pin.SE3,
    axis: Array,
    slides: bool,
    stops: tuple[float, float] | None = None,
) -> None:
    """Add a joint of a kind to a URDF, ``X`` in the parent's frame, that stops at its ends if it has some."""
    kind = "prismatic" if slides else "continuous" if stops is None else "revolute"
    joint = ET.SubElement(root, "joint", name=name, type=kind)
    joint.append(_origin(X))
    ET.SubElement(joint, "parent", link=parent)
    ET.SubElement(joint, "child", link=child)
    ET.SubElement(joint, "axis", xyz=_numbers(axis))
    if slides or stops is not None:
        lower, upper = (-WIDE, WIDE) if stops is None else stops
        ET.SubElement(joint, "limit", lower=repr(lower), upper=repr(upper), effort="1e6", velocity="1000")


def collision_element(piece: Piece, X: pin.SE3, file: Path) -> ET.Element:
    """A convex piece at X in its link's frame; the corners of a hull go to a file."""
    collision = ET.Element("collision")
    collision.append(_origin(X))
    geometry = ET.SubElement(collision, "geometry")
    if piece.kind == "box":
        ET.SubElement(geometry, "box", size=_numbers(piece.size))
    elif piece.kind == "sphere":
        ET.SubElement(geometry, "sphere", radius=repr(piece.size[0]))
    elif piece.kind in {"cylinder", "capsule"}:
        ET.SubElement(geometry, piece.kind, radius=repr(piece.size[0]), length=repr(piece.size[1]))
    else:
        faces = scipy.spatial.ConvexHull(piece.corners, qhull_options="QJ").simplices + 1
        lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in piece.corners] + [f"f {i} {j} {k}" for i, j, k in faces]
        file.write_text("\n".join(lines) + "\n")
        ET.SubElement(geometry, "mesh", filename=str(file))
    return collision


def _origin(X: pin.SE3) -> ET.Element:
    rpy = pin.rpy.matrixToRpy(X.rotation)
    return ET.Element("origin", xyz=_numbers(X.translation), rpy=_numbers(rpy))


def _numbers(values: Sequence[float] | Array) -> str:
    return " ".join(repr(float(value)) for value in values)
