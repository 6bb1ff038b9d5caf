"""What a robot provides: what its adapter declares, and what follows from its model."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pinocchio as pin

from taskmatrix.core.robot.capability import Capabilities, HandCapability, ViewCapability
from taskmatrix.core.world.objects import Array

from .hand import Hand
from .robot_model import RobotModel

GRAVITY = 9.81  # [m/s^2]
ABSURD = 1000.0  # [N m] or [N] of an effort limit that stands for none
LEVER = 0.01  # [m] under which a joint is not loaded
LEVEL = np.cos(np.deg2rad(30.0))  # level part of a direction that is to the left or right, not up or down
SHARES = (1.0, 0.15)  # of a joint's range that are searched, round the best that is known
GRID = 11  # positions looked at in each
GAIN = 1e-3  # [m] or [rad] below which a search is at its end


def capabilities_of(robot: RobotModel, feet: tuple[str, ...]) -> Capabilities:
    """Chains, hands, view and base of a robot.

    Reach, payload and view are derived with everything in stance but the chain in question.

    Args:
        robot: The robot.
        feet: Those with which it kicks.
    """
    chains = {chain: len(joints) for chain, joints in robot.chains.items()}
    hands = {name: _hand(robot, hand) for name, hand in robot.hands.items()}
    return Capabilities(chains, hands, _view(robot), not robot.rolls, _room(robot), feet)


def _room(robot: RobotModel) -> tuple[float, float]:
    """[m], [rad] How far the base goes and turns to either side."""
    x, y, yaw = ((robot.upper[i] - robot.lower[i]) / 2 for i in robot.chains["base"])
    return float(max(x, y)), float(yaw)


def _hand(robot: RobotModel, hand: Hand) -> HandCapability:
    arm = _Limb(robot, hand.arm, hand.frame, hand.X_LH)
    payload, unknown = _payload(arm) if hand.payload is None else (hand.payload, "")
    return HandCapability(
        arm=hand.arm,
        joints=len(arm.joints),
        fingers=0 if hand.fingers is None else len(robot.chains[hand.fingers]),
        opening=(hand.table[0].width if hand.table else 0.0, hand.aperture),
        reach=_reach(arm),
        payload=payload,
        declared=hand.payload is not None,
        unknown=unknown,
    )


class _Limb:
    """A chain with a frame that it carries, and of the robot only the way there: quick to ask many times."""

    def __init__(self, robot: RobotModel, chain: str, frame: str, X_LF: Array) -> None:
        self._robot, self.joints = robot, sorted(robot.chains[chain])  # as Pinocchio: those that carry first
        self._start = robot.posture(robot.stance)
        whole, self._way = robot.model, pin.Model()
        placed = whole.frames[whole.getFrameId(frame)]
        self.ids = list(whole.supports[placed.parentJoint])[1:]
        for parent, id in enumerate(self.ids):
            self._way.addJoint(parent, whole.joints[id], whole.jointPlacements[id], whole.names[id])
        self._data, self._X_JF = self._way.createData(), placed.placement * pin.SE3(X_LF)
        self._rows = [whole.joints[id].idx_q for id in self.ids]
        self._S, self._c = robot.S[self._rows], robot.c[self._rows]
        names = [robot.joints[i] for i in self.joints]
        self.own = [step for step, id in enumerate(self.ids) if whole.names[id] in names]

    def pose(self, q: Array) -> pin.SE3:
        """Of the frame in the world, with the robot at q (n,)."""
        pin.forwardKinematics(self._way, self._data, self._S @ q + self._c)
        return self._data.oMi[len(self.ids)] * self._X_JF

    def seen_from(self, step: int, q: Array) -> Array:
        """(3,) [m] The frame's origin in the frame of a joint on the way."""
        place = self.pose(q).translation
        return np.asarray(self._data.oMi[step + 1].actInv(place))

    def axis(self, step: int) -> Array:
        """(6,) How a joint on the way moves, in its own frame: along, and about."""
        return np.asarray(self._way.joints[step + 1].createData().S).reshape(6)

    def name(self, step: int) -> str:
        """Of a joint on the way."""
        return str(self._robot.model.names[self.ids[step]])

    def effort(self, step: int) -> float:
        """[N m] or [N] What a joint on the way may exert."""
        return float(self._robot.model.effortLimit[self._rows[step]])

    def carried(self, step: int, q: Array) -> tuple[float, Array]:
        """[kg] and (3,) [m]: what a joint on the way carries of the robot, and where its centre is in its frame."""
        id, data = self.ids[step], self._robot.data
        pin.centerOfMass(self._robot.model, data, self._robot.expand(q), True)
        mass = float(data.mass[id])
        return mass, np.array(data.com[id]) if mass > 0.0 else np.zeros(3)

    def greatest(self, measure: Callable[[Array], float], after: int = -1, inward: bool = False) -> tuple[float, Array]:
        """The greatest value of a measure, and where, (n,): joint after joint, coarsely and then finely.

        The joints are those of the chain after one on the way, the last one first where the search goes ``inward``.
        """
        lower, upper, q = self._robot.lower, self._robot.upper, self._start
        best, joints = measure(q), self.joints[sum(step <= after for step in self.own) :]
        joints = joints[::-1] if inward else joints
        for share in SHARES:
            before = -np.inf
            while best > before + GAIN:
                before = best
                for i in joints:
                    low, high = lower[i], upper[i]
                    middle, half = (low + high) / 2 if share == 1.0 else q[i], share * (high - low) / 2
                    there = q.copy()
                    for there[i] in np.clip(np.linspace(middle - half, middle + half, GRID), low, high):
                        value = measure(there)
                        if value > best:
                            best, q = value, there.copy()
        return best, q


