"""A bare URDF as a tree of rigid bodies, with what geometry tells about each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array

from ...loading.urdf import WIDE, Description

ROOT = 3
"""The body that carries the URDF's root link; below it are only the three joints of the virtual base."""
_HARDLY = 1e-3  # [rad] or [m] range of a joint that something measures by


@dataclass(frozen=True, eq=False)
class Joint:
    """A joint that moves, and the body behind it; what has a direction is in the root's frame at zero."""

    id: int
    """Of the body behind it: Pinocchio's index."""
    parent: int
    """Body before it."""
    name: str
    """In the URDF."""
    links: tuple[str, str]
    """Parent and child link."""
    prismatic: bool
    """Whether it slides; all others turn."""
    follows: bool
    """Whether it mimics another joint."""
    origin: Array
    """(3,) [m]"""
    axis: Array
    """(3,) Unit vector."""
    lower: float
    """[rad] or [m]"""
    upper: float
    """[rad] or [m]"""

    @property
    def continuous(self) -> bool:
        """Whether it turns without end."""
        return not self.prismatic and self.upper - self.lower >= WIDE

    @property
    def stuck(self) -> bool:
        """Whether its limits leave it no way to move."""
        return self.upper - self.lower < 1e-6

    @property
    def neutral(self) -> float:
        """[rad] or [m] Zero, or as near to it as the limits allow."""
        return float(np.clip(0.0, self.lower, self.upper))


