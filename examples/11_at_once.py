"""Reach, look and wave at once, on joints that they share: the reach first, the others as far as that allows."""

from __future__ import annotations

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, PeriodicCanned, Reach
from taskmatrix.core import Policy
from taskmatrix.skills import NullSpace


class AtOnce(tm.Machine):
    """Look at something and wave, and reach for the can meanwhile; done when the hand is there."""

    fixate = tm.State(Fixate, target="stool", recurrent=True, optional=True)
    wave = tm.State(PeriodicCanned, motion="wave", duration=60.0, optional=True)
    reach = tm.State(Reach, object="soda_can", using="right", final=True)

    transitions = (tm.start(fixate), tm.on(fixate.controlloop_started, start=(reach, wave)))


def main() -> None:
    """Run the example."""
    policies: tuple[str | Policy, ...] = ("exclusive", NullSpace(order=["reach"]))
    for policy in policies:
        with tm.simulate("talos", seed=1, policy=policy) as session:
            print(f"{getattr(policy, 'name', policy)}: {session.run(AtOnce())}")


if __name__ == "__main__":
    main()
