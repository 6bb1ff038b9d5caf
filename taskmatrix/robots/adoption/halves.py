"""What an adapter need not say twice: postures and hands that are mirror images."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array

from ..loading.adapter_hands import ALIKE, links_below
from ..sides import Sides, other_side
from .anatomy.heading import UP, Heading
from .anatomy.tree import ROOT, Tree, rounded
from .hands.grip import Grip

_NEAR = 0.015  # [m] that a grasp frame may be off the image of the other
_ANGLE = np.radians(12.0)  # that its axes may be
_FINGER = 0.06  # of its range that a finger may be
_POSITION = 2e-3  # [rad] or [m] that a joint of a posture may be


@dataclass(frozen=True, eq=False)
class Halves:
    """The two sides of a robot as its adapter will have them."""

    tree: Tree
    """The robot."""
    heading: Heading
    """Where forward is."""
    chains: Mapping[str, tuple[str, ...]]
    """Joints by chain."""
    arms: Mapping[str, str]
    """Chain of the arm by hand."""
    hands: Mapping[str, Grip]
    """By name."""
    sides: Sides
    """Partners among the active coordinates."""

    @classmethod
    def of(
        cls,
        tree: Tree,
        heading: Heading,
        chains: Mapping[str, tuple[str, ...]],
        arms: Mapping[str, str],
        hands: Mapping[str, Grip],
    ) -> Halves:
        """Tell the sides by the chains' names, as a robot's loader will."""
        indices = {chain: tuple(tree.active.index(joint) for joint in joints) for chain, joints in chains.items()}
        sides = Sides.of(tree.model, tree.active, tree.c, indices)
        R = np.array([heading.forward, heading.left, UP])
        turned = np.hstack([sides.motions[:, :3] @ R.T, sides.motions[:, 3:] @ R.T])
        fingers = [(grip.open, grip.closed) for grip in hands.values()]
        return cls(
            tree, heading, chains, arms, hands, replace(sides, motions=turned).with_fingers(tree.active, fingers)
        )

    def half(self, positions: Mapping[str, float]) -> dict[str, float] | None:
        """What is left of a posture where the joints of the right side are those of the left mirrored; else None."""
        mirrored = {self.tree.active[k] for k in self.sides.partners}
        right = {joint for chain, joints in self.chains.items() if "right" in chain for joint in joints} & mirrored
        kept = {joint: value for joint, value in positions.items() if joint not in right}
        image = self.image(kept)
        rest = {joint: value for joint, value in positions.items() if joint in right}
        if image is None or {joint for joint in image if joint in right} != set(rest):
            return None
        return kept if all(abs(image[joint] - value) < _POSITION for joint, value in rest.items()) else None

    def image(self, positions: Mapping[str, float]) -> dict[str, float] | None:
        """The mirror image of a posture; None where there is none or it is beyond the limits."""
        active = self.tree.active
        image = self.sides.image({active.index(joint): value for joint, value in positions.items()})
        lower, upper = self.tree.limits
        if image is None or any(not lower[k] <= value <= upper[k] for k, value in image.items()):
            return None
        return {active[k]: value for k, value in image.items()}

    def twin(self, name: str) -> str:
        """The hand of which one on the right is the mirror image by the rule of the adapter; empty if none."""
        other = other_side(name, self.hands)
        return other if other and "right" in name and self._alike(other, name) else ""

    def _alike(self, name: str, other: str) -> bool:
        """Whether one hand says all about the other."""
        tree, links, grip, twin = self.tree, self.tree.description.links, self.hands[name], self.hands[other]
        chains = [self.arms[name], *self._fingers(name)]
        partners = [self.arms[other], *self._fingers(other)]
        if [other_side(chain, self.chains) for chain in chains] != partners:
            return False
        if other_side(grip.frame, links) != twin.frame:
            return False
        if not all(other_side(link, links) for link in self.touch(name) or links_below(tree.description, grip.frame)):
            return False
        M = np.eye(3) - 2.0 * np.outer(self.heading.left, self.heading.left)
        X, Y = tree.pose(grip.frame), tree.pose(twin.frame)
        if np.linalg.norm(M @ X[:3, 3] - Y[:3, 3]) > ALIKE:
            return False
        A, B = X @ grip.X_LH, Y @ twin.X_LH
        turn = angle_between(M @ A[:3, 1], B[:3, 1])
        if np.linalg.norm(M @ A[:3, 3] - B[:3, 3]) > _NEAR or angle_between(M @ A[:3, 2], B[:3, 2]) > _ANGLE:
            return False
        return min(turn, np.pi - turn) < _ANGLE and self._fingers_alike(grip, twin)

    def _fingers(self, name: str) -> list[str]:
        """The chain of a hand's fingers, if it has some."""
        return [self.arms[name].replace("arm", "hand")] if self.hands[name].open else []

    def _fingers_alike(self, grip: Grip, twin: Grip) -> bool:
        """Whether open and closed fingers are each other's image by the rule of the adapter."""
        lower, upper = self.tree.limits
        for joint in grip.open:
            i = self.tree.active.index(joint)
            if i not in self.sides.partners:
                return False
            k = self.sides.partners[i]
            same = np.allclose([lower[i], upper[i]], [lower[k], upper[k]])
            if same == np.allclose([lower[i], upper[i]], [-upper[k], -lower[k]]):
                same = self.sides.turns_alike(i)
            for here, there in ((grip.open, twin.open), (grip.closed, twin.closed)):
                off = (here[joint] if same else -here[joint]) - there[self.tree.active[k]]
                if abs(off) > _FINGER * (upper[k] - lower[k]):
                    return False
        return True

    def touch(self, name: str) -> tuple[str, ...]:
        """The links of a hand that may touch, where they are others than those that its frame carries; else none."""
        grip = self.hands[name]
        below = {link for link in links_below(self.tree.description, grip.frame) if self.tree.solid(link)}
        return grip.touch if set(grip.touch) - below or below - set(grip.touch) else ()

    def written(self, q: Array) -> Array:
        """(n,) Coordinates as its file gives them again: rounded, and one side from the other if it has halves."""
        positions = {name: rounded(self.tree, k, float(q[k])) for k, name in enumerate(self.tree.active) if k >= ROOT}
        half = self.half(positions)
        if half is not None:
            positions |= {**(self.image(half) or {}), **half}
        again = q.copy()
        for name, value in positions.items():
            again[self.tree.active.index(name)] = value
        return again
