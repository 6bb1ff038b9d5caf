"""Run by the clock on the wall: planning has a process of its own, and the control loop keeps its rate meanwhile.

The guard at the end of the file is needed here: the planning process imports this file when it starts.
"""

from __future__ import annotations

import taskmatrix as tm
from taskmatrix.behaviors import Pickup
from taskmatrix.core import Event


def main() -> None:
    """Run the example."""
    planned: list[Event] = []
    with tm.simulate("mannequin", seed=1, real_time=True) as session:
        session.events.subscribe(lambda event: planned.append(event) if event.kind == "plan" else None)
        outcome = session.run(Pickup(object="vacuum"))
    print(outcome)
    print(f"{planned[0].step} control steps went by while planning")
    print(f"{outcome.overruns} of {outcome.steps} control steps started late")


if __name__ == "__main__":
    main()