def _reach(arm: _Limb) -> float:
    """[m] From the first joint to the hand; 0 if no joint of it moves that."""
    if not arm.own:
        return 0.0
    return arm.greatest(lambda q: float(np.linalg.norm(arm.seen_from(arm.own[0], q))))[0]


def _payload(arm: _Limb) -> tuple[float | None, str]:
    """[kg] What the weakest joint holds besides its arm; None where the efforts cannot be right, and why.

    Of each joint, with what is beyond it stretched out square to its axis, and gravity across both. Efforts that are
    missing, zero or absurd say nothing, nor do those that do not even hold the arm: springs may.
    """
    held = {step: _held_by(arm, step) for step in arm.own}
    for step, mass in held.items():
        name, effort = arm.name(step), arm.effort(step)
        if mass is None:
            said = f"an effort of {effort:g}, which stands for none," if effort > 0.0 else "no effort"
            return None, f"the URDF has {said} for '{name}'"
        if mass <= 0.0:
            return None, f"the effort of '{name}', {effort:g}, does not hold the arm itself"
    least = min((mass for mass in held.values() if mass is not None), default=np.inf)
    return (least, "") if least < np.inf else (None, "no joint of the arm bears it")


def _held_by(arm: _Limb, step: int) -> float | None:
    """[kg] What one joint holds; infinite where the hand does not load it, None where its effort is not known."""
    effort, (x, y, z) = arm.effort(step), arm.axis(step)[3:].tolist()
    if not 0.0 < effort < ABSURD:
        return None

    def lever(p: Array) -> float:
        """[m] Of a point in the joint's frame; 1 where the joint slides, and carries all of it."""
        a, b, c = p.tolist()
        return math.hypot(y * c - z * b, z * a - x * c, x * b - y * a) if x or y or z else 1.0

    long, q = arm.greatest(lambda q: lever(arm.seen_from(step, q)), step)
    if long < LEVER:
        return np.inf
    mass, centre = arm.carried(step, q)
    return (effort / GRAVITY - mass * lever(centre)) / long


def _view(robot: RobotModel) -> ViewCapability | None:
    if robot.view is None:
        return None
    if not robot.chains.get("head"):
        return ViewCapability(False, range=robot.view.range)
    head = _Limb(robot, "head", robot.view.frame, robot.view.X_LV)

    def sideways(q: Array) -> float:
        x, y, _ = head.pose(q).rotation[:, 0].tolist()
        return math.atan2(y, x) if math.hypot(x, y) > LEVEL else math.nan

    def upwards(q: Array) -> float:
        x, y, z = head.pose(q).rotation[:, 0].tolist()
        return math.atan2(z, math.hypot(x, y))

    def furthest(angle: Callable[[Array], float], sense: float) -> float:
        def turned(q: Array) -> float:
            return -math.pi if math.isnan(there := angle(q)) else sense * there

        found = max(head.greatest(turned, inward=inward)[0] for inward in (False, True))
        return round(found, 9) + 0.0 if found > -math.pi else 0.0

    left, right = furthest(sideways, 1.0), furthest(sideways, -1.0)
    up, down = furthest(upwards, 1.0), furthest(upwards, -1.0)
    return ViewCapability(True, left, right, up, down, robot.view.range)
