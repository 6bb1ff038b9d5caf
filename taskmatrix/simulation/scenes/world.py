"""A world: objects and where they are at the start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from taskmatrix.core.base.errors import NotFoundError, ParameterError
from taskmatrix.core.world.geometry import Box, bounding_box, pose
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.perception import Region

from .gait import Gait
from .script import Script
from .suction import Suction

GAP = 0.001
"""[m] Left between an object and what it stands on, so that things at rest are not reported as colliding."""
PATTERNS = ("tiles", "boards", "plain")
"""Of the ground."""


@dataclass(frozen=True, eq=False)
class Placement:
    """Where an object stands, relative to what it stands on."""

    on: str | None
    """The supporting object; None for the floor."""
    position: Array
    """(3,) [m] From the centre of the support's top, in the support's axes, to below the object's origin; the third
    is the height of the object's underside."""
    R: Array
    """(3, 3) Rotation of the object relative to the support."""
    jitter: tuple[float, float, float]
    """[m, m, rad] Largest displacement along the support's x and y, and largest turn about its z, when sampled."""
    opening: float = 0.0
    """[m] or [rad] Position of the joint of a part: it is where that says."""
    at: str | None = None
    """Frame of the supporting object that stands for the centre of its top: the bottom of a drawer."""


@dataclass(frozen=True, eq=False)
class Zone:
    """A box of space, relative to the top of an object or to the floor."""

    on: str | None
    """The supporting object; None for the world's own axes."""
    lower: Array
    """(3,) [m] From the centre of the support's top, in the support's axes."""
    upper: Array
    """(3,) [m]"""


@dataclass(frozen=True, eq=False)
class SecondRobotPath:
    """Where another robot walks, in a world that has room for it."""

    placement: Placement
    """Where it starts."""
    script: Script
    """Where it goes."""


@dataclass(frozen=True, eq=False)
class Ground:
    """A part of the floor that looks different; only seen."""

    lower: tuple[float, float]
    """[m] Corner."""
    upper: tuple[float, float]
    """[m] Corner."""
    color: tuple[float, float, float]
    """Red, green and blue in 0..1."""
    pattern: str
    """One of :data:`PATTERNS`; boards are along x."""


