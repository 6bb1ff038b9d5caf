"""Skill 3, the motion controller: commands to joints, and the limits they keep."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from ...base.failure import Failure
from ...world.objects import Array
from ..impedance import Impedance
from ..plans import Indices, TaskObjective, Trajectory


class ControlSkills(Protocol):
    """The one way to move a joint: a command goes to the arbiter, through its filters, to the plant."""

    def command(
        self,
        owner: str,
        joints: Indices,
        q: Array,
        v: Array | None = None,
        a: Array | None = None,
        objective: TaskObjective | None = None,
        impedance: Impedance | None = None,
    ) -> None:
        """3. Send positions (k,), velocities and accelerations for joints that ``owner`` has been granted.

        ``objective`` says what of it matters where chains are shared; every joint unless it is given. ``impedance``
        says how hard they are driven there; as the plant does it by itself unless it is given.
        """
        ...

    def weight(self, q: Array | None = None) -> Array:
        """3. (n,) [N, N m] What holds the robot, with what its hands hold, still against gravity."""
        ...

    def mass_matrix(self, q: Array | None = None) -> Array:
        """3. (n, n) [kg m^2, kg] Inertia of the joints, with what the hands hold: a point where its mass is."""
        ...

    def too_heavy(self, hand: str, object: str, q: Array | None = None) -> str:
        """3. Which motor of the arm an object is too heavy for at joint positions q (n,); empty if none is.

        An object that the hand does not hold is one that it takes where it is. Empty also where its mass or the torques
        of the motors are not known.
        """
        ...

    def contact_torque(self) -> Array | None:
        """3. (n,) [N m, N] With which contacts turn the joints, from what the motors give and the joints do.

        None where the plant senses no torques of the motors. Estimated from the first call on, with a delay; friction
        and masses that the model has wrong are taken for contacts.
        """
        ...

    def straight(self, goal: Mapping[int, float], duration: float) -> Trajectory | Failure:
        """3. A straight line of joints to positions, within the limits of velocity and acceleration; not checked."""
        ...

    def limits(self) -> tuple[Array, Array, Array, Array]:
        """3. (n,) each: lower, upper, velocity and acceleration limits."""
        ...

    @property
    def holonomic(self) -> bool:
        """Whether the base can move in any direction; if not, it only turns and rolls along its heading."""
        ...
