"""Two robots in one world: the one picks up a can, the other comes to look and waves."""

from __future__ import annotations

from collections.abc import Generator

import taskmatrix as tm
from taskmatrix.behaviors import Fixate, Greet, Pickup, Putdown


def tidy(session: tm.Session) -> Generator[tm.TaskBehavior, tm.Outcome, None]:
    """Pick up the can, and put it down again if that went well."""
    picked_up = yield Pickup(object="soda_can")
    if picked_up.success:
        yield Putdown(object="soda_can", on="table")


def main() -> None:
    """Run the example."""
    with tm.simulate_robots({"ann": "asimo", "bob": "mannequin"}, seed=1) as robots:
        ended = robots.run({"ann": tidy, "bob": [Fixate(target="ann/head"), Greet(target="ann/head")]})
    for name, outcomes in ended.items():
        for outcome in outcomes:
            print(f"{name}: {outcome}")


if __name__ == "__main__":
    main()
