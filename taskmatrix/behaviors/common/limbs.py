"""Which limbs a behavior takes (thesis 4.3.7)."""

from __future__ import annotations

from collections.abc import Iterable

from taskmatrix.core.behavior.context import Context


def chains_of(context: Context, joints: Iterable[int]) -> tuple[str, ...]:
    """The chains that have any of the joints."""
    skills, wanted = context.skills, set(joints)
    return tuple(chain for chain in skills.chains if set(skills.joints(chain).tolist()) & wanted)


def trunk_of(context: Context) -> tuple[str, ...]:
    """Base and torso, as far as the robot has them."""
    return tuple(chain for chain in ("base", "torso") if chain in context.skills.chains)


def are_free(context: Context, chains: Iterable[str]) -> bool:
    """Whether nobody owns any of the chains."""
    return all(context.arbiter.owner(chain) is None for chain in chains)


def hands_with(context: Context, hand: str) -> tuple[str, ...]:
    """A hand, and the other one that holds the same thing."""
    seen = context.perception.percepts.get(context.skills.held(hand) or "")
    return (seen.holders if seen is not None else ()) or (hand,)
