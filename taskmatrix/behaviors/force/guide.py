"""Be led by the hand."""

from __future__ import annotations

import numpy as np

from taskmatrix.core.base.failure import Failure, FailureKind
from taskmatrix.core.base.parameter import Output, Parameter

from .force_behavior import HandForceBehavior

MOVES = 0.05  # [rad/s, m/s] a joint that is faster is being moved


class Guide(HandForceBehavior):
    """Let a person lead the hand by pushing it or the arm, until they leave it alone.

    The arm floats. It is being led while a joint moves, or while contacts turn one with more than ``push``, where the
    plant senses the torques of its motors; left alone for ``patience`` after that, it ends. Where nobody leads it
    within ``duration`` it fails with ``not_achieved``; who still does then has led it.
    """

    duration = Parameter(float, default=60.0, minimum=0.0, doc="[s] how long at most")
    patience = Parameter(float, default=1.5, minimum=0.1, doc="[s] for which it is left alone when it ends")
    push = Parameter(float, default=0.4, minimum=0.0, doc="[N m] of a joint, with which somebody leads it")

    way = Output(float, doc="[m] from where the hand was to where it was led")

    def plan(self) -> Failure | None:
        """Begin where the hand is, left alone."""
        skills = self.context.skills
        skills.contact_torque()
        self._start = skills.forward_kinematics(self.hand)[:3, 3]
        self._led, self._alone = False, 0.0
        return None

    def step(self) -> Failure | bool:
        """Float for another control step, and see whether somebody leads the arm."""
        skills, joints = self.context.skills, self.context.skills.joints(self.limb())
        self.drive(self.torques(joints))
        over = self.elapsed + self.context.dt / 2 >= self.duration
        torque = skills.contact_torque()
        led = bool(np.abs(skills.velocity()[joints]).max() > MOVES)
        led = led or (torque is not None and bool(np.abs(torque[joints]).max() > self.push))
        self._alone = 0.0 if led else self._alone + self.context.dt
        self._led = self._led or led
        if over and not self._led:
            return self.fail(FailureKind.NOT_ACHIEVED, f"nobody led it in {self.duration:g} s")
        return over or (self._led and self._alone >= self.patience)

    def achieved(self) -> Failure | bool:
        """Tell how far it was led."""
        p = self.context.skills.forward_kinematics(self.hand)[:3, 3]
        self.publish(way=float(np.linalg.norm(p - self._start)))
        return True
