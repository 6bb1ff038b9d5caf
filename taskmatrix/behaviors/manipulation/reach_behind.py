"""Bring a free hand to where it can push an object."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import scipy

from taskmatrix.conditions.places import apart, inside, outline, standing, tops
from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.requirement import Hands, HasHand, Requirement
from taskmatrix.core.robot.plans import HandGoal, Job
from taskmatrix.core.world.geometry import planar
from taskmatrix.core.world.objects import Array
from taskmatrix.core.world.perception import Percept
from taskmatrix.core.world.symmetry import symmetry_of

from ..along.rub import moved, through
from .hand_motion import HandMotion

GAPS = (0.02, 0.05, 0.09, 0.14)  # [m] from the hand's grasp frame to the object
TILTS = np.deg2rad([0.0, 20.0, 40.0, 60.0])  # by which the hand points downwards
ROLLS = np.deg2rad([0.0, 90.0, 180.0, 270.0])  # about where it points
HEIGHTS = (0.3, 0.4)  # of the object: below its middle, so that it does not fall over
AXES = ("robot", "world")
BACK = 0.06  # [m] from what was pushed, in the end
HOLLOW = 0.05  # [m] behind its near side, in which an object may be met
LIES, STRAIGHT = 0.7, 0.95  # of the axis of a can upwards, below which it lies; along a push that does not roll it
ON = 0.003  # [m] from what an object stands on
CLEAR = 0.01  # [m] from what stands beside its way


class ReachBehind(HandMotion):
    """Drive the robot without collision to where a free hand has an object before it, in the direction of a push.

    The planner prefers places from which the hand can go on all the way. It fails before anything moves where the
    object cannot be pushed there: it rolls, it is part of something, its way leaves what it stands on or is not free.
    """

    needs = ("base",)

    object = Parameter(str, known=True, doc="id of the object")
    x = Parameter(
        float, default=0.0, minimum=-2.0, maximum=2.0, doc="[m] how far to push it: ahead, as the robot stands"
    )
    y = Parameter(float, default=0.0, minimum=-2.0, maximum=2.0, doc="[m] likewise, to the left")
    relative_to = Parameter(str, default="robot", choices=AXES, doc="whose axes")
    using = Parameter(str, default=None, doc="name of the hand to use; any that is free unless given")

    hand = Output(str, doc="name of the hand")
    way_x = Output(float, doc="[m] how far to push, in the world")
    way_y = Output(float, doc="[m] likewise")
    back_x = Output(float, doc="[m] how far to take the hand back after that, in the world")
    back_y = Output(float, doc="[m] likewise")

    def requirements(self) -> Sequence[Requirement]:
        """A hand."""
        return [*super().requirements(), Hands() if self.using is None else HasHand(self.using)]

    def required_chains(self) -> Sequence[str] | Failure:
        """The trunk, and all arms that are free."""
        skills, reasons = self.context.skills, dict[str, str]()
        if self.object not in self.context.perception:
            message = not_found("object", self.object, self.context.perception.percepts)
            return self.fail(FailureKind.UNKNOWN_OBJECT, message)
        hands = skills.hands if self.using is None else (self.using,)
        for hand in hands:
            owners = [owner for owner in map(self.context.arbiter.owner, skills.chains_of_hand(hand)) if owner]
            if skills.held(hand) is not None:
                reasons[hand] = f"it holds '{skills.held(hand)}'"
            elif owners:
                reasons[hand] = f"its arm is taken by '{owners[0]}'"
        self.hands = tuple(hand for hand in hands if hand not in reasons)
        if not self.hands:
            return Failure(FailureKind.CHAIN_BUSY, self.path, "no arm is free", reasons)
        mine = [chain for hand in self.hands for chain in skills.chains_of_hand(hand)]
        return [*self.trunk(), *mine, *self.arms_to_move_first()]

    def plan(self) -> Job | Failure | None:
        """Plan to all places from which it can be pushed."""
        yaw = float(self.context.skills.position()[2]) if self.relative_to == "robot" else 0.0
        self._way = planar(0.0, 0.0, yaw)[:3, :3] @ [self.x, self.y, 0.0]
        return self._wrong() or super().plan()

    def goals(self) -> Sequence[HandGoal] | Failure:
        """Hands that have the object before them."""
        length = float(np.linalg.norm(self._way))
        ahead, (lower, upper) = self._way / length, self.context.perception.object(self.object).box
        middle, half = (lower + upper) / 2, (upper - lower) / 2
        near = float(np.abs(ahead) @ half)
        found = []
        for gap in GAPS:
            offsets = through(np.array([np.zeros(3), (gap + length + HOLLOW) * ahead]))
            for share in HEIGHTS:
                p = middle - (near + gap) * ahead
                p[2] = lower[2] + share * (upper[2] - lower[2])
                for R in _orientations(ahead):
                    X = np.eye(4)
                    X[:3, :3], X[:3, 3] = R, p
                    found.append((X, moved(X, offsets)))
        name = f"behind {self.object}"
        return [HandGoal(hand, X, name, onward=on, pushes=self.object) for hand in self.hands for X, on in found]

    def subject(self) -> str:
        """The object."""
        return str(self.object)

    def announce(self, goal: HandGoal) -> None:
        """Publish which hand pushes, and which way."""
        (x, y, _), back = self._way, -BACK / float(np.linalg.norm(self._way))
        self.publish(hand=goal.hand, way_x=x, way_y=y, back_x=back * x, back_y=back * y)

    def _wrong(self) -> Failure | None:
        """Why the object cannot be pushed there, if it cannot."""
        seen, length = self.context.perception.object(self.object), float(np.linalg.norm(self._way))
        if length < CLEAR:
            return self.fail(
                FailureKind.PARAMETER, f"x and y say how far to push, {CLEAR} m at least, not {length:g} m"
            )
        if seen.model.joint is not None:
            message = f"'{self.object}' moves on '{seen.model.joint.parent}': Open and Close move it"
            return self.fail(FailureKind.PARAMETER, message)
        if not seen.model.movable:
            return self.fail(FailureKind.PARAMETER, f"'{self.object}' does not move")
        if seen.held_by is not None:
            return self.fail(FailureKind.PRECONDITION, f"the {seen.held_by} hand holds '{self.object}'")
        symmetry = symmetry_of(seen.model.shapes)
        axis = seen.X_WO[:3, :3] @ symmetry.axis  # across which what lies on its side rolls
        lies = symmetry.kind == "axis" and abs(axis[2]) < LIES and abs(float(axis @ self._way)) < STRAIGHT * length
        if symmetry.kind == "sphere" or lies:
            return self.fail(FailureKind.PARAMETER, f"'{self.object}' would roll away")
        return self._no_room(seen)

    def _no_room(self, seen: Percept) -> Failure | None:
        """Why its way is not free, if it is not."""
        percepts = {id: each for id, each in self.context.perception.percepts.items() if id != self.object}
        offsets, own = through(np.array([np.zeros(3), self._way]))[:, :2], outline(seen)
        touching = [id for id, each in percepts.items() if abs(standing(seen.box, each.box)[0]) <= ON]
        below = [id for id in touching if apart(own, outline(percepts[id])) < 0.0]
        for id, each in percepts.items():
            level = each.box[0][2] < seen.box[1][2] and each.box[1][2] > seen.box[0][2] + ON
            if not level or each.held_by is not None or apart(own, outline(each)) <= 0.0:
                continue  # it is above or below it, or around it
            if min(apart(own + offset, outline(each)) for offset in offsets) < CLEAR:
                return self.fail(FailureKind.NO_PLACE, f"'{id}' is in the way of '{self.object}'", object=id)
        places = [top for id in below for top in tops(percepts[id])]
        if seen.box[0][2] <= ON:
            return None
        if not places:
            message = f"'{self.object}' stands on no open surface: what is in something is not pushed"
            return self.fail(FailureKind.NO_PLACE, message, object=self.object)
        if not np.any([inside(top, seen.centre[:2] + offsets) for top in places], axis=0).all():
            message = f"'{self.object}' would fall off {' and '.join(map(repr, below))}"
            return self.fail(FailureKind.NO_PLACE, message, object=self.object)
        return None


def _orientations(ahead: Array) -> list[Array]:
    """(3, 3) each: hands whose z points ahead and perhaps downwards, however they are turned about it."""
    left = np.array([-ahead[1], ahead[0], 0.0])
    found = []
    for tilt in TILTS:
        z = math.cos(tilt) * ahead - math.sin(tilt) * np.array([0.0, 0.0, 1.0])
        R = np.column_stack([left, np.cross(z, left), z])
        found += [R @ scipy.spatial.transform.Rotation.from_euler("z", roll).as_matrix() for roll in ROLLS]
    return found
