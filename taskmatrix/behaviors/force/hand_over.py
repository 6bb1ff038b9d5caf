"""Give what a hand holds to a person."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taskmatrix.conditions import Grasping
from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter
from taskmatrix.core.behavior.condition import Condition
from taskmatrix.core.machines.machine import Machine, State, on, start
from taskmatrix.core.world.objects import Array

from ..common.holds_object import HoldsObject
from ..manipulation.release import Release

SETTLED = 0.3  # [s] for which the weight is measured
SMOOTH = 0.05  # [s] over which what is felt is smoothed
HELD_ON = 0.1  # [s] for which somebody has to pull


class Offer(HoldsObject):
    """Hold still with what a hand holds, until somebody pulls at it.

    What the hand feels in the beginning is the weight; a force that differs from it by ``pull`` for a tenth of a second
    is somebody who takes it. Where nobody does within ``duration`` it fails with ``not_achieved``, and a hand that does
    not feel what it holds is ``not_able``.
    """

    pull = Parameter(float, default=3.0, minimum=0.5, doc="[N] with which somebody pulls who wants it")
    duration = Parameter(float, default=30.0, minimum=0.0, doc="[s] how long to wait at most")

    pulled = Output(float, doc="[N] with which somebody pulled")

    def required_chains(self) -> Sequence[str]:
        """Arm and fingers of the hand."""
        return self.context.skills.chains_of_hand(self.note_held())

    def plan(self) -> Failure | None:
        """See whether the hand feels anything."""
        self._felt = self._force()
        if not self._felt.any():
            message = f"the {self._hand} hand does not feel what it holds, and so not who takes it"
            return self.fail(FailureKind.NOT_ABLE, message, hand=self._hand)
        self._weight, self._pulling = self._felt, 0.0
        return None

    def step(self) -> Failure | bool:
        """Compare what the hand feels with the weight."""
        dt = self.context.dt
        self._felt = self._felt + (self._force() - self._felt) * min(1.0, dt / SMOOTH)
        if self.elapsed < SETTLED:
            self._weight = self._weight + (self._felt - self._weight) * min(1.0, dt / (self.elapsed + dt))
            return False
        pulled = float(np.linalg.norm(self._felt - self._weight))
        self._pulling = self._pulling + dt if pulled >= self.pull else 0.0
        if self._pulling >= HELD_ON:
            self.publish(pulled=pulled)
            return True
        if self.elapsed >= self.duration:
            message = f"nobody pulled at '{self._held}' in {self.duration:g} s"
            return self.fail(FailureKind.NOT_ACHIEVED, message, object=self._held)
        return False

    def _force(self) -> Array:
        """(3,) [N] On the hand, in the world."""
        skills = self.context.skills
        force: Array = skills.forward_kinematics(self._hand)[:3, :3] @ skills.feel(self._hand).force
        return force


class HandOver(Machine):
    """Hold still with what a hand holds until a person pulls at it, then let go of it, and take the hand back."""

    object = Parameter(str, default=None, doc="id of the object; what a hand holds unless given")
    pull = Parameter(float, default=3.0, minimum=0.5, doc="[N] with which somebody pulls who wants it")
    duration = Parameter(float, default=30.0, minimum=0.0, doc="[s] how long to wait at most")

    offer = State(Offer, object=object, pull=pull, duration=duration)
    release = State(Release, object=object, duration=0.5, final=True)

    transitions = (start(offer), on(offer.task_successful, start=release))

    def preconditions(self) -> Sequence[Condition]:
        """The object is held."""
        return [Grasping(self.object)]
