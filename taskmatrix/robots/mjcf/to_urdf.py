"""From a robot in MJCF to a URDF and an SRDF, which the adoption of robots reads."""

from __future__ import annotations

import math
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import scipy

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.world.objects import Array

from ..adoption.anatomy.notes import Note
from .compiled import WORLD, Mjcf, transform

MESHES = "meshes"
"""Folder of the meshes, beside the URDF."""
UNLIMITED = 10.0  # [m] either way that a joint slides whose model says no limits
NEAR = 0.1  # [m] from a body, in which a camera is mounted on it
ROUNDED = 0.01  # [rad] or [m] beyond a limit that a keyframe is taken for rounded
LEVEL = 0.99  # [-] cosine to the vertical, at least, of an axis or a plane that counts as level
_NO_ROBOT = "no body has a joint that moves a part of it: there is no robot in it"
SOLID = {"sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"}


@dataclass(frozen=True)
class Converted:
    """What came of an MJCF file."""

    urdf: Path
    """The robot."""
    srdf: Path
    """Its keyframes as states, and the pairs of bodies between which it excludes contacts."""
    notes: tuple[Note, ...]
    """What URDF cannot say, and what of the file is no part of the robot."""


def write_urdf(source: Path, folder: Path) -> Converted:
    """Write the robot of an MJCF file as a URDF with meshes and an SRDF into a folder.

    The robot is the body on the world that carries the most joints. A body with several joints becomes several links,
    a ball joint three hinges; a free joint, and slides and a vertical hinge that carry the whole robot over the floor,
    are those of every robot's base and left out. Sites and cameras become links. Joints coupled by an equality mimic.

    Args:
        source: The MJCF file, which may include others.
        folder: Where to write; it is made if it is not there.

    Raises:
        MissingDependencyError: MuJoCo is not installed.
        RobotError: MuJoCo refuses the file, or nothing in it has joints.
    """
    return _Writer(Mjcf(source)).write(folder)


