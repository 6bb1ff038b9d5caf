"""Write a behavior: it claims chains, plans, follows its plan and publishes what it found out.

`Lift` names no robot, joint or link, so it runs on every robot that has a hand.
"""

from __future__ import annotations

from collections.abc import Sequence

import taskmatrix as tm
from taskmatrix.behaviors import Pickup
from taskmatrix.conditions import Grasping
from taskmatrix.core import HandGoal, Job, Plan


class Lift(tm.TaskBehavior):
    """Raise what a hand holds."""

    object = tm.Parameter(str, doc="id of the object to lift")
    height = tm.Parameter(float, default=0.1, minimum=0.0, maximum=1.0, doc="[m] by which to lift it")
    duration = tm.Parameter(float, default=2.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")

    reached = tm.Output(float, doc="[m] height of the hand at the end")

    def preconditions(self) -> Sequence[tm.Condition]:
        """A hand holds the object."""
        return [Grasping(self.object)]

    def required_chains(self) -> Sequence[str]:
        """The trunk, and the arm and fingers of the hand that holds the object."""
        skills = self.context.skills
        self._hand = next(hand for hand in skills.hands if skills.held(hand) == self.object)
        self._trunk = [chain for chain in ("base", "torso") if chain in skills.chains]
        return [*self._trunk, *skills.chains_of_hand(self._hand)]

    def plan(self) -> Job | tm.Failure:
        """Plan the hand to above where it is."""
        skills = self.context.skills
        X_WH = skills.forward_kinematics(self._hand)
        X_WH[2, 3] += self.height
        seed = int(self.random.integers(2**31))
        goal = HandGoal(self._hand, X_WH, "lifted")
        return skills.plan_to_poses([goal], self._trunk, self.duration, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Take over the plan."""
        self._trajectory = plan.trajectory

    def inconditions(self) -> Sequence[tm.Condition]:
        """The object has not been lost."""
        return [Grasping(self.object, self._hand)]

    def step(self) -> tm.Failure | bool:
        """Follow the plan."""
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.fail(tm.FailureKind.COLLISION, "the way up is blocked", blocked)
        trajectory = self._trajectory
        self.command(trajectory.indices, *trajectory.sample(self.elapsed + self.context.dt))
        if self.elapsed < trajectory.duration:
            return False
        self.publish(reached=float(self.context.skills.forward_kinematics(self._hand)[2, 3]))
        return True


def main() -> None:
    """Run the example."""
    with tm.simulate("mannequin", seed=1) as session:
        session.run(Pickup(object="vacuum"))
        lift = Lift(object="vacuum", height=0.15)
        print(session.run(lift))
        print(f"the hand is at {lift.reached:.2f} m")
        print(session.run(Lift(object="broom")))


if __name__ == "__main__":
    main()
