"""The text of ``postures.toml`` and ``motions.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from taskmatrix.core.world.objects import Array

from .anatomy.tree import rounded
from .arms import driven
from .gestures import WAVE_READY
from .proposal import Proposal
from .toml_text import key, notes, number, quoted

_MOVED = 1e-3  # [rad] or [m]


def postures(proposal: Proposal) -> str:
    """The text of ``postures.toml``; one side only where the other is its mirror image."""
    lines = [
        "# Joint positions [rad or m]. Joints that are not named are as in the stance; there, at zero or as near to it",
        "# as their limits allow.",
        *notes(proposal.notes, "postures"),
    ]
    for name, positions in _named(proposal).items():
        half = proposal.halves.half(positions)
        lines += [f"[{name}]", *["mirror = true"] * (half is not None)]
        lines += [f"{key(joint)} = {number(value)}" for joint, value in (half or positions).items()]
        lines.append("")
        if name == WAVE_READY and _can_mirror(proposal, positions):
            lines += [f"[{WAVE_READY.replace('right', 'left')}]", f"mirror = {quoted(name)}", ""]
    for name, state in proposal.states.items():
        lines += ["# From the SRDF.", f"[{key(name)}]"]
        lines += [f"{key(joint)} = {number(value)}" for joint, value in state.items()]
        lines.append("")
    return "\n".join(lines)


def motions(proposal: Proposal) -> str:
    """The text of ``motions.toml``; empty where no motion is proposed."""
    found = proposal.gestures.motions
    lines = ["# Keyframes [time in s, position in rad] by joint; a periodic motion ends where it starts."]
    for name, tracks in found.items():
        lines += [f"[{name}]", *["periodic = true"] * (name == "wave"), f"[{name}.joints]"]
        lines += [f"{key(joint)} = {[list(frame) for frame in track]}" for joint, track in tracks.items()]
        lines.append("")
    return "\n".join(lines) if found else ""


def _named(proposal: Proposal) -> dict[str, dict[str, float]]:
    """Positions by posture and joint: in stance what is not at rest, and in the others all that any of them moves."""
    tree, gestures = proposal.tree, proposal.gestures
    every = dict(proposal.postures.named)
    if gestures.wave_ready is not None:
        every[WAVE_READY] = gestures.wave_ready
    stance = every["stand"]
    moved = {k for k in range(3, tree.n) if any(abs(q[k] - stance[k]) > _MOVED for q in every.values())}
    moved |= {proposal.halves.sides.partners.get(k, k) for k in moved}
    waving = {tree.index(b) for b in driven(tree, gestures.arm)} if gestures.arm else set()

    def chosen(name: str, q: Array) -> Iterable[int]:
        if name == "stand":
            return (k for k in range(3, tree.n) if abs(q[k] - tree.neutral[k]) > _MOVED)
        return sorted(moved & waving if name == WAVE_READY else moved)

    return {name: {tree.active[k]: rounded(tree, k, float(q[k])) for k in chosen(name, q)} for name, q in every.items()}


def _can_mirror(proposal: Proposal, positions: Mapping[str, float]) -> bool:
    """Whether the mirror image of the posture before a wave is free of contact."""
    image = proposal.halves.image(positions)
    if image is None or set(image) & set(positions):
        return False
    tree = proposal.tree
    q = np.array(proposal.postures.named["stand"])
    for joint, value in image.items():
        q[tree.active.index(joint)] = value
    return not proposal.hits(q)
