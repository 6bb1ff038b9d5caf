"""Legs that step while the base moves: a stage on the one way out that commands the legs that nobody owns."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.filters import BRAKING
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot

from .feet import Foot

STEPPING = "stepping"  # who commands the legs
BEAT = 0.9  # [s] a step takes at full speed, of one whose hips are 1 m high; others in the ratio of their pendulums
LIFT = 0.03  # [-] of the height of the hip: how far a foot is lifted
REACH = np.array([0.2, 0.1])  # [-] of it: how far a foot goes ahead, and to the side, at most
TURNED = 0.2  # [rad] likewise
QUICKEST = 0.6  # [-] of a step at full speed: sooner the next does not begin, and a foot slips instead
SLOWEST = 0.5  # [-] of full speed below which steps take no longer
TIMID = 0.3  # [-] of full speed below which feet are lifted less, and knees bent less
SPARED = 0.02  # [-] of the length of a leg by which its knee stays bent at that speed
MIDST = 0.25  # of the cycle, with both feet side by side
YIELDING, RECOVERING = 0.2, 0.02  # [-] by which steps become smaller where there is no room, and larger again
FOLLOWS = 4.0  # [-] of the base's acceleration limits: how quickly steps take to another speed
ITERATIONS = 8  # of the search for where a leg is when it begins to step, at most; after that one a control step
SHARE = 0.85  # [-] of the velocity limits that is used: legs that brake may turn faster for a moment
HARDEST = 0.5  # [-] of the acceleration limits, which are those of kicks
BRAKES = 0.5  # [-] of the acceleration limits, with which legs come to where they are late, and stop within a step
STANDS = (0.005, 0.03)  # [m], [rad] by which a sole may be off the floor that stands on it
STOPS = 0.02  # [rad] before the limits of a leg's joints, where steps stop: motors under load are off by as much
DRAWN = 0.02  # [m] of the way of a foot that is drawn back straight, at once
AHEAD = 0.3  # [s] of the base's way on which legs have to have room: drawn back, they are there in time
STRAIGHT = 1e-5  # [rad] a way that turns less is straight
ALTERED = 1e-9  # [rad] what went out differs from what was sent


class Stepping:
    """Steps with the legs while the base moves, and stands as before when it does not.

    The base is carried where it is told to go. The feet go through a cycle of two steps meanwhile: half of it a foot
    stands, which in the frame of the base is the motion of the base turned round; in the other half it is lifted and
    overtakes the base by as much. How far, is the way of the base in half a step; at rest that is nothing, and the legs
    are where they were when the base began to move. A side-step goes outwards from there only, so that feet do not
    cross. Where the reach of a leg or the quickest step do not let a foot stay where it stands, it slips.

    Where legs have no room, as they are or as they would stand, or will have none 0.3 s later, or were held since they
    would have touched something, steps become smaller until they have: close to furniture feet do not step, and are
    back where they stand before the base is there, for which plans are made. A leg that would come too near to the
    robot itself brakes before that.

    Args:
        robot: The robot; without two legs nothing ever steps.
        dt: [s] Control step.
        owner: Who owns a chain; None where it is free.
        has_room: Whether legs have room at all of some configurations (m, n).
        apart: Whether they keep their distance from each other and the rest of the robot there; always unless given.
    """

    def __init__(
        self,
        robot: Robot,
        dt: float,
        owner: Callable[[str], str | None],
        has_room: Callable[[Array], bool],
        apart: Callable[[Array], bool] = lambda q: True,
    ) -> None:
        self._feet = [Foot(robot, leg) for leg in robot.legs]
        self._robot, self._dt, self._owner, self._has_room, self._apart = robot, dt, owner, has_room, apart
        self._hip = float(np.mean([leg.height for leg in robot.legs])) if robot.legs else 1.0
        stance = robot.posture(robot.stance)
        self._home = stance.copy()
        self._grounds = [foot.pose(stance) for foot in self._feet]
        self._outward = [float(np.abs(leg.outline[:, 0]).max(initial=0.0)) for leg in robot.legs]
        self._solved: list[Array] = [foot.bent(stance) for foot in self._feet]
        self._wanted, self._speed = stance, np.zeros(robot.n)
        self._fastest, self._hardest = SHARE * robot.velocity, HARDEST * robot.acceleration
        for foot in self._feet:
            self._hardest[foot.joints] *= min(1.0, foot.strength(stance) / HARDEST)
        self._room = np.array([*(REACH * self._hip), TURNED])
        self._resting = True
        self._held = False  # and not back yet where they stand
        self._twist = np.zeros(3)
        self._phase = 0.0
        self._size, self._cramped = 1.0, False
        self._sent: Array | None = None

    def __call__(self, command: Command, q: Array) -> Command:
        """Return the command with the legs' part, if the base moves or they are not yet back where they stood."""
        if not self._feet:
            return command
        twist = _in_base(command.q[:3] - q[:3], q[2]) / self._dt
        if self._resting and not twist.any():
            return command
        if self._resting:
            self._begin(q)
        self._follow(twist)
        self._yield(q, command.q[:3] - q[:3])
        return self._step(command, q)

    def restart(self) -> None:
        """Take the legs to stand as they are."""
        self._resting, self._held, self._twist = True, False, np.zeros(3)

    def standing(self, q: Array) -> Array:
        """(n,) A configuration q (n,) with the legs that step as they will stand."""
        return q if self._resting else self._stood(q)

    def _stood(self, q: Array) -> Array:
        stood = q.copy()
        for foot in self._feet:
            if self._is_free(foot):
                stood[foot.joints] = self._home[foot.joints]
        return stood

    def _begin(self, q: Array) -> None:
        """Take the legs as they are for how they stand, where they do."""
        self._resting, self._phase, self._size, self._sent = False, MIDST, 1.0, None
        for index, foot in enumerate(self._feet):
            foot.lock(q)
            X = foot.pose(q)
            level = np.arccos(np.clip(X[2, 2], -1.0, 1.0)) < STANDS[1]
            if abs(X[2, 3]) < STANDS[0] and level:
                self._home[foot.joints], self._grounds[index] = q[foot.joints], X
            self._solved[index] = foot.solve(foot.bent(self._home), self._grounds[index], ITERATIONS)
        self._wanted, self._speed = q.copy(), np.zeros(len(q))

    def _follow(self, twist: Array) -> None:
        """Take to the base's present velocity (3,), as quickly as a base changes it."""
        most = FOLLOWS * self._robot.acceleration[:3] * self._dt
        self._twist = self._twist + np.clip(twist - self._twist, -most, most)

    def _yield(self, q: Array, way: Array) -> None:
        """Make smaller steps where there is no room, or soon none on the base's way (3,), or the last one was held."""
        ahead = q.copy()
        ahead[:3] += way * (AHEAD / self._dt)
        joints = np.concatenate([foot.joints for foot in self._feet])
        held = self._sent is not None and np.abs(q[joints] - self._sent[joints]).max() > ALTERED
        if held:  # and stands still
            self._speed[joints] = 0.0
        self._held = held or (self._held and self._size == 0.0)
        yields = held or self._cramped or not self._has_room(np.array([q, ahead, self._stood(q)]))
        self._size = max(0.0, self._size - YIELDING) if yields else min(1.0, self._size + RECOVERING)

    def _step(self, command: Command, q: Array) -> Command:
        """The command with the legs' part of this control step."""
        dt, robot = self._dt, self._robot
        twist = self._size * self._twist
        full = float(max(np.hypot(*twist[:2]) / robot.velocity[0], abs(twist[2]) / robot.velocity[2]))
        half = self._half(twist, full)
        self._phase = (self._phase + dt / (4.0 * half)) % 1.0
        taken = self._taken(command)
        free = [foot for foot in self._feet if foot not in taken]
        positions, velocities, before = command.q.copy(), command.v.copy(), self._speed.copy()
        for index, foot in enumerate(self._feet):
            if foot in taken:
                continue
            j = foot.joints
            if full > 0.0 and not taken:
                bent = min(1.0, full / TIMID)
                X = foot.within_reach(self._placed(index, twist, half, bent), SPARED * bent**2)
                self._solved[index] = foot.solve(self._solved[index], X, 1)
                positions[j] = self._towards(self._solved[index], foot, q)
            else:
                positions[j] = self._drawn_back(index, q) if self._held else self._towards(self._home[j], foot, q)
        self._keep_apart(free, positions, before, q)
        home = all(np.array_equal(at[foot.joints], self._home[foot.joints]) for at in (q, positions) for foot in free)
        self._resting = home and not self._twist.any()
        self._sent = positions
        if not free:
            return command
        joints = np.concatenate([foot.joints for foot in free])
        velocities[joints] = (positions[joints] - q[joints]) / dt
        others = np.ones(len(q), dtype=bool)
        others[joints] = False
        owners = [(name, own if name != BRAKING else own[others[own]]) for name, own in command.owners]
        return replace(command, q=positions, v=velocities, owners=(*owners, (STEPPING, joints)))

    def _keep_apart(self, feet: Sequence[Foot], positions: Array, before: Array, q: Array) -> None:
        """Have legs brake, one or both, whose way to ``positions`` (n,) would end too near to the robot, from q (n,).

        Args:
            feet: Of the legs that step.
            positions: (n,) Where they are to be; changed for those that brake.
            before: (n,) [rad/s] Speeds of the last step.
            q: (n,) Where they are.
        """
        self._cramped = bool(feet) and not self._ends_apart(positions, self._speed) and self._ends_apart(q, before)
        wanted, speed = positions.copy(), self._speed.copy()
        ways = ((foot,) for foot in feet) if len(feet) > 1 else ()
        for braking in (*ways, tuple(feet)) if self._cramped else ():
            positions[:], self._speed = wanted, speed.copy()
            for foot in braking:
                j = foot.joints
                change = self._hardest[j] * self._dt
                self._speed[j] = before[j] - np.clip(before[j], -change, change)
                positions[j] = q[j] + self._speed[j] * self._dt
            if self._ends_apart(positions, self._speed):
                break

    def _ends_apart(self, q: Array, speed: Array) -> bool:
        """Whether legs at q (n,) that brake from these speeds (n,) [rad/s] rest at a distance from the robot."""
        joints = np.concatenate([foot.joints for foot in self._feet])
        rests, v = q.copy(), speed[joints]
        rests[joints] += v * np.abs(v) / (2.0 * self._hardest[joints])
        return self._apart(rests)

    def _towards(self, wanted: Array, foot: Foot, q: Array) -> Array:
        """(k,) Where a leg's joints of q (n,) come in this step, which follow what is wanted (k,) within limits."""
        dt, robot, j = self._dt, self._robot, foot.joints
        velocity, hardest, here, home, before = (
            values[j] for values in (self._fastest, self._hardest, q, self._home, self._wanted)
        )
        change = hardest * dt
        off, rate = before - here, (wanted - before) / dt
        away = np.abs(off)
        back = np.minimum(away / dt, np.sqrt(2.0 * BRAKES * hardest * away))
        lower, upper = np.maximum(robot.lower[j] + STOPS, foot.lower), np.minimum(robot.upper[j] - STOPS, foot.upper)
        lower, upper = np.minimum(lower, np.minimum(here, home)), np.maximum(upper, np.maximum(here, home))
        down, up = (  # speeds from which a joint still stops at its limit
            np.sqrt(change**2 + 2.0 * hardest * room) - change for room in (here - lower, upper - here)
        )
        speed = np.clip(rate + np.sign(off) * back, -np.minimum(velocity, down), np.minimum(velocity, up))
        speed = self._speed[j] + np.clip(speed - self._speed[j], -change, change)
        self._speed[j], self._wanted[j] = speed, wanted
        reached = np.clip(here + speed * dt, lower, upper)
        return np.where(np.abs(reached - wanted) < ALTERED, wanted, reached)

    def _drawn_back(self, index: int, q: Array) -> Array:
        """(k,) Where a leg's joints of q (n,) come in this step on the straight way of its foot to where it stands.

        In which each joint goes its own way back, the foot may come nearer to what it was held before.
        """
        foot, ground = self._feet[index], self._grounds[index]
        j, hardest = foot.joints, self._hardest[foot.joints] * self._dt**2
        X, here = ground.copy(), foot.pose(q)[:3, 3]
        left = float(np.linalg.norm(ground[:3, 3] - here))
        X[:3, 3] = here + (ground[:3, 3] - here) * min(1.0, DRAWN / max(left, DRAWN))
        way = (foot.solve(q[j], X, ITERATIONS) if left > DRAWN else self._home[j]) - q[j]
        way *= min(1.0, float((hardest / np.maximum(np.abs(way), ALTERED)).min()))
        self._speed[j], self._wanted[j] = way / self._dt, self._home[j]
        return q[j] + way

    def _half(self, twist: Array, full: float) -> float:
        """[s] Half of a step."""
        beat = BEAT * float(np.sqrt(self._hip))
        long = beat / max(full, SLOWEST) ** 0.5
        room = self._room
        speed = np.abs(twist)
        longest = min((float(2.0 * r / s) for r, s in zip(room, speed, strict=True) if s > 0.0), default=long)
        return float(max(min(long, longest), QUICKEST * beat)) / 2.0

    def _placed(self, index: int, twist: Array, half: float, bent: float) -> Array:
        """(4, 4) Where a foot should be in the base's frame."""
        room = self._room
        reach = np.clip(half * twist, -room, room)
        phase = (self._phase + 0.5 * index) % 1.0
        s = 2.0 * phase if phase < 0.5 else 2.0 * phase - 1.0
        if phase < 0.5:
            along, lift = -1.0 - 2.0 * s + 4.0 * (3.0 - 2.0 * s) * s * s, np.sin(np.pi * s) ** 2
        else:
            along, lift = 1.0 - 2.0 * s, 0.0
        X = _moved(along * reach) @ self._grounds[index]
        X[1, 3] += self._feet[index].leg.outward * (abs(reach[1]) + self._outward[index] * abs(reach[2]))
        X[2, 3] += LIFT * self._hip * lift * bent
        return X

    def _taken(self, command: Command) -> list[Foot]:
        """The feet whose legs somebody else commands or owns."""
        told = {j for name, joints in command.owners if name != BRAKING for j in joints.tolist()}
        return [foot for foot in self._feet if not told.isdisjoint(foot.leg.joints) or not self._is_free(foot)]

    def _is_free(self, foot: Foot) -> bool:
        return all(self._owner(chain) is None for chain in foot.leg.chains)


def _in_base(step: Array, yaw: float) -> Array:
    """(3,) A displacement of the base in its own axes."""
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([c * step[0] + s * step[1], c * step[1] - s * step[0], step[2]])


def _moved(by: Array) -> Array:
    """(4, 4) Where a base comes that goes ahead, aside and turns by (3,) [m, m, rad] evenly: along an arc."""
    x, y, turn = by.tolist()
    c, s = math.cos(turn), math.sin(turn)
    a, b = (s / turn, (1.0 - c) / turn) if abs(turn) > STRAIGHT else (1.0, 0.5 * turn)
    level = ((c, -s, 0.0, a * x - b * y), (s, c, 0.0, b * x + a * y), (0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 1.0))
    return np.array(level)
