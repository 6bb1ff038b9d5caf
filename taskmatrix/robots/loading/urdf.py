"""From a URDF file to the XML that Pinocchio builds: meshes found, mimic joints noted, a planar base underneath."""

from __future__ import annotations

import importlib.metadata
import math
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.parsers import expat

import scipy

from taskmatrix.core.base.errors import MissingDependencyError, RobotError, how_to_install
from taskmatrix.core.base.files import DEEPEST, MOST_XML, check_size, is_inside, outside, shortened, stray_reference
from taskmatrix.core.base.tables import Table

from .bodies import Body, collide_as_drawn, give_bodies, told_unsolid, unsolid_links
from .mimics import Mimic, take_mimics
from .urdf_checks import NO_LIMIT, check_urdf, refuse_xacro, tidy, with_cylinders, without_inertia

BASE_JOINTS = ("base_x", "base_y", "base_yaw")
_POINTER = b"version https://git-lfs.github.com/spec"
MESHES = (".stl", ".dae", ".obj", ".ply", ".glb", ".gltf", ".off", ".3ds")
UPRIGHT = "turned_upright"
"""The link that carries the root of a URDF whose y axis is up."""
WIDE = 1000.0
"""[rad] Limit of a continuous joint: an angle everywhere, so that positions and velocities have equal size."""


@dataclass(frozen=True, eq=False)
class Description:
    """A URDF as read, ready to be put on a base."""

    path: Path
    """The URDF file."""
    root: ET.Element
    """Links and joints; meshes are absolute paths, mimic tags are gone, continuous joints are revolute."""
    root_link: str
    """Link without a parent."""
    links: tuple[str, ...]
    """All links."""
    mimic: Mapping[str, Mimic]
    """Joints that follow another one."""
    limit_reports: tuple[str, ...]
    """What the URDF's limits lack."""
    inertia_reports: tuple[str, ...]
    """Links that move without mass or inertia."""
    body_reports: tuple[str, ...]
    """What is not drawn, and what is drawn and does not collide."""
    as_drawn: tuple[str, ...]
    """Links that collide as they are drawn."""
    unsolid: tuple[str, ...]
    """Links that are drawn and do not collide."""
    up: str = "z"
    """Axis of the file's root that is up."""
    bodies: tuple[Body, ...] = ()
    """Those that links have instead of the file's."""
    missing: tuple[str, ...] = ()
    """Links that nothing stands for, as their meshes are not there."""

    def children(self, link: str) -> tuple[str, ...]:
        """Links that a link carries directly."""
        joints = (joint for joint in self.root.iter("joint") if joint.find("parent").get("link") == link)  # type: ignore[union-attr]
        return tuple(joint.find("child").get("link", "") for joint in joints)  # type: ignore[union-attr]

    def on_base(self, height: float, yaw: float, limits: tuple[float, float]) -> str:
        """The URDF with its root carried by three single joints.

        Args:
            height: [m] Of the root link above the floor.
            yaw: [rad] Of the root link on the base, which looks along x.
            limits: [m] of x and y, [rad] of yaw: the base moves within plus and minus these.
        """
        robot = ET.Element("robot", name=self.root.get("name", "robot"))
        previous = "virtual_world"
        ET.SubElement(robot, "link", name=previous)
        for name, axis in zip(BASE_JOINTS, ("1 0 0", "0 1 0", "0 0 1"), strict=True):
            kind, limit = ("revolute", limits[1]) if name == "base_yaw" else ("prismatic", limits[0])
            ET.SubElement(robot, "link", name=f"{name}_link")
            joint = ET.SubElement(robot, "joint", name=name, type=kind)
            ET.SubElement(joint, "parent", link=previous)
            ET.SubElement(joint, "child", link=f"{name}_link")
            ET.SubElement(joint, "axis", xyz=axis)
            ET.SubElement(joint, "limit", lower=repr(-limit), upper=repr(limit), effort="1000", velocity="2")
            previous = f"{name}_link"
        mount = ET.SubElement(robot, "joint", name="base_mount", type="fixed")
        ET.SubElement(mount, "origin", xyz=f"0 0 {height!r}", rpy=f"0 0 {yaw!r}")
        ET.SubElement(mount, "parent", link=previous)
        ET.SubElement(mount, "child", link=self.root_link)
        robot.extend(with_cylinders(self.root))
        return ET.tostring(robot, encoding="unicode")


