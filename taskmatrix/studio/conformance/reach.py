"""Where an arm gets, and how freely its hand moves there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot
from taskmatrix.skills.collision.collision import CollisionChecker
from taskmatrix.skills.kinematics.kinematics import Kinematics

from .finding import Finding, judged

SAMPLES = 3000  # random configurations of an arm
VOXEL = 0.05  # [m]
SIZE, POINT = 320, 1.6  # pixels of a plot, and of a point in it
LEAST = 0.001  # [m^3] that an arm has to fill
_VIEWS = (("from the side", 0, 2), ("from the front", 1, 2), ("from above", 1, 0))  # coordinates to the side and up
_RECT = f'<rect width="{SIZE}" height="{SIZE}" fill="none" stroke="currentColor" opacity="0.3"/>'


@dataclass(frozen=True, eq=False)
class Reach:
    """Places of a hand, with the base and the trunk in stance and the robot clear of itself."""

    hand: str
    """Its name."""
    places: Array
    """(m, 3) [m] Of its grasp frame."""
    manipulability: Array
    """(m,) [m^3] The volume of what the hand's velocity can be, for unit speeds (Yoshikawa 1985)."""

    @property
    def volume(self) -> float:
        """[m^3] Of the voxels that have a place."""
        return len(np.unique(np.floor(self.places / VOXEL), axis=0)) * VOXEL**3

    def finding(self) -> Finding:
        """The workspace as a finding of a check."""
        if not len(self.places):
            return judged("reach", self.hand, False, "no configuration of the arm is clear of the robot itself")
        low, high = self.places[:, 2].min(), self.places[:, 2].max()
        median = float(np.median(self.manipulability))
        text = f"{1e3 * self.volume:.0f} l, from {low:.2f} to {high:.2f} m above the floor; manipulability {median:.3f}"
        return judged("reach", self.hand, self.volume > LEAST, text, volume_m3=self.volume, manipulability=median)


def reach_of(robot: Robot, hand: str, seed: int = 0) -> Reach:
    """Sample the reach of a hand's arm."""
    random, kinematics, checker = np.random.default_rng(seed), Kinematics(robot), CollisionChecker(robot)
    arm = np.array(robot.indices(robot.hands[hand].arm), dtype=np.intp)
    Q = np.tile(robot.posture(robot.stance), (SAMPLES, 1))
    Q[:, arm] = random.uniform(robot.lower[arm], robot.upper[arm], (SAMPLES, len(arm)))
    places, volumes = [], []
    for q in Q[checker.are_free(Q)]:
        placement, J = kinematics.placement_and_jacobian(hand, q, arm)
        places.append(placement.translation.copy())
        volumes.append(np.sqrt(max(np.linalg.det(J[:3] @ J[:3].T), 0.0)))
    return Reach(hand, np.array(places).reshape(-1, 3), np.array(volumes))


def svg(reaches: list[Reach]) -> str:
    """The places of all hands from the side and from above; the darker, the more freely the hand moves there."""
    places = np.vstack([reach.places for reach in reaches] or [np.zeros((0, 3))])
    if not len(places):
        return ""
    freest = max(float(reach.manipulability.max()) for reach in reaches if len(reach.places))
    middle, wide = (places.max(axis=0) + places.min(axis=0)) / 2, float(np.ptp(places, axis=0).max()) * 1.05
    views = []
    for number, (name, across, up) in enumerate(_VIEWS):
        points = []
        for reach in reaches:
            for place, share in zip(reach.places, reach.manipulability / freest, strict=True):
                x = SIZE * (0.5 + (-1 if across == 1 else 1) * (place[across] - middle[across]) / wide)
                y = SIZE * (0.5 - (place[up] - middle[up]) / wide)
                points.append(f'<circle cx="{x:.0f}" cy="{y:.0f}" opacity="{0.1 + 0.6 * share:.2f}"/>')
        title = f'<text x="8" y="{SIZE + 18}">{name}</text>'
        views.append(f'<g transform="translate({number * (SIZE + 10)})">{_RECT}{"".join(points)}{title}</g>')
    style = (
        f"circle {{ r: {POINT}px; fill: #b4443c; }} text {{ font: 14px system-ui, sans-serif; fill: currentColor; }}"
    )
    size = f'viewBox="0 0 {3 * SIZE + 20} {SIZE + 26}" width="100%"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>{"".join(views)}</svg>'
