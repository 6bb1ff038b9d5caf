"""What a robot provides, as data: the half of the match that behaviors' requirements are the other half of."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

NO_ROOM = 0.01  # [m] or [rad] to either side, of a base that stands


@dataclass(frozen=True)
class HandCapability:
    """What one hand is able to."""

    arm: str
    """Chain that carries it."""
    joints: int
    """Of the arm."""
    fingers: int
    """Joints of its fingers; 0 where it holds by affixation."""
    opening: tuple[float, float]
    """[m] The narrowest and the widest that it closes on."""
    reach: float
    """[m] From the arm's first joint to the grasp frame of the hand, the arm stretched out."""
    payload: float | None = None
    """[kg] What it carries, wherever its arm has it; None where nobody knows."""
    declared: bool = False
    """Whether somebody says so. A payload that is only derived from a URDF is told, and refuses nothing."""

    unknown: str = ""
    """Why nobody knows what it carries, a clause; where somebody does, or the reason is not known either, empty."""

    @property
    def description(self) -> str:
        """What it is able to, in words."""
        narrow, wide = (f"{1e3 * width:.0f}" for width in self.opening)
        opening = f"opens {wide} mm" if narrow == "0" else f"opens {narrow} to {wide} mm"
        holds = f"closes {self.fingers} joint{'s' * (self.fingers > 1)}" if self.fingers else "affixes"
        text = f"{holds}, {opening}, reaches {self.reach:.2f} m with the {self.joints} joints of {self.arm}"
        if self.payload is None:
            return f"{text}; what it carries is not known{f': {self.unknown}' if self.unknown else ''}"
        return f"{text}; carries {self.payload:.2g} kg{'' if self.declared else ' by the efforts of its joints'}"


@dataclass(frozen=True)
class ViewCapability:
    """What the eyes are able to."""

    turns: bool
    """Whether a head turns them."""
    left: float = 0.0
    """[rad] How far to the left of where the base faces it can look."""
    right: float = 0.0
    """[rad] How far to the right."""
    up: float = 0.0
    """[rad] How far above the horizon."""
    down: float = 0.0
    """[rad] How far below the horizon."""
    range: tuple[float, float] | None = None
    """[m] The nearest and the furthest that it sees; None where nobody says."""

    @property
    def description(self) -> str:
        """What it is able to, in words."""
        ways = ", ".join(f"{math.degrees(getattr(self, way)):.0f} deg {way}" for way in ("left", "right", "up", "down"))
        text = f"a head turns it: {ways}" if self.turns else "no head turns it"
        return text if self.range is None else f"{text}; sees from {self.range[0]:g} to {self.range[1]:g} m"


@dataclass(frozen=True)
class Capabilities:
    """All that a robot provides, whatever it is doing."""

    chains: Mapping[str, int]
    """Chain to the number of its joints."""
    hands: Mapping[str, HandCapability]
    """By name."""
    view: ViewCapability | None
    """None without eyes."""
    holonomic: bool
    """Whether the base can move in any direction; if not, it only turns and rolls along its heading."""
    room: tuple[float, float] = (math.inf, math.inf)
    """[m], [rad] How far the base goes and turns to either side."""
    feet: tuple[str, ...] = ()
    """Those that can be lifted; none of what rolls."""
    impedance: tuple[str, ...] = ()
    """Chains whose joints are driven as hard as a command says, all of them."""

    @property
    def description(self) -> dict[str, str]:
        """What the robot provides, in words by the name of the part."""
        hands = {f"{name} hand": hand.description for name, hand in self.hands.items()}
        return {
            "chains": ", ".join(f"{chain} ({count})" for chain, count in self.chains.items()),
            "base": self._base,
            **(hands or {"hands": "none: nothing can be reached for"}),
            "view": self.view.description if self.view is not None else "there is none",
        }

    @property
    def _base(self) -> str:
        """How the base moves, if it has room to."""
        goes, turns = (room >= NO_ROOM for room in self.room)
        if goes:
            return "moves in any direction" if self.holonomic else "turns on the spot and rolls along its heading"
        stands = f"its range is {1e3 * self.room[0]:.2g} mm"
        return f"turns on the spot, {stands}" if turns else f"stands, {stands} and {math.degrees(self.room[1]):.2g} deg"
