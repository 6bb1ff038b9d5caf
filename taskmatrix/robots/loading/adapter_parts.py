"""The sections of ``robot.toml``: limits, chains and view, each checked against the model; and the postures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import RobotError, not_found
from taskmatrix.core.base.tables import Table, read_table
from taskmatrix.core.world.objects import Array

from ..keyframes import KeyframeMotion
from ..sides import Sides
from ..view import View
from .urdf import BASE_JOINTS, WIDE, Description

_FARTHEST = 100.0  # [m] that a frame is from its link
Active = tuple[tuple[str, ...], Array, Array]
"""Names of the active coordinates (n), ``S`` (n_full, n) and ``c`` (n_full,) with ``q_full = S q + c``."""


@dataclass(frozen=True, eq=False)
class Limits:
    """The active coordinates, n of them, and their limits, each (n,)."""

    joints: tuple[str, ...]
    """Names."""
    lower: Array
    """[rad] or [m]"""
    upper: Array
    """[rad] or [m]"""
    velocity: Array
    """[rad/s] or [m/s]"""
    acceleration: Array
    """[rad/s^2] or [m/s^2]"""
    reports: tuple[str, ...] = ()
    """What is wrong with the URDF's limits of joints that follow others."""

    @classmethod
    def read(cls, table: Table, base: Table, model: pin.Model, active: Active) -> Limits:
        """Join the URDF's limits with the adapter's caps; a joint stops before one that follows it goes too far.

        Where that leaves a joint nothing, because the limits of one that follows it are on the other side of zero, say,
        the limits of the follower are taken for the mistake.
        """
        table.only("velocity", "acceleration", "position", "legs")
        joints, S, c = active
        n = S.shape[1]
        lower, upper, velocity = np.full(n, -np.inf), np.full(n, np.inf), np.full(n, table.get("velocity", float, 2.0))
        reports = []
        names = {int(joint.idx_q): name for joint, name in zip(model.joints, model.names, strict=True) if joint.nq}
        for i in sorted(range(model.nq), key=lambda i: names[i] not in joints):  # those that lead first
            k = int(np.argmax(np.abs(S[i])))
            ends = sorted(
                (model.lowerPositionLimit[i] - c[i], model.upperPositionLimit[i] - c[i]), key=lambda v: v / S[i, k]
            )
            low, high = max(lower[k], ends[0] / S[i, k]), min(upper[k], ends[1] / S[i, k])
            if low >= high and lower[k] < upper[k] and names[i] not in joints:
                reports.append(f"{names[i]}: its limits leave no range to '{joints[k]}', which it follows; not kept")
            else:
                lower[k], upper[k] = low, high
            if 0.0 < model.velocityLimit[i] / abs(S[i, k]) < velocity[k]:
                velocity[k] = model.velocityLimit[i] / abs(S[i, k])
        _narrow(table.table("position"), joints, model, lower, upper)
        acceleration = np.full(n, table.get("acceleration", float, 8.0))
        for values, key in ((velocity, "velocity"), (acceleration, "acceleration")):
            linear, turn = base.numbers(key, 2)
            values[:3] = linear, linear, turn
            if not np.all(values > 0.0):
                raise (base if np.any(values[:3] <= 0.0) else table).error(key, "must be above zero")
        return cls(joints, lower, upper, velocity, acceleration, tuple(reports))

    def positions(self, given: Mapping[str, float]) -> Array:
        """(n,) Those given by joint; the others at zero, or as near to it as they come."""
        zero = np.clip(0.0, self.lower, self.upper)
        return np.array([given.get(joint, zero[k]) for k, joint in enumerate(self.joints)])

    def bound_turns(self, indices: Iterable[int]) -> None:
        """Keep joints without position limits within half a turn either way: all that there is, once each.

        With more, a plan would wind an arm up by as many turns as it happened to draw.
        """
        for i in indices:
            if self.upper[i] - self.lower[i] >= WIDE:
                self.lower[i], self.upper[i] = -np.pi, np.pi

    def free_wheels(self, model: pin.Model, links: Iterable[str]) -> None:
        """Let the wheels that drive a base turn as fast as the URDF says: caps are for what swings about."""
        for link in links:
            name = model.names[model.frames[model.getFrameId(link, pin.FrameType.BODY)].parentJoint]
            if name in self.joints:
                fastest = float(model.velocityLimit[model.joints[model.getJointId(name)].idx_v])
                self.velocity[self.joints.index(name)] = fastest if fastest > 0.0 else WIDE

    def let_legs_swing(self, table: Table, model: pin.Model, active: Active, links: Iterable[str]) -> None:
        """Give joints between the base and what stands on the floor caps of their own: legs swing faster than arms may.

        Args:
            table: ``[limits.legs]``; empty for no such caps.
            model: The robot.
            active: Its active coordinates.
            links: Those that stand on the floor.
        """
        table.only("velocity", "acceleration")
        if not table.data:
            return
        velocity, acceleration = table.positive("velocity"), table.positive("acceleration")
        for link in links:
            joint = model.frames[model.getFrameId(link, pin.FrameType.BODY)].parentJoint
            for row in [model.joints[id].idx_q for id in list(model.supports[joint])[1:]]:
                for k in [k for k in np.flatnonzero(active[1][row]).tolist() if k >= len(BASE_JOINTS)]:
                    fastest = float(model.velocityLimit[row]) / abs(active[1][row, k])
                    self.velocity[k] = min(velocity, fastest) if fastest > 0.0 else velocity
                    self.acceleration[k] = acceleration

    def check(self, place: Table, positions: Mapping[str, float]) -> None:
        """Raise ``RobotError`` when a position is beyond its limits or names no active joint."""
        for joint, position in positions.items():
            if joint not in self.joints:
                raise place.error(joint, not_found("joint", joint, self.joints))
            i = self.joints.index(joint)
            if not self.lower[i] - 1e-9 <= position <= self.upper[i] + 1e-9:
                allowed = f"{self.lower[i]:.4g} to {self.upper[i]:.4g}"
                raise place.error(joint, f"{position:.4g} is outside the joint's limits, {allowed}")


