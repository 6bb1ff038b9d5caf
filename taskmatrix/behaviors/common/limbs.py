"""Which limb takes a posture or plays a motion (thesis 4.3.7)."""

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
