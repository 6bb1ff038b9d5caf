"""What behaviors require of a robot: small statements, matched with what it provides before anything moves.

The match follows the required and provided interfaces of Rogovchenko and Malenfant (SIMPAR 2010): a requirement is the
least that will do, and anything as good or better meets it.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from ..base.errors import not_found
from ..base.names import Spelled
from ..robot.capability import NO_ROOM, Capabilities, HandCapability
from ..world.objects import GRASPABLE, ObjectModel
from ..world.perception import PerceptualModel
from .condition import Verdict


class Requirement(Spelled, ABC):
    """Something that a behavior takes of a robot.

    It is about what does not change while a program runs: what the robot provides, what objects are. Whether it holds
    now is asked of a :class:`~taskmatrix.core.behavior.condition.Condition`. Subclasses are frozen dataclasses.
    """

    @abstractmethod
    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Whether a robot has what it takes; if not, why: what it takes and what the robot has.

        Args:
            provided: By the robot.
            perception: What is known of the objects. An object that is not known requires nothing.
        """


@dataclass(frozen=True)
class HasChain(Requirement):
    """A chain of this name."""

    chain: str
    """Its name."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Whether the robot has it."""
        why = f"it takes a chain '{self.chain}'; the robot has {', '.join(provided.chains) or 'none'}"
        return Verdict(self.chain in provided.chains, why, {"chain": self.chain, "chains": tuple(provided.chains)})


@dataclass(frozen=True)
class TakesImpedance(Requirement):
    """A chain whose joints are driven as hard as they are told: with a stiffness, a damping, a torque."""

    chain: str | None = None
    """Its name; any will do unless given."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Whether the robot has it, and the plant drives it so."""
        if self.chain is None:
            why = "it takes a plant that drives joints with a stiffness, and this one drives none so"
            return Verdict(bool(provided.impedance), why, {"impedance": provided.impedance})
        has = HasChain(self.chain).met(provided, perception)
        if not has:
            return has
        able = ", ".join(provided.impedance) or "none"
        why = f"it takes a plant that drives '{self.chain}' with a stiffness; this one drives so: {able}"
        return Verdict(self.chain in provided.impedance, why, {"chain": self.chain, "impedance": provided.impedance})


@dataclass(frozen=True)
class HasHand(Requirement):
    """A hand of this name."""

    hand: str
    """Its name."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Look it up; an unknown name comes with the nearest."""
        why = not_found("hand", self.hand, provided.hands)
        return Verdict(self.hand in provided.hands, why, {"hand": self.hand, "hands": tuple(provided.hands)})


@dataclass(frozen=True)
class HasFoot(Requirement):
    """A foot that can be lifted."""

    foot: str
    """Its name."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Whether the robot has it."""
        if not provided.feet:
            return Verdict(False, f"it takes a {self.foot} foot to lift; the robot has no legs", {"foot": self.foot})
        return Verdict(self.foot in provided.feet, not_found("foot", self.foot, provided.feet), {"foot": self.foot})


@dataclass(frozen=True)
class Hands(Requirement):
    """So many hands or more."""

    count: int = 1
    """How many."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Compare the number of hands."""
        why = f"it takes {_hands(self.count)}; the robot has {', '.join(provided.hands) or 'none'}"
        return Verdict(len(provided.hands) >= self.count, why, {"count": self.count, "hands": tuple(provided.hands)})


