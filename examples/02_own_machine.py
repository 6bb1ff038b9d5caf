"""Compose behaviors into a machine: messages start and stop its states, and a condition guards the way.

`Ensure` looks at an object and fetches it; where a hand holds it already there is nothing to do. The failure of `look`
does not matter (`optional`), because the machine goes on with `task-complete`, which is always sent.
"""

from __future__ import annotations

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Grasp, Pickup
from taskmatrix.conditions import Grasping


class Ensure(tm.Machine):
    """Hold an object, whatever it takes."""

    object = tm.Parameter(str, doc="id of the object")

    look = tm.State(Fixate, target=object, optional=True)
    fetch = tm.State(Pickup, object=object, final=True)
    hold = tm.State(Grasp, object=object, final=True)

    transitions = (
        tm.start(look, when=~Grasping(object)),
        tm.start(hold, when=Grasping(object)),
        tm.on(look.task_complete, start=fetch),
    )


def main() -> None:
    """Run the example."""
    for robot in ("mannequin", "asimo"):
        with tm.simulate(robot, seed=1) as session:
            print(robot, "fetches:", session.run(Ensure(object="soda_can")))
            print(robot, "holds:", session.run(Ensure(object="soda_can")))


if __name__ == "__main__":
    main()
