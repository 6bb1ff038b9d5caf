"""A proposal as the files of an adapter, with the evidence as comments."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from taskmatrix.core.world.objects import Array

from .anatomy.contacts import FIRST, Pair
from .anatomy.notes import Note
from .copying import copy_in, place_in
from .hands.grip import Grip
from .movements import motions, postures
from .pairs import adjacent
from .proposal import Proposal
from .remarks import differential
from .sureness import SURE, sureness
from .toml_text import comment, key, listed, listed_long, notes, quoted, table, vector

_HEAD = """# Proposed by `taskmatrix adopt`. Look at what is marked with ?: it is unsure. What has a ! is missing.
"""
_BOLTED = 0.001


def write(proposal: Proposal, folder: Path) -> tuple[Path, ...]:
    """Write the files into a folder, which is made, with a copy of a URDF that is not there; returns them."""
    folder.mkdir(parents=True, exist_ok=True)
    description = proposal.tree.description
    copied = () if _packaged(description.path) else copy_in(folder, description)
    texts = {
        "robot.toml": adapter(proposal, folder),
        "postures.toml": postures(proposal),
        "motions.toml": motions(proposal),
        "pairs.toml": pairs(proposal),
    }
    for name, text in texts.items():
        if text:
            (folder / name).write_text(text, encoding="utf-8")
        else:
            (folder / name).unlink(missing_ok=True)
    return (*(folder / name for name, text in texts.items() if text), *(folder / file.name for file in copied))


def adapter(proposal: Proposal, folder: Path) -> str:
    """The text of ``robot.toml`` for a folder."""
    return _HEAD + "\n".join(_adapter(proposal, folder)) + "\n"


def _adapter(proposal: Proposal, folder: Path) -> Iterator[str]:
    tree = proposal.tree
    name = tree.description.root.get("name", tree.description.path.stem)
    yield f"description = {quoted(f'{name}: {tree.n - 3} degrees of freedom, adopted from its URDF.')}"
    yield from _model(proposal, folder)

    yield "\n[base]"
    yield from notes(proposal.notes, "base")
    reach = (_BOLTED, _BOLTED) if proposal.bolted else (20.0, 6.2832)
    yield f"range = [{reach[0]}, {reach[1]}]  # [m] x and y, [rad] yaw: plus and minus"
    yield "velocity = [0.6, 1.0]  # [m/s], [rad/s]"
    yield "acceleration = [0.8, 1.5]  # [m/s^2], [rad/s^2]"
    yield f"floor = {listed(proposal.floor)}"
    if differential(tree, proposal.anatomy):
        yield '# drive = "differential"'
    if proposal.anatomy.of("leg"):
        yield "\n[limits.legs]  # legs that step swing faster than arms may"
        yield "velocity = 6.0  # [rad/s] cap"
        yield "acceleration = 60.0  # [rad/s^2]"

    yield "\n[chains]"
    yield from notes(proposal.notes, "chains")
    for chain, joints in proposal.chains.items():
        yield f"{key(chain)} = {listed(joints)}"

    if proposal.hands or any(note.about == "hands" for note in proposal.notes):
        yield "\n# A hand's grasp frame: origin in what it holds, z out of the palm, y the closing direction."
    told = {note for grip in proposal.hands.values() for note in grip.notes}
    for note in proposal.notes:
        if note.about == "hands" and note not in told:
            yield from comment(note.text, note.kind)
    for hand in sorted(proposal.hands):
        yield from _hand(proposal, hand, proposal.hands[hand])

    view_pose = proposal.view_pose
    yield "\n[view]" if view_pose else ""
    yield from notes(proposal.notes, "view")
    if view_pose:
        yield f"frame = {quoted(view_pose.frame)}"
        yield f"origin = {vector(view_pose.origin)}"
        forward, up = _axes(view_pose.forward, view_pose.up)
        yield f"forward = {vector(forward, 6)}"
        yield f"up = {vector(up, 6)}"
    yield from _sure(proposal)


def _sure(proposal: Proposal) -> Iterator[str]:
    """How sure the proposal is of its parts."""
    levels = sureness(proposal)
    yield "\n# How sure this is: signs that agree make it sure, one sign likely; the rest is a guess."
    yield from comment(f"sure: {', '.join(one.part for one in levels if one.level == SURE) or 'nothing'}")
    for one in levels:
        if one.level != SURE:
            yield from comment(f"{one.level}: {one.part}: {one.why}", "unsure")


def add_tried(folder: Path, tried: Iterable[Note]) -> None:
    """Write at the end of a ``robot.toml`` what was tried; of kind ``missing`` is what failed, with what to change."""
    lines = ["", "# What was tried, and judged:", *(line for note in tried for line in comment(note.text, note.kind))]
    with (folder / "robot.toml").open("a", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def _model(proposal: Proposal, folder: Path) -> Iterator[str]:
    tree, heading = proposal.tree, proposal.heading
    yield "\n[model]"
    package = _packaged(tree.description.path)
    if package:
        yield f"package = {quoted(package)}"
        yield f"urdf = {quoted('/'.join(tree.description.path.resolve().parts[-3:]))}"
    else:
        urdf = place_in(folder, tree.description)
        yield f"urdf = {quoted(Path(os.path.relpath(urdf, folder.resolve())).as_posix())}"
    look = ", ".join(f"{value:.0f}.0" for value in heading.forward[:2] + 0.0)
    why = "; ".join(heading.evidence) or "nothing tells otherwise"
    yield from comment(f"Forward: {why}.")
    if heading.against:
        yield from comment(f"against it: {'; '.join(heading.against)}", "unsure")
    yield f"forward = [{look}]"
    yield from notes(proposal.notes, "model")
    if tree.description.up != "z":
        yield f"up = {quoted(tree.description.up)}"
    if tree.mesh_up != "z":
        yield f"mesh_up = {quoted(tree.mesh_up)}"
    if tree.hulls:
        yield "hulls = true  # its collision meshes are very fine, or shells inside each other"
    if tree.leaders:
        pairs = ", ".join(f"{key(joint)} = {quoted(leader)}" for joint, leader in tree.leaders.items())
        yield f"leaders = {{ {pairs} }}"
    if tree.description.as_drawn:
        yield from listed_long("collide_as_drawn", tree.description.as_drawn)
    if tree.as_meshes:
        yield from listed_long("collide_as_meshes", tree.as_meshes)
    for body in tree.description.bodies:
        yield "\n[[bodies]]"
        yield f"link = {quoted(body.link)}"
        yield f"{body.kind} = {vector(body.sizes)}"
        yield f"position = {vector(body.position)}"


def _packaged(urdf: Path) -> str:
    """The installed package that brings a URDF; empty if none does."""
    path = urdf.resolve()
    if "site-packages" in path.parts or "dist-packages" in path.parts:
        for distribution in importlib.metadata.distributions():
            for file in distribution.files or ():
                if file.name == path.name and Path(str(distribution.locate_file(file))).resolve() == path:
                    return str(distribution.metadata["Name"])
    return ""


def _hand(proposal: Proposal, name: str, grip: Grip) -> Iterator[str]:
    yield f"\n[hands.{key(name)}]"
    if twin := proposal.halves.twin(name):
        yield f"mirror = {quoted(twin)}"
        return
    for note in grip.notes:
        yield from comment(note.text, note.kind)
    arm = proposal.arms[name]
    yield f"arm = {quoted(arm)}"
    if grip.open:
        yield f"fingers = {quoted(arm.replace('arm', 'hand'))}"
    yield f"frame = {quoted(grip.frame)}"
    yield f"origin = {vector(grip.X_LH[:3, 3])}"
    z, y = _axes(grip.X_LH[:3, 2], grip.X_LH[:3, 1])
    yield f"z = {vector(z, 6)}"
    yield f"y = {vector(y, 6)}"
    yield f"aperture = {grip.aperture}"
    if touch := proposal.halves.touch(name):
        yield f"touch = {listed(touch)}"
    if grip.open:
        yield f"open = {table(grip.open)}"
        yield f"closed = {table(grip.closed)}"
        yield f"rest = {table(grip.rest)}"
    if not grip.plain:
        yield "table = ["
        yield from (f"    {{ width = {width}, joints = {table(joints)} }}," for width, joints in grip.table)
        yield "]"


def pairs(proposal: Proposal) -> str:
    """The text of ``pairs.toml``."""
    evidence = proposal.evidence
    count = f"{len(proposal.pairs)} of {evidence.total}"
    lines = [
        f"# Link pairs left out of the self-collision check: {count}; all others are checked.",
        "# Proposed by `taskmatrix adopt` from all pairs of different moving bodies. Read it: what stands here is",
        "# never seen by the planner, the guard or the judge.",
    ]
    for left in proposal.pairs:
        lines += ["", *comment(left.doubt, "unsure")] if left.doubt else [""]
        lines += ["[[excluded]]", f"links = {listed(left.links)}", f"reason = {quoted(left.reason)}"]
        lines.append(f"evidence = {quoted(left.evidence)}")
    chosen = {left.links for left in proposal.pairs}
    kept: list[tuple[Pair, int]] = [(pair, n) for pair, n in evidence.seldom.most_common() if pair not in chosen]
    kept = [*((pair, FIRST) for pair in evidence.often if pair not in chosen), *kept]
    never = evidence.total - len(kept) - len(chosen)
    lines += [
        "",
        f"# Kept: {never} pairs that never touched in {FIRST} random configurations, and {len(kept)} that did, such as",
    ]
    beside = adjacent(proposal.tree)
    for pair, _ in kept[:12]:
        note = "adjacent" if pair in beside else "not adjacent"
        lines.append(f"# {pair[0]} and {pair[1]}: {evidence.share(pair)} ({note})")
    return "\n".join(lines) + "\n"


def remark(note: Note) -> str:
    """A note as one line for the terminal."""
    return f"{note.about}: {note.text}"


def _axes(first: Array, second: Array) -> tuple[Array, Array]:
    """Two perpendicular directions; what is nearly along an axis is taken along it."""
    first = _plain(first)
    second = _plain(second - (second @ first) * first)
    second = second - (second @ first) * first
    return first, second / np.linalg.norm(second)


def _plain(direction: Array) -> Array:
    i = int(np.argmax(np.abs(direction)))
    if abs(direction[i]) < np.cos(np.radians(3.0)) * np.linalg.norm(direction):
        return direction
    plain: Array = np.sign(direction[i]) * np.eye(3)[i]
    return plain
