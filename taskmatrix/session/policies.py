"""Policies of the arbiter by name."""

from __future__ import annotations

from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.robot.policy import Exclusive, Policy, Subsumption, Sum
from taskmatrix.skills.control.null_space import NullSpace

POLICIES = ("exclusive", "subsumption", "sum", "null-space")


def policy_of(choice: str | Policy) -> Policy:
    """A policy by its name, or as it is given.

    Raises:
        NotFoundError: No policy has this name.
    """
    if isinstance(choice, Policy):
        return choice
    if choice not in POLICIES:
        raise NotFoundError("policy", choice, POLICIES)
    if choice == "null-space":
        return NullSpace()
    known: dict[str, type[Policy]] = {each.name: each for each in (Exclusive, Subsumption, Sum)}
    return known[choice]()