def find_urdf(model: Table) -> Path:
    """The file that ``[model]`` of an adapter means: a path below the adapter's folder, or a file of a package.

    Raises:
        MissingDependencyError: The package is not installed.
        RobotError: There is no such file.
    """
    package = model.get("package", str, "")
    if not package:
        return model.file("urdf", "URDF")
    urdf = model.get("urdf", str)
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise MissingDependencyError(
            f"{model.path}: the robot's URDF is part of the package '{package}', which is not installed; "
            f"install the robots that others publish {how_to_install('robots')}"
        ) from None
    for file in distribution.files or ():
        if file.as_posix().endswith("/" + urdf):
            path = Path(str(distribution.locate_file(file))).resolve()
            if path.is_file():
                return path
    raise model.error("urdf", f"the package '{package}' {distribution.version} has no file that ends with '{urdf}'")


def read_urdf(
    path: Path,
    mesh_up: str = "z",
    home: Path | None = None,
    as_drawn: Sequence[str] = (),
    leaders: Mapping[str, str] | None = None,
    up: str = "z",
    bodies: Sequence[Body] = (),
) -> Description:
    """Read a URDF.

    Args:
        path: The file.
        mesh_up: The axis that is up in its mesh files, ``z`` or ``y``; URDF takes them as they are, and meshes for
            which something else turned ``y`` to ``z`` have to be turned here.
        home: Folder that its meshes have to be in; unless given, its package's, or the one beside whose folders it is,
            and those with the name of a package that it names.
        as_drawn: Links that collide as they are drawn, whatever collision bodies they have.
        leaders: By joint that follows, the one that it follows, where the file names another.
        up: The axis of its root that is up, ``z`` or ``y``: where it is ``y``, the root is carried by a link
            :data:`UPRIGHT` whose z axis is up.
        bodies: Those that links have instead of the file's.

    Raises:
        RobotError: It is not XML, not a URDF with one root, names a mesh that does not exist, or a mimic joint
            follows a joint that does not exist.
    """
    source = read_xml(path, "a URDF")
    if source.tag != "robot":
        raise RobotError(f"{path}: the outermost element is <{shortened(source.tag)}>, a URDF has <robot>")
    refuse_xacro(path, source)
    root = ET.Element("robot", {"name": source.get("name", path.stem)})
    root.extend(e for e in source if e.tag in {"link", "joint", "material"})
    check_urdf(path, root)
    tidy(root)
    links = tuple(e.get("name", "") for e in root.iter("link"))
    joints = root.findall("joint")
    (root_link,) = set(links) - {joint.find("child").get("link", "") for joint in joints}  # type: ignore[union-attr]
    for joint in joints:
        if joint.get("type") == "fixed" and joint.get("name") in links:  # Pinocchio would take the one for the other
            joint.set("name", f"{joint.get('name')} (fixed)")
    if up == "y":
        links, root_link = _stand_up(root, links, root_link), UPRIGHT
    undrawn, missing = _drop_missing_pictures(path, root, home, {body.link for body in bodies})
    give_bodies(root, bodies)
    collide_as_drawn(root, as_drawn)
    for mesh in root.iter("mesh"):
        mesh.set("filename", str(find_mesh(path, mesh.get("filename", ""), home)))
    if mesh_up == "y":
        for body in (body for kind in ("visual", "collision") for body in root.iter(kind)):
            if body.find("geometry/mesh") is not None:
                _turn_upright(body)
    for material in root.iter("material"):
        if material.find("texture") is not None and (color := material.find("color")) is not None:
            material.remove(color)  # of what the texture does not cover; often black
    movable = {joint.get("name", ""): joint for joint in joints if joint.get("type") not in {"fixed"}}
    limits = tuple(line for name, joint in movable.items() for line in _check_limits(name, joint))
    mimic = take_mimics(path, movable, leaders or {})
    told, inertias = (*undrawn, *told_unsolid(root)), tuple(without_inertia(root))
    return Description(
        path,
        root,
        root_link,
        links,
        mimic,
        limits,
        inertias,
        told,
        tuple(as_drawn),
        unsolid_links(root),
        up,
        tuple(bodies),
        missing,
    )