def _narrow(table: Table, joints: tuple[str, ...], model: pin.Model, lower: Array, upper: Array) -> None:
    """Take the ranges below ``limits.position``, joint to lower and upper end, which may not go beyond (n,) limits."""
    for joint in table.data:
        if joint in BASE_JOINTS:
            raise table.error(joint, "how far the base goes is said by base.range")
        if joint not in joints and model.existJointName(joint):
            raise table.error(joint, "this joint follows another one; narrow the range of that one")
        if joint not in joints:
            raise table.error(joint, not_found("joint", joint, joints[3:]))
        (low, high), i = table.numbers(joint, 2), joints.index(joint)
        if low >= high:
            raise table.error(joint, f"the lower end must be below the upper one, got {[low, high]}")
        if low < lower[i] - 1e-9 or high > upper[i] + 1e-9:
            whole = f"{lower[i]:.4g} to {upper[i]:.4g}"
            raise table.error(joint, f"{low:.4g} to {high:.4g} is wider than the URDF leaves the joint, {whole}")
        lower[i], upper[i] = max(low, lower[i]), min(high, upper[i])


def active_joints(model: pin.Model, description: Description) -> Active:
    """Names of the active coordinates (n), ``S`` (n_full, n) and ``c`` (n_full,) with ``q_full = S q + c``."""
    names = sorted(model.names[1:], key=lambda name: int(model.joints[model.getJointId(name)].idx_q))
    joints = tuple(name for name in names if name not in description.mimic)
    S, c = np.zeros((model.nq, len(joints))), np.zeros(model.nq)
    for i, name in enumerate(names):
        factor, offset, leader = 1.0, 0.0, name
        while leader in description.mimic:
            mimic = description.mimic[leader]
            offset += factor * mimic.offset
            factor *= mimic.multiplier
            leader = mimic.leader
        S[i, joints.index(leader)], c[i] = factor, offset
    return joints, S, c


def known_links(table: Table, key: str, description: Description) -> tuple[str, ...]:
    """The links that a key lists, all of which must exist."""
    links = table.strings(key)
    for link in links:
        if link not in description.links:
            raise table.error(key, not_found("link", link, description.links))
    return links


def check_drawn(model: Table, description: Description) -> None:
    """Raise ``RobotError`` unless each link that is to collide as it is drawn is there, and drawn."""
    solid = {link.get("name"): link.find("collision") is not None for link in description.root.iter("link")}
    for link in description.as_drawn:
        if link not in solid:
            raise model.error("collide_as_drawn", not_found("link", link, description.links))
        if not solid[link]:
            raise model.error("collide_as_drawn", f"the link '{link}' is not drawn")


def check_bodies(file: Table, description: Description) -> None:
    """Raise ``RobotError`` unless each link that has a body of the adapter is there."""
    for table in file.tables("bodies"):
        if (link := table.get("link", str)) not in description.links:
            raise table.error("link", not_found("link", link, description.links))


def read_postures(path: Path, limits: Limits, sides: Sides) -> dict[str, dict[str, float]]:
    """Read ``postures.toml``: posture to joint to position, for the joints that it names.

    ``mirror = true`` adds the mirror image of what a posture says of one side; ``mirror = "name"`` makes it that of
    another posture.
    """
    file, postures, later = read_table(path, RobotError, path.parent), dict[str, dict[str, float]](), []
    for name in file.data:
        place = file.table(name)
        if isinstance(place.data.get("mirror"), str):
            later.append((name, place.only("mirror")))
            continue
        positions = {joint: place.get(joint, float) for joint in place.data if joint != "mirror"}
        limits.check(place, positions)
        if place.get("mirror", bool, False):
            positions = {**_image(place, positions, limits, sides), **positions}
        postures[name] = positions
    for name, place in later:
        postures[name] = _image(place, postures[place.choice("mirror", postures, "posture")], limits, sides)
    ordered = ((name, postures[name]) for name in file.data)
    return {name: {joint: at[joint] for joint in limits.joints[3:] if joint in at} for name, at in ordered}


