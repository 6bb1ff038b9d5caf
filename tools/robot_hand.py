"""A parallel gripper with one driven joint: two fingers of two phalanges whose pads stay parallel."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from robot_shapes import Mesh
from robot_urdf import Joint, Link, Part


@dataclass(frozen=True)
class Gripper:
    """Dimensions of one hand; the palm's frame has z out of the palm and y in the closing direction."""

    knuckle_y: float
    """[m] Of the knuckles beside the middle."""
    knuckle_z: float
    """[m] Of the knuckles in front of the palm link's origin."""
    phalanx: float
    """[m] From the knuckle to the joint of the pad."""
    pad: float
    """[m] Half thickness of the pad, from its joint to its surface."""
    half_closed: float
    """[m] Half the width between the pads when closed."""
    half_open: float
    """[m] Half the width between the pads when open."""

    def angle(self, width: float) -> float:
        """[rad] Driving joint for which the pads are ``width`` [m] apart."""
        return math.asin((0.5 * width + self.pad - self.knuckle_y) / self.phalanx)

    def links(
        self, side: str, palm: str, phalanx: Callable[[int], list[Part]], pad: Callable[[int], list[Part]]
    ) -> list[Link]:
        """The four phalanges of a hand.

        Args:
            side: Prefix of the names.
            palm: Link that carries them.
            phalanx: Body of the first phalanx on the side of y's sign, from the knuckle along z.
            pad: Body of the second one, likewise.
        """
        driver = f"{side}_fingers"
        low = round(self.angle(2 * self.half_closed) - 0.01, 2)
        high = round(self.angle(2 * self.half_open) + 0.01, 2)
        links = []
        for finger, sign in (("finger", 1), ("thumb", -1)):
            lead = finger == "finger"
            links.append(
                Link(
                    f"{side}_{finger}",
                    phalanx(sign),
                    0.08,
                    Joint(
                        driver if lead else f"{side}_thumb_joint",
                        palm,
                        (0.0, sign * self.knuckle_y, self.knuckle_z),
                        (-sign, 0, 0),
                        low,
                        high,
                        5.0,
                        2.0,
                        mimic=None if lead else (driver, 1.0),
                    ),
                    meshes=finger,
                )
            )
            links.append(
                Link(
                    f"{side}_{finger}_tip",
                    pad(sign),
                    0.05,
                    Joint(
                        f"{side}_{finger}_tip_joint",
                        f"{side}_{finger}",
                        (0.0, 0.0, self.phalanx),
                        (-sign, 0, 0),
                        -high,
                        -low,
                        5.0,
                        2.0,
                        mimic=(driver, -1.0),
                    ),
                    meshes=f"{finger}_tip",
                )
            )
        return links

    def table(self, side: str) -> str:
        """Rows of the adapter's ``table``."""
        count = 8
        rows = []
        for i in range(count):
            half = self.half_closed + (self.half_open - self.half_closed) * i / (count - 1)
            angle = round(self.angle(2 * half), 4)
            rows.append(f"    {{ width = {2 * half:.4f}, joints = {{ {side}_fingers = {angle} }} }},")
        return "\n".join(rows)


def both(mesh: Mesh, sign: int) -> Mesh:
    """A mesh drawn for the finger on the positive side, or its mirror image."""
    return mesh if sign > 0 else mesh.mirrored()
