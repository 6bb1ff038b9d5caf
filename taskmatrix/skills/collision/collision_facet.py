"""Skill 8: contacts of the world as it is perceived, and those that are allowed."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from taskmatrix.core.robot.filters import deeper
from taskmatrix.core.robot.plans import AllowedContact, Contact, Indices
from taskmatrix.core.world.geometry import inverse, moved_on
from taskmatrix.core.world.objects import Array, ObjectModel
from taskmatrix.core.world.occupancy import Occupancy

from ..grasping.grasping_facet import GraspingFacet
from ..kinematics.kinematics_facet import KinematicsFacet
from ..tolerances import AT_REST, CONTACT_RANGE, GUARD_DISTANCE, PENETRATION
from .bodies import Body, holders_of
from .clearance import Clearance

SAME = 5e-6  # [m] by which distances of what does not move differ


class CollisionFacet(KinematicsFacet, GraspingFacet):
    """Implements :class:`~taskmatrix.core.robot.skills.collision.CollisionSkills`, and keeps the checker up to date."""

    def look(self) -> None:
        """Take over the world from the perceptual model; called once a control step, after perception.

        What moves is taken to be where it comes in this step: what is commanded now is executed when it is there.
        """
        if not self._is_as_seen():
            bodies = self._coming()
            self._checker.set_bodies(bodies)
            self.step_clearance.set_bodies(bodies)
        self._take_map()
        self._allowed.update(lambda hand: self._arbiter.owner(self.robot.hands[hand].arm) is not None, self._is_away)
        penetrations = self._checker.penetrations(self._state.q, PENETRATION / 2)
        self._penetrations = tuple(contact for contact in penetrations if not self._moves(contact.object))
        self._permit()

    def use_map(self, occupancy: Occupancy | None) -> None:
        """Check collisions with a map of space too, as it is at each :meth:`look` from now on; None: without one."""
        self._space.use(occupancy)
        self._take_map()

    def command_contacts(self, command: Array) -> Sequence[Contact]:
        """The contacts when a command (n,) is executed from where the base really is, and when legs stand there.

        Also what presses on something and is let, where it is in it by more than 1 mm: it may not get deeper.
        """
        q = command.copy()
        q[:3] += self._state.q[:3] - self._arbiter.last[:3]
        stood = self.standing(q)
        contacts = [*self._checker.all_contacts(q), *self._checker.pressing(q)]
        found = {contact.pair: contact for contact in sorted(contacts, key=lambda each: -each.distance)}.values()
        if stood is q:
            return tuple(found)
        return [*found, *(replace(contact, standing=True) for contact in self._checker.all_contacts(stood))]

    def collision(self, joints: Indices, q: Array) -> Contact | None:
        """The first contact when ``joints`` are at ``q`` and everything else where it is, or legs where they stand.

        What presses on something and is let counts too, where it would be deeper in it than now.
        """
        whole = self.standing(self._state.q.copy())
        whole[joints] = q
        contact = self._checker.contact(whole)
        if contact is not None:
            return contact
        now = {each.key: each.distance for each in self._checker.pressing(self._state.q)}
        return deeper(self._checker.pressing(whole), now)

    def are_free(self, joints: Indices, Q: Array) -> NDArray[np.bool_]:
        """(m,) Whether :meth:`collision` has nothing to say of joint positions Q (m, k)."""
        whole = np.repeat(self.standing(self._state.q.copy())[None], len(Q), axis=0)
        whole[:, joints] = Q
        free = self._checker.are_free(whole)
        now = {each.key: each.distance for each in self._checker.pressing(self._state.q)}
        for row in np.flatnonzero(free).tolist():
            free[row] = deeper(self._checker.pressing(whole[row]), now) is None
        return free

    def contacts(self) -> tuple[Contact, ...]:
        """Every contact of now that is not permitted, the deepest first."""
        return tuple(sorted(self._checker.all_contacts(self._state.q), key=lambda contact: contact.distance))

    def imminent_contact(self, joints: Indices, q: Array, near: float = GUARD_DISTANCE) -> Contact | None:
        """What would come into contact, or as ``near`` [m] to an object, and nearer than now; ``joints`` at ``q``.

        What presses on something and is let counts too, where it would be deeper in it than now.
        """
        checker, whole = self._checker, self._state.q.copy()
        whole[joints] = q
        ahead = [*checker.all_contacts(whole, near), *checker.pressing(whole)]
        now = [*checker.all_contacts(self._state.q, near), *checker.pressing(self._state.q)] if ahead else ()
        return deeper(ahead, {contact.key: contact.distance - SAME for contact in now})

    def nearer_than(self, q: Array, within: float) -> tuple[Array, Array]:
        """(m,) [m] Distances of pairs nearer than ``within`` [m] at q (n,), and (m, n) how joints change them."""
        return self._checker.nearer_than(q, within)

    def near_pairs(self, q: Array, within: float) -> tuple[Sequence[tuple[str, str]], Array, Array]:
        """Of which links and objects these are, besides, a name each for both bodies of a pair."""
        pairs = self._checker.touching(q, within)
        return [self._checker.names(pair) for pair in pairs], *self._checker.proximity(pairs, q)

    def keeps_clear(self, Q: Array, margin: float) -> bool:
        """Whether nothing that may not touch is nearer than a margin [m] at any of joint positions Q (m, n)."""
        return self._clearance_of(margin).is_kept(Q)

    def near_contacts(self, q: Array, margin: float) -> Sequence[Contact]:
        """What does not keep that clear at joint positions q (n,): each pair once, and how near."""
        return self._clearance_of(margin).near(q)

    def body_distances(self, chain: str, within: float) -> tuple[Array, Array]:
        """(m,) [m] How near parts of a limb are to the rest of the body, and (m, n) how joints change that."""
        return self._segments.distances(self._checker, chain, self._state.q, within)

    def allow_contact(self, contact: AllowedContact | None, hand: str) -> None:
        """Permit contact of a hand with an object, while the hand is owned and within 30 mm of a grasp, or holds it."""
        self._hand(hand)
        if contact is None:
            self._allowed.lapse(hand)
        else:
            self._allowed.permit(contact)
        self._permit()

    def hands_that_may_touch(self) -> frozenset[str]:
        """Hands that may touch something now, or did when nobody forbade it."""
        return frozenset(contact.hand for contact in self._allowed.at)

    @property
    def occupancy(self) -> Occupancy | None:
        """The map of space."""
        return self._space.occupancy

    def avoid_unseen(self, avoid: bool) -> bool:
        """Let space that nobody has looked at be in the way, or not; whether it was before."""
        before = self._space.avoid_unseen(avoid)
        self._take_map()
        return before

    def extent(self, above: float = -np.inf) -> tuple[float, float]:
        """[m] How far the robot, or what it holds, is from its base's axis at most, and how high."""
        return self._checker.extent(self._state.q, above)

    def _clearance_of(self, margin: float) -> Clearance:
        """What checks a margin [m], with the world and the permissions of now."""
        found = self._clearances.get(margin)
        if found is None:
            found = self._clearances[margin] = Clearance(self.robot, margin)
        found.take(self._checker.bodies.values(), self._space.now(), [*self._allowed.in_force, *self._penetrations])
        return found

    def _permit(self) -> None:
        self._checker.set_allowed_contacts([*self._allowed.in_force, *self._penetrations])

    def _is_as_seen(self) -> bool:
        """Whether all is perceived as it was last time; then remembers it."""
        before, self._seen = self._seen, tuple(self._perception.percepts.values())
        return len(before) == len(self._seen) and all(a is b for a, b in zip(before, self._seen, strict=True))

    def _coming(self) -> list[Body]:
        """Where all is that comes within this step; what no hand holds and is perceived as it was is the same body."""
        before, holders = self._seen_bodies, holders_of(self._objects(), self._held())
        self._seen_bodies = {}
        for id, seen in self._perception.percepts.items():
            last = before.get(id)
            if id in holders:  # with the hand, wherever that comes
                last = seen, Body(seen.model, seen.X_WO, *holders[id])
            elif last is None or last[0] is not seen or last[1].hand is not None:
                coming = moved_on(seen.X_WO, seen.velocity, self.dt) if seen.coming is None else seen.coming
                last = seen, Body(seen.model, coming)
            self._seen_bodies[id] = last
        return [body for _, body in self._seen_bodies.values()]

    def _take_map(self) -> None:
        """Have the checker know the map as it is now."""
        self._checker.set_space(self._space.now())
        self.step_clearance.set_space(self._space.now())

    def _objects(self) -> dict[str, tuple[ObjectModel, Array]]:
        return {id: (percept.model, percept.X_WO) for id, percept in self._perception.percepts.items()}

    def _held(self) -> dict[str, tuple[str, Array]]:
        held: dict[str, tuple[str, Array]] = {}
        for id, percept in self._perception.percepts.items():
            for hand in percept.holders:
                held[hand] = (id, inverse(self.forward_kinematics(hand)) @ percept.X_WO)
        return held

    def _moves(self, id: str) -> bool:
        """Whether an object moves, and no hand moves it: nothing is put on that."""
        if id not in self._perception:
            return False
        seen = self._perception.object(id)
        speed, turning = np.linalg.norm(seen.velocity[:3]), np.linalg.norm(seen.velocity[3:])
        return seen.held_by is None and bool(speed > AT_REST[0] or turning > AT_REST[1])

    def _is_away(self, contact: AllowedContact) -> bool:
        """Whether a hand is away from what it was at."""
        return self.held(contact.hand) != contact.object and self._grasp_distance(contact) > CONTACT_RANGE

    def _grasp_distance(self, contact: AllowedContact) -> float:
        if contact.object not in self._perception:
            return np.inf
        X_WH, X_WO = self.forward_kinematics(contact.hand), self._perception.pose(contact.object)
        p_OH = (inverse(X_WO) @ X_WH)[:3, 3].tolist()
        grasps = self.grasps(contact.object, contact.hand)
        return min((math.dist(p_OH, grasp.X_OH[:3, 3].tolist()) for grasp in grasps), default=math.inf)
