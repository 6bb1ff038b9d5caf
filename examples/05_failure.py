"""Read why something failed: in words, as a chain of causes, and as data."""

from __future__ import annotations

import json

import taskmatrix as tm
from taskmatrix.behaviors import Grasp, Pickup


class Clumsy(tm.TaskBehavior):
    """Raise in the control loop, as a behavior with a mistake does."""

    def step(self) -> bool:
        """Divide by zero."""
        return 1 / 0 > 0


def main() -> None:
    """Run the example."""
    behaviors = (Clumsy(), Grasp(object="broom"), Pickup(object="vacum"), Pickup(object="table"))
    with tm.simulate("mannequin", seed=1) as session:
        outcomes = [session.run(behavior) for behavior in behaviors]
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    for failure in failures:
        print(f"{failure.kind.value}: {failure.explain()}")
        for depth, link in enumerate(failure.chain(), 1):
            print("  " * depth, link.where, "|", link.message)
    print(json.dumps(failures[-1].to_dict(), indent=2))


if __name__ == "__main__":
    main()