def _image(place: Table, positions: Mapping[str, float], limits: Limits, sides: Sides) -> dict[str, float]:
    """The mirror image of positions by joint, within the limits."""
    image = sides.image({limits.joints.index(joint): position for joint, position in positions.items()})
    if image is None:
        raise place.error(
            "mirror", "none of these joints is in a chain with a partner: 'left_arm' and 'right_arm', say"
        )
    found = {limits.joints[index]: position for index, position in image.items()}
    limits.check(place, found)
    return found


def check_motions(path: Path, motions: Mapping[str, KeyframeMotion], limits: Limits) -> None:
    """Raise ``RobotError`` when a keyframe is beyond a joint's limits or names no joint."""
    for motion in motions.values():
        place = Table(path, f"{motion.name}.joints", {}, RobotError)
        for joint, track in motion.keyframes.items():
            for _, position in track:
                limits.check(place, {joint: position})


def read_chains(table: Table, joints: tuple[str, ...], description: Description) -> dict[str, tuple[int, ...]]:
    """Chain to active coordinates; no joint may be in two."""
    chains: dict[str, tuple[int, ...]] = {"base": (0, 1, 2)}
    owner = dict.fromkeys(BASE_JOINTS, "base")
    for chain in table.data:
        names = table.strings(chain)
        for name in names:
            if name in description.mimic:
                leader = description.mimic[name].leader
                raise table.error(chain, f"the joint '{name}' only follows '{leader}'; name that one")
            if name not in joints:
                raise table.error(chain, not_found("joint", name, joints))
            if name in owner:
                raise table.error(chain, f"the joint '{name}' is in the chain '{owner[name]}' already")
            owner[name] = chain
        if chain == "base" or not names:
            raise table.error(chain, "the base is always there" if chain == "base" else "a chain has one joint or more")
        chains[chain] = tuple(joints.index(name) for name in names)
    return chains


def read_view(table: Table, description: Description) -> View:
    """Read the view, and check its frame and its directions."""
    table.only("frame", "origin", "forward", "up", "range", "field_of_view")
    X = read_pose(table, "forward", "up")
    near, far = table.numbers("range", 2, [0.0, 1.0])
    if not 0.0 <= near < far:
        raise table.error("range", f"must be the nearest and the furthest that is seen, got {[near, far]}")
    angle = table.get("field_of_view", float, 35.0)
    if not 0.0 < angle < 180.0:
        raise table.error("field_of_view", f"must be between 0 and 180 degrees, got {angle:g}")
    return View(
        known_frame(table, description),
        X[:, [2, 1, 0, 3]] * np.array([1.0, 1.0, -1.0, 1.0]),
        (near, far) if "range" in table.data else None,
        float(np.radians(angle)) if "field_of_view" in table.data else None,
    )


def known_frame(table: Table, description: Description) -> str:
    """The link that the key ``frame`` names, which must exist."""
    frame = table.get("frame", str)
    if frame not in description.links:
        raise table.error("frame", not_found("link", frame, description.links))
    if any(joint.get("name") == frame for joint in description.root.iter("joint")):
        raise table.error("frame", f"a joint is called '{frame}', too; name a link that no joint is called after")
    return frame


def read_pose(table: Table, z_key: str, y_key: str) -> Array:
    """(4, 4) Pose from the keys ``origin`` and two axes."""
    origin, z, y = (np.array(table.numbers(key, 3)) for key in ("origin", z_key, y_key))
    for key, values in (("origin", origin), (z_key, z), (y_key, y)):
        if np.abs(values).max() > _FARTHEST:
            raise table.error(key, f"{np.abs(values).max():.4g} is beyond {_FARTHEST:.0f}")
    if min(np.linalg.norm(z), np.linalg.norm(y)) < 1e-9 or abs(z @ y) > 1e-3 * np.linalg.norm(z) * np.linalg.norm(y):
        raise table.error(y_key, f"must be perpendicular to {z_key}, and neither may be zero")
    z = z / np.linalg.norm(z)
    y = y - (y @ z) * z
    y = y / np.linalg.norm(y)
    X = np.eye(4)
    X[:3, 0], X[:3, 1], X[:3, 2], X[:3, 3] = np.cross(y, z), y, z, origin
    return X


def read_counterbalanced(dynamics: Table, joints: Sequence[str]) -> frozenset[str]:
    """The joints whose weight springs carry; raises ``RobotError`` for one that is not there."""
    dynamics.only("counterbalanced")
    named = dynamics.strings("counterbalanced") if "counterbalanced" in dynamics.data else ()
    for joint in named:
        if joint not in joints:
            raise dynamics.error("counterbalanced", not_found("joint", joint, joints))
    return frozenset(named)
