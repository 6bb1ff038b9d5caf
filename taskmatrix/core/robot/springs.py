"""Virtual springs as data, and the joint torques that feel like them: virtual model control (Pratt 1995, Domo 4.2)."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..base.errors import ParameterError
from ..world.geometry import planar
from ..world.objects import Array
from .plans import Indices
from .skillset import SkillSet

BASE = "base"
"""Frame of the robot's base on the floor, x ahead; hands, the view and links have their own names."""
TINY = 1e-9  # [m] ends that are nearer have no direction from one to the other

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class SpringLaw(ABC):
    """What force a spring has at what length; positive pushes its ends apart. Subclasses are frozen dataclasses."""

    radial: ClassVar[bool] = False
    """Whether it damps only the change of its length, and not what goes across."""

    @abstractmethod
    def force(self, length: float) -> float:
        """[N] At a length [m], without damping; negative lengths are behind a plane."""

    @abstractmethod
    def damping_at(self, length: float) -> float:
        """[N s/m] At a length [m]."""

    @property
    @abstractmethod
    def slope(self) -> float:
        """[N/m] By which the force changes with the length, at most."""


@dataclass(frozen=True)
class LinearSpring(SpringLaw):
    """``F = -stiffness x - damping x'``, which pulls its ends together.

    Raises:
        ParameterError: A stiffness or a damping is below 0, or no force is allowed.
    """

    stiffness: float
    """[N/m]"""
    damping: float = 0.0
    """[N s/m]"""
    most: float = math.inf
    """[N] It pulls no harder than this, however long it is."""

    def __post_init__(self) -> None:
        _check(self, stiffness=self.stiffness, damping=self.damping)
        if not self.most > 0.0:
            raise ParameterError(f"most of a LinearSpring is a force above 0, not {self.most!r}")

    def force(self, length: float) -> float:
        """[N] At a length [m]."""
        return float(np.clip(-self.stiffness * length, -self.most, self.most))

    def damping_at(self, length: float) -> float:
        """[N s/m] The same everywhere."""
        return self.damping

    @property
    def slope(self) -> float:
        """[N/m] Its stiffness."""
        return self.stiffness


@dataclass(frozen=True)
class BoundedSpring(SpringLaw):
    """``F = peak / 2 (1 + cos(pi x / range)) - damping x'`` within its range, which pushes; 0 beyond (Domo 5.3).

    It keeps bodies apart: at contact it pushes with its peak, and half the range away with half of that.

    Raises:
        ParameterError: The peak or the damping is below 0, or the range is not above 0.
    """

    radial: ClassVar[bool] = True

    peak: float
    """[N] At length 0, and behind a plane."""
    range: float
    """[m] At which it has faded to nothing."""
    damping: float = 0.0
    """[N s/m]"""

    def __post_init__(self) -> None:
        _check(self, peak=self.peak, damping=self.damping)
        _check_above(self, range=self.range)

    def force(self, length: float) -> float:
        """[N] At a length [m]."""
        x = min(max(length, 0.0), self.range)
        return self.peak / 2.0 * (1.0 + math.cos(math.pi * x / self.range))

    def damping_at(self, length: float) -> float:
        """[N s/m] None beyond its range."""
        return self.damping if length < self.range else 0.0

    @property
    def slope(self) -> float:
        """[N/m] Half the range away."""
        return math.pi * self.peak / (2.0 * self.range)


@dataclass(frozen=True)
class GaussianSpring(SpringLaw):
    """``F = -peak (x / width) exp((1 - (x / width)^2) / 2) - damping x'``, the pull of a Gaussian well.

    It is 0 at the goal and far from it, and greatest one width away: what is nearly there it pulls in, against the
    friction and the loads that leave a linear spring short of its goal (Domo 5.3).

    Raises:
        ParameterError: The peak or the damping is below 0, or the width is not above 0.
    """

    peak: float
    """[N] One width from the goal."""
    width: float
    """[m]"""
    damping: float = 0.0
    """[N s/m]"""

    def __post_init__(self) -> None:
        _check(self, peak=self.peak, damping=self.damping)
        _check_above(self, width=self.width)

    def force(self, length: float) -> float:
        """[N] At a length [m]."""
        x = length / self.width
        return -self.peak * x * math.exp((1.0 - x * x) / 2.0)

    def damping_at(self, length: float) -> float:
        """[N s/m] None beyond three widths, where nothing is left of its pull."""
        return self.damping if abs(length) < 3.0 * self.width else 0.0

    @property
    def slope(self) -> float:
        """[N/m] At the goal."""
        return self.peak * math.exp(0.5) / self.width