@dataclass(frozen=True, eq=False)
class Tree:
    """A URDF as read, on a base that does not move."""

    description: Description
    """The file."""
    model: pin.Model
    """With the root link at the origin."""
    collision: pin.GeometryModel
    """Collision bodies, with all pairs that move against each other."""
    active: tuple[str, ...]
    """(n) Names of the active coordinates, the base's three first."""
    S: Array
    """(n_full, n) From active to full coordinates."""
    c: Array
    """(n_full,) [rad] or [m] Offset of the full coordinates."""
    joints: Mapping[int, Joint]
    """By body, without the base."""
    mesh_up: str
    """Axis that is up in its mesh files, ``z`` or ``y``."""
    meshes: pin.GeometryModel | None
    """The collision bodies as they are, where convex hulls of some are taken; None where they are not."""
    hulls: bool
    """Whether the convex hulls of all its collision meshes are taken."""
    clouds: dict[int, dict[str, Array]] = field(repr=False)
    """Points (k, 3) of collision geometry by body and link, in the body."""
    leaders: Mapping[str, str] = field(default_factory=dict)
    """By joint that follows, the one that it follows, where the file names one that is not there."""
    misdrawn: tuple[str, ...] = ()
    """One line about each link whose mesh is drawn elsewhere than it collides in the file; it collides as drawn."""

    as_meshes: tuple[str, ...] = ()
    """Links that collide by their meshes, although hulls of others, or of all, are taken."""

    def hulled(self, links: Iterable[str]) -> bool:
        """Whether the convex hull of one of some links is taken."""
        return any((self.hulls or link in self.description.as_drawn) and link not in self.as_meshes for link in links)

    @property
    def n(self) -> int:
        """Number of active coordinates."""
        return len(self.active)

    @cached_property
    def zero(self) -> pin.Data:
        """Kinematics with all coordinates at zero, whatever the limits."""
        return self.at(np.zeros(self.n))

    @cached_property
    def neutral(self) -> Array:
        """(n,) Coordinates at zero, or as near to it as the limits allow."""
        neutral: Array = np.clip(0.0, *self.limits)
        return neutral

    @cached_property
    def limits(self) -> tuple[Array, Array]:
        """(n,) and (n,) Lower and upper limits of the active coordinates.

        A leader stops before its followers; one whose limits would leave it nothing does not count.
        """
        lower, upper = np.full(self.n, -np.inf), np.full(self.n, np.inf)
        for joint in sorted(self.joints.values(), key=lambda joint: joint.follows):
            i = self.model.joints[joint.id].idx_q
            k = int(np.argmax(np.abs(self.S[i])))
            ends = sorted((v - self.c[i]) / self.S[i, k] for v in (joint.lower, joint.upper))
            low, high = max(lower[k], ends[0]), min(upper[k], ends[1])
            if not (low >= high and lower[k] < upper[k] and joint.follows):
                lower[k], upper[k] = low, high
        lower[:3], upper[:3] = -1.0, 1.0
        return lower, np.maximum(lower, upper)

    def at(self, q: Array) -> pin.Data:
        """Kinematics with the active coordinates at ``q`` (n,)."""
        data = self.model.createData()
        pin.framesForwardKinematics(self.model, data, self.S @ q + self.c)
        return data

    def index(self, joint: int) -> int:
        """The active coordinate of a joint that follows no other."""
        return self.active.index(self.joints[joint].name)

    def children(self, body: int) -> tuple[int, ...]:
        """Bodies behind the joints that a body carries, in the URDF's order."""
        return self._children.get(body, ())

    @cached_property
    def _children(self) -> Mapping[int, tuple[int, ...]]:
        parents = dict.fromkeys(joint.parent for joint in self.joints.values())
        return {p: tuple(joint.id for joint in self.joints.values() if joint.parent == p) for p in parents}

    def below(self, body: int) -> Iterator[int]:
        """A body and all that it carries."""
        yield body
        for child in self.children(body):
            yield from self.below(child)

    def path(self, body: int, start: int = ROOT) -> tuple[int, ...]:
        """Bodies from behind ``start`` to ``body``."""
        found: list[int] = []
        while body not in (start, 0):
            found.append(body)
            body = int(self.model.parents[body])
        return tuple(reversed(found))

    def links(self, body: int) -> tuple[str, ...]:
        """Links welded into a body, from its joint outward."""
        return tuple(link for link, i in self.frames.items() if self.model.frames[i].parentJoint == body)

    @cached_property
    def frames(self) -> Mapping[str, int]:
        """Pinocchio's frame of each link; a joint may have the name of a link."""
        known = set(self.description.links)
        frames = enumerate(self.model.frames)
        return {f.name: i for i, f in frames if f.type == pin.FrameType.BODY and f.name in known}

    def named_once(self, link: str) -> bool:
        """Whether no joint has the link's name, so that it can carry a frame of the adapter."""
        return not self.model.existFrame(link, pin.FrameType.JOINT) and not self.model.existFrame(
            link, pin.FrameType.FIXED_JOINT
        )

    def body_of(self, link: str) -> int:
        """The body that a link is welded into."""
        return int(self.model.frames[self.frames[link]].parentJoint)

    def pose(self, link: str, data: pin.Data | None = None) -> Array:
        """(4, 4) Pose of a link in the root's frame, at zero unless ``data`` says where."""
        placement = (data or self.zero).oMf[self.frames[link]].homogeneous
        X: Array = np.asarray(placement)
        return X

    def solid(self, link: str) -> bool:
        """Whether a link has a collision body."""
        return link in self.clouds.get(self.body_of(link), {})

    def points(self, body: int, data: pin.Data | None = None, links: Iterable[str] | None = None) -> Array:
        """(k, 3) [m] Points of a body's collision geometry in the root's frame; none where it has none."""
        clouds = self.clouds.get(body, {})
        chosen = [clouds[link] for link in (clouds if links is None else links) if link in clouds]
        if not chosen:
            return np.zeros((0, 3))
        X = (data or self.zero).oMi[body]
        points: Array = np.vstack(chosen) @ X.rotation.T + X.translation
        return points

    def outermost(self, body: int) -> str:
        """The last solid link of a body that reaches about as far from its joint as any; empty where none is solid."""
        here = self.zero.oMi[body].translation
        far = {
            link: float(np.linalg.norm(self.points(body, None, [link]) - here, axis=1).max())
            for link in self.links(body)
            if self.solid(link)
        }
        return next((link for link in reversed(far) if far[link] > 0.8 * max(far.values())), "")

    def points_below(self, body: int, data: pin.Data | None = None) -> Array:
        """(k, 3) [m] Points of a body and of all that it carries."""
        return np.vstack([self.points(b, data) for b in self.below(body)])

    def is_gauge(self, body: int) -> bool:
        """Whether what a body carries, itself included, hardly moves: a sensor that is written as a joint."""
        return all(self.joints[b].upper - self.joints[b].lower < _HARDLY for b in self.below(body))

    def reach(self, body: int) -> float:
        """[m] From the joint of a body to the farthest point that it carries, along the joints between."""
        here = self.joints[body].origin
        own = self.points(body)
        far = float(np.linalg.norm(own - here, axis=1).max()) if len(own) else 0.0
        ways = [
            float(np.linalg.norm(self.joints[child].origin - here)) + self.reach(child) for child in self.children(body)
        ]
        return max([far, *ways])

    @cached_property
    def extent(self) -> tuple[Array, Array]:
        """(3,) and (3,) [m] Lowest and highest corner of all collision bodies at zero, in the root's frame."""
        points = np.vstack([np.zeros((0, 3)), *(self.points(body) for body in self.clouds)])
        return points.min(axis=0), points.max(axis=0)

    @property
    def height(self) -> float:
        """[m] Height of the robot with all joints at zero."""
        return float(self.extent[1][2] - self.extent[0][2])


def rounded(tree: Tree, i: int, position: float) -> float:
    """A position of an active coordinate, rounded to 0.0001 so that it stays within its limits."""
    lower, upper = (float(limit[i]) for limit in tree.limits)
    inward = np.clip(round(position, 4), np.ceil(lower * 1e4) / 1e4, np.floor(upper * 1e4) / 1e4)
    return float(np.clip(position, lower, upper)) if upper - lower < 2e-4 else float(inward) + 0.0
