"""Take a named posture (thesis 4.3.7)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from taskmatrix.conditions.postural import free_of_held
from taskmatrix.core.base.errors import NotFoundError
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.robot.plans import Job, Plan

from ..common.limbs import are_free, chains_of, trunk_of
from ..common.look_ahead import LookAhead
from ..common.pace import Pace
from ..common.replanning import Replanning
from ..common.second_try import SecondTry
from ..common.tolerances import IN_POSTURE
from ..common.tracking import there


class Postural(Replanning):
    """Drive the joints of a posture to their positions without collision.

    A posture of one limb is taken by that limb or, mirrored, by the one on the other side: by lot where both are free,
    else by the one that is free and not in the posture already. A posture of more than one limb is mirrored only where
    a limb of it is taken and all limbs of its mirror image are free. Where the posture would touch something, the other
    joints of its limbs, torso and base go where it does not, as far as they are free; where its limbs do not find a way
    there, head, torso and base make room, if they are free: the robot may step back from a table. Where something comes
    into the way, it stops and plans anew. Fingers of a hand that holds something stay around it.
    """

    posture = Parameter(str, doc="name of the posture in the robot's data")
    duration = Parameter(float, default=2.0, minimum=0.0, doc="[s] shortest time of the movement, without planning")
    mirror = Parameter(bool, default=True, doc="whether the other limb may take it; if not, it is taken as it is named")

    mirrored = Output(bool, doc="whether the mirror image of the posture was taken")

    def required_chains(self) -> Sequence[str] | Failure:
        """The chains of the posture's joints, or of their mirror images; also the trunk where they would touch."""
        try:
            named = self.context.skills.posture(self.posture)
        except NotFoundError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        mirrored = self.context.skills.mirrored(named) if self.mirror else None
        posture, image = (free_of_held(self.context, joints) for joints in (named, mirrored or {}))
        self._announced = False
        self._image = bool(image) and (not posture or self._prefers(image, posture))
        self._goal = image if self._image else posture
        if not self._goal:
            return self.fail(FailureKind.PRECONDITION, f"posture '{self.posture}' is of fingers that hold something")
        chains = chains_of(self.context, self._goal)  # taken by others or not: the arbiter says who has them
        others = [chain for chain in trunk_of(self.context) if chain not in chains and are_free(self.context, [chain])]
        self._aside = [*chains, *others] if self._needs_room() else []
        return self._aside or chains

    def submit(self) -> Job | Failure:
        """Plan to the posture."""
        job = self._submit_aside()
        return job if isinstance(job, Failure) else SecondTry(job, self._with_others)

    def _submit_aside(self) -> Job | Failure:
        seed = int(self.random.integers(2**31))
        skills = self.context.skills
        return skills.plan_to_configuration(self._goal, self.duration, seed, self.planning_time, self._aside)

    def _with_others(self, failure: Failure) -> Job | Failure:
        """Plan once more, with head and torso, which may be in the way themselves, and with a step of the base."""
        context, trunk = self.context, trunk_of(self.context)
        there = [chain for chain in (*trunk, "head") if chain in context.skills.chains]
        others = [chain for chain in there if are_free(context, [chain])]
        if failure.kind is not FailureKind.PLANNER_EXHAUSTED or not others:
            return failure
        context.arbiter.claim(self.path, others)
        self._aside = [*self._aside, *others]
        return self._submit_aside()

    def planned(self, plan: Plan) -> None:
        """Keep the plan, to follow it from its beginning."""
        self._plan = plan
        self._pace = Pace(plan.trajectory, self.context.skills.limits()[3], self.context.dt)
        self._ahead = LookAhead(self.context, self.path, self._pace)

    def step(self) -> Failure | bool:
        """Move the joints along the plan."""
        if not self._announced:
            self.publish(mirrored=self._image)
            self._announced = True
        replanning = self.replanning()
        if replanning is not None:
            return replanning
        blocked = self.context.arbiter.blocked(self.path)
        if blocked is not None:
            return self.replan(self.fail(FailureKind.COLLISION, "the way is blocked", blocked))
        over, in_the_way = self._pace.is_over, self._ahead.find()
        self._pace.advance(brake=in_the_way is not None)
        if in_the_way is not None and self._pace.rate == 0.0:
            return self.replan(in_the_way)
        self.command_along(self._plan, self._pace.time, self._pace.rate)
        return over

    def achieved(self) -> Failure | bool:
        """Whether all joints of the posture are in it."""
        joints, wanted = np.array(list(self._goal), dtype=np.intp), np.array(list(self._goal.values()))
        late = self._pace.time - self._plan.trajectory.duration
        return there(self.context, self.path, joints, wanted, late, f"posture '{self.posture}'")

    def _prefers(self, image: Mapping[int, float], posture: Mapping[int, float]) -> bool:
        """Whether to take the mirror image."""
        own, other = chains_of(self.context, posture), chains_of(self.context, image)
        if not are_free(self.context, other):
            return False
        if not are_free(self.context, own):
            return True
        if set(own) & set(other):
            return False
        if self._taken(posture) or self._taken(image):
            return not self._taken(image)
        return bool(self.random.integers(2))

    def _needs_room(self) -> bool:
        """Whether it would touch something there from where the robot stands."""
        skills, joints = self.context.skills, np.array(sorted(self._goal), dtype=np.intp)
        there = np.array([self._goal[joint] for joint in joints.tolist()])
        return skills.collision(joints, there) is not None

    def _taken(self, posture: Mapping[int, float]) -> bool:
        q = self.context.skills.position()
        return all(abs(float(q[index]) - position) <= IN_POSTURE for index, position in posture.items())
