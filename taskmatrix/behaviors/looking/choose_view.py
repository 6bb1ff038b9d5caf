"""Decide where to look from next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.occupancy import OCCUPIED, UNKNOWN

from ..common.bounds import region_of, wrong_region
from ..locomotion.floor_plan import FloorPlan

HEADINGS = 16  # looked into from each place
RISES = 4  # directions up and down of each
SPACING = 0.2  # [m] between places
AROUND = 3.5  # [m] of the base, in which places are looked for
ABOVE = 0.02  # [m] wanted above the robot
SLIM = 0.5  # of the radius, free on the way
BESIDE = 0.02  # [m] wanted around the robot
LEAST = 0.1  # [m] of unknown space along a line of sight, in the mean, that is worth going
PENNED = 0.5  # [m] of way: where none leads further, only what is near counts
LITTLE = 0.005  # [m] of unknown space in the mean that is worth a look then
NEAR = 0.6  # [m] beyond its radius a robot looks then
FAR = 1.5  # [m] how far the robot sees where nobody says so (thesis 5.4)
EDGES = 400  # unknown cells next to occupied ones that are looked for
SURFACE = 10.0  # [m] of unknown space along a line of sight that seeing all of these is worth
FADING = 4.0  # [m] of way by which a gain counts e times less
CHECKED = 40  # places, the best first, that are checked for collisions
SHARE = 0.5  # of the most that is to be gained anywhere, without which the nearest is not worth it
APART = 0.25  # [m] two choices are at least, or they look another way

STRATEGIES: dict[str, Callable[[Array, Array], Array]] = {
    "nearest": lambda gain, way: np.where(gain >= SHARE * gain.max(), -way, -np.inf),
    "gain": lambda gain, way: gain,
    "gain-and-way": lambda gain, way: gain * np.exp(-way / FADING),
}
"""What is best, by gain [m] and way [m]. The last is that of Gonzalez-Banos and Latombe (2002)."""


class ChooseView(TaskBehavior):
    """Find a place and a heading from which something unknown can be seen, and publish them.

    Places are those to which the base can go through what is known to be free, and at which it can turn. What is to be
    gained from one is how much of its lines of sight is unknown, up to the first thing that is in their way, and no
    higher than the robot; and how many of the unknown cells it sees that are next to an occupied one, since there the
    surface of something goes on. A cell that stays unknown when it is looked at is not looked for again. As long as
    there is no way that leads on, what hides near the robot is what counts: the shadows of its arms on the floor, say.

    Fails with ``nothing_found`` where there is no such place, or none that was not chosen before in this run of the
    machine.
    """

    strategy = Parameter(str, default="gain-and-way", doc="what is best: nearest, gain or gain-and-way")
    width = Parameter(float, default=1.0, minimum=0.0, maximum=2.5, doc="[rad] looked at to each side of the heading")
    up = Parameter(float, default=0.4, minimum=-1.5, maximum=1.5, doc="[rad] looked at above the horizon")
    down = Parameter(float, default=1.1, minimum=-1.5, maximum=1.5, doc="[rad] looked at below the horizon")
    xmin = Parameter(float, default=None, doc="[m] of the region in which the base stays; no bound unless given")
    ymin = Parameter(float, default=None, doc="[m] the same")
    xmax = Parameter(float, default=None, doc="[m] the same")
    ymax = Parameter(float, default=None, doc="[m] the same")

    x = Output(float, doc="[m] of the base")
    y = Output(float, doc="[m] of the base")
    yaw = Output(float, doc="[rad] of the base")

    def required_chains(self) -> Sequence[str] | Failure:
        """Require no chain; fail where there is no such strategy."""
        if self.strategy not in STRATEGIES:
            return self.fail(FailureKind.PARAMETER, not_found("strategy", self.strategy, STRATEGIES))
        if self.context.skills.occupancy is None:
            return self.fail(FailureKind.NOT_ABLE, "there is no map of space to choose by")
        return wrong_region(self) or ()

    def plan(self) -> None:
        """Forget what was chosen in an earlier run of the machine."""
        whole = self.parent if isinstance(self.parent, TaskBehavior) else self
        run = self.context, whole.runs
        if run != getattr(self, "_machine_run", None):
            self._machine_run, self._chosen = run, list[Array]()
            self._given_up = set[tuple[int, ...]]()

    def step(self) -> Failure | bool:
        """Choose a place and a heading, and publish them."""
        skills = self.context.skills
        base, q = skills.joints("base"), skills.position()
        places, ways = self._places(q)
        penned = ways.max() < PENNED
        if penned:
            places, ways = places[:1], ways[:1]
        gains = self._gains(places, skills.extent()[0] + NEAR if penned else np.inf)
        if not penned:
            gains += SURFACE * self._surface(places)
        worth = STRATEGIES[self.strategy](gains, ways[:, None] + np.zeros_like(gains))
        worth = np.where(gains >= (LITTLE if penned else LEAST), worth, -np.inf)
        checked = 0
        for number in np.argsort(-worth, axis=None, kind="stable"):
            place, heading = np.unravel_index(number, worth.shape)
            if not np.isfinite(worth[place, heading]) or checked == CHECKED:
                break
            goal = np.array([*places[place], _angles()[heading]])
            if self._is_new(goal):
                checked += 1
                if skills.collision(base, goal) is None:
                    self._chosen.append(goal)
                    self.publish(x=float(goal[0]), y=float(goal[1]), yaw=float(goal[2]))
                    self.context.events.emit(
                        "view", self.path, gain=float(gains[place, heading]), way=float(ways[place])
                    )
                    return True
        message = "nothing unknown can be seen from where the base could go"
        return self.fail(FailureKind.NOTHING_FOUND, message, places=len(places), most=float(gains.max()))

    def _places(self, q: Array) -> tuple[Array, Array]:
        """(k, 2) [m] Places to which the base can go, the one where it is first, and (k,) [m] how far that is."""
        skills, region = self.context.skills, region_of(self)
        assert skills.occupancy is not None
        here = q[skills.joints("base")][:2]
        low, high = here - AROUND, here + AROUND
        if region is not None:
            low, high = np.maximum(low, region.lower[:2]), np.minimum(high, region.upper[:2])
        if (low >= high).any():
            return here[None], np.zeros(1)
        eyes = float(skills.view_position()[2])  # what is above them is hard to see, and no more than a head
        stages = [(eyes, skills.extent()[0]), (skills.extent()[1] + ABOVE, skills.extent(eyes)[0])]
        wide = [(top, radius + BESIDE) for top, radius in stages]
        plan = FloorPlan(skills.occupancy, here, wide, SLIM, low, high)
        places, ways = plan.places(SPACING)
        return np.vstack([here, places]), np.concatenate([[0.0], ways])

    def _gains(self, places: Array, within: float) -> Array:
        """(k, HEADINGS) [m] Unknown space along a line of sight in the mean, from places (k, 2) with each heading.

        Lines end within so many metres of a place, seen from above.
        """
        skills = self.context.skills
        assert skills.occupancy is not None
        q, far = skills.position(), self._sight()
        eye, yaw = skills.view_position(), q[skills.joints("base")][2]
        ahead = (eye[:2] - q[skills.joints("base")][:2]) @ np.array([np.cos(yaw), np.sin(yaw)])
        angles, rises = _angles(), np.linspace(-self.down, self.up, RISES)
        level = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        ways = np.empty((HEADINGS, RISES, 3))
        ways[:, :, :2] = level[:, None] * np.cos(rises)[None, :, None]
        ways[:, :, 2] = np.sin(rises)
        room = np.where(ways[:, :, 2] < 0.0, eye[2], max(skills.extent()[1] + ABOVE - eye[2], 0.0))
        reach = np.minimum(far, within / np.cos(rises))
        lengths = np.minimum(reach, room / np.maximum(np.abs(ways[:, :, 2]), 1e-9))
        start = np.empty((len(places), HEADINGS, RISES, 3))
        start[..., :2] = (places[:, None] + ahead * level)[:, :, None]
        start[..., 2] = eye[2]
        end = start + ways * lengths[..., None]
        lines = skills.occupancy.unknown_along(start.reshape(-1, 3), end.reshape(-1, 3))
        seen = lines.reshape(len(places), HEADINGS, RISES).mean(axis=2)
        looked = self._looked(angles[:, None], angles)
        gains: Array = seen @ looked / looked.sum(axis=0)
        return gains

    def _surface(self, places: Array) -> Array:
        """(k, HEADINGS) Share of the edges of what is known of surfaces that can be seen from places (k, 2)."""
        edges = self._edges()
        edges = edges[:: max(1, -(-len(edges) // EDGES))]
        found = np.zeros((len(places), HEADINGS))
        place, edge = self._in_sight(places, edges)
        off = edges[edge, :2] - places[place]
        np.add.at(found, place, self._looked(np.arctan2(off[:, 1], off[:, 0])[:, None], _angles()))
        return found / max(len(edges), 1)

    def _edges(self) -> Array:
        """(k, 3) [m] Unknown cells next to occupied ones that nobody has looked at in vain.

        Those are given up that are unknown although the robot has just looked at them from where it is.
        """
        skills = self.context.skills
        occupancy, q = skills.occupancy, skills.position()
        assert occupancy is not None
        x, y, yaw = q[skills.joints("base")]
        low = np.array([x - AROUND, y - AROUND, occupancy.ground])
        corner, states = occupancy.window(low, np.array([x + AROUND, y + AROUND, skills.extent()[1]]))
        cells = np.argwhere((states == UNKNOWN) & scipy.ndimage.binary_dilation(states == OCCUPIED))
        edges: Array = corner + (cells + 0.5) * occupancy.resolution
        names = [tuple(name) for name in np.round(edges / occupancy.resolution).astype(int).tolist()]
        _, here = self._in_sight(np.array([[x, y]]), edges)
        off = edges[here, :2] - (x, y)
        here = here[self._looked(np.arctan2(off[:, 1], off[:, 0]), yaw)]
        self._given_up.update(names[k] for k in here)
        return edges[[name not in self._given_up for name in names]]

    def _in_sight(self, places: Array, edges: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Numbers (m,) of places (k, 2) and of edges (e, 3) that are seen from there, whatever the heading."""
        occupancy, eye = self.context.skills.occupancy, float(self.context.skills.view_position()[2])
        assert occupancy is not None
        off = edges - np.insert(places, 2, eye, axis=1)[:, None]
        level = np.linalg.norm(off[..., :2], axis=2)
        rise = np.arctan2(off[..., 2], level)
        place, edge = np.nonzero((level < self._sight()) & (rise > -self.down) & (rise < self.up))
        start = np.column_stack([places[place], np.full(len(place), eye)])
        seen = occupancy.unknown_along(start, edges[edge]) > 0.0
        return place[seen], edge[seen]

    def _looked(self, bearings: Array, headings: Array | float) -> NDArray[np.bool_]:
        """Whether a scan with headings [rad] goes over bearings [rad]."""
        looked: NDArray[np.bool_] = _apart(bearings, headings) <= self._wide() + np.pi / HEADINGS
        return looked

    def _sight(self) -> float:
        """[m] How far the robot sees."""
        view = self.context.skills.capabilities.view
        return FAR if view is None or view.range is None else view.range[1]

    def _wide(self) -> float:
        """[rad] How far to each side of the heading it looks."""
        view = self.context.skills.capabilities.view
        return self.width if view is not None and view.turns else 0.0

    def _is_new(self, goal: Array) -> bool:
        """Whether a goal (3,) is not much the same as one that was chosen before."""
        for before in self._chosen:
            turned = _apart(goal[2], before[2])
            if np.linalg.norm(goal[:2] - before[:2]) < APART and turned < self.width:
                return False
        return True


def _angles() -> Array:
    """(HEADINGS,) [rad] Headings to choose from, all round."""
    angles: Array = np.arange(HEADINGS) * 2 * np.pi / HEADINGS - np.pi
    return angles


def _apart(one: Array | float, other: Array | float) -> Array:
    """[rad] Between angles, none below zero."""
    apart: Array = np.abs((one - other + np.pi) % (2 * np.pi) - np.pi)
    return apart
