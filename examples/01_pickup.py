"""Put a robot into a world, fetch an object, and say how it went."""

from __future__ import annotations

import taskmatrix as tm
from taskmatrix.behaviors import Pickup


def main() -> None:
    """Run the example."""
    with tm.simulate("mannequin", world="sparse", seed=1) as session:
        outcome = session.run(Pickup(object="vacuum"))
        print(outcome)
        x, y, z = session.context.perception.pose("vacuum")[:3, 3]
        print(f"the vacuum is at {x:.2f}, {y:.2f}, {z:.2f} m")


if __name__ == "__main__":
    main()
