"""One world of PyBullet: the client, and what every body in it needs to be told."""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import scipy

from taskmatrix.core.world.objects import Array
from taskmatrix.robots.capabilities import GRAVITY

from ..engine import import_bullet, quiet

RESIDUAL = 1e-9  # at which the solver stops: at PyBullet's own 1e-7 what stands creeps by 0.1 mm a second


LOOSE, FAST, ABSENT = (1, -1), (2, ~2), (0, 0)
"""What a body is, and what it touches, in bits: what stands fast does not touch its like."""

Place = tuple[tuple[float, ...], tuple[float, ...]]
"""Position [m] and quaternion."""


@dataclass(frozen=True)
class Fastening:
    """An object that is kept where it is on a link of a robot."""

    link: tuple[int, int]
    """PyBullet's numbers of the robot and of the link."""
    thing: tuple[int, int]
    """PyBullet's numbers of the object."""
    place: Place
    """Where the object is on the link, of centres of mass."""
    most: float
    """[N] and [N m] With which it is pulled and turned back at most."""


class Snapshot:
    """A state that PyBullet keeps until nobody can ask for it any more."""

    def __init__(self, engine: Engine) -> None:
        self.number: int = engine("saveState")
        weakref.finalize(self, engine.forget, self.number)


class Engine:
    """A PyBullet client without a window; every call goes to it.

    Attributes:
        bullet: The module.
        floor: Id of the ground, z = 0.
        numbers: PyBullet's numbers of each object: of the body, and of its link, -1 for the base.
        ids: The object of each of these.
    """

    def __init__(self, iterations: int) -> None:
        self.bullet = import_bullet("physics needs")
        with quiet():
            self.client: int = self.bullet.connect(self.bullet.DIRECT)
        self.numbers: dict[str, tuple[int, int]] = {}
        self.ids: dict[tuple[int, int], str] = {}
        self._told: dict[tuple[Any, ...], tuple[Any, ...]] = {}
        """What bodies were told last that is in no state of PyBullet's, by what it is about."""
        self._fastened: dict[int, tuple[Fastening, int]] = {}
        """What is kept on links, and PyBullet's number of the constraint, in the order in which it began."""
        self._count = 0  # fastenings ever
        self._dt = 0.0  # [s] of the last step: what is told to give a force at most gives that in such a step
        self("setGravity", 0.0, 0.0, -GRAVITY)
        self("setPhysicsEngineParameter", numSolverIterations=iterations, solverResidualThreshold=RESIDUAL)
        self("setPhysicsEngineParameter", enableFileCaching=0, deterministicOverlappingPairs=1)
        plane = self("createCollisionShape", self.bullet.GEOM_PLANE)
        self.floor: int = self("createMultiBody", 0, plane)

    def __call__(self, name: str, *values: Any, **named: Any) -> Any:
        """Call a function of PyBullet by its name."""
        return getattr(self.bullet, name)(*values, physicsClientId=self.client, **named)

    def set(self, body: int, link: int = -1, **named: float) -> None:
        """Change the dynamics of a link, one property at a time: some of them undo others of the same call."""
        for name, value in named.items():
            self._told["changeDynamics", body, link, name] = (value,)
            self("changeDynamics", body, link, **{name: value})

    def filter(self, first: tuple[int, int], second: tuple[int, int], touch: bool) -> None:
        """Have two links touch, or pass through each other."""
        self._told["setCollisionFilterPair", first, second] = (touch,)
        self("setCollisionFilterPair", first[0], second[0], first[1], second[1], int(touch))

    def mask(self, body: int, link: int, bits: tuple[int, int]) -> None:
        """Have a body be something, and touch something, in bits."""
        self._told["setCollisionFilterGroupMask", body, link] = bits
        self("setCollisionFilterGroupMask", body, link, *bits)

    def bits(self, body: int, link: int) -> tuple[Any, ...]:
        """What a body is, and what it touches, as it was told last; empty if it never was."""
        return self._told.get(("setCollisionFilterGroupMask", body, link), ())

    def turn(self, body: int, links: Sequence[int], speeds: Sequence[float], forces: Sequence[float]) -> None:
        """Have joints turn with speeds from now on, as far as forces of this size do it."""
        for link, speed, force in zip(links, speeds, forces, strict=True):
            self._told["setJointMotorControl2", body, link] = speed, force
        named = {"targetVelocities": speeds, "forces": forces}
        self("setJointMotorControlArray", body, links, self.bullet.VELOCITY_CONTROL, **named)

    def fasten(self, fastening: Fastening) -> int:
        """Keep an object on a link from now on; the number by which it is let go."""
        self._count += 1
        self._fastened[self._count] = fastening, self._constrain(fastening)
        return self._count

    def pull(self, number: int) -> Array:
        """(6,) [N, N m] What keeps an object on a link gives; three of them where it does not turn it back."""
        return np.array(self("getConstraintState", self._fastened[number][1]))

    def unfasten(self, number: int) -> None:
        """Let an object go its own way."""
        self("removeConstraint", self._fastened.pop(number)[1])

    def save(self) -> Mapping[str, Any]:
        """All that steps and those who command bodies change; where bodies touched until now is forgotten by it.

        A state of PyBullet's has no friction anchors, and contacts that are gone come back with it: only what begins
        without any comes to the same each time.
        """
        self._forget_contacts()
        return {
            "told": dict(self._told),
            "fastened": {number: fastening for number, (fastening, _) in self._fastened.items()},
            "state": Snapshot(self),
            "dt": self._dt,
        }

    def restore(self, saved: Mapping[str, Any]) -> None:
        """Go on from there."""
        self._dt = saved["dt"]
        if self._dt:
            self("setTimeStep", self._dt)
        for about, values in list(self._told.items()):
            before = saved["told"].get(about, (True,))  # links that were never told otherwise touch each other
            if before != values:
                self._tell(about, before)
        for number in list(self._fastened):
            self.unfasten(number)
        for number, fastening in saved["fastened"].items():
            self._fastened[number] = fastening, self._constrain(fastening)
        self._forget_contacts()
        self("restoreState", saved["state"].number)

    def forget(self, number: int) -> None:
        """Give back the memory of a state."""
        if self.client >= 0:
            self("removeState", number)

    def _forget_contacts(self) -> None:
        for about, bits in self._told.items():
            if about[0] == "setCollisionFilterGroupMask":
                self(*about, *bits)

    def _tell(self, about: tuple[Any, ...], values: tuple[Any, ...]) -> None:
        match about:
            case "changeDynamics", body, link, name:
                self.set(body, link, **{name: values[0]})
            case "setCollisionFilterPair", first, second:
                self.filter(first, second, values[0])
            case "setCollisionFilterGroupMask", body, link:
                self.mask(body, link, values)
            case _, body, link:
                self.turn(body, [link], [values[0]], [values[1]])

    def _constrain(self, fastening: Fastening) -> int:
        p, turn = fastening.place
        fixed, none = self.bullet.JOINT_FIXED, (0.0, 0.0, 0.0)
        number: int = self("createConstraint", *fastening.link, *fastening.thing, fixed, none, p, none, turn)
        self("changeConstraint", number, maxForce=fastening.most)
        return number

    def load(self, write: Any, **flags: Any) -> int:
        """Load the body whose URDF ``write(folder)`` writes; the files are needed no longer."""
        with tempfile.TemporaryDirectory() as folder, quiet():
            body: int = self("loadURDF", str(write(Path(folder))), **flags)
        return body

    def put(self, body: int, X_WO: Array, velocity: Array | None = None) -> None:
        """Put a body somewhere, moving with ``velocity`` (6,) [m/s, rad/s]; at rest unless given."""
        turn = scipy.spatial.transform.Rotation.from_matrix(X_WO[:3, :3]).as_quat()
        self("resetBasePositionAndOrientation", body, X_WO[:3, 3].tolist(), turn.tolist())
        v = np.zeros(6) if velocity is None else velocity
        self("resetBaseVelocity", body, v[:3].tolist(), v[3:].tolist())

    def centre(self, body: int, link: int) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Position and quaternion of a link's centre of mass and principal axes; of the base for link -1."""
        name, numbers = ("getBasePositionAndOrientation", (body,)) if link < 0 else ("getLinkState", (body, link))
        p, turn = self(name, *numbers)[:2]
        return p, turn

    def step(self, dt: float) -> None:
        """One step of the physics."""
        self._dt = dt
        self("setTimeStep", dt)
        self("stepSimulation")

    def close(self) -> None:
        """End the client; nothing can be called any more."""
        if self.client >= 0:
            self("disconnect")
            self.client = -1