@dataclass(frozen=True, eq=False)
class World:
    """The objects of a scene, where they are at the start, and where robots may be.

    Made by :func:`~taskmatrix.simulation.scenes.world_loader.load_world`. To put an object elsewhere, change the file,
    or call the plant's ``set_pose`` in a session: the poses follow from the placements.
    """

    name: str
    """The name of its file, without suffix."""
    description: str
    """One line for people."""
    source: str
    """Path of its file; with ``furniture_scale``, enough to load it again in another process."""
    objects: Mapping[str, ObjectModel]
    """By id, in the file's order."""
    poses: Mapping[str, Array]
    """X_WO (4, 4) of every object at the start."""
    default_object: str
    """What a task is about when nothing is said."""
    start: tuple[tuple[float, float, float], tuple[float, float, float]]
    """Lower and upper (x [m], y [m], yaw [rad]) of the region in which robots start."""
    bounds: tuple[float, float, float, float]
    """[m] xmin, ymin, xmax, ymax of the ground."""
    furniture_scale: float
    """Factor on the size of the furniture; 1 for a person of the file's reference shoulder height."""
    placements: Mapping[str, Placement]
    """What the poses were made from."""
    default_surface: str = "floor"
    """What things are put down on when nothing is said."""
    zones: Mapping[str, Zone] = field(default_factory=dict)
    """What the regions are made from."""
    scripts: Mapping[str, Script] = field(default_factory=dict)
    """What happens to objects by themselves."""
    suctions: Mapping[str, Suction] = field(default_factory=dict)
    """What tools take in, by their ids."""
    second_robot: SecondRobotPath | None = None
    """Where another robot walks if there is one."""
    gaits: Mapping[str, Gait] = field(default_factory=dict)
    """How what walks looks, by id: its visuals are the first shapes."""
    grounds: tuple[Ground, ...] = ()
    """How the floor looks; the later ones lie on the earlier."""

    @property
    def masses(self) -> Mapping[str, float]:
        """[kg] Of the movable objects, by id."""
        return {id: model.mass for id, model in self.objects.items() if model.mass is not None}

    @property
    def regions(self) -> Mapping[str, Region]:
        """The named regions, where what they belong to stands at the start."""
        return {name: self._region(zone) for name, zone in self.zones.items()}

    def axes(self, id: str) -> Array:
        """(3, 3) Axes of what an object stands on, if it is known to stand on anything."""
        on = self.placements[id].on if id in self.placements else None
        return np.eye(3) if on is None else self.poses[on][:3, :3]

    def scripted(self, id: str, script: Script) -> World:
        """The same world with another script for an object."""
        self.box(id)
        return replace(self, scripts={**self.scripts, id: script})

    def jittered(self, id: str, x: float, y: float, yaw: float = 0.0) -> World:
        """The same world in which seeds displace an object by up to x and y [m], and turn it by up to yaw [rad].

        Raises:
            NotFoundError: There is no such object.
            ParameterError: A displacement is not a number from 0.
        """
        self.box(id)
        if not all(np.isfinite(by) and by >= 0.0 for by in (x, y, yaw)):
            raise ParameterError(f"an object is displaced by x, y and yaw from 0, not by {(x, y, yaw)}")
        jitter = replace(self.placements[id], jitter=(x, y, yaw))
        return replace(self, placements={**self.placements, id: jitter})

    def box(self, id: str) -> Box:
        """The axis-aligned bounding box of an object at the start.

        Returns:
            Lower and upper corner, (3,) [m] each, in the world.

        Raises:
            NotFoundError: There is no such object.
        """
        if id not in self.objects:
            raise NotFoundError("object", id, self.objects, f"world '{self.name}'")
        return bounding_box(self.objects[id].shapes, self.poses[id])

    def moved(self, x: float, y: float) -> World:
        """The same world with everything in it elsewhere, by x and y [m]: for a robot that does not walk to it."""
        by = np.array([x, y, 0.0])
        placements = {
            id: replace(placed, position=placed.position + by) if placed.on is None else placed
            for id, placed in self.placements.items()
        }
        zones = {
            name: replace(zone, lower=zone.lower + by, upper=zone.upper + by) if zone.on is None else zone
            for name, zone in self.zones.items()
        }
        grounds = tuple(
            replace(ground, lower=_by(ground.lower, x, y), upper=_by(ground.upper, x, y)) for ground in self.grounds
        )
        second = self.second_robot
        if second is not None:
            second = replace(second, placement=replace(second.placement, position=second.placement.position + by))
        (xmin, ymin, xmax, ymax), (low, high) = self.bounds, self.start
        return replace(
            self,
            placements=placements,
            poses=place(self.objects, placements),
            zones=zones,
            grounds=grounds,
            second_robot=second,
            bounds=(xmin + x, ymin + y, xmax + x, ymax + y),
            start=((low[0] + x, low[1] + y, low[2]), (high[0] + x, high[1] + y, high[2])),
        )

    def sampled(self, rng: np.random.Generator) -> World:
        """The same world with every object moved at random within its jitter, and what stands on it moved along.

        What has no placement stays where it is.
        """
        placements = {}
        for name, placement in self.placements.items():
            dx, dy, turn = (rng.uniform(-1.0, 1.0, 3) * placement.jitter).tolist()
            placements[name] = replace(
                placement,
                position=placement.position + np.array([dx, dy, 0.0]),
                R=pose(rpy=(0.0, 0.0, turn))[:3, :3] @ placement.R,
            )
        return replace(self, placements=placements, poses={**self.poses, **place(self.objects, placements)})

    def _region(self, zone: Zone) -> Region:
        X_WT = np.eye(4) if zone.on is None else top(self.objects[zone.on], self.poses[zone.on])
        centre = X_WT[:3, 3] + X_WT[:3, :3] @ (zone.lower + zone.upper) / 2
        half = np.abs(X_WT[:3, :3]) @ (zone.upper - zone.lower) / 2
        lower, upper = (centre - half).tolist(), (centre + half).tolist()
        return Region((lower[0], lower[1], lower[2]), (upper[0], upper[1], upper[2]))


def _by(point: tuple[float, float], x: float, y: float) -> tuple[float, float]:
    return point[0] + x, point[1] + y


def place(objects: Mapping[str, ObjectModel], placements: Mapping[str, Placement]) -> dict[str, Array]:
    """Compute the poses of objects that stand on each other.

    Args:
        objects: By id.
        placements: By id; supports come before what stands on them.

    Returns:
        X_WO (4, 4) of every object.
    """
    poses: dict[str, Array] = {}
    for name, placement in placements.items():
        on, joint = placement.on, objects[name].joint
        if joint is not None:
            poses[name] = poses[joint.parent] @ joint.at(placement.opening)
            continue
        X_WT = np.eye(4)
        if on is not None:
            at = placement.at
            X_WT = top(objects[on], poses[on]) if at is None else poses[on] @ objects[on].frames[at]
        X_TO = np.eye(4)
        X_TO[:3, :3] = placement.R
        underside = bounding_box(objects[name].shapes, X_TO)[0][2]
        X_TO[:3, 3] = placement.position + np.array([0.0, 0.0, GAP - underside])
        poses[name] = X_WT @ X_TO
    return poses


def top(model: ObjectModel, X_WO: Array) -> Array:
    """(4, 4) X_WT: the centre of the upper side of an object at X_WO (4, 4), in the object's axes."""
    lower, upper = bounding_box(model.shapes, np.eye(4))
    return X_WO @ pose((*(lower + upper)[:2] / 2, upper[2]))
