"""Hands that hold: fingers press and friction does the rest; hands without fingers affix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.robot.plans import Indices
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Hand, Robot

from .bodies import Bond, RobotBody
from .presets import Physics
from .press import pressing

OPPOSED = -0.1
"""Cosine between the directions in which two contacts press: they hold something between them.

Rubber pads, with a coefficient of 1, do from 90 degrees between these on, a cosine of 0; this is a little stricter.
"""
LOST = 0.15  # [s] without contact, and the object is not held any more
FORCE = 400.0  # [N] that an affixed object stands
PACE = 0.5  # of its speed limit, with which a finger closes where nothing is in the way
LIGHT = 0.2  # of the force with which a hand holds, when it begins to feel the object
RAMP = 0.25  # [s] in which that force grows from nothing to all of it
GIVE = 0.1  # [rad] or [m] that a finger has been pushed open when the force with which it presses is twice as large
FOLLOWS = 0.5  # [rad] or [m] that it has closed further when that is none: what it holds settles between the pads
STIFF = 0.1  # share of a finger's speed that damping takes in a step: with 0.3 those of G1's hand shook
BRAKES = 5.0  # times what stops a finger from its fastest in a step: light ones would be thrown back by all of a motor
RENEW = 0.1  # [s] after which contacts are made anew, and what was pulled out of where it stuck sticks again
PAD = 0.01  # [m] radius of the patch with which a soft pad touches
GIVES = 0.02  # [rad] that what is held turns between pads before they slide
FADE = 0.1  # [s] in which fingers that are told to open stop pressing: what is strained would throw them open else
OPENING = 0.02  # [rad] or [m] by which a command has to open most joints of the fingers for them to do so


class Grip:
    """One hand and the object that it closes on, from the attempt to the release.

    Args:
        body: The robot's.
        robot: The robot.
        hand: Name of the hand.
        object: Id of the object.
        physics: The settings.
        force: [N] With which each pad has to press to hold it; fingers do so as far as their motors can.
    """

    def __init__(self, body: RobotBody, robot: Robot, hand: str, object: str, physics: Physics, force: float) -> None:
        self._body, self._object = body, object
        found = robot.hands[hand]
        self._links = body.links_that_touch(hand)
        self._affixed: Bond | None = None
        self._sticks: Bond | None = None  # pads, until what is held turns harder than their friction
        self._palm = body.link_of(found.frame)
        self._felt: float | None = None
        self._stand: Array | None = None
        self._time = 0.0
        self._told: Array | None = None
        self._wide = np.zeros(0)
        self._renewed = 0.0  # [s] when its contacts were made anew
        self._torn = -np.inf  # [s] when it was pulled out of where it stuck
        self._fading = False  # told to open, and still pressing
        self.opening = False
        """Whether the fingers open as they are told."""
        self.joints = np.array(robot.indices(found.fingers) if found.fingers else (), dtype=np.intp)
        """Active coordinates of the fingers, which it moves."""
        if found.fingers is None:
            self._affixed = body.affix(self._palm, object, FORCE)
            body.ignore(object, self._links)
        else:
            self._closing = _closing(robot, found, self.joints)
            self._moved = [_moved(body, robot, found, int(joint)) for joint in self.joints]
            least = pressing(found, robot, self.joints, physics.grip)
            able = float((robot.effort[self.joints] / np.maximum(least, 1e-9)).min())
            harder = max(1.0, min(force / physics.grip, able))
            self._press = np.where(self._closing == 0.0, least.max(), least) * harder  # what spreads fingers holds
            self._stiction = 2.0 * PAD * physics.grip * harder * physics.grip_friction  # [N m] of two pads
            self._speed, self._acceleration = robot.velocity[self.joints], robot.acceleration[self.joints]
            self._pace, self._share = np.zeros(len(self.joints)), LIGHT

    @property
    def holds(self) -> bool:
        """Whether the object is held: affixed, or between fingers that feel it."""
        if self._affixed is not None:
            return True
        return self._felt is not None and (self.opening or self._feels)

    @property
    def _feels(self) -> bool:
        """Whether its fingers have felt the object just now."""
        return self._felt is not None and self._time - self._felt <= LOST

    def drive(self, q: Array, v: Array, weight: Array, inertia: Array, limits: Array, dt: float) -> Array:
        """Drive the fingers for one step of the physics.

        They close slowly until they feel the object from two sides, then they press on it, and keep where that led:
        pads that press on each other with equal forces would go astray together else. They do so as motors with a limit
        of their speed: fingers out of which the object is torn do not snap shut, nor are they thrown open.

        Args:
            q: (n,) Positions.
            v: (n,) Velocities.
            weight: (n,) [N m, N] Torques that carry the links.
            inertia: (n,) [kg m^2, kg] Of the joints.
            limits: (n,) [N m, N] Torques with which they brake what is faster than it may be.
            dt: [s] The step.

        Returns:
            (k,) [N m, N] Torques of the finger joints that carry their weight; what presses is told to the body.
        """
        if self._time - self._renewed >= RENEW:
            self._renewed = self._time
            self._body.renew(self._object, self._links)
        if self._stand is None:
            self._pace = np.minimum(self._pace + self._acceleration * dt, PACE * self._speed)
            self._body.squeeze(self.joints, self._pace * self._closing, LIGHT * self._press)
            return weight[self.joints]
        if self._fading:
            self._share = max(0.0, self._share - dt / FADE)
        elif self._share < 1.0:  # fingers of which no link touches yet curl on
            self._share = min(1.0, self._share + dt / RAMP)
            touching = {link for link, _ in self.contacts()}
            curls = np.array([touching.isdisjoint(moved) for moved in self._moved])
            self._stand = np.where(curls, q[self.joints], self._stand)
        damping = STIFF * inertia[self.joints] / dt
        off = q[self.joints] - self._stand
        spring = -self._press / np.where(off * self._closing > 0.0, FOLLOWS, GIVE) * off
        pressed = self._share * self._press * self._closing
        torques = pressed + spring - damping * v[self.joints]
        fast, slowed = np.abs(v[self.joints]) > self._speed, np.sign(v[self.joints])
        speeds = np.where(fast, slowed, np.sign(torques)) * self._speed
        brakes = np.minimum(limits[self.joints], BRAKES * inertia[self.joints] * self._speed / dt)
        self._body.squeeze(self.joints, speeds, np.where(fast, brakes, np.abs(torques)))
        return weight[self.joints]

    def look(self, command: Command, q: Array) -> Command:
        """Take note of what is commanded while the joints are at q (n,): told to open, fingers press less and less.

        Then they open. They hold until they are let go of.

        Returns:
            The command for the arm and the hand: fingers wider open than it says stay where they are.
        """
        if not len(self.joints):
            return command
        fingers = command.q[self.joints]
        told = fingers if self._told is None else self._told
        self._told = np.where((fingers - told) * self._closing > 0.0, fingers, told)
        wider = ((self._told - fingers) * self._closing)[self._closing != 0.0]
        self._fading = self._fading or bool(np.median(wider) > OPENING)
        if not self._fading or (self._feels and self._share > 0.0):
            return command
        if not self.opening:
            self.opening = True
            if not self._feels:
                self._felt = None  # what was lost before is not held because fingers open
            self._wide = q[self.joints].copy()
            self.relax()
            self._slide()
        stays = (fingers - self._wide) * self._closing > 0.0
        joints, (wanted, v, a) = self.joints[stays], (x.copy() for x in (command.q, command.v, command.a))
        wanted[joints], v[joints], a[joints] = self._wide[stays], 0.0, 0.0
        return replace(command, q=wanted, v=v, a=a)

    def relax(self) -> None:
        """Stop closing; torques may move the fingers."""
        if len(self.joints):
            self._body.squeeze(self.joints, np.zeros(len(self.joints)), np.zeros(len(self.joints)))

    def feel(self, q: Array, dt: float) -> None:
        """Look whether the fingers feel the object; called after every step of ``dt`` [s], which led to ``q`` (n,)."""
        self._time += dt
        if self._affixed is None and (not self.opening or self.holds) and _opposed(self.contacts()):
            self._felt = self._time
            if self._stand is None:
                self._stand = q[self.joints].copy()
        turned = 0.0 if self._sticks is None else self._sticks.turned()
        if turned > GIVES or not self.holds:
            self._slide()
        if np.isinf(turned):
            self._torn = self._time
        rests = self._time - self._torn >= RENEW
        if self._sticks is None and rests and self._felt == self._time and self._share == 1.0 and not self.opening:
            self._stick()

    def contacts(self) -> list[tuple[int, Array]]:
        """Link, and force (3,) [N] in the world on the object, of each contact between hand and object."""
        found = self._body.contacts(self._links)
        return [(contact.link, -contact.pressure) for contact in found if contact.object == self._object]

    @property
    def affixed(self) -> bool:
        """Whether the hand has no fingers, and the object is affixed on it."""
        return self._affixed is not None

    def wrench(self) -> tuple[Array, Array]:
        """Force (3,) [N] and torque (3,) [N m] in the world on the hand, beside those of contacts."""
        bond = self._affixed or self._sticks
        return (np.zeros(3), np.zeros(3)) if bond is None else bond.wrench

    def release(self) -> None:
        """Let go of what is held."""
        self.relax()
        self._slide()
        if self._affixed is not None:
            self._affixed.end()
            self._body.ignore(self._object, self._links, ignored=False)
            self._affixed = None

    def _stick(self) -> None:
        """Have pads keep what they hold from turning, from how it is now."""
        self._sticks = self._body.stick(self._palm, self._object, self._stiction)

    def _slide(self) -> None:
        """Have pads keep nothing from turning."""
        if self._sticks is not None:
            self._sticks.end()
            self._sticks = None


def _opposed(contacts: Sequence[tuple[int, Array]]) -> bool:
    """Whether two links press against each other with the object between them."""
    for k, (first, force) in enumerate(contacts):
        for second, other in contacts[k + 1 :]:
            size = float(np.linalg.norm(force) * np.linalg.norm(other))
            if first != second and force @ other < OPPOSED * size:
                return True
    return False


def _closing(robot: Robot, hand: Hand, joints: Indices) -> Array:
    """(k,) Signs of the joints' velocities when the hand closes; 0 for one that stands still."""
    names = [robot.joints[k] for k in joints]
    signs: Array = np.sign([hand.closed.get(name, 0.0) - hand.open.get(name, 0.0) for name in names])
    return signs


def _moved(body: RobotBody, robot: Robot, hand: Hand, joint: int) -> set[int]:
    """The links that may touch and that a joint moves, alone or with those that follow it."""
    model = robot.model
    leads = [k for k in range(1, model.njoints) if robot.S[model.joints[k].idx_v, joint]]
    carried = {int(each) for leader in leads for each in model.subtrees[leader]}
    return {link for name in hand.touch if (link := body.link_of(name)) in carried}
