"""A robot as its adapter describes it: Pinocchio's model, and chains, hands, postures and limits by name."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.world.objects import Array, Shape
from taskmatrix.geometry.solids import checking_data

from .hand import Hand
from .keyframes import KeyframeMotion
from .loading.urdf import BASE_JOINTS
from .pairs import ExcludedPair
from .sides import Sides
from .view import View

_OF_THREAD = threading.local()


@dataclass(frozen=True, eq=False)
class RobotModel:
    """A humanoid on a planar base.

    ``q`` of size ``n`` are the active coordinates, which everything outside Pinocchio uses: the base's x, y and
    yaw, then the joints of the URDF without those that follow another. ``q_full`` of size ``n_full`` is
    Pinocchio's configuration, ``q_full = S q + c``.
    """

    name: str
    """Its folder's name, or the file's."""
    description: str
    """One line for people."""
    source: str
    """Path of its ``robot.toml``: ``load_robot(robot.source)`` makes the same robot in another process."""
    folder: Path
    """Where its data files are."""
    model: pin.Model
    """Full model; the root is the joints ``base_x``, ``base_y`` and ``base_yaw``, and ``nq == nv == n_full``."""
    collision: pin.GeometryModel
    """Collision bodies with all pairs to check: different moving bodies, less ``excluded_pairs``."""
    excluded_pairs: tuple[ExcludedPair, ...]
    """Reviewed link pairs that are left out, with reason and evidence."""
    joints: tuple[str, ...]
    """Active coordinates; the first three are the base."""
    S: Array
    """(n_full, n) From active to full coordinates."""
    c: Array
    """(n_full,) [rad] or [m] Offset of the full coordinates."""
    lower: Array
    """(n,) [rad] or [m]"""
    upper: Array
    """(n,) [rad] or [m]"""
    velocity: Array
    """(n,) [rad/s] or [m/s] The smaller of the URDF's limit and the adapter's cap."""
    acceleration: Array
    """(n,) [rad/s^2] or [m/s^2]"""
    chains: Mapping[str, tuple[int, ...]]
    """Chain to indices of active coordinates; ``base`` is always there."""
    hands: Mapping[str, Hand]
    """By name."""
    sides: Sides
    """Left and right."""
    view: View | None
    """Where it looks from, if it can look."""
    stance: str
    """Name of the posture in which it stands on the floor."""
    postures: Mapping[str, Mapping[str, float]]
    """Posture to joint to position [rad] or [m], for the joints that it names; see :meth:`posture`."""
    motions: Mapping[str, KeyframeMotion]
    """By name."""
    limit_reports: tuple[str, ...]
    """Limits that are missing, zero or infinite in the URDF."""
    inertia_reports: tuple[str, ...]
    """Links that move without mass or inertia in the URDF, or with more inertia than a body of their size has."""
    body_reports: tuple[str, ...]
    """What of the URDF is not drawn, and what is drawn and does not collide."""
    unsolid_links: tuple[str, ...]
    """Links that are drawn and have no collision body: nobody sees what they touch."""
    base_height: float
    """[m] Of the URDF's root link above the floor."""
    shoulder_height: float
    """[m] Of the shoulder (first joint of the arm) in stance; without arms, 82 % of its height."""
    height: float
    """[m] Of its highest point in stance."""
    floor_links: tuple[str, ...]
    """Links that may touch the floor: soles or wheels."""
    drive: str
    """How the base moves: ``omnidirectional``, or ``differential``: on two wheels with the root between them."""
    counterbalanced: frozenset[str]
    """Joints whose weight springs carry: it does not count for what their motors can give."""
    plugins: Mapping[str, str]
    """What it does in a way of its own: skill to ``module:name``; see :mod:`taskmatrix.skills.plugin`."""
    make_visuals: Callable[[], pin.GeometryModel]
    """Reads the visual meshes."""

    @property
    def n(self) -> int:
        """Number of active coordinates, the base included."""
        return len(self.joints)

    @property
    def data(self) -> pin.Data:
        """Pinocchio's data of the model, one for each thread: what is computed in it is to be read at once.

        Data of one's own take memory and time with the cube of the joints: 3 MB and 0.3 ms of TALOS, 36 MB and 6 ms of
        TIAGo, whose hands have many. Placing the joints takes 2 to 4 microseconds.
        """
        known: WeakKeyDictionary[RobotModel, pin.Data] = vars(_OF_THREAD).setdefault("known", WeakKeyDictionary())
        data = known.get(self)
        if data is None:
            data = known[self] = self.model.createData()
        return data

    @cached_property
    def effort_with_springs(self) -> Array:
        """(n,) [N, N m] Most that motor and spring give together; infinite where a spring does, which plants know."""
        return np.where(np.isin(self.joints, sorted(self.counterbalanced)), np.inf, self.effort)

    @cached_property
    def effort(self) -> Array:
        """(n,) [N] or [N m] What motors give at most; infinite where the URDF has no limit, and for the base."""
        rows = [self.model.joints[self.model.getJointId(name)].idx_v for name in self.joints]
        effort = np.asarray(self.model.effortLimit)[rows]
        return np.where((effort > 0.0) & ~np.isin(self.joints, BASE_JOINTS), effort, np.inf)

    @property
    def rolls(self) -> bool:
        """Whether the base only turns on the spot and rolls along its heading."""
        return self.drive == "differential"

    def collision_data(self) -> pin.GeometryData:
        """Fresh data for collision checks, set so that no contact is missed; use it for every exact check."""
        return checking_data(self.collision)

    @cached_property
    def visual_model(self) -> pin.GeometryModel:
        """What is seen of it; read when first asked for."""
        return self.make_visuals()

    @cached_property
    def visuals(self) -> tuple[Shape, ...]:
        """What is seen of it as shapes, each in its own frame; see :meth:`visual_placements`."""
        return tuple(_shape(body) for body in self.visual_model.geometryObjects)

    def visual_placements(self, q: Array) -> Array:
        """(len(visuals), 4, 4) World poses of the visuals at ``q`` (n,)."""
        data = self.data
        pin.forwardKinematics(self.model, data, self.expand(q))
        bodies = self.visual_model.geometryObjects
        return np.array([(data.oMi[b.parentJoint] * b.placement).homogeneous for b in bodies]).reshape(-1, 4, 4)

    @property
    def is_half_known(self) -> bool:
        """Whether fewer links have a collision body than are only drawn: freedom from contact then says little."""
        solid = {self.model.frames[body.parentFrame].name for body in self.collision.geometryObjects}
        return len(solid) < len(self.unsolid_links)

    def expand(self, q: Array) -> Array:
        """(n_full,) Pinocchio's configuration for the active one, ``q`` (n,)."""
        full: Array = self.S @ q + self.c
        return full

    def posture(self, name: str, base: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Array:
        """(n,) A named posture, with the base at ``base`` (x [m], y [m], yaw [rad]).

        Joints that it does not name are as in the stance; those that the stance does not name are at zero, or as near
        to it as their limits allow.

        Raises:
            NotFoundError: There is no posture of this name.
        """
        if name not in self.postures:
            raise NotFoundError("posture", name, self.postures, where=f"the robot '{self.name}'")
        q: Array = np.clip(np.zeros(self.n), self.lower, self.upper)
        q[:3] = base
        for joint, position in {**self.postures[self.stance], **self.postures[name]}.items():
            q[self.joints.index(joint)] = position
        return q

    def indices(self, *chains: str) -> tuple[int, ...]:
        """Active coordinates of one or more chains, in the chains' order.

        Raises:
            NotFoundError: There is no chain of this name.
        """
        for chain in chains:
            if chain not in self.chains:
                raise NotFoundError("chain", chain, self.chains, where=f"the robot '{self.name}'")
        return tuple(i for chain in chains for i in self.chains[chain])


def _shape(body: pin.GeometryObject) -> Shape:
    """A visual body as a shape in its own frame."""
    red, green, blue, opacity = (float(v) for v in body.meshColor)
    color = (red, green, blue, opacity)
    path = Path(body.meshPath) if body.meshPath not in {"", "BOX", "CYLINDER", "SPHERE", "CAPSULE"} else None
    if path is not None:
        return Shape("mesh", tuple(float(v) for v in body.meshScale), np.eye(4), color, path)
    return primitive(body.geometry, color)


def primitive(geometry: Any, color: tuple[float, float, float, float]) -> Shape:
    """A box, sphere, capsule or cylinder of coal's as a shape in its own frame."""
    name = type(geometry).__name__
    if name == "Box":
        return Shape("box", tuple(2.0 * float(v) for v in geometry.halfSide), np.eye(4), color)
    if name == "Sphere":
        return Shape("sphere", (float(geometry.radius),), np.eye(4), color)
    size = (float(geometry.radius), 2.0 * float(geometry.halfLength))
    return Shape("capsule" if name == "Capsule" else "cylinder", size, np.eye(4), color)
