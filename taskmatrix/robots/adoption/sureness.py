"""How sure a proposal is of each of its parts, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .anatomy.limbs import Limb
from .anatomy.name_tokens import CAMERA, FINGER, HAND, HEAD, mentions, tokens
from .anatomy.tree import Tree
from .proposal import Proposal

SURE, LIKELY, GUESS = "sure", "likely", "guess"
"""Two signs or more that agree; one sign; none, or signs that contradict each other."""
_LONGEST = 9  # joints of an arm that nobody would build
_BENDS = 5  # joints of a torso that are many
_PLAIN = 0.9  # cosine of the angle between a camera's usual axis and forward


@dataclass(frozen=True)
class Sureness:
    """How sure a proposal is of a part."""

    part: str
    """A key of the adapter: ``chains.left_arm``, ``hands.left``, ``base.floor``, ``view``, ``model.forward``."""
    level: str
    """:data:`SURE`, :data:`LIKELY` or :data:`GUESS`."""
    why: str
    """What speaks for it, or what is missing."""


def sureness(proposal: Proposal) -> tuple[Sureness, ...]:
    """How sure a proposal is of each chain and hand, of the floor, the view, forward and the base."""
    found = [*_chains(proposal), *_hands(proposal), _floor(proposal), _forward(proposal)]
    return (*found, *_view(proposal), *_base(proposal))


def _chains(proposal: Proposal) -> Iterator[Sureness]:
    tree, anatomy = proposal.tree, proposal.anatomy
    limbs = {tuple(_leaders(tree, limb)): limb for limb in anatomy.limbs}
    of_hands = {arm.replace("arm", "hand") for arm in proposal.arms.values()}
    for chain, joints in proposal.chains.items():
        key, limb = f"chains.{chain}", limbs.get(joints)
        endless = [j.name for j in tree.joints.values() if j.name in joints and j.continuous]
        if chain == "torso":
            many = len(joints) > _BENDS
            yield Sureness(key, LIKELY if many else SURE, "many joints" if many else "between the root and the arms")
        elif limb is None:
            why = "the joints beyond the arm" if chain in of_hands else "what is neither arm, leg, torso nor head"
            yield Sureness(key, SURE if chain in (*of_hands, "wheels", "face") else LIKELY, why)
        elif limb.kind == "head":
            yield _head(tree, key, limb, endless)
        elif limb.kind == "leg":
            mirrored = bool(limb.twin)
            yield Sureness(key, SURE if mirrored else LIKELY, "it stands on the floor" + ", as its image" * mirrored)
        elif len(joints) > _LONGEST:
            yield Sureness(key, GUESS, f"{len(joints)} joints are many for an arm: is the trunk among them?")
        elif limb.twin:
            yield Sureness(key, SURE, "it has a mirror image")
        else:
            named = any(mentions(name, HAND | FINGER | {"arm", "wrist", "elbow", "shoulder"}) for name in joints)
            yield Sureness(key, LIKELY, "no mirror image; " + ("its names say so" if named else "it is long"))


def _leaders(tree: Tree, limb: Limb) -> Iterator[str]:
    return (tree.joints[b].name for b in limb.bodies if not tree.joints[b].follows)


def _head(tree: Tree, key: str, limb: Limb, endless: list[str]) -> Sureness:
    if endless:
        return Sureness(key, GUESS, f"{', '.join(endless)} turns without end: a neck, or a scanner?")
    names = [name for b in (*limb.bodies, *limb.beyond) for name in (tree.joints[b].name, *tree.links(b))]
    if any(mentions(name, HEAD | CAMERA) for name in names):
        return Sureness(key, SURE, "its names say so")
    return Sureness(key, LIKELY, "it is on top, in the middle")


def _hands(proposal: Proposal) -> Iterator[Sureness]:
    for name, grip in proposal.hands.items():
        doubts = [note.text for note in grip.notes if note.kind != "found"]
        twin = proposal.halves.twin(name)
        if doubts:
            yield Sureness(f"hands.{name}", LIKELY if grip.open else GUESS, doubts[0])
        else:
            image = " and it is the image of the other" if twin else ""
            yield Sureness(f"hands.{name}", SURE, f"its fingers close on what is between them{image}")


def _floor(proposal: Proposal) -> Sureness:
    feet = {link for leg in proposal.anatomy.of("leg") for b in leg.bodies for link in proposal.tree.links(b)}
    wheels = {link for b in proposal.anatomy.wheels for link in proposal.tree.links(b)}
    if wheels & set(proposal.floor):
        return Sureness("base.floor", SURE, "its wheels are lowest")
    if feet & set(proposal.floor):
        return Sureness("base.floor", SURE, "the soles of its legs")
    return Sureness("base.floor", LIKELY, "the lowest links; it has neither legs nor wheels that are so low")


def _forward(proposal: Proposal) -> Sureness:
    heading = proposal.heading
    if heading.against or not heading.evidence:
        why = "; ".join(heading.against) or "nothing tells"
        return Sureness("model.forward", GUESS, f"against it: {why}" if heading.against else why)
    level = SURE if len(heading.evidence) > 1 else LIKELY
    return Sureness("model.forward", level, "; ".join(heading.evidence))


def _view(proposal: Proposal) -> Iterator[Sureness]:
    view = proposal.view_pose
    if view is None:
        return
    doubts = [note.text for note in view.notes if note.kind != "found"]
    if doubts:
        yield Sureness("view", GUESS, doubts[0])
        return
    usual = 2 if "optical" in tokens(view.frame) else 0
    plain = view.forward[usual] > _PLAIN
    axis = "xyz"[int(abs(view.forward).argmax())]
    odd = f"'{view.frame}' looks along {axis}, which is not usual for a camera: another frame may be meant"
    yield Sureness("view", SURE if plain else GUESS, f"the camera '{view.frame}'" if plain else odd)


def _base(proposal: Proposal) -> Iterator[Sureness]:
    if proposal.bolted:
        yield Sureness("base.range", LIKELY, "neither legs nor wheels: what it stands on may still move")
    else:
        legs = bool(proposal.anatomy.of("leg"))
        yield Sureness("base.range", SURE, "it has legs" if legs else "it has wheels")
