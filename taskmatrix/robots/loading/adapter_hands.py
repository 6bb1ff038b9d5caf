"""The hands of ``robot.toml``: what it says of them, and what follows from the model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from taskmatrix.core.base.errors import not_found
from taskmatrix.core.base.tables import Table
from taskmatrix.core.world.objects import Array

from ..hand import Closing, Hand
from ..sides import Sides, other_side
from .adapter_parts import Limits, known_frame, known_links, read_pose
from .closing import FURTHEST
from .urdf import Description

KEYS = (
    "arm",
    "fingers",
    "frame",
    "origin",
    "z",
    "y",
    "aperture",
    "payload",
    "slope",
    "touch",
    "open",
    "closed",
    "rest",
    "table",
)
ALIKE = 0.02  # [m] that a link may be off the mirror image of its partner
_FLIP = np.diag([1.0, -1.0, 1.0])


@dataclass(frozen=True, eq=False)
class HandReader:
    """Reads the hands of an adapter, and checks them against the model."""

    chains: Mapping[str, tuple[int, ...]]
    """Chain to active coordinates."""
    limits: Limits
    """Of the active coordinates."""
    description: Description
    """The URDF."""
    sides: Sides
    """Left and right."""
    model: pin.Model
    """The robot."""
    zero: Array
    """(n_full,) Positions with the active coordinates at zero."""

    def read(self, table: Table) -> dict[str, Hand]:
        """Hands by name.

        Raises:
            RobotError: A hand is malformed, or names what the robot does not have.
        """
        places = {name: table.table(name) for name in table.data}
        hands = {name: self._hand(name, place) for name, place in places.items() if "mirror" not in place.data}
        for name, place in places.items():
            if name not in hands:
                of = place.only("mirror").choice("mirror", [other for other in hands if other != name], "hand")
                hands[name] = self._image(name, place, hands[of])
        return {name: hands[name] for name in places}

    def _hand(self, name: str, hand: Table) -> Hand:
        hand.only(*KEYS)
        arm, fingers = hand.get("arm", str), hand.get("fingers", str, "")
        for key, chain in (("arm", arm), ("fingers", fingers or arm)):
            if chain not in self.chains:
                raise hand.error(key, not_found("chain", chain, self.chains))
        opened = hand.mapping("open", {})
        postures = {"open": opened, "closed": hand.mapping("closed", {}), "rest": hand.mapping("rest", opened)}
        driven = {self.limits.joints[i] for i in self.chains[fingers]} if fingers else set()
        for key, posture in postures.items():
            _check_fingers(hand, key, posture, driven, self.limits)
        frame = known_frame(hand, self.description)
        self._carried(hand, arm, frame)
        aperture = hand.positive("aperture")
        if aperture > FURTHEST:
            raise hand.error("aperture", f"{aperture:.4g} is beyond {FURTHEST} m")
        told = known_links(hand, "touch", self.description) if "touch" in hand.data else ()
        return Hand(
            name=name,
            arm=arm,
            fingers=fingers or None,
            frame=frame,
            X_LH=read_pose(hand, "z", "y"),
            aperture=aperture,
            touch=told if "touch" in hand.data else links_below(self.description, frame),
            payload=hand.positive("payload") if "payload" in hand.data else None,
            slope=hand.get("slope", float, 0.0),
            table=_widths(hand, driven, self.limits) if "table" in hand.data else (),
            **postures,
        )

    def _carried(self, hand: Table, arm: str, frame: str) -> None:
        """Raise ``RobotError`` unless all joints of the arm carry the frame, in their order."""
        body = self.model.frames[self.model.getFrameId(frame)].parentJoint
        order = {self.model.names[joint]: k for k, joint in enumerate(self.model.supports[body])}
        joints = [self.limits.joints[i] for i in self.chains[arm]]
        for joint in joints:
            if joint not in order:
                raise hand.error("arm", f"the joint '{joint}' of the chain '{arm}' does not carry the link '{frame}'")
        if sorted(joints, key=lambda joint: order[joint]) != joints:
            raise hand.error("arm", f"the joints of the chain '{arm}' must be named from the shoulder outward")

    def _image(self, name: str, place: Table, hand: Hand) -> Hand:
        """The mirror image of a hand: of its frame in the plane y = 0, and of the positions of its fingers."""

        def other(what: str, of: str, names: Iterable[str]) -> str:
            known = tuple(names)
            image = other_side(of, known)
            if image is None:
                problem = f"the {what} '{of}' has no partner whose name has left and right exchanged"
                raise place.error("mirror", f"{problem}; write this hand out")
            return image

        def posture(positions: Mapping[str, float]) -> dict[str, float]:
            return {joints[partner[i]]: self._position(i, partner[i], positions[joints[i]]) for i in fingers}

        frame = other("link", hand.frame, self.description.links)
        X_WL, X_WR = (self._place(link) for link in (hand.frame, frame))
        apart = float(np.linalg.norm(_FLIP @ X_WL.translation - X_WR.translation))
        if apart > ALIKE:
            problem = (
                f"the link '{frame}' is {apart:.3f} m from the mirror image of '{hand.frame}', with all joints at zero"
            )
            raise place.error("mirror", f"{problem}; write this hand out")
        X_WH = X_WL.homogeneous @ hand.X_LH
        image = np.eye(4)
        image[:3] = _FLIP @ X_WH[:3]
        image[:3, 1] *= -1.0  # of a right-handed frame, whose x is upright where that of the other hand is
        joints, partner = self.limits.joints, self.sides.partners
        fingers = [] if hand.fingers is None else list(self.chains[hand.fingers])
        if any(i not in partner for i in fingers):
            problem = f"the joints of '{hand.fingers}' have no partners: there is no chain of as many on the other side"
            raise place.error("mirror", f"{problem}; write this hand out")
        return Hand(
            name=name,
            arm=other("chain", hand.arm, self.chains),
            fingers=None if hand.fingers is None else other("chain", hand.fingers, self.chains),
            frame=frame,
            X_LH=X_WR.inverse().homogeneous @ image,
            aperture=hand.aperture,
            touch=tuple(other("link", link, self.description.links) for link in hand.touch),
            open=posture(hand.open),
            closed=posture(hand.closed),
            rest=posture(hand.rest),
            payload=hand.payload,
            slope=-hand.slope,
            table=tuple(Closing(row.width, posture(row.joints), row.middle * (1.0, -1.0, 1.0)) for row in hand.table),
        )

    def _position(self, index: int, partner: int, position: float) -> float:
        """That of a finger on the other hand: of the same sign if the limits are the same, else as the axes tell."""
        lower, upper = (bound[[index, partner]] for bound in (self.limits.lower, self.limits.upper))
        same, turned = (
            np.allclose([lower[0], upper[0]], [lower[1], upper[1]]),
            np.allclose([lower[0], upper[0]], [-upper[1], -lower[1]]),
        )
        if same == turned:
            same = self.sides.turns_alike(index)
        return position if same else -position

    def _place(self, link: str) -> pin.SE3:
        data = self.model.createData()
        pin.forwardKinematics(self.model, data, self.zero)
        return pin.updateFramePlacement(self.model, data, self.model.getFrameId(link)).copy()


def links_below(description: Description, frame: str) -> tuple[str, ...]:
    """Links that a hand consists of: its frame and what that carries."""
    links = [frame]
    for link in links:
        links += description.children(link)
    return tuple(links)


def _check_fingers(table: Table, key: str, posture: Mapping[str, float], driven: Iterable[str], limits: Limits) -> None:
    if set(posture) != set(driven):
        raise table.error(key, f"must give the fingers' joints {sorted(driven)}, gives {sorted(posture)}")
    limits.check(table.table(key), posture)


def _widths(hand: Table, driven: Iterable[str], limits: Limits) -> tuple[Closing, ...]:
    """The table of finger postures by width."""
    rows = []
    for row in hand.tables("table"):
        posture = row.only("width", "middle", "joints").mapping("joints")
        _check_fingers(row, "joints", posture, driven, limits)
        middle = np.array(row.numbers("middle", 3, (0.0, 0.0, 0.0)))
        rows.append(Closing(row.get("width", float), posture, middle))
    widths = [row.width for row in rows]
    if widths and not 0.0 <= min(widths) <= max(widths) <= FURTHEST:
        raise hand.error("table", f"widths are from 0 to {FURTHEST} m, got {widths}")
    if len(rows) < 2 or sorted(set(widths)) != widths:
        raise hand.error("table", f"two or more rows in the order of growing width are needed, got {widths}")
    return tuple(rows)