class _Writer:
    def __init__(self, mjcf: Mjcf) -> None:
        self._mjcf, self._model = mjcf, mjcf.model
        self._robot = ET.Element("robot", name=mjcf.path.stem)
        self._links = set[str]()
        self._surfaces = dict[str, int]()  # file names of surfaces, with one geom of each
        self._joints = dict[int, str]()  # those that are written, by number
        self._notes = list[Note]()
        self._planar = set[int]()
        self._geoms = list[int]()
        self._link_of = dict[int, str]()  # by body

    def write(self, folder: Path) -> Converted:
        """Write it."""
        root = self._root()
        self._planar = self._base_joints(root)
        self._geoms = [geom for body in self._mjcf.below(root) for geom in self._mjcf.of_body("geom", body)]
        name, X = self._mjcf.body_name(root), np.eye(4)
        stands = self._mjcf.pose("body", root)[:3, :3]
        if stands[2, 2] < LEVEL:
            base = self._link(f"{name}_upright")
            X[:3, :3] = stands
            self._write_body(root, base, X)
        else:
            self._write_body(root, None, X)
        if not self._joints:
            raise RobotError(f"{self._mjcf.path}: {_NO_ROBOT}")
        self._couple()
        folder.mkdir(parents=True, exist_ok=True)
        for file, geom in self._surfaces.items():
            (folder / MESHES).mkdir(exist_ok=True)
            self._mjcf.surface(geom).export(folder / MESHES / file)
        urdf, srdf = folder / f"{self._mjcf.path.stem}.urdf", folder / f"{self._mjcf.path.stem}.srdf"
        for file_path, element in ((urdf, self._robot), (srdf, self._semantics())):
            ET.indent(element)
            ET.ElementTree(element).write(file_path, encoding="utf-8", xml_declaration=True)
        return Converted(urdf, srdf, tuple(self._notes))

    def _note(self, text: str, kind: str = "unsure") -> None:
        self._notes.append(Note(kind, "model", f"MJCF: {text}"))

    def _root(self) -> int:
        """The body on the world that carries the most joints."""
        mjcf = self._mjcf
        counts = {
            top: sum(mjcf.joint_kind(joint) != "free" for body in mjcf.below(top) for joint in mjcf.joints(body))
            for top in mjcf.children(WORLD)
        }
        if not any(counts.values()):
            raise RobotError(f"{mjcf.path}: {_NO_ROBOT}")
        root = max(counts, key=lambda top: counts[top])
        others = [mjcf.body_name(top) for top in counts if top != root]
        if others:
            told = ", ".join(others[:4]) + (f" and {len(others) - 4} more" if len(others) > 4 else "")
            self._note(f"the robot is '{mjcf.body_name(root)}' with all that it carries; left out: {told}", "found")
        return root

    def _base_joints(self, root: int) -> set[int]:
        """The joints that carry the whole robot: a free one, or level slides and what comes with them."""
        joints, base = self._mjcf.joints(root), set[int]()
        vertical = self._mjcf.pose("body", root)[2, :3]
        upright = {j: abs(float(vertical @ self._model.jnt_axis[j])) for j in joints}
        level = [j for j in joints if self._mjcf.joint_kind(j) == "slide" and upright[j] < 1.0 - LEVEL]
        for joint in joints:
            kind = self._mjcf.joint_kind(joint)
            carries = len(level) > 1 and (kind == "slide" or (kind == "hinge" and upright[joint] > LEVEL))
            if kind == "free" or carries:
                base.add(joint)
        if base and len(level) > 1:
            names = ", ".join(self._mjcf.joint_names[joint] for joint in sorted(base))
            self._note(f"{names} carry the whole robot; the base of the adapter does", "found")
        return base

    def _write_body(self, body: int, parent: str | None, X: Array) -> None:
        """Write a body whose frame, at the zero of its joints, is at ``X`` (4, 4) in its parent's link."""
        name = self._mjcf.body_name(body)
        turning = [joint for joint in self._mjcf.joints(body) if joint not in self._planar]
        steps = [step for joint in turning for step in self._steps(joint)]
        for number, step in enumerate(steps):
            last = number == len(steps) - 1
            link = self._link(name if last else f"{name}_{step.name}")
            self._joint(step, parent or self._fixed_root(name), link, X @ _moved(step.anchor))
            X, parent = step.after, link
        if not steps:
            link = self._link(name)
            if parent is not None:
                self._fixed(parent, link, X)
            X, parent = np.eye(4), link
        assert parent is not None
        self._link_of[body] = parent
        self._fill(body, parent, X)
        for child in self._mjcf.children(body):
            self._write_body(child, parent, X @ self._mjcf.pose("body", child))

    def _fixed_root(self, name: str) -> str:
        """The link under the first joint of a robot that is bolted to the world."""
        return self._link(f"{name}_base")

    def _steps(self, joint: int) -> list[_Step]:
        """The single joints of a joint."""
        name, kind = self._mjcf.joint_names[joint], self._mjcf.joint_kind(joint)
        anchor = self._model.jnt_pos[joint].copy()
        self._joints[joint] = name
        limited, (lower, upper) = bool(self._model.jnt_limited[joint]), self._model.jnt_range[joint]
        if kind == "ball":
            self._note(f"{name} is a ball joint: three hinges {name}_x, {name}_y and {name}_z stand for it")
            reach = float(upper) if limited else math.pi
            back, limits = _moved(-anchor), (-reach, reach)
            return [_Step(f"{name}_{letter}", "hinge", axis, anchor, back, limits, joint) for letter, axis in _AXES]
        axis, reference = self._model.jnt_axis[joint].copy(), float(self._model.qpos0[self._model.jnt_qposadr[joint]])
        after = np.eye(4)
        if kind == "hinge":
            after[:3, :3] = scipy.spatial.transform.Rotation.from_rotvec(-reference * axis).as_matrix()
        else:
            after[:3, 3] = -reference * axis
            if not limited:
                self._note(f"{name} slides without limits; {UNLIMITED:g} m either way are taken")
                lower, upper, limited = -UNLIMITED, UNLIMITED, True
        ends = (float(lower), float(upper)) if limited else None
        return [_Step(name, kind, axis, anchor, after @ _moved(-anchor), ends, joint)]

    def _link(self, name: str) -> str:
        """Add a link; a name that a joint or a link has already gets another end. Returns the name."""
        if name in self._mjcf.joint_names:
            name += "_link"
        while name in self._links:
            name += "_"
        self._links.add(name)
        ET.SubElement(self._robot, "link", name=name)
        return name

    def _joint(self, step: _Step, parent: str, child: str, X: Array) -> None:
        kind = "prismatic" if step.kind == "slide" else "continuous" if step.limits is None else "revolute"
        joint = ET.SubElement(self._robot, "joint", name=step.name, type=kind)
        ET.SubElement(joint, "parent", link=parent)
        ET.SubElement(joint, "child", link=child)
        _origin(joint, X)
        ET.SubElement(joint, "axis", xyz=_numbers(step.axis))
        limits = {"effort": _numbers([self._effort(step.joint)]), "velocity": "0"}
        if step.limits is not None:
            limits |= {"lower": _numbers(step.limits[:1]), "upper": _numbers(step.limits[1:])}
        ET.SubElement(joint, "limit", limits)
        first = int(self._model.jnt_dofadr[step.joint])
        damping, friction = (float(getattr(self._model, key)[first]) for key in ("dof_damping", "dof_frictionloss"))
        if damping or friction:
            ET.SubElement(joint, "dynamics", damping=_numbers([damping]), friction=_numbers([friction]))

    def _effort(self, joint: int) -> float:
        """[N m] or [N] The most that the actuators of a joint bring up; 0 where nothing says."""
        model = self._model
        if model.jnt_actfrclimited[joint]:
            return float(model.jnt_actfrcrange[joint][1])
        most = 0.0
        for actuator in range(model.nu):
            if int(model.actuator_trntype[actuator]) <= 1 and int(model.actuator_trnid[actuator][0]) == joint:
                gear = abs(float(model.actuator_gear[actuator][0]))
                if model.actuator_forcelimited[actuator]:
                    most += gear * float(np.abs(model.actuator_forcerange[actuator]).max())
                elif model.actuator_ctrllimited[actuator] and not model.actuator_biasprm[actuator].any():
                    gain = abs(float(model.actuator_gainprm[actuator][0]))
                    most += gear * gain * float(np.abs(model.actuator_ctrlrange[actuator]).max())
        return most

    def _fixed(self, parent: str, child: str, X: Array) -> None:
        joint = ET.SubElement(self._robot, "joint", name=f"{child}_fixed", type="fixed")
        ET.SubElement(joint, "parent", link=parent)
        ET.SubElement(joint, "child", link=child)
        _origin(joint, X)

    def _fill(self, body: int, name: str, X: Array) -> None:
        """Mass, geoms, sites and cameras of a body whose frame is at ``X`` (4, 4) in its link."""
        model, (link,) = self._model, [link for link in self._robot.iter("link") if link.get("name") == name]
        if (mass := float(model.body_mass[body])) > 0.0:
            inertial = ET.SubElement(link, "inertial")
            _origin(inertial, X @ transform(model.body_ipos[body], model.body_iquat[body]))
            ET.SubElement(inertial, "mass", value=_numbers([mass]))
            moments = dict(zip(("ixx", "iyy", "izz"), (_numbers([m]) for m in model.body_inertia[body]), strict=True))
            ET.SubElement(inertial, "inertia", {**moments, "ixy": "0", "ixz": "0", "iyz": "0"})
        strange = Counter[str]()
        for geom in self._mjcf.of_body("geom", body):
            if self._mjcf.geom_kind(geom) not in SOLID:
                strange[self._mjcf.geom_kind(geom)] += 1
                continue
            for tag, wanted in (("visual", self._mjcf.drawn(geom)), ("collision", self._mjcf.collides(geom))):
                if wanted:
                    self._write_geom(link, tag, geom, X)
        for kind, count in strange.items():
            self._note(f"'{name}' has {count} geoms of the kind {kind}, which are left out")
        self._write_frames(body, name, X)

    def _write_geom(self, link: ET.Element, tag: str, geom: int, X: Array) -> None:
        size, kind = self._model.geom_size[geom], self._mjcf.geom_kind(geom)
        element = ET.SubElement(link, tag)
        _origin(element, X @ self._mjcf.pose("geom", geom))
        geometry = ET.SubElement(element, "geometry")
        if kind == "box":
            ET.SubElement(geometry, "box", size=_numbers(2.0 * size))
        elif kind == "sphere":
            ET.SubElement(geometry, "sphere", radius=_numbers(size[:1]))
        elif kind in {"cylinder", "capsule"}:
            ET.SubElement(geometry, kind, radius=_numbers(size[:1]), length=_numbers(2.0 * size[1:2]))
        else:
            file = f"{self._mjcf.surface_name(geom)}.stl"
            self._surfaces.setdefault(file, geom)
            ET.SubElement(geometry, "mesh", filename=f"{MESHES}/{file}")
        if tag == "visual":
            color = self._mjcf.color(geom)
            rgba = _numbers([round(value, 3) for value in color])
            ET.SubElement(ET.SubElement(element, "material", name=rgba), "color", rgba=rgba)

    def _write_frames(self, body: int, name: str, X: Array) -> None:
        """Sites with a name, and cameras that are fixed to the body, as links."""
        for site in self._mjcf.of_body("site", body):
            if site_name := self._mjcf.name("site", site):
                self._fixed(name, self._link(site_name), X @ self._mjcf.pose("site", site))
        for camera in self._mjcf.of_body("cam", body):
            if int(self._model.cam_mode[camera]) == 0 and self._mounted(camera):
                given = self._mjcf.name("camera", camera) or f"{name}_camera"
                frame = f"{given}_optical_frame" if "cam" in given.lower() else f"{given}_camera_optical_frame"
                self._fixed(name, self._link(frame), X @ self._mjcf.pose("cam", camera) @ _OPTICAL)

    def _mounted(self, camera: int) -> bool:
        """Whether a camera is on the robot, not somewhere around to look at it."""
        at, geoms = self._mjcf.camera_positions[camera], self._geoms
        far = np.linalg.norm(self._mjcf.geom_positions[geoms] - at, axis=1) - self._model.geom_rbound[geoms]
        mounted = bool(far.min(initial=np.inf) < NEAR)
        if not mounted:
            self._note(f"the camera '{self._mjcf.name('camera', camera)}' looks at the robot from outside", "found")
        return mounted

    def _couple(self) -> None:
        """Write what equality constraints say as far as a URDF can."""
        model, joints = self._model, {joint.get("name"): joint for joint in self._robot.iter("joint")}
        left = Counter[str]()
        for row in range(model.neq):
            if not model.eq_active0[row]:
                continue
            kind = ("connect", "weld", "joint", "tendon", "flex")[min(int(model.eq_type[row]), 4)]
            first, second = int(model.eq_obj1id[row]), int(model.eq_obj2id[row])
            if kind != "joint" or first not in self._joints or (second >= 0 and second not in self._joints):
                left[kind] += kind != "joint"
                continue
            constant, linear, *higher = (float(value) for value in model.eq_data[row][:5])
            if any(higher):
                self._note(f"{self._joints[first]} follows {self._joints[second]} not in proportion; a line is taken")
            zero = [float(model.qpos0[model.jnt_qposadr[j]]) if j >= 0 else 0.0 for j in (first, second)]
            element = joints[self._joints[first]]
            if second < 0:
                element.set("type", "fixed")
                self._note(f"{self._joints[first]} is held where it is by an equality", "found")
                continue
            offset = zero[0] + constant - linear * zero[1]
            values = {"multiplier": _numbers([linear]), "offset": _numbers([offset])}
            ET.SubElement(element, "mimic", {"joint": self._joints[second], **values})
        for kind, count in left.items():
            if count:
                self._note(f"{count} equality constraints of the kind {kind} are left out: URDF has no loops")

    def _semantics(self) -> ET.Element:
        """Keyframes and excluded contacts as an SRDF."""
        model, root = self._model, ET.Element("robot", name=self._robot.get("name", ""))
        singles = {j: name for j, name in self._joints.items() if self._mjcf.joint_kind(j) in {"hinge", "slide"}}
        group = ET.SubElement(root, "group", name="all")
        for name in singles.values():
            ET.SubElement(group, "joint", name=name)
        for key in range(model.nkey):
            state = ET.SubElement(root, "group_state", name=self._mjcf.name("key", key) or f"key_{key}", group="all")
            for joint, name in singles.items():
                value = float(model.key_qpos[key][model.jnt_qposadr[joint]])
                lower, upper = model.jnt_range[joint]
                if model.jnt_limited[joint] and lower - ROUNDED < value < upper + ROUNDED:
                    value = min(max(value, float(lower)), float(upper))
                ET.SubElement(state, "joint", name=name, value=_numbers([value]))
        for signature in model.exclude_signature:
            bodies = (int(signature) >> 16, int(signature) & 0xFFFF)
            first, second = (self._link_of.get(body) for body in bodies)
            if first and second:
                ET.SubElement(root, "disable_collisions", link1=first, link2=second, reason="Excluded")
        return root


