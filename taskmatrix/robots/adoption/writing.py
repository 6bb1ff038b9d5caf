"""A proposal as files: ``robot.toml``, ``postures.toml`` and ``pairs.toml``, with the evidence as comments."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np

from taskmatrix.core.objects import Array

from .contacts import FIRST, Pair
from .hands import Grip
from .notes import Note
from .pairs import adjacent
from .proposal import Proposal
from .tree import rounded

_WIDTH = 116
_MARK = {"found": "#", "unsure": "# ?", "missing": "# !"}
_HEAD = """# Proposed by `taskmatrix adopt`. Look at what is marked with ?: it is unsure. What has a ! is missing.
"""
_BOLTED = 0.001


def write(proposal: Proposal, folder: Path) -> tuple[Path, ...]:
    """Write the three files into a folder, which is made; returns them."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = {
        "robot.toml": adapter(proposal, folder),
        "postures.toml": postures(proposal),
        "pairs.toml": pairs(proposal),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return tuple(folder / name for name in texts)


def adapter(proposal: Proposal, folder: Path) -> str:
    """The text of ``robot.toml`` for a folder."""
    return _HEAD + "\n".join(_adapter(proposal, folder)) + "\n"


def _adapter(proposal: Proposal, folder: Path) -> Iterator[str]:
    tree, heading = proposal.tree, proposal.heading
    name = tree.description.root.get("name", tree.description.path.stem)
    yield f"description = {_text(f'{name}: {tree.n - 3} degrees of freedom, adopted from its URDF.')}"
    yield "\n[model]"
    yield from _source(tree.description.path, folder)
    look = ", ".join(f"{value:.0f}.0" for value in heading.forward[:2] + 0.0)
    why = "; ".join(heading.evidence) or "nothing tells otherwise"
    yield from _comment(f"Forward: {why}.")
    if heading.against:
        yield from _comment(f"against it: {'; '.join(heading.against)}", "unsure")
    yield f"forward = [{look}]"
    if tree.mesh_up != "z":
        yield from _notes(proposal, "model")
        yield f"mesh_up = {_text(tree.mesh_up)}"

    yield "\n[base]"
    yield from _notes(proposal, "base")
    reach = (_BOLTED, _BOLTED) if proposal.bolted else (20.0, 6.2832)
    yield f"range = [{reach[0]}, {reach[1]}]  # [m] x and y, [rad] yaw: plus and minus"
    yield "velocity = [0.6, 1.0]  # [m/s], [rad/s]"
    yield "acceleration = [0.8, 1.5]  # [m/s^2], [rad/s^2]"
    yield 'stance = "stand"'
    yield f"floor = {_list(proposal.floor)}"
    yield from _drive(proposal)

    yield "\n[limits]"
    yield "velocity = 2.0  # [rad/s or m/s] cap, where the URDF does not say less"
    yield "acceleration = 8.0  # [rad/s^2 or m/s^2]"

    yield "\n[chains]"
    yield from _notes(proposal, "chains")
    for chain, joints in proposal.chains.items():
        yield f"{_key(chain)} = {_list(joints)}"

    if proposal.hands or any(note.about == "hands" for note in proposal.notes):
        yield "\n# A hand's grasp frame: origin in what it holds, z out of the palm, y the closing direction."
    told = {note for grip in proposal.hands.values() for note in grip.notes}
    for note in proposal.notes:
        if note.about == "hands" and note not in told:
            yield from _comment(note.text, note.kind)
    for hand, grip in proposal.hands.items():
        yield from _hand(proposal, hand, grip)

    sight = proposal.sight
    yield "\n[view]" if sight else ""
    yield from _notes(proposal, "view")
    if sight:
        yield f"frame = {_text(sight.frame)}"
        yield f"origin = {_vector(sight.origin)}"
        forward, up = _axes(sight.forward, sight.up)
        yield f"forward = {_vector(forward, 6)}"
        yield f"up = {_vector(up, 6)}"


def _source(urdf: Path, folder: Path) -> Iterator[str]:
    """Where the URDF is: in an installed package, or beside the adapter's folder."""
    path = urdf.resolve()
    if "site-packages" in path.parts or "dist-packages" in path.parts:
        for distribution in importlib.metadata.distributions():
            for file in distribution.files or ():
                if file.name == path.name and Path(str(distribution.locate_file(file))).resolve() == path:
                    yield f"package = {_text(distribution.metadata['Name'])}"
                    yield f"urdf = {_text('/'.join(path.parts[-3:]))}"
                    return
    yield f"urdf = {_text(Path(os.path.relpath(path, folder.resolve())).as_posix())}"


