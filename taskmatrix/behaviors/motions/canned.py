"""Playing a motion of the robot's data (thesis 4.3.8): what periodic and aperiodic motions have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from taskmatrix.core.base.errors import NotFoundError, ParameterError, not_found
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Parameter
from taskmatrix.core.behavior.behavior import TaskBehavior
from taskmatrix.core.robot.dmp import Limits, converge
from taskmatrix.core.robot.joint_motion import Motion
from taskmatrix.core.robot.plans import Job, Plan, Trajectory
from taskmatrix.core.world.objects import Array

from ..common.limbs import are_free, chains_of
from ..common.tolerances import IN_POSTURE
from ..common.tracking import there, worst

WAYS = ("planned", "dmp", "none")
APPROACH = 1.0  # [s] shortest time of a planned way to the motion
LOOK = 0.05  # [s] between the instants at which the motion is checked for collisions beforehand
ASTRAY = 0.05  # [rad or m] a joint so far from where it was told to be does not play the motion
LATE = 0.25  # [s] for which that is let pass
NEARER = 0.05  # [s] by which the other limb has to be nearer to the motion to play it


class Canned(TaskBehavior):
    """Play a motion; base of :class:`PeriodicCanned` and :class:`AperiodicCanned`.

    ``converge`` says how the joints get to it from where they are (in the source they had to be at its beginning):

    - ``planned``: on a way without collisions to the nearest point of a periodic motion, and to the beginning of
      another;
    - ``dmp``: while it is played, by a :mod:`dynamic movement primitive <taskmatrix.core.robot.dmp>`;
    - ``none``: not at all; the behavior fails to start where they are not at the beginning.

    A motion faster than the limits is stretched, and the event ``motion`` says so. Before anything moves the motion is
    checked for collisions. Where its limb is taken, the one on the other side plays the mirror image; where both are
    free, the one that is nearer to it.
    """

    motion = Parameter(str, doc="name of the motion in the robot's data")
    converge = Parameter(str, default="planned", doc="how to get to the motion: planned, dmp or none")
    mirrored = Parameter(bool, default=None, doc="whether to play the mirror image; chosen by the robot unless given")

    periodic: ClassVar[bool]
    """Which motions it plays."""

    def set_parameters(self, **values: Any) -> None:
        """Set parameters; all of them, or none when one is wrong (ParameterError)."""
        way = values.get("converge", WAYS[0])
        if isinstance(way, str) and way not in WAYS:
            raise ParameterError(f"{type(self).__name__}: {not_found('way to converge', way, WAYS)}")
        super().set_parameters(**values)

    def timing(self, motion: Motion) -> tuple[float, float]:
        """How long [s] a period or the whole of the motion should last, and how long to play it."""
        raise NotImplementedError

    def required_chains(self) -> Sequence[str] | Failure:
        """The chains of the motion's joints, or of those of its mirror image."""
        try:
            motion = self.context.skills.motion(self.motion)
        except NotFoundError as error:
            return self.fail(FailureKind.PARAMETER, str(error))
        if motion.periodic != self.periodic:
            what = "periodic" if motion.periodic else "not periodic"
            return self.fail(FailureKind.PARAMETER, f"motion '{self.motion}' is {what}; another behavior plays those")
        chosen = self._choose(motion)
        if isinstance(chosen, Failure):
            return chosen
        self._motion = chosen
        if self.converge == "none":
            q = self.context.skills.position()[chosen.indices]
            off = float(np.max(np.abs(chosen.sample(0.0)[0] - q)))
            if off > IN_POSTURE:
                message = f"a joint is {off:.3f} from the beginning of motion '{self.motion}'"
                return self.fail(FailureKind.PRECONDITION, message, furthest=off)
        return chains_of(self.context, chosen.indices.tolist())

    def plan(self) -> Job | Failure | None:
        """Put times to the motion, check it for collisions, and plan the way to it."""
        skills, joints = self.context.skills, self._motion.indices
        lower, upper, velocity, acceleration = (limit[joints] for limit in skills.limits())
        asked, duration = self.timing(self._motion)
        shortest = self._motion.shortest(velocity, acceleration)
        motion = self._motion.lasting(max(asked, shortest))
        q, v = skills.position()[joints], skills.velocity()[joints]
        begin = 0.0 if self.converge == "none" else motion.nearest(q, velocity)[0]
        start = motion.sample(begin)[0]
        if self.converge == "planned":
            q, v = start, np.zeros(len(joints))
        primitive = converge(motion, begin, duration, q, v, Limits(lower, upper, velocity, acceleration))
        if isinstance(primitive, Failure):
            return primitive
        once = min(primitive.duration, primitive.phase.wait + primitive.settling + 1.5 * motion.duration)
        failure = self._contact(primitive, once)
        if failure is not None:
            return failure
        facts = {"duration": primitive.duration, "period": motion.duration, "stretched": bool(asked < shortest)}
        self.context.events.emit("motion", self.path, **facts)
        self._parts: list[Plan | Trajectory] = [primitive]
        self._late = 0.0  # [s] for which a joint has been astray
        if self.converge != "planned":
            return None
        goal = dict(zip(joints.tolist(), start.tolist(), strict=True))
        seed = int(self.random.integers(2**31))
        return skills.plan_to_configuration(goal, APPROACH, seed, self.planning_time)

    def planned(self, plan: Plan) -> None:
        """Keep the plan to where the motion begins, to follow it first."""
        self._parts.insert(0, plan)

    def step(self) -> Failure | bool:
        """Play, as long as all joints follow."""
        joint, off = worst(self.context, self._motion.indices, self._commanded())
        self._late = self._late + self.context.dt if off > ASTRAY else 0.0
        if self._late > LATE:
            message = f"{joint} does not follow motion '{self.motion}': it is {off:.3f} off"
            return self.fail(FailureKind.TRACKING, message, joint=joint, off=off)
        return self.follow(*self._parts)

    def achieved(self) -> Failure | bool:
        """Whether the joints are where the motion ends."""
        late = self.elapsed - sum(part.duration for part in self._parts)
        return there(
            self.context, self.path, self._motion.indices, self._commanded(), late, f"the end of motion '{self.motion}'"
        )

    def _commanded(self) -> Array:
        """(k,) Where the motion's joints were told to be last."""
        return self.context.arbiter.last[self._motion.indices]

    def _choose(self, motion: Motion) -> Motion | Failure:
        """The motion or its mirror image."""
        image = None if self.mirrored is False else motion.mirrored(self.context.skills.mirrored)
        if self.mirrored is not None:
            if self.mirrored and image is None:
                return self.fail(FailureKind.NOT_ABLE, f"motion '{self.motion}' has no mirror image")
            return image or motion
        if image is None or not are_free(self.context, chains_of(self.context, image.indices.tolist())):
            return motion
        if not are_free(self.context, chains_of(self.context, motion.indices.tolist())):
            return image
        return image if self._distance(image) < self._distance(motion) - NEARER else motion

    def _distance(self, motion: Motion) -> float:
        """[s] How far it is to the motion."""
        velocity = self.context.skills.limits()[2][motion.indices]
        return motion.nearest(self.context.skills.position()[motion.indices], velocity)[1]

    def _contact(self, trajectory: Trajectory, until: float) -> Failure | None:
        """The first contact in a trajectory up to a time [s] that is not there now; all else is where it is."""
        for time in np.arange(0.0, until + LOOK, LOOK):
            there = trajectory.sample(float(time))[0]
            contact = self.context.skills.imminent_contact(trajectory.indices, there, 0.0)
            if contact is not None:
                message = f"motion '{self.motion}' would bring {contact.first} and {contact.second} into contact"
                return self.fail(FailureKind.COLLISION, message, pair=contact.pair, distance=contact.distance)
        return None