@dataclass(frozen=True)
class Holds(Requirement):
    """Hands that each open as wide as one of an object's grasps takes, and carry what the object weighs.

    Of what takes two hands each carries a half. Of the payloads only declared ones count. The hand that holds the
    object already has shown that it can.
    """

    object: str
    """Id of the object."""
    hand: str | None = None
    """Name of the hand; any unless given."""
    count: int = 1
    """How many hands have to."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Ask each hand; where too few will do, of the others the one that comes nearest is named."""
        if self.hand is not None and self.hand not in provided.hands:
            return HasHand(self.hand).met(provided, perception)
        if len(provided.hands) < self.count:
            return Hands(self.count).met(provided, perception)
        if self.object not in perception:
            return Verdict(True, f"nothing is known of '{self.object}'")
        seen = perception.object(self.object)
        together, count = seen.model.hands, max(self.count, seen.model.hands)
        if len(provided.hands) < count:
            return Hands(count).met(provided, perception)
        width, mass = narrowest(seen.model) or 0.0, (seen.model.mass or 0.0) / together
        hands = {name: hand for name, hand in provided.hands.items() if together > 1 or self.hand in (None, name)}
        wide = [name for name, hand in hands.items() if hand.opening[1] >= width or name in seen.holders]
        able = [name for name in wide if _carried(hands[name]) >= mass or name in seen.holders]
        if len(able) >= count:
            return Verdict(True, f"{' and '.join(able)} will do for '{self.object}'", {"hands": tuple(able)})
        wanted = f"it takes {_hands(count)} that"
        opens, carries = ("opens", "carries") if count == 1 else ("open", "carry")
        weak = [name for name in wide if name not in able]
        if weak:
            name = max(weak, key=lambda name: _carried(hands[name]))
            payload = hands[name].payload
            facts = {"object": self.object, "mass": mass, "hand": name, "payload": payload}
            why = f"{carries} {mass:g} kg for '{self.object}'; {name} carries {payload:g} kg"
        else:
            name = max((name for name in hands if name not in wide), key=lambda name: hands[name].opening[1])
            opening = hands[name].opening[1]
            facts = {"object": self.object, "width": width, "hand": name, "opening": opening}
            why = f"{opens} {_mm(width)} for '{self.object}'; {name} opens {_mm(opening)}"
        return Verdict(False, f"{wanted} {why}", facts)


@dataclass(frozen=True)
class TurnsView(Requirement):
    """A head that turns the view, so far or further."""

    sideways: float = 0.0
    """[rad] To the left and to the right of where the base faces."""
    up: float = 0.0
    """[rad] Above the horizon."""
    down: float = 0.0
    """[rad] Below the horizon."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Whether there is a view, and a head for it; and how far that turns."""
        wanted, view = "it takes a head that turns the view", provided.view
        if view is None or not view.turns:
            return Verdict(False, f"{wanted}; the robot has {'no head to turn' if view else 'no view'}")
        ways = {
            "to each side": (self.sideways, min(view.left, view.right)),
            "up": (self.up, view.up),
            "down": (self.down, view.down),
        }
        for way, (least, turns) in ways.items():
            if turns < least:
                why = f"{math.degrees(least):.0f} deg {way}; that of the robot does {math.degrees(turns):.0f} deg"
                return Verdict(False, f"{wanted} {why}", {"way": way, "least": least, "turns": turns})
        return Verdict(True, "a head turns the view")


@dataclass(frozen=True)
class MovesBase(Requirement):
    """A base that goes somewhere: one that stands on a pedestal does not."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Whether there is room for it."""
        why = f"it takes a base that moves; that of the robot {provided.description['base']}"
        return Verdict(provided.room[0] >= NO_ROOM, why, {"room": provided.room[0]})


@dataclass(frozen=True)
class Sees(Requirement):
    """A view that reaches so far; one of which nobody says how far it reaches, will do."""

    distance: float
    """[m] From the eyes."""

    def met(self, provided: Capabilities, perception: PerceptualModel) -> Verdict:
        """Compare with the range of the view."""
        wanted, view = f"it takes a view of what is {self.distance:g} m away", provided.view
        if view is None:
            return Verdict(False, f"{wanted}; the robot has no view", {"distance": self.distance})
        if view.range is None:
            return Verdict(True, "nobody says how far the robot sees")
        near, far = view.range
        facts = {"distance": self.distance, "range": view.range}
        return Verdict(near <= self.distance <= far, f"{wanted}; the robot sees from {near:g} to {far:g} m", facts)


def narrowest(model: ObjectModel) -> float | None:
    """[m] The narrowest opening with which an object can be grasped; None where that takes a search for grasps.

    Of an object with grasps of its own it is theirs. One for which grasps are found, if it is a single box, is nowhere
    narrower than that box; anything round may be held beside its middle.
    """
    if model.grasps:
        return min(grasp.width for grasp in model.grasps)
    solid = [shape for shape in model.shapes if shape.collides]
    return min(solid[0].size) if model.is_a(GRASPABLE) and [shape.kind for shape in solid] == ["box"] else None


def _hands(count: int) -> str:
    return {1: "a hand", 2: "two hands"}.get(count, f"{count} hands")


def _mm(width: float) -> str:
    return f"{round(1e3 * width, 1):g} mm"


def _carried(hand: HandCapability) -> float:
    """[kg] As far as it is declared; else there is no bound."""
    return hand.payload if hand.declared and hand.payload is not None else float("inf")
