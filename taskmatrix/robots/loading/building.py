"""Pinocchio's model of a URDF, compared with what is written in the file: its parser leaves out what it cannot read.

Moments of inertia that no body of its mass and size has are told: many URDFs give 1 kg m^2 to all of their links.
"""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Container, Mapping
from pathlib import Path

import coal
import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.files import MOST_DATA, check_size
from taskmatrix.core.world.geometry import mesh_problem
from taskmatrix.core.world.objects import Array
from taskmatrix.geometry.solids import make_convex_solid

from .urdf import Description, pointer_problem

TOLERANCE = 1e-6  # [m], [kg], [kg m^2], and of what is compared with more than 1 the share
LARGE = 5.0  # times the moment of all of the mass at the farthest point; meshes and motors leave less than that open
SHARE = 0.4  # of that moment, which a link is taken to have whose own is larger: a solid ball's
_SHAPES = {
    "box": (coal.Box,),
    "cylinder": (coal.Cylinder, coal.Capsule),
    "capsule": (coal.Capsule,),
    "sphere": (coal.Sphere,),
    "mesh": (coal.BVHModelBase,),
}
_JOINTS = (pin.FrameType.JOINT, pin.FrameType.FIXED_JOINT)
_MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")


def build_model(description: Description, xml: str) -> pin.Model:
    """Build the model of a URDF.

    Args:
        description: What is written in the file.
        xml: The same on its base.

    Raises:
        RobotError: Pinocchio cannot read it, or read other links, joints or inertias than are written.
    """
    try:
        model = pin.buildModelFromXML(xml)
    except (ValueError, RuntimeError) as error:
        raise RobotError(f"{description.path}: Pinocchio cannot read it: {error}") from error
    for tag, types in (("link", (pin.FrameType.BODY,)), ("joint", _JOINTS)):
        for element in description.root.findall(tag):
            name = element.get("name", "")
            if not any(model.existFrame(name, type) for type in types):
                raise _dropped(description, f"{tag} '{name}'", "it")
    written: dict[int, Array] = defaultdict(lambda: np.zeros(13))
    links: dict[int, list[str]] = defaultdict(list)
    for link in description.root.findall("link"):
        frame = model.frames[model.getFrameId(link.get("name", ""), pin.FrameType.BODY)]
        written[frame.parentJoint] += _moments(link, frame.placement)
        links[frame.parentJoint].append(link.get("name", ""))
    for joint, moments in written.items():
        inertia = model.inertias[joint]
        if not _same(_about_origin(inertia.mass, inertia.lever, inertia.inertia), moments):
            raise _dropped(description, f"link '{links[joint][0]}' and what is fixed to it", "the <inertial>")
    return model


def build_bodies(
    description: Description, model: pin.Model, xml: str, kind: pin.GeometryType, loader: coal.MeshLoader
) -> pin.GeometryModel:
    """Build the collision or visual bodies of a URDF; arguments as in :func:`build_model`.

    Raises:
        RobotError: A mesh cannot be read, or the bodies read are others than are written.
    """
    tag = "collision" if kind == pin.GeometryType.COLLISION else "visual"
    files = {_file(mesh) for mesh in description.root.iterfind(f"link/{tag}/geometry/mesh")}
    bad: dict[Path, str] = {}
    if tag == "collision":
        for file in files:
            check_size(file, MOST_DATA, RobotError)
    try:
        geometry = pin.buildGeomFromUrdfString(model, xml, kind, None, None, loader)
    except (ValueError, RuntimeError):
        bad = {file: problem for file in sorted(files) if (problem := unreadable_mesh(file, loader))}
        told = [f"{description.path}: the mesh '{file}' {problem}" for file, problem in bad.items()]
        if not told:
            raise RobotError(f"{description.path}: Pinocchio cannot read its bodies") from None
        if tag == "collision":
            raise RobotError(told[0]) from None
        warnings.warn(f"{'; '.join(told)}; not drawn", stacklevel=2)  # a picture is no reason to refuse a robot
        geometry = pin.buildGeomFromUrdfString(model, _without(xml, bad), kind, None, None, loader)
    read: dict[str, list[pin.GeometryObject]] = defaultdict(list)
    for body in geometry.geometryObjects:
        read[model.frames[body.parentFrame].name].append(body)
    for link in description.root.findall("link"):
        name = link.get("name", "")
        frame = model.frames[model.getFrameId(name, pin.FrameType.BODY)]
        elements = [element for element in link.findall(tag) if _mesh(element) not in bad]
        bodies = read[name]
        if len(elements) != len(bodies):
            what = f"{len(elements) - len(bodies)} of its {len(elements)} <{tag}>"
            raise _dropped(description, f"link '{name}'", what)
        for number, (element, body) in enumerate(zip(elements, bodies, strict=True), 1):
            place = f"link '{name}', <{tag}> {number}"
            _make_capsule(element, body)
            if not (_same_shape(element, body) and _same((frame.placement * _origin(element)).np, body.placement.np)):
                raise _dropped(description, place, "it")
            if isinstance(body.geometry, coal.BVHModelBase) and (problem := mesh_problem(body.geometry)):
                raise RobotError(f"{description.path}: {place}: the mesh '{body.meshPath}': {problem}")
    return geometry


def make_solid(
    description: Description,
    model: pin.Model,
    collision: pin.GeometryModel,
    hulls: bool,
    as_meshes: Container[str] = (),
) -> None:
    """Make convex meshes solid, and take the convex hulls of those that collide as they are drawn; of all, on wish.

    Links in ``as_meshes`` keep their meshes in any case.
    """
    links = {body.name: model.frames[body.parentFrame].name for body in collision.geometryObjects}
    drawn = {body for body, link in links.items() if link in description.as_drawn}
    kept = {body for body, link in links.items() if link in as_meshes}
    make_convex_solid(collision, hulls, drawn, kept)


