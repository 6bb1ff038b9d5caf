"""An MJCF file as MuJoCo compiles it: includes, defaults and units are resolved, and every name is given."""

from __future__ import annotations

import logging
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy

from taskmatrix.core.base.errors import MissingDependencyError, RobotError, how_to_install
from taskmatrix.core.base.files import MOST_XML, check_size, shortened
from taskmatrix.core.world.objects import Array

if TYPE_CHECKING:
    import trimesh

_log = logging.getLogger(__name__)
SUFFIX = ".xml"
HIDDEN = 3  # first group of geoms that MuJoCo does not draw unless asked
WORLD = 0  # number of the body that stands for the world


def import_mujoco(purpose: str) -> ModuleType:
    """The module ``mujoco``, whose warnings are logged, unless somebody takes them already: not written to a file.

    Args:
        purpose: What needs it, as the error begins.

    Raises:
        MissingDependencyError: It is not installed; says how to get it.
    """
    try:
        import mujoco  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingDependencyError(f"{purpose} needs MuJoCo; {how_to_install('mujoco')}") from error
    if mujoco.get_mju_user_warning() is None:
        mujoco.set_mju_user_warning(_log.warning)
    module: ModuleType = mujoco
    return module


def is_mjcf(path: Path) -> bool:
    """Whether a file is XML whose outermost element is ``<mujoco>``."""
    if path.suffix.lower() != SUFFIX or not path.is_file():
        return False
    try:
        _, first = next(iter(ET.iterparse(path, events=("start",))))  # noqa: S314 - its first element only
    except (ET.ParseError, StopIteration):
        return False
    return bool(first.tag == "mujoco")