def read_xml(path: Path, kind: str) -> ET.Element:
    """The outermost element; a file that declares entities of its own is refused before it is read."""
    scout, depth = expat.ParserCreate(), 0

    def refuse(name: str, *_: object) -> None:
        where = f"{path}: line {scout.CurrentLineNumber}"
        raise RobotError(f"{where}: declares the entity '{shortened(name)}', which {kind} has no need of")

    def open_element(name: str, *_: object) -> None:
        nonlocal depth
        depth += 1
        if depth > DEEPEST:
            raise RobotError(f"{path}: line {scout.CurrentLineNumber}: elements in each other; {DEEPEST} are allowed")

    def close_element(*_: object) -> None:
        nonlocal depth
        depth -= 1

    scout.StartElementHandler, scout.EndElementHandler = open_element, close_element
    scout.EntityDeclHandler = refuse
    try:
        check_size(path, MOST_XML, RobotError)
        text = path.read_bytes().rstrip(b"\0 \t\r\n")  # some tools append zeros
        scout.Parse(text, True)
        return ET.fromstring(text)  # noqa: S314  # without entities
    except (ET.ParseError, expat.ExpatError) as error:
        raise RobotError(f"{path}: not well-formed XML: {error}") from error


def find_mesh(urdf: Path, name: str, within: Path | None = None) -> Path:
    """Resolve ``package://``, ``file://`` and plain names, within a folder, the package or the URDF's surroundings.

    Raises:
        RobotError: It is not there, or no mesh.
    """
    scheme, _, rest = name.rpartition("://")
    above = [folder for folder in urdf.resolve().parents if folder.parent != folder]
    if scheme == "package":
        package, _, inside = rest.lstrip("/").partition("/")
        if package in {"", ".", ".."}:
            raise RobotError(f"{urdf}: the mesh '{shortened(name)}' names no package")
        places = [(folder / package, inside) for folder in above] + [(folder, inside) for folder in above[:3]]
    else:
        places = [(within or _home(above), str(Path(above[0], rest)))]
    for home, inside in places:
        path = Path(home, inside)
        if path.is_file() and is_inside(path, home) and (within is None or is_inside(path, within)):
            path = path.resolve()
            if path.suffix.lower() not in MESHES:
                raise RobotError(f"{urdf}: the mesh '{name}' is no file of a kind that has one: {', '.join(MESHES)}")
            if (stray := stray_reference(path, within or home)) is not None:
                raise RobotError(f"{urdf}: in the mesh '{shortened(name)}', {outside(stray, within or home)}")
            return path
    if within is not None:
        raise RobotError(f"{urdf}: the mesh {outside(name, within)}")
    problem = f"{urdf}: the mesh '{name}' is neither beside the URDF nor in a folder of its package"
    if scheme == "package":
        raise RobotError(
            f"{problem}; looked for '{inside}' in folders named '{package}' from {urdf.resolve().parent} upwards, "
            f"and in {', '.join(map(str, above[:3]))}; put the URDF in or beside a folder named '{package}' that has it"
        )
    path, home = Path(inside).resolve(), places[0][0]
    raise RobotError(
        f"{problem}; looked for {path}; " + ("put it there" if path.is_relative_to(home) else f"put it below {home}")
    )


def _drop_missing_pictures(
    urdf: Path, root: ET.Element, home: Path | None, given: Container[str]
) -> tuple[list[str], tuple[str, ...]]:
    """Take out what would only be drawn and whose mesh is not there.

    Returns:
        One line about each, and the links that nothing else stands for, but for those that are ``given`` a body.
    """
    lines, missing = [], []
    for link in root.iter("link"):
        for visual in link.findall("visual"):
            mesh = visual.find("geometry/mesh")
            if mesh is None:
                continue
            name = mesh.get("filename", "")
            try:
                problem = pointer_problem(find_mesh(urdf, name, home))
            except RobotError:
                problem = "is not there"
            if problem:
                link.remove(visual)
                here = link.get("name", "")
                bare = link.find("visual") is None and link.find("collision") is None and here not in given
                missing += [here] * bare
                lines.append(
                    f"{here}: not drawn, as its mesh '{shortened(name)}' {problem}"
                    + ("; nothing else collides for it, so what moves goes through it" if bare else "")
                )
    return lines, tuple(missing)


