"""From a URDF to a proposed adapter."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from taskmatrix.core.world.objects import Array

from .anatomy.contacts import Checker, Evidence, Pair, ordered, sample
from .anatomy.floor import find_floor
from .anatomy.heading import Heading, find_heading
from .anatomy.limbs import Anatomy, Limb, find_limbs
from .anatomy.name_tokens import ROLLING, mentions
from .anatomy.notes import Note
from .anatomy.reading import read_tree
from .anatomy.srdf import Semantics, compare, read_srdf
from .anatomy.tree import ROOT, Tree
from .anatomy.view import ViewPose, find_view
from .coarse import with_finer_bodies
from .gestures import WAVE_READY, Gestures, find_gestures
from .halves import Halves
from .hands.grip import Grip
from .hands.twins import find_grips
from .necks import with_open_necks
from .pairs import Left, not_taken, propose_pairs
from .remarks import remarks
from .stance import Postures, find_postures
from .upright import read_standing


@dataclass(frozen=True, eq=False)
class Proposal:
    """All that an adapter says, and why."""

    tree: Tree
    """The URDF."""
    anatomy: Anatomy
    """Its limbs."""
    heading: Heading
    """Where forward is."""
    chains: Mapping[str, tuple[str, ...]]
    """Joints by chain, without the base."""
    hands: Mapping[str, Grip]
    """By name."""
    arms: Mapping[str, str]
    """Chain of the arm by hand."""
    view_pose: ViewPose | None
    """The view."""
    floor: tuple[str, ...]
    """Links on the floor."""
    postures: Postures
    """The stance and others."""
    gestures: Gestures
    """A wave and a nod."""
    halves: Halves
    """Which postures and hands are mirror images."""
    states: Mapping[str, Mapping[str, float]]
    """Postures of the SRDF that keep the limits and are free of contact."""
    pairs: tuple[Left, ...]
    """Pairs of links that are left out of the self-collision check."""
    evidence: Evidence
    """What sampling found about the pairs."""
    bolted: bool
    """Whether nothing tells that the base moves."""
    notes: tuple[Note, ...]
    """Remarks."""

    def hits(self, q: Array) -> set[Pair]:
        """The pairs of links in contact with the active coordinates at ``q`` (n,), but for those that are left out."""
        return Checker(self.tree).touching(q) - {left.links for left in self.pairs}

    def of(self, kind: str) -> tuple[Note, ...]:
        """The remarks of a kind."""
        return tuple(note for note in self.notes if note.kind == kind)


def propose(urdf: Path, srdf: Path | None = None, seed: int = 0) -> Proposal:
    """Look at a URDF, and at an SRDF if there is one, and propose an adapter.

    Args:
        urdf: The robot's URDF; its meshes are read as well.
        srdf: Its SRDF.
        seed: Of the random configurations in which contacts are counted.

    Raises:
        RobotError: A file is missing or malformed, no joint moves, or no link has a collision body.
    """
    tree = read_standing(urdf)
    evidence = sample(tree, seed)
    if any(not tree.hulled(pair) for pair in evidence.nested):  # of hollow shells, one inside the other touches nothing
        tree = read_tree(urdf, tree.mesh_up, hulls=True, up=tree.description.up)
        evidence = sample(tree, seed)
    tree, evidence = with_finer_bodies(tree, evidence, seed)
    semantics = read_srdf(srdf, tree) if srdf else Semantics({}, {})
    anatomy = find_limbs(tree)
    opened = with_open_necks(tree, anatomy)
    if opened is not tree:
        tree, evidence = opened, sample(opened, seed)
    heading = find_heading(tree, anatomy)
    names = _names(tree, anatomy, heading)
    chains = dict(_chains(tree, anatomy, names))
    grips = find_grips(tree, anatomy, heading)
    hands, arms = {}, {}
    for limb, grip in grips.items():
        arm = names[limb]
        hand = arm.replace("arm", "hand")
        name = hand.replace("_hand", "") if hand != "hand" else "only"
        hands[name], arms[name] = grip, arm
        if grip.open:
            chains[hand] = tuple(grip.open)
        elif fingers := tuple(tree.joints[b].name for b in limb.beyond if not tree.joints[b].follows):
            chains[hand] = fingers
    view_pose = find_view(tree, anatomy, heading)
    meshing = {ordered(*pair) for grip in grips.values() for pair in grip.meshing}
    postures = find_postures(tree, anatomy, heading, tuple(grips.values()), evidence.always | evidence.nested | meshing)
    pairs = propose_pairs(tree, evidence, postures.touching, meshing, semantics.disabled, _images(tree, anatomy))
    stance = postures.named["stand"]
    left_out = {left.links for left in pairs}
    checker = Checker(tree)
    waving = hands.get("right") or next(iter(hands.values()), None)

    def hits(q: Array) -> set[Pair]:
        return checker.touching(q) - left_out

    halves = Halves.of(tree, heading, chains, arms, hands)
    gestures = find_gestures(tree, anatomy, heading, waving, stance, hits)
    read = list(_states(tree, semantics, stance, hits))
    states = {name: state for name, state in read if not isinstance(state, Note)}
    floor = find_floor(tree, anatomy, stance)
    rolls = bool(anatomy.wheels) or any(mentions(link, ROLLING) for link in tree.description.links)
    bolted = not anatomy.of("leg") and not rolls
    upright = "its meshes are drawn with y upwards: turned, they fit the joints"
    notes = [
        *([Note("found", "model", upright)] if tree.mesh_up == "y" else []),
        *(
            [Note("unsure", "model", "its y axis is taken for up: so it has legs")]
            if tree.description.up == "y"
            else []
        ),
        *remarks(tree, anatomy, view_pose, bolted),
        *(note for grip in grips.values() for note in grip.notes),
        *(view_pose.notes if view_pose else ()),
        *postures.notes,
        *in_contact({name: halves.written(q) for name, q in postures.named.items()}, hits),
        *gestures.notes,
        *(state for _, state in read if isinstance(state, Note)),
        *semantics.notes,
        *compare(semantics, chains),
        *_kept(not_taken(tree, evidence, semantics.disabled)),
        *(
            Note("unsure", "pairs", f"{left.links[0]} and {left.links[1]}: {left.doubt}")
            for left in pairs
            if left.doubt
        ),
    ]
    return Proposal(
        tree,
        anatomy,
        heading,
        chains,
        hands,
        arms,
        view_pose,
        floor,
        postures,
        gestures,
        halves,
        states,
        pairs,
        evidence,
        bolted,
        tuple(dict.fromkeys(notes)),
    )


def in_contact(postures: Mapping[str, Array], hits: Callable[[Array], set[Pair]]) -> Iterator[Note]:
    """A remark for each posture that is not free of contact.

    Args:
        postures: By name, each (n,).
        hits: Tells the pairs of links in contact.
    """
    for name, q in postures.items():
        if touching := hits(q):
            pairs = "; ".join(f"{a} and {b}" for a, b in sorted(touching))
            yield Note("unsure", "postures", f"{name}: none was found free of contact; in this touch {pairs}")


def _kept(pairs: Sequence[Pair]) -> Iterator[Note]:
    """A remark about pairs that an SRDF leaves out and the proposal does not."""
    if pairs:
        some = "; ".join(f"{a} and {b}" for a, b in pairs[:3]) + ("; ..." if len(pairs) > 3 else "")
        text = f"the SRDF leaves out {len(pairs)} pairs of links that are far from each other and touched: {some}"
        yield Note("unsure", "chains", f"{text}; they stay checked")


def _names(tree: Tree, anatomy: Anatomy, heading: Heading) -> dict[Limb, str]:
    """A name for each arm and leg, by the side on which it is and, where there are several, from the front."""
    found: dict[Limb, str] = {}
    for kind in ("arm", "leg"):
        limbs = anatomy.of(kind)
        for side in ("left", "right", ""):
            ours = [limb for limb in limbs if _side(tree, limb, heading, len(limbs)) == side]
            ours.sort(key=lambda limb: -float(heading.forward @ tree.joints[limb.bodies[0]].origin))
            where = ("front_", "hind_") if len(ours) == 2 else tuple(f"{i + 1}_" for i in range(len(ours)))
            for limb, place in zip(ours, where if len(ours) > 1 else ("",), strict=False):
                found[limb] = f"{side}_{place}{kind}".strip("_")
    return found


def _images(tree: Tree, anatomy: Anatomy) -> dict[str, str]:
    """By link its mirror image, where there is one; those that no limb carries are their own."""
    found = {link: link for body in (ROOT, *tree.joints) for link in tree.links(body)}
    for limb in (*anatomy.of("arm"), *anatomy.of("leg")):
        ours = (*limb.bodies, *limb.beyond)
        other = next((other for other in anatomy.limbs if other.bodies[0] == limb.twin), None)
        theirs = (*other.bodies, *other.beyond) if other else ()
        images = zip(ours, theirs, strict=True) if len(ours) == len(theirs) else ((body, -1) for body in ours)
        for body, image in images:
            there = tree.links(image) if image >= 0 else ()
            for link in tree.links(body):
                found.pop(link, None)
            if len(there) == len(tree.links(body)):
                found |= dict(zip(tree.links(body), there, strict=True))
    return found


def _side(tree: Tree, limb: Limb, heading: Heading, count: int) -> str:
    if count == 1:
        return ""
    away = float(heading.left @ np.mean([tree.joints[b].origin for b in limb.bodies], axis=0))
    return "" if abs(away) < 0.01 else "left" if away > 0.0 else "right"


def _chains(tree: Tree, anatomy: Anatomy, names: Mapping[Limb, str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Joints by chain: torso, head, arms, legs, wheels, and what is left."""

    def joints(bodies: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(tree.joints[b].name for b in bodies if not tree.joints[b].follows)

    heads = [("head", limb.bodies) for limb in anatomy.of("head")]
    faces = [("face", limb.beyond) for limb in anatomy.of("head")]
    limbs = [(name, limb.bodies) for limb, name in names.items()]
    others = [(_plain(tree.joints[branch[0]].name), branch) for branch in anatomy.others if branch]
    seen: set[str] = set()
    for name, bodies in (
        ("torso", anatomy.trunk[1:]), *heads, *faces, *limbs, ("wheels", anatomy.wheels), *others
    ):  # fmt: skip
        chain = joints(bodies)
        if chain:
            while name in seen or name == "base":
                name += "_2"  # noqa: PLW2901
            seen.add(name)
            yield name, chain


def _plain(joint: str) -> str:
    """A chain's name from a joint's."""
    return re.sub(r"_+", "_", re.sub(r"\W|joint", "_", joint.lower())).strip("_") or "other"


def _states(
    tree: Tree, semantics: Semantics, stance: Array, hits: Callable[[Array], set[Pair]]
) -> Iterator[tuple[str, Mapping[str, float] | Note]]:
    """The SRDF's states by name; in place of one that is beyond limits or in contact, a remark that it is left out."""
    lower, upper = tree.limits
    for name, state in semantics.states.items():
        q = stance.copy()
        problem = ""
        for joint, value in state.items():
            k = tree.active.index(joint)
            q[k] = value
            if not lower[k] - 1e-9 <= value <= upper[k] + 1e-9:
                problem = f"{joint} = {value:.4g} is outside the joint's limits, {lower[k]:.4g} to {upper[k]:.4g}"
        touching = hits(q) if not problem else set()
        if touching:
            problem = f"{' and '.join(min(touching))} touch"
        plain = _plain(name)
        if problem:
            yield plain, Note("unsure", "postures", f"the SRDF's state '{name}' is left out: {problem}")
        elif plain not in {"stand", "rest", "ready", WAVE_READY}:
            yield plain, state