def _drive(proposal: Proposal) -> Iterator[str]:
    """Two wheels that turn about one level axis, and nothing that steers, may be a differential drive."""
    joints = [proposal.tree.joints[b] for b in proposal.anatomy.wheels if not proposal.tree.joints[b].follows]
    driven = [joint for joint in joints if abs(joint.axis[2]) < 0.3 and joint.parent in proposal.anatomy.trunk]
    steered = [joint for joint in joints if joint not in driven]
    if len(driven) == 2 and abs(float(driven[0].axis @ driven[1].axis)) > 0.99:
        note = " once its casters follow by themselves" if steered else ""
        names = " and ".join(joint.name for joint in driven)
        yield f'# drive = "differential"  # ? two driven wheels, {names}: it turns on the spot and rolls ahead{note}'


def _hand(proposal: Proposal, name: str, grip: Grip) -> Iterator[str]:
    yield f"\n[hands.{_key(name)}]"
    for note in grip.notes:
        yield from _comment(note.text, note.kind)
    arm = proposal.arms[name]
    yield f"arm = {_text(arm)}"
    if grip.open:
        yield f"fingers = {_text(arm.replace('arm', 'hand'))}"
    yield f"frame = {_text(grip.frame)}"
    yield f"origin = {_vector(grip.X_LH[:3, 3])}"
    z, y = _axes(grip.X_LH[:3, 2], grip.X_LH[:3, 1])
    yield f"z = {_vector(z, 6)}"
    yield f"y = {_vector(y, 6)}"
    yield f"aperture = {grip.aperture}"
    yield f"touch = {_list(grip.touch)}"
    if grip.open:
        yield f"open = {_table(grip.open)}"
        yield f"closed = {_table(grip.closed)}"
        yield f"rest = {_table(grip.rest)}"
        yield "table = ["
        for width, joints in grip.table:
            yield f"    {{ width = {width}, joints = {_table(joints)} }},"
        yield "]"


def postures(proposal: Proposal) -> str:
    """The text of ``postures.toml``."""
    lines = [
        "# Joint positions [rad or m]. Joints that are not named are as in the stance; there, at zero or as near to it"
    ]
    lines += ["# as their limits allow.", *_notes(proposal, "postures")]
    tree, named = proposal.tree, proposal.postures.named
    stance = named["stand"]
    for name, q in named.items():
        start = tree.neutral if name == "stand" else stance
        lines.append(f"[{name}]")
        lines += [
            f"{_key(joint)} = {_number(rounded(tree, i, float(q[i])))}"
            for i, joint in enumerate(tree.active)
            if i >= 3 and abs(q[i] - start[i]) > 1e-3
        ]
        lines.append("")
    for name, state in proposal.states.items():
        lines += ["# From the SRDF.", f"[{_key(name)}]"]
        lines += [f"{_key(joint)} = {_number(value)}" for joint, value in state.items()]
        lines.append("")
    return "\n".join(lines)


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
        lines += ["", *_comment(left.doubt, "unsure")] if left.doubt else [""]
        lines += ["[[excluded]]", f"links = {_list(left.links)}", f"reason = {_text(left.reason)}"]
        lines.append(f"evidence = {_text(left.evidence)}")
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


def _notes(proposal: Proposal, about: str) -> Iterator[str]:
    for note in proposal.notes:
        if note.about == about:
            yield from _comment(note.text, note.kind)


def _comment(text: str, kind: str = "found") -> Iterable[str]:
    mark = _MARK[kind]
    plain = " ".join(text.split())
    return textwrap.wrap(plain, _WIDTH, initial_indent=f"{mark} ", subsequent_indent="#   ", break_on_hyphens=False)


def remark(note: Note) -> str:
    """A note as one line for the terminal."""
    return f"{note.about}: {note.text}"


def _text(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)


def _key(name: str) -> str:
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else _text(name)


def _list(values: Iterable[str]) -> str:
    return "[" + ", ".join(map(_text, values)) + "]"


def _table(values: Mapping[str, float]) -> str:
    return "{ " + ", ".join(f"{_key(name)} = {_number(value)}" for name, value in values.items()) + " }"


def _number(value: float) -> str:
    return repr(round(float(value), 6) + 0.0)


def _vector(values: Array, digits: int = 4) -> str:
    return "[" + ", ".join(repr(round(float(v), digits) + 0.0) for v in values) + "]"


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