def unreadable_mesh(file: Path, loader: coal.MeshLoader) -> str:
    """Why a mesh cannot be read; empty if it can."""
    try:
        check_size(file, MOST_DATA, RobotError)
    except RobotError as error:
        return str(error).partition(": ")[2]
    if problem := pointer_problem(file):
        return problem
    try:
        loader.load(str(file), np.ones(3))
    except (ValueError, RuntimeError):
        return "cannot be read: damaged, or not what its name says"
    return ""


def _without(xml: str, files: Container[Path]) -> str:
    """A URDF without what is drawn of some meshes."""
    root = ET.fromstring(xml)  # noqa: S314  # as written by this library
    for link in root.iter("link"):
        for visual in link.findall("visual"):
            if _mesh(visual) in files:
                link.remove(visual)
    return ET.tostring(root, encoding="unicode")


def _mesh(body: ET.Element) -> Path | None:
    """The file of a body's mesh, if it is one."""
    mesh = body.find("geometry/mesh")
    return None if mesh is None else _file(mesh)


def _make_capsule(element: ET.Element, body: pin.GeometryObject) -> None:
    """Round off a cylinder that was written as a capsule."""
    if element.find("geometry/capsule") is not None and isinstance(body.geometry, coal.Cylinder):
        body.geometry = coal.Capsule(body.geometry.radius, 2.0 * body.geometry.halfLength)


def _file(mesh: ET.Element) -> Path:
    return Path(mesh.get("filename", ""))


def _dropped(description: Description, place: str, what: str) -> RobotError:
    return RobotError(
        f"{description.path}: {place}: the URDF parser leaves {what} out, or reads something else than is "
        "written; look for numbers, elements or attributes that a URDF has not"
    )


def _same(read: Array, written: Array) -> bool:
    return bool(np.allclose(read, written, rtol=TOLERANCE, atol=TOLERANCE))


def _numbers(element: ET.Element | None, key: str, default: str) -> Array:
    return np.array((default if element is None else element.get(key, default)).split(), dtype=float)


def _origin(element: ET.Element) -> pin.SE3:
    """Where an element with an <origin> is."""
    origin = element.find("origin")
    return pin.SE3(pin.rpy.rpyToMatrix(_numbers(origin, "rpy", "0 0 0")), _numbers(origin, "xyz", "0 0 0"))


def _moments(link: ET.Element, X: pin.SE3) -> Array:
    """(13,) What is written of a link's inertia, for a link at X; zero where <mass> or <inertia> is missing."""
    inertial, mass, moments = (link.find(path) for path in ("inertial", "inertial/mass", "inertial/inertia"))
    if inertial is None or mass is None or moments is None:
        return np.zeros(13)
    xx, xy, xz, yy, yz, zz = (float(moments.get(key, "0")) for key in _MOMENTS)
    X = X * _origin(inertial)
    about = X.rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ X.rotation.T
    return _about_origin(float(mass.get("value", "0")), X.translation, about)


def _about_origin(mass: float, c: Array, about: Array) -> Array:
    """(13,) Mass, its first moment, and inertia about the origin, of a body with the inertia ``about`` its centre c."""
    return np.concatenate([[mass], mass * c, np.ravel(about + mass * (c @ c * np.eye(3) - np.outer(c, c)))])


def _same_shape(element: ET.Element, body: pin.GeometryObject) -> bool:
    """Whether a body has the shape and the size that an element says."""
    (shape,) = element.findall("geometry/*")
    geometry = body.geometry
    if not isinstance(geometry, _SHAPES[shape.tag]):
        return False
    if shape.tag == "mesh":
        return _same(np.ravel(body.meshScale), _numbers(shape, "scale", "1 1 1"))
    if shape.tag == "box":
        return _same(2.0 * np.ravel(geometry.halfSide), _numbers(shape, "size", ""))
    if not _same(np.array([geometry.radius]), _numbers(shape, "radius", "")):
        return False
    return shape.tag == "sphere" or _same(np.array([2.0 * geometry.halfLength]), _numbers(shape, "length", ""))


def overstated(model: pin.Model, collision: pin.GeometryModel) -> Mapping[int, float]:
    """[kg m^2] By joint, of links whose moments are far too large: that of their mass at their farthest point.

    Links without a collision body are not looked at.

    Args:
        model: The robot, on its base.
        collision: Its bodies.
    """
    far = np.zeros(model.njoints)
    for body in collision.geometryObjects:
        joint = body.parentJoint
        body.geometry.computeLocalAABB()
        centre = body.placement.act(np.asarray(body.geometry.aabb_center))
        away = np.linalg.norm(centre - np.asarray(model.inertias[joint].lever)) + body.geometry.aabb_radius
        far[joint] = max(far[joint], float(away))
    found = {}
    for joint in range(4, model.njoints):
        inertia = model.inertias[joint]
        most = float(inertia.mass) * far[joint] ** 2
        if far[joint] > 0.0 and inertia.mass > 0.0 and np.linalg.eigvalsh(inertia.inertia)[-1] > LARGE * most:
            found[joint] = most
    return found


def told_inertia(model: pin.Model, collision: pin.GeometryModel) -> tuple[str, ...]:
    """One line about each link of :func:`overstated`, by the joint that moves it."""
    lines = []
    for joint, most in overstated(model, collision).items():
        inertia = model.inertias[joint]
        moment = float(np.linalg.eigvalsh(inertia.inertia)[-1])
        said = f"a moment of inertia of {moment:.3g} kg m^2, which {inertia.mass:.3g} kg of its size cannot have"
        lines.append(f"what {model.names[joint]} moves: {said}; physics takes {SHARE * most:.2g}")
    return tuple(lines)