@dataclass(frozen=True)
class Feature(ABC):
    """What a spring goes to: a place, and which directions from it count. Subclasses are frozen dataclasses."""

    p: Vector
    """[m] A point of it."""

    def __post_init__(self) -> None:
        _vector(self, "p", self.p)

    @abstractmethod
    def projector(self) -> Array:
        """(3, 3) What takes an offset from ``p`` to the shortest from the feature."""

    def length(self, offset: Array) -> tuple[float, Array]:
        """[m] How far from the feature a point is, at an offset (3,) [m] from ``p``, and (3,) the direction there.

        Where that is nowhere, on the feature, the direction is 0.
        """
        away = self.projector() @ offset
        length = float(np.linalg.norm(away))
        return length, away / length if length > TINY else np.zeros(3)


@dataclass(frozen=True)
class Point(Feature):
    """A point.

    Raises:
        ParameterError: It is not three finite numbers.
    """

    def projector(self) -> Array:
        """(3, 3) Every direction counts."""
        return np.eye(3)


@dataclass(frozen=True)
class Line(Feature):
    """A line without end.

    Raises:
        ParameterError: A point or a direction is not three finite numbers, or the direction has no length.
    """

    direction: Vector = (0.0, 0.0, 1.0)
    """Along it, of any length."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _direction(self, "direction", self.direction)

    def projector(self) -> Array:
        """(3, 3) What is across it counts."""
        along = unit(self.direction)
        return np.eye(3) - np.outer(along, along)


@dataclass(frozen=True)
class Plane(Feature):
    """A plane; behind it, against its normal, lengths are negative.

    Raises:
        ParameterError: A point or a normal is not three finite numbers, or the normal has no length.
    """

    normal: Vector = (0.0, 0.0, 1.0)
    """Of any length."""

    def __post_init__(self) -> None:
        super().__post_init__()
        _direction(self, "normal", self.normal)

    def projector(self) -> Array:
        """(3, 3) What is along the normal counts."""
        n = unit(self.normal)
        return np.outer(n, n)

    def length(self, offset: Array) -> tuple[float, Array]:
        """[m] Along the normal, and the normal."""
        n = unit(self.normal)
        return float(n @ offset), n


@dataclass(frozen=True)
class Spring:
    """A virtual spring from a point of the robot to a point, a line or a plane.

    Raises:
        ParameterError: The attachment is not three finite numbers.
    """

    frame: str
    """What it is attached to: a hand's grasp frame, the ``view`` or a link, by name."""
    law: SpringLaw
    """How hard it pulls or pushes."""
    feature: Feature
    """Where it goes to, in the frame of ``reference``."""
    reference: str | None = None
    """In which frame the feature is and moves: ``base``, a hand, the ``view`` or a link; the world unless given."""
    attachment: Vector = (0.0, 0.0, 0.0)
    """[m] Where it is attached, in ``frame``."""

    def __post_init__(self) -> None:
        _vector(self, "attachment", self.attachment)


@dataclass(frozen=True, eq=False)
class SpringTorques:
    """What springs do to joints, ready for an impedance: torques, and dampers that make them stable.

    ``torque - damping v`` is what the springs are at the speeds ``v`` of now, but for ``damping`` of ``extra``.
    """

    torque: Array
    """(k,) [N m, N]"""
    damping: Array
    """(k,) [N m s/rad, N s/m]"""
    extra: Array
    """(k,) [N m s/rad, N s/m] Of the damping, what the springs themselves do not have: it keeps stiff ones stable."""

    def plus(self, other: SpringTorques) -> SpringTorques:
        """Those of both."""
        return SpringTorques(self.torque + other.torque, self.damping + other.damping, self.extra + other.extra)


@dataclass(frozen=True, eq=False)
class Pull:
    """What one spring does now."""

    length: float
    """[m]"""
    force: Array
    """(3,) [N] On the point that it is attached to, in the world; with its damping."""
    torques: SpringTorques
    """Of the joints that were asked for."""


def frame_kinematics(skills: SkillSet, frame: str | None, q: Array) -> tuple[Array, Array]:
    """X_WF (4, 4), and (6, n) the twist of a frame for unit speeds, in the frame; of the world for None.

    Raises:
        NotFoundError: There is no such frame.
    """
    if frame is None:
        return np.eye(4), np.zeros((6, len(q)))
    if frame != BASE:
        return skills.differential_kinematics(frame, q)
    X_WB, J = planar(*q[:3].tolist()), np.zeros((6, len(q)))
    J[:2, :2], J[5, 2] = X_WB[:2, :2].T, 1.0
    return X_WB, J


def point_jacobian(X_WF: Array, J: Array, p_F: Array) -> Array:
    """(3, n) Velocity in the world of a point p_F (3,) of a frame for unit speeds.

    Args:
        X_WF: (4, 4) Pose of the frame.
        J: (6, n) Its twist for unit speeds, in the frame.
        p_F: (3,) [m] The point, in the frame.
    """
    moved: Array = X_WF[:3, :3] @ (J[:3] - np.cross(p_F, J[3:].T).T)
    return moved


