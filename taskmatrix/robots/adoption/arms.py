"""Arms that are aimed: the upper arm one way, the forearm and the hand another."""

from __future__ import annotations

import numpy as np
import pinocchio as pin
import scipy

from taskmatrix.core.world.objects import Array

from .anatomy.heading import middle
from .anatomy.limbs import Limb
from .anatomy.tree import Tree
from .hands.grip import Grip

_STARTS = 6  # of the search, besides the neutral one
_CALM = 0.06  # weight of how far the joints are from their neutral positions
_WRIST = 0.3  # weight of a straight wrist


def shoulder_and_elbow(tree: Tree, limb: Limb) -> tuple[int, int]:
    """The bodies behind an arm's last shoulder joint but one and behind its elbow."""
    elbow = middle(tree, limb)
    return limb.bodies[max(0, limb.bodies.index(elbow) - 2)], elbow


def driven(tree: Tree, limb: Limb) -> list[int]:
    """The bodies of a limb whose joints can be moved by themselves."""
    return [b for b in limb.bodies if not tree.joints[b].follows and not tree.joints[b].stuck]


def hand_end(tree: Tree, grip: Grip) -> Array:
    """(3,) [m] The middle of a hand in the body that carries it."""
    limb = grip.limb
    cloud = np.vstack([tree.points(b) for b in (limb.bodies[-1], *limb.beyond)])
    palm = tree.zero.oMi[limb.bodies[-1]]
    tip = cloud.mean(axis=0) if len(cloud) else (tree.pose(grip.frame) @ grip.X_LH[:, 3])[:3]
    end: Array = palm.rotation.T @ (tip - palm.translation)
    return end


def aim_arm(tree: Tree, grip: Grip, upper: Array, lower: Array, q: Array, start: Array | None = None) -> Array:
    """Point the upper arm and the forearm, in ``q``, as well as the joints allow, with a straight wrist.

    Args:
        tree: The robot.
        grip: The hand of the arm.
        upper: (3,) Unit vector from the shoulder to the elbow, in the root's frame.
        lower: (3,) Unit vector from the elbow to the hand.
        q: (n,) Coordinates; those of the arm are changed.
        start: (k,) Where the search begins; several places unless given.

    Returns:
        (k,) The joints of the arm.
    """
    limb = grip.limb
    indices = [tree.index(b) for b in driven(tree, limb)]
    shoulder, elbow = shoulder_and_elbow(tree, limb)
    end = hand_end(tree, grip)
    low, high = (np.clip(limit[indices], -np.pi, np.pi) for limit in tree.limits)
    calm = np.clip(tree.neutral[indices], low, high)
    moved, data = q.copy(), tree.model.createData()

    def off(p: Array) -> Array:
        moved[indices] = p
        pin.forwardKinematics(tree.model, data, tree.S @ moved + tree.c)
        s, e, w = (data.oMi[b].translation for b in (shoulder, elbow, limb.bodies[-1]))
        hand = data.oMi[limb.bodies[-1]].rotation @ end
        parts = [_unit(e - s) - upper, _unit(w - e if np.linalg.norm(w - e) > 0.03 else hand) - lower]
        parts.append(_WRIST * (_unit(hand) - lower))
        return np.concatenate([*parts, _CALM * (p - calm)])

    if start is None:
        rng = np.random.default_rng(0)
        starts = [calm, *rng.uniform(low, high, (_STARTS, len(indices)))]
    else:
        starts = [start]
    bounds = (low - 1e-6, high + 1e-6)
    found = min(
        (scipy.optimize.least_squares(off, p, bounds=bounds, xtol=1e-5) for p in starts), key=lambda f: float(f.cost)
    )
    q[indices] = np.clip(found.x, low, high)
    return q[indices]


def _unit(v: Array) -> Array:
    unit: Array = v / max(float(np.linalg.norm(v)), 1e-9)
    return unit
