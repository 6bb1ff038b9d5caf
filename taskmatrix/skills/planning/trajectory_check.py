"""Checking a finished motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from taskmatrix.core.robot.plans import AllowedContact, Contact, Plan
from taskmatrix.core.world.objects import Array

from ..collision.clearing import leads_out
from ..collision.collision import CollisionChecker

INSTANT = 0.01  # [s] between the configurations from which the checked ones are picked


def first_contact(
    checker: CollisionChecker,
    plan: Plan,
    q: Array,
    displacement: Array,
    resolution: float,
    turn: Callable[[Array], Array] | None = None,
) -> Contact | None:
    """The first contact on a plan's trajectory, everything that it does not move staying at q (n,).

    Args:
        checker: With the world set; its allowed contacts are changed.
        plan: On its approach the hand may touch the goal's object; on the first, what is in contact at its
            beginning comes apart.
        q: (n,) Where everything else is.
        displacement: (n,) [m/rad or m/m] How far any point moves at most with each joint.
        resolution: [m] No point moves further than this between two checks, or they are one instant apart.
        turn: From configurations (m, n) to those that are checked in their place: with the head turned, say.
    """
    trajectory = plan.trajectory
    weights = displacement[trajectory.indices]
    times = np.append(np.arange(0.0, trajectory.duration, INSTANT), trajectory.duration)
    path = trajectory.sample(times)[0]
    along = [0.0, *np.cumsum(np.abs(np.diff(path, axis=0)) @ weights).tolist()]
    permit = plan.goal.contacts if plan.goal else []
    retreat_contacts: Sequence[AllowedContact] = plan.retreat_contacts
    nothing: list[AllowedContact] = []
    picked, checked = [], -np.inf
    for index in range(len(times)):
        if index + 1 == len(times) or along[index + 1] - checked > resolution:
            picked.append(index)
            checked = along[index]
    Q = np.tile(q, (len(picked), 1))
    Q[:, trajectory.indices] = path[picked]
    if turn is not None:
        Q = turn(Q)
    phases: list[tuple[Sequence[AllowedContact], list[Array]]] = []
    for time, configuration in zip(times[picked], Q, strict=True):
        allowed_contacts = (
            permit if time >= plan.approach else retreat_contacts if time <= plan.retreat_end else nothing
        )
        if not phases or phases[-1][0] is not allowed_contacts:
            phases.append((allowed_contacts, []))
        phases[-1][1].append(configuration)
    for allowed_contacts, configurations in phases:
        checker.set_allowed_contacts(allowed_contacts)
        Q = np.array(configurations)
        pairs = checker.touching(Q[0]) if allowed_contacts is retreat_contacts else []
        checker.leave_out(pairs)
        blocked = checker.first_not_free(Q)
        contact = None if blocked is None else checker.contact(configurations[blocked])
        checker.leave_out([])
        if contact is not None:
            return contact
        if not leads_out(checker, Q, pairs):
            return min(checker.all_contacts(Q[0]), key=lambda contact: contact.distance)
    return None
