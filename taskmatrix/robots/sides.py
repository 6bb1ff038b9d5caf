"""Left and right: which joints are partners, and what the mirror image of a posture is."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pinocchio as pin

from taskmatrix.core.world.objects import Array

# How the image in the plane y = 0 keeps or turns the components of a velocity: an arrow's y; an axis is a pseudovector.
_IMAGE = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
_WORDS = {"left": "right", "Left": "Right", "LEFT": "RIGHT"}
_WORDS |= {right: left for left, right in _WORDS.items()}
_LETTERS = {"l": "r", "L": "R", "r": "l", "R": "L"}
ALIKE = 0.03  # [m] of a joint from the mirror image of its partner, at most


def other_side(name: str, names: Collection[str]) -> str | None:
    """The one of some names that is a name with left and right exchanged; None if there is none.

    ``left`` and ``right`` in any spelling, or an ``l`` or ``r`` that stands alone (``l_hand``, ``hand_l``) or before a
    capital (``LHand``).
    """
    words = re.sub("|".join(_WORDS), lambda found: _WORDS[found[0]], name)
    letters = re.sub(r"(?<![A-Za-z])([lrLR])(?![a-z])", lambda found: _LETTERS[found[1]], name)
    for image in (words, letters):
        if image != name and image in names:
            return image
    return None


@dataclass(frozen=True, eq=False)
class Sides:
    """The partners on the other side of a robot.

    Chains are partners when their names differ in left and right only; joints are partners in the order of their
    chains, and the joints of all other chains (trunk, head) are their own.
    """

    partners: Mapping[int, int]
    """By active coordinate of a chain with a partner: that of the other side."""
    motions: Array
    """(n, 6) How each active coordinate moves what it carries, in the world with all at zero."""
    apart: frozenset[int] = frozenset()
    """Active coordinates whose partner, with all at zero, is not where their mirror image would be."""
    fingers: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    """By active coordinate of a finger: where it is when the hand is open, and when it is closed."""

    @classmethod
    def of(cls, model: pin.Model, joints: tuple[str, ...], q: Array, chains: Mapping[str, tuple[int, ...]]) -> Sides:
        """Read the sides off a model.

        Args:
            model: Its joints.
            joints: Active coordinates.
            q: (n_full,) Positions with the active coordinates at zero.
            chains: Chain to active coordinates.
        """
        partners: dict[int, int] = {}
        for name, chain in chains.items():
            other = other_side(name, chains)
            if other is not None and len(chains[other]) == len(chain):
                partners.update(zip(chain, chains[other], strict=True))
        data, motions, places = model.createData(), np.zeros((len(joints), 6)), np.zeros((len(joints), 3))
        pin.computeJointJacobians(model, data, q)
        for index, name in enumerate(joints):
            joint = model.getJointId(name)
            J = pin.getJointJacobian(model, data, joint, pin.LOCAL_WORLD_ALIGNED)
            motions[index], places[index] = J[:, model.joints[joint].idx_v], data.oMi[joint].translation
        off = {index: float(np.linalg.norm(_IMAGE[:3] * places[index] - places[partners[index]])) for index in partners}
        return cls(partners, motions, frozenset(index for index in partners if off[index] > ALIKE))

    def with_fingers(
        self, joints: tuple[str, ...], hands: Iterable[tuple[Mapping[str, float], Mapping[str, float]]]
    ) -> Sides:
        """The same with the fingers of some hands: by joint, where they are open, and where they are closed."""
        fingers = {
            joints.index(joint): (opened[joint], closed[joint])
            for opened, closed in hands
            for joint in opened
            if opened[joint] != closed[joint]
        }
        return replace(self, fingers=fingers)

    def image(self, posture: Mapping[int, float]) -> dict[int, float] | None:
        """The posture with left and right exchanged.

        Whether a joint's sign turns is read off the model: from the mirror image of its axis. Fingers are as far closed
        on the other hand, whatever their signs: hands need not be mirror images.

        Args:
            posture: Positions by active coordinate.

        Returns:
            Positions by active coordinate; None if none of them has a partner on the other side.
        """
        if not any(index in self.partners for index in posture):
            return None
        result = {}
        for index, position in posture.items():
            partner = self.partners.get(index, index)
            if index in self.fingers and partner in self.fingers:
                (opened, closed), (there_opened, there_closed) = self.fingers[index], self.fingers[partner]
                result[partner] = there_opened + (position - opened) / (closed - opened) * (there_closed - there_opened)
            else:
                result[partner] = position if self.turns_alike(index) else -position
        return result

    def is_mirrored(self, posture: Iterable[int]) -> bool:
        """Whether some active coordinates, with all at zero, have their partners where their mirror images would be.

        Whatever fingers do: they are as far closed on the other hand.
        """
        return not any(index in self.apart and index not in self.fingers for index in posture)

    def turns_alike(self, index: int) -> bool:
        """Whether an active coordinate and its partner have the same sign where they are mirror images."""
        return bool((_IMAGE * self.motions[index]) @ self.motions[self.partners.get(index, index)] > 0)