@dataclass(frozen=True, eq=False)
class _Step:
    """A joint with one coordinate, in the order in which they turn a body."""

    name: str
    kind: str
    """``hinge`` or ``slide``."""
    axis: Array
    """(3,) In the body's frame."""
    anchor: Array
    """(3,) [m] Origin of the joint in the frame of the body before it moves."""
    after: Array
    """(4, 4) The body's frame in the joint's link."""
    limits: tuple[float, float] | None
    joint: int


_AXES = tuple(zip("xyz", np.eye(3), strict=True))
_OPTICAL = np.diag([1.0, -1.0, -1.0, 1.0])
"""From a camera that looks along -z with y up to one that looks along z with y down."""


def _moved(p: Array) -> Array:
    X = np.eye(4)
    X[:3, 3] = p
    return X


def _origin(element: ET.Element, X: Array) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # at a pitch of a right angle, roll and yaw are not unique
        rpy = scipy.spatial.transform.Rotation.from_matrix(X[:3, :3]).as_euler("xyz")
    ET.SubElement(element, "origin", xyz=_numbers(X[:3, 3]), rpy=_numbers(rpy))


def _numbers(values: Iterator[float] | list[float] | tuple[float, ...] | Array) -> str:
    return " ".join(f"{float(value):.9g}" for value in values)
