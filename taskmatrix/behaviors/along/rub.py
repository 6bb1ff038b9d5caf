"""Rub a surface with what a hand holds, lane by lane."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from taskmatrix.conditions import RestingOn
from taskmatrix.conditions.places import inside, tops
from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.context import Context
from taskmatrix.core.robot.plans import AllowedContact, HandGoal, Job
from taskmatrix.core.world.geometry import Box, bounding_box, inverse
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept

from ..common.holds_object import HoldsObject
from ..force.hand_impedance import HandImpedance
from ..force.pressing_force import PressingForce, felt_force
from ..manipulation.position import DESCENT, Position
from .way_follower import WayFollower

STEP = 0.006  # [m] that the hand moves from one pose to the next
SAMPLES = 90  # poses that are drawn, each of which may begin a patch
CLEAR = 0.01  # [m] from what stands on the surface
LOOKS = 3  # poses from one look for what stands there to the next
OVERLAP = 0.8  # of the object's width: so far apart are lanes at most
PRESSES = 1000.0  # [N/m] with which it is drawn along where it presses with a force
YIELDS = 0.1  # of the stiffness, with which it turns: the surface turns what is rubbed on it
MOST = 4.0  # times the force is commanded at most: arms that are stretched out bear much of it by themselves
PRESSED_OFF = 0.01  # [m] from its end, seen from above: friction holds it back
OFF = 1.0, 0.25  # [N], of the force, by which the mean may be off: the greater of the two
DOWN = np.array([0.0, 0.0, -1.0])
DIRECTIONS = np.linspace(-np.pi, np.pi, 8, endpoint=False)  # [rad] in which the first lane may go


def lanes(length: float, width: float, spacing: float, yaw: float) -> Array:
    """(t, 3) [m] Where what rubs a patch goes from its corner, to and fro, each lane beside the last.

    Args:
        length: [m] Of a lane.
        width: [m] From the first lane to the last, to the left.
        spacing: [m] Between two lanes, at most.
        yaw: [rad] Of the first lane, in the world.
    """
    number = 1 + math.ceil(width / spacing - 1e-9)
    corners = [np.zeros(2)]
    for lane, across in enumerate(np.linspace(0.0, width, number)):
        ends = (0.0, length) if lane % 2 == 0 else (length, 0.0)
        corners += [np.array([x, across]) for x in ends]
    points = np.array(corners) @ np.array([[math.cos(yaw), math.sin(yaw)], [-math.sin(yaw), math.cos(yaw)]])
    return np.column_stack([points, np.zeros(len(points))])


def through(offsets: Array) -> Array:
    """(t, 3) [m] What is passed on the straight ways from one offset (k, 3) [m] to the next, without the first."""
    passed = [
        np.linspace(here, there, 1 + math.ceil(float(np.linalg.norm(there - here)) / STEP))[1:]
        for here, there in pairwise(offsets)
    ]
    return np.vstack(passed)


def moved(X: Array, offsets: Array) -> Array:
    """(t, 4, 4) A pose X (4, 4) at offsets (t, 3) [m] in the world."""
    poses = np.tile(X, (len(offsets), 1, 1))
    poses[:, :3, 3] += offsets
    return poses


def patches(
    context: Context, object: str, on: str, size: tuple[float, float], random: np.random.Generator
) -> list[tuple[Array, Array]]:
    """Poses X_WO (4, 4) of an object at corners of patches of a surface, with offsets (t, 3) [m] along the lanes.

    All over a patch the object is on the surface, and clear of all that stands there.

    Args:
        context: The robot and its world.
        object: Id of what is to rub.
        on: Id of the surface.
        size: [m] Length of a lane, and from the first to the last.
        random: Where all choices come from.
    """
    seen = context.perception
    places, spacing, found = tops(seen.object(on)), OVERLAP * narrowest(seen.object(object)), []
    others = [other.box for id, other in seen.percepts.items() if id not in (object, on) and not other.held_by]
    for X_WO in RestingOn(object, on).sample(context, SAMPLES, random):
        box = seen.supposing({object: X_WO}).object(object).box
        corners = np.array([(x, y) for x in (box[0][0], box[1][0]) for y in (box[0][1], box[1][1])])
        for yaw in random.permutation(DIRECTIONS):
            offsets = lanes(*size, spacing, float(yaw))
            swept = (corners + offsets[:, None, :2]).reshape(-1, 2)
            over = any(bool(inside(place, swept).all()) for place in places)
            if over and _is_clear(box, through(offsets)[::LOOKS], others):
                found.append((X_WO, through(offsets)))
                break
    return found


def no_room(on: str | None, object: str, size: tuple[float, float]) -> str:
    """That there is no such patch, in words."""
    return f"'{on}' has no room for a patch of {size[0]:g} m by {size[1]:g} m to rub with '{object}'"


class HoldOn(Position):
    """Hold what a hand holds on a surface where it can be rubbed over a patch, and nothing is in the way.

    What it holds stays on the surface all over the patch, and the hand does not let go. It fails with ``no_place``
    where the surface has no room for such a patch.
    """

    length = Parameter(float, default=0.2, minimum=0.01, maximum=2.0, doc="[m] of a lane of the patch")
    width = Parameter(float, default=0.1, minimum=0.0, maximum=2.0, doc="[m] from the first lane to the last")

    yaw_of_lanes = Output(float, doc="[rad] in which the first lane goes, in the world; the others are to its left")

    def goals(self) -> Sequence[HandGoal] | Failure:
        """The hand at corners of patches over which it can go on."""
        X_OH, hand = inverse(self.carried()[0]), self.hands[0]
        found = patches(self.context, self._held, str(self.on), (self.length, self.width), self.random)
        goals = [
            HandGoal(hand, X_WO @ X_OH, self._held, self.on, DESCENT, DOWN, onward=moved(X_WO @ X_OH, offsets))
            for X_WO, offsets in found
        ]
        return goals or self.fail(FailureKind.NO_PLACE, no_room(self.on, self._held, (self.length, self.width)))

    def announce(self, goal: HandGoal) -> None:
        """Publish which hand the plan takes there, and which way it may go on."""
        super().announce(goal)
        assert goal.onward is not None
        x, y, _ = goal.onward[0][:3, 3] - goal.X_WH[:3, 3]
        self.publish(yaw_of_lanes=math.atan2(y, x))


class Rub(HoldsObject, WayFollower):
    """Rub a patch of a surface with what a hand holds on it, lane by lane.

    The first lane goes where ``yaw`` says; each other is to its left, no further than it is wide. The whole way is
    planned before anything moves. Fails with ``not_achieved`` where what is held is not on the surface at first.
    With a ``force`` it is pressed down while it rubs, at whatever height the surface is, and fails with
    ``not_achieved`` where it loses it, or where the mean of the force is off by more than 1 N and more than a quarter.
    """

    on = Parameter(str, doc="id of the surface")
    length = Parameter(float, default=0.2, minimum=0.01, maximum=2.0, doc="[m] of a lane")
    width = Parameter(float, default=0.1, minimum=0.0, maximum=2.0, doc="[m] from the first lane to the last")
    yaw = Parameter(float, default=0.0, doc="[rad] of the first lane, in the world")
    speed = Parameter(float, default=0.1, minimum=0.001, maximum=1.0, doc="[m/s] along a lane, at most")
    duration = Parameter(float, default=0.0, minimum=0.0, doc="[s] shortest time of the movement")
    force = Parameter(float, default=None, minimum=0.1, doc="[N] to press with; no force is controlled unless given")

    pressed = Output(float, doc="[N] the force that was measured all along, in the mean, if one was wanted")
    rubbed = Output(float, doc="[m] how far it went along the surface")

    def required_chains(self) -> Sequence[str] | Failure:
        """Those of the hand, and the trunk if it is free."""
        self.note_held()
        return super().required_chains()

    def moving_hand(self) -> str:
        """That which holds it."""
        return self._hand

    def plan(self) -> Job | Failure | None:
        """Plan the lanes, if what is held is on the surface."""
        if self.on not in self.context.perception:
            message = not_found("object", self.on, self.context.perception.percepts)
            return self.fail(FailureKind.UNKNOWN_OBJECT, message)
        resting = RestingOn(self._held, self.on).evaluate(self.context)
        if not resting:
            return self.fail(FailureKind.NOT_ACHIEVED, f"'{self._held}' is not on '{self.on}': {resting.why}")
        self._permit()
        self._pressing = None if self.force is None else PressingForce(self.force, self.context.dt, MOST)
        return super().plan()

    def way(self) -> Array:
        """Along the lanes."""
        X_WH = self.context.skills.forward_kinematics(self._hand)
        spacing = OVERLAP * narrowest(self.context.perception.object(self._held))
        offsets = lanes(self.length, self.width, spacing, self.yaw)
        self._long = float(np.linalg.norm(np.diff(offsets, axis=0), axis=1).sum())
        return moved(X_WH, through(offsets))

    def shortest(self) -> float:
        """[s] As its speed allows."""
        return max(self.duration, self._long / self.speed)

    def step(self) -> Failure | bool:
        """Rub on: what is held may touch the surface meanwhile."""
        self._permit()
        if self._pressing is not None:
            self._pressing.measure(felt_force(self.context, self._hand, DOWN))
            self._pressing.correct()
            if self._pressing.is_lost:
                message = f"'{self._held}' has lost '{self.on}'"
                return self.fail(FailureKind.NOT_ACHIEVED, message, force=self._pressing.measured)
        return super().step()

    def yields_by(self) -> float | None:
        """[N/m] As it is told, and where it presses with a force in any case."""
        given = super().yields_by()
        return PRESSES if given is None and self.force is not None else given

    def held(self, hand: str, impedance: HandImpedance) -> HandImpedance:
        """Pushed down instead of held at a height, where a force is wanted."""
        if self._pressing is None:
            return impedance
        turns = impedance.stiffness * np.repeat([1.0, YIELDS], 3)
        return replace(impedance, stiffness=turns, free=DOWN, force=self._pressing.commanded * DOWN)

    def is_there(self) -> bool:
        """Whether the hand has gone all the way; at what height does not matter where it presses."""
        if self._pressing is None:
            return super().is_there()
        off = self._goal[:2, 3] - self.context.skills.forward_kinematics(self._hand)[:2, 3]
        return bool(np.linalg.norm(off) <= PRESSED_OFF)

    def achieved(self) -> Failure | bool:
        """Whether the hand has gone all the way."""
        self.publish(rubbed=self._long)
        if self._pressing is None:
            return super().achieved()
        pressed = self._pressing.mean
        self.publish(pressed=pressed)
        if abs(pressed - self.force) > max(OFF[0], OFF[1] * self.force):
            message = f"'{self._held}' was pressed on '{self.on}' with {pressed:.1f} N and not with {self.force:g} N"
            return self.fail(FailureKind.NOT_ACHIEVED, message, force=pressed)
        return super().achieved()

    def _permit(self) -> None:
        self.context.skills.allow_contact(AllowedContact(self._hand, self.on), self._hand)


def _is_clear(box: Box, offsets: Array, others: Sequence[Box]) -> bool:
    """Whether a box is clear of others at all offsets (k, 3) [m]."""
    return all(
        np.maximum(lower - box[1] - offsets, box[0] + offsets - upper).max(axis=1).min() >= CLEAR
        for lower, upper in others
    )


def narrowest(seen: Percept) -> float:
    """[m] How wide an object that stands upright is at least, whichever way it goes."""
    lower, upper = bounding_box(seen.model.shapes, np.eye(4))
    return float((upper - lower)[:2].min())