def pointer_problem(mesh: Path) -> str:
    """What is wrong with a file that only stands for a mesh, which Git LFS has elsewhere; empty if it does not."""
    with mesh.open("rb") as opened:
        if opened.read(len(_POINTER)) != _POINTER:
            return ""
    return "is a Git LFS pointer, not the mesh itself: get the mesh with 'git lfs pull' where it comes from"


def _home(above: Sequence[Path]) -> Path:
    """The folder that a URDF's own files are in: its package's, or the one beside whose folders it is."""
    return next((folder for folder in above if (folder / "package.xml").is_file()), above[min(1, len(above) - 1)])


def _stand_up(root: ET.Element, links: tuple[str, ...], root_link: str) -> tuple[str, ...]:
    """Carry a root whose y axis is up by a link whose z axis is; all links, that one first."""
    ET.SubElement(root, "link", name=UPRIGHT)
    joint = ET.SubElement(root, "joint", name=f"{UPRIGHT} (fixed)", type="fixed")
    ET.SubElement(joint, "origin", xyz="0 0 0", rpy=f"{0.5 * math.pi!r} 0 0")
    ET.SubElement(joint, "parent", link=UPRIGHT)
    ET.SubElement(joint, "child", link=root_link)
    return (UPRIGHT, *links)


def _turn_upright(body: ET.Element) -> None:
    """Turn a body by a quarter about its own x axis, so that what was its y axis is up."""
    origin = body.find("origin")
    if origin is None:
        origin = ET.SubElement(body, "origin")
    rpy = [float(angle) for angle in origin.get("rpy", "0 0 0").split()]
    R = scipy.spatial.transform.Rotation.from_euler("xyz", rpy) * scipy.spatial.transform.Rotation.from_euler(
        "x", 0.5 * math.pi
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at a pitch of a right angle, roll and yaw are not unique
        origin.set("rpy", " ".join(repr(float(angle)) for angle in R.as_euler("xyz")))


def _check_limits(name: str, joint: ET.Element) -> list[str]:
    """Make a continuous joint revolute and infinite limits wide ones; report what is missing, zero or infinite."""
    if joint.get("type") == "continuous":
        joint.set("type", "revolute")
        old = joint.find("limit")
        kept = {} if old is None else {k: v for k, v in old.attrib.items() if k in {"effort", "velocity"}}
        if old is not None:
            joint.remove(old)
        ET.SubElement(joint, "limit", {"effort": "0", "velocity": "0", **kept, "lower": f"{-WIDE}", "upper": f"{WIDE}"})
        return [f"{name}: continuous, no position limits"]
    limit = joint.find("limit")
    if limit is None:
        ET.SubElement(joint, "limit", lower="0", upper="0", effort="0", velocity="0")
        return [f"{name}: no <limit>, it cannot move"]
    values = {key: float(limit.get(key, 0.0)) for key in ("lower", "upper", "velocity", "effort")}
    reports = [f"{name}: {key} limit is {v}" for key, v in values.items() if not math.isfinite(v)]
    for key in ("velocity", "effort"):
        if values[key] < 0.0:
            reports.append(f"{name}: {key} limit is {values[key]:g}, which is taken for none")
            limit.set(key, "0")
    if values["lower"] == values["upper"] == NO_LIMIT and joint.get("type") == "revolute":
        limit.set("lower", f"{-math.pi}")
        limit.set("upper", f"{math.pi}")
        return [*reports, f"{name}: both limits are -1, which is taken for none: half a turn either way"]
    for key, v in values.items():
        if not math.isfinite(v):  # the URDF parser refuses what is not finite
            limit.set(key, f"{math.copysign(WIDE, v)}" if key in {"lower", "upper"} else "0")
    if values["lower"] > values["upper"]:
        reports.append(
            f"{name}: lower limit {values['lower']} is above the upper limit {values['upper']}; they are taken in turn"
        )
    elif values["lower"] == values["upper"]:
        reports.append(f"{name}: lower limit {values['lower']} is not below the upper limit {values['upper']}")
    reports += [f"{name}: {key} limit is zero" for key in ("velocity", "effort") if values[key] == 0.0]
    return reports