class Mjcf:
    """A compiled MJCF file.

    Args:
        path: The file.

    Raises:
        MissingDependencyError: MuJoCo is not installed.
        RobotError: MuJoCo refuses the file; says what and in which line.

    Attributes:
        path: The file.
        model: The ``MjModel``.
    """

    def __init__(self, path: Path) -> None:
        self._mujoco = import_mujoco(f"{path.name} is MJCF, which")
        if not path.is_file():
            raise RobotError(f"{path}: there is no such file")
        check_size(path, MOST_XML, RobotError)
        self.path = path
        try:
            self.model: Any = self._mujoco.MjModel.from_xml_path(str(path))
        except (ValueError, RuntimeError) as error:
            raise RobotError(f"{path}: {_located(str(error))}") from error

    def name(self, kind: str, number: int) -> str:
        """The name of a ``body``, ``joint``, ``geom``, ``site``, ``camera``, ``mesh`` or ``key``; empty without one."""
        objects = getattr(self._mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
        return self._mujoco.mj_id2name(self.model, objects, number) or ""

    def body_name(self, body: int) -> str:
        """The name of a body, or its number as one."""
        return self.name("body", body) or f"body_{body}"

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """A name of every joint; one without is named after its body."""
        names = list[str]()
        for joint in range(self.model.njnt):
            name = self.name("joint", joint) or f"{self.body_name(int(self.model.jnt_bodyid[joint]))}_joint"
            while name in names:
                name += "_"
            names.append(name)
        return tuple(names)

    def joint_kind(self, joint: int) -> str:
        """``free``, ``ball``, ``slide`` or ``hinge``."""
        return ("free", "ball", "slide", "hinge")[int(self.model.jnt_type[joint])]

    def joints(self, body: int) -> range:
        """The joints of a body, the outermost first."""
        first = int(self.model.body_jntadr[body])
        return range(first, first + int(self.model.body_jntnum[body])) if first >= 0 else range(0)

    def children(self, body: int) -> list[int]:
        """The bodies that a body carries."""
        return [int(b) for b in np.flatnonzero(self.model.body_parentid == body) if b != WORLD]

    def below(self, body: int) -> Iterator[int]:
        """A body and all that it carries."""
        yield body
        for child in self.children(body):
            yield from self.below(child)

    def of_body(self, kind: str, body: int) -> list[int]:
        """The ``geom``, ``site`` or ``cam`` of a body, by number."""
        return [int(i) for i in np.flatnonzero(getattr(self.model, f"{kind}_bodyid") == body)]

    def pose(self, kind: str, number: int) -> Array:
        """(4, 4) Pose of a ``body``, ``geom``, ``site`` or ``cam`` in the frame of the body that carries it."""
        p, q = getattr(self.model, f"{kind}_pos")[number], getattr(self.model, f"{kind}_quat")[number]
        return transform(p, q)

    def geom_kind(self, geom: int) -> str:
        """``plane``, ``hfield``, ``sphere``, ``capsule``, ``ellipsoid``, ``cylinder``, ``box``, ``mesh`` or ``sdf``."""
        name: str = self._mujoco.mjtGeom(int(self.model.geom_type[geom])).name
        return name.removeprefix("mjGEOM_").lower()

    def collides(self, geom: int) -> bool:
        """Whether a geom may touch anything."""
        return bool(self.model.geom_contype[geom] or self.model.geom_conaffinity[geom] or geom in self._paired)

    def drawn(self, geom: int) -> bool:
        """Whether a geom is drawn."""
        return bool(self.model.geom_group[geom] < HIDDEN and self.color(geom)[3] > 0.0)

    def color(self, geom: int) -> tuple[float, float, float, float]:
        """Red, green, blue and opacity in 0..1, with the mean of the texture if it has one."""
        model, material = self.model, int(self.model.geom_matid[geom])
        rgba = np.array(model.geom_rgba[geom] if material < 0 else model.mat_rgba[material], dtype=float)
        textures = [] if material < 0 else [int(t) for t in np.ravel(model.mat_texid[material]) if t >= 0]
        if textures:
            first, depth = int(model.tex_adr[textures[0]]), int(model.tex_nchannel[textures[0]])
            pixels = int(model.tex_height[textures[0]]) * int(model.tex_width[textures[0]])
            mean = model.tex_data[first : first + pixels * depth].reshape(-1, depth).mean(axis=0) / 255.0
            rgba[:3] *= mean[:3] if depth >= 3 else mean[0]
        red, green, blue, opacity = (float(value) for value in rgba.clip(0.0, 1.0))
        return red, green, blue, opacity

    def surface(self, geom: int) -> trimesh.Trimesh:
        """The surface of an ``ellipsoid`` or a ``mesh`` in the frame of the geom [m]."""
        import trimesh  # noqa: PLC0415 - for files in MJCF only

        if self.geom_kind(geom) == "ellipsoid":
            ball = trimesh.creation.icosphere(subdivisions=3)
            return trimesh.Trimesh(ball.vertices * self.model.geom_size[geom], ball.faces, process=False)
        mesh, model = int(self.model.geom_dataid[geom]), self.model
        first, face = int(model.mesh_vertadr[mesh]), int(model.mesh_faceadr[mesh])
        return trimesh.Trimesh(
            model.mesh_vert[first : first + int(model.mesh_vertnum[mesh])],
            model.mesh_face[face : face + int(model.mesh_facenum[mesh])],
            process=False,
        )

    def surface_name(self, geom: int) -> str:
        """A name for the file of a surface: geoms with the same have the same surface."""
        if self.geom_kind(geom) == "ellipsoid":
            return f"ellipsoid_{geom}"
        mesh = int(self.model.geom_dataid[geom])
        return re.sub(r"[^\w.-]+", "_", self.name("mesh", mesh)) or f"mesh_{mesh}"

    @cached_property
    def geom_positions(self) -> Array:
        """(k, 3) [m] Of all geoms in the world at the zero of the joints."""
        positions: Array = self._placed.geom_xpos.copy()
        return positions

    @cached_property
    def camera_positions(self) -> Array:
        """(k, 3) [m] Of all cameras in the world at the zero of the joints."""
        positions: Array = self._placed.cam_xpos.copy()
        return positions

    @cached_property
    def _placed(self) -> Any:
        data = self._mujoco.MjData(self.model)
        self._mujoco.mj_kinematics(self.model, data)
        self._mujoco.mj_camlight(self.model, data)
        return data

    @cached_property
    def _paired(self) -> frozenset[int]:
        """Geoms that touch what a pair says, whatever their bits are."""
        return frozenset(int(geom) for geom in (*self.model.pair_geom1, *self.model.pair_geom2))


def transform(p: Array, q: Array) -> Array:
    """(4, 4) From a position (3,) [m] and a quaternion (4,), its scalar first."""
    X = np.eye(4)
    X[:3, :3], X[:3, 3] = scipy.spatial.transform.Rotation.from_quat(np.roll(q, -1)).as_matrix(), p
    return X


def _located(text: str) -> str:
    """What MuJoCo says, in one line that begins with the line of the file where it gives one."""
    where = re.search(r"line (\d+)", text)
    said = " ".join(text.replace("XML Error: ", "").replace("Error: ", "").split())
    said = re.sub(r",? line \d+(, column -?\d+)?", "", said)
    return (f"line {where[1]}: " if where else "") + (said if len(said) < 300 else shortened(said))
