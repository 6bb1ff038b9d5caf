"""A forward player: an activation tree finds the ball, goes to it, aims, and kicks it into the net, in physics."""

from __future__ import annotations

import taskmatrix as tm
from taskmatrix.core import Event, pose
from taskmatrix.soccer import ForwardPlayer


def tell(event: Event) -> None:
    """Print why the player does something else from now on."""
    if event.kind == "transition" and event.source == "forward-player":
        why = f": {event.data['why']}" if "why" in event.data else ""
        print(f"{event.time:5.1f} s  the player {event.data['trigger']}{why}")


def main() -> None:
    """Run the example."""
    with tm.simulate("nao", "soccer", start=(1.5, 0.2, 0.0), sim="bullet", physics="fast") as session:
        session.plant.set_pose("ball", pose((2.3, 0.1, session.world.poses["ball"][2, 3])))
        session.events.subscribe(tell)
        print(session.run(ForwardPlayer(), timeout=60.0))


if __name__ == "__main__":
    main()