def pull(spring: Spring, skills: SkillSet, joints: Indices, dt: float) -> Pull:
    """What a spring does to joints of the robot as it is now: ``tau = J^T F``.

    Args:
        spring: The spring.
        skills: Of the robot.
        joints: (k,) Whose torques; the others are moved by something else.
        dt: [s] For how long the torques hold: the control step.

    Raises:
        NotFoundError: The robot has no such frame.
    """
    q, v = skills.position(), skills.velocity()
    X_WF, J_F = frame_kinematics(skills, spring.frame, q)
    X_WB, J_B = frame_kinematics(skills, spring.reference, q)
    p_W = X_WF[:3, :3] @ np.array(spring.attachment) + X_WF[:3, 3]
    offset = X_WB[:3, :3].T @ (p_W - X_WB[:3, 3]) - np.array(spring.feature.p)
    length, away = spring.feature.length(offset)
    u = X_WB[:3, :3] @ away
    foot = X_WB[:3, :3].T @ (p_W - length * u - X_WB[:3, 3])
    J = point_jacobian(X_WF, J_F, np.array(spring.attachment)) - point_jacobian(X_WB, J_B, foot)
    P = np.outer(u, u) if spring.law.radial else X_WB[:3, :3] @ spring.feature.projector() @ X_WB[:3, :3].T
    d, k = spring.law.damping_at(length), spring.law.slope if spring.law.force(length) else 0.0
    elastic = spring.law.force(length) * u
    torques = joint_torques(J[:, joints].T @ elastic, d * J.T @ P @ J, k * J.T @ P @ J, v, joints, dt)
    return Pull(length, elastic - d * P @ (J @ v), torques)


def push_apart(
    law: SpringLaw, distances: Array, gradients: Array, v: Array, joints: Indices, dt: float
) -> SpringTorques:
    """What springs do whose lengths are distances between bodies of the robot.

    Args:
        law: Of all of them.
        distances: (m,) [m] Their lengths.
        gradients: (m, n) [m/rad, m/m] How joints change them.
        v: (n,) [rad/s, m/s] Speeds of the joints.
        joints: (k,) Whose torques.
        dt: [s] For how long the torques hold.
    """
    torque, D, K = np.zeros(len(joints)), np.zeros((len(v), len(v))), np.zeros((len(v), len(v)))
    for length, gradient in zip(distances.tolist(), gradients, strict=True):
        force, square = law.force(length), np.outer(gradient, gradient)
        torque = torque + gradient[joints] * force
        D = D + law.damping_at(length) * square
        K = K + (law.slope if force else 0.0) * square
    return joint_torques(torque, D, K, v, joints, dt)


def joint_torques(elastic: Array, D: Array, K: Array, v: Array, joints: Indices, dt: float) -> SpringTorques:
    """Torques of springs as a plant keeps stable that applies dampers of single joints without delay.

    A torque that is computed once a control step comes late: of a stiff spring it adds energy, and of a strong damper
    too. Each joint gets a damper that is at least as strong as all that couples it, and what that is too much of is
    taken back by the torque. For springs it is as strong as ``dt`` times their stiffness, twice of what keeps a sampled
    spring passive (Colgate and Schenkel, "Passivity of a class of sampled-data systems", 1997), and stays: so no
    stiffness and no damping is too great for the control step.

    Args:
        elastic: (k,) [N m, N] Torques of the springs.
        D: (n, n) Damping, symmetric and not negative.
        K: (n, n) Stiffness at most, symmetric and not negative.
        v: (n,) Speeds of all joints.
        joints: (k,) Whose torques.
        dt: [s] The control step.
    """
    own = np.ix_(joints, joints)
    dampers, extra = np.abs(D[own]).sum(axis=1), dt * np.abs(K[own]).sum(axis=1)
    torque = elastic + dampers * v[joints] - D[joints] @ v
    return SpringTorques(torque, dampers + extra, extra)


def no_torques(joints: Indices) -> SpringTorques:
    """Those of no spring."""
    return SpringTorques(*(np.zeros(len(joints)) for _ in range(3)))


def unit(vector: Sequence[float] | Array) -> Array:
    """(3,) A vector of length 1 in that direction."""
    found: Array = np.asarray(vector, dtype=float) / np.linalg.norm(vector)
    return found


def _check(owner: object, **values: float) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value >= 0.0):
            raise ParameterError(f"{name} of a {type(owner).__name__} is a finite number from 0, not {value!r}")


def _check_above(owner: object, **values: float) -> None:
    for name, value in values.items():
        if not (math.isfinite(value) and value > 0.0):
            raise ParameterError(f"{name} of a {type(owner).__name__} is a finite number above 0, not {value!r}")


def _vector(owner: object, name: str, value: Sequence[float]) -> None:
    if np.shape(value) != (3,) or not np.isfinite(value).all():
        raise ParameterError(f"{name} of a {type(owner).__name__} is three finite numbers, not {value!r}")


def _direction(owner: object, name: str, value: Sequence[float]) -> None:
    _vector(owner, name, value)
    if not np.linalg.norm(value) > TINY:
        raise ParameterError(f"{name} of a {type(owner).__name__} has a direction, and {value!r} has none")
