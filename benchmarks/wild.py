"""What `taskmatrix adopt` makes of URDFs as they are in the wild: 60, made from the robots that ship.

    python benchmarks/wild.py --out wild
    python benchmarks/wild.py --only 17 --redo

Each robot's URDF is changed in one way that is often met (`mutations.py`), adopted untouched, and what was found is
compared with the adapter that a person wrote: chains by their joints, grasp frames and the view within 3 cm and 20
degrees at zero, what stands on the floor, whether the base moves, and the direction of forward. What is not as reviewed
is `told` if the proposal says that it is not sure of that part, and otherwise wrong in silence. Results are kept in the
folder, and what is there is not run again unless asked for.
"""

from __future__ import annotations

import argparse
import json
import shutil
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import numpy as np
import pinocchio as pin
import sheet
from console import Console
from mutations import MUTATIONS, Mutant
from options import parsed
from rich.table import Table

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.core.world.objects import Array
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.adoption import Proposal, propose, write
from taskmatrix.robots.adoption.copying import copy_in
from taskmatrix.robots.adoption.sureness import SURE, sureness
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.robots.loading.urdf import find_urdf, read_urdf

NEAR, ALIKE = 0.03, 20.0  # [m], [deg]
CASES = tuple(
    (robot, mutation)
    for robot, mutations in {
        "mannequin": "bare bare_limbs boxes capsules german italian japanese numbered shuffled axes unlimited frames "
        "sensors turned many waist soles footprint",
        "bandit": "bare boxes german numbered shuffled axes thumbs frames sensors turned many",
        "asimo": "bare boxes italian axes thumbs unlimited soles frames sensors footprint many",
        "nao": "bare capsules japanese numbered axes thumbs soles sensors turned footprint",
        "g1": "bare_limbs boxes waist german axes",
        "talos": "waist numbered",
        "icub": "axes",
        "romeo": "german",
        "pr2": "frames",
    }.items()
    for mutation in mutations.split()
)
"""Robot and mutation, in the order of their numbers from 1."""


def make(robot: Robot, mutation: str, folder: Path) -> tuple[Path, Mutant]:
    """Write a changed URDF into a folder, with the robot's meshes beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    table = read_table(find_adapter(robot.name), RobotError).table("model")
    (copied,) = copy_in(folder, read_urdf(find_urdf(table), table.get("mesh_up", str, "z")))
    root = ET.parse(copied).getroot()  # noqa: S314  # as written by this library
    mutant = Mutant(root, folder, robot, Random(f"{robot.name} {mutation}"))
    MUTATIONS[mutation](mutant)
    urdf = folder / f"{robot.name}_{mutation}.urdf"
    ET.ElementTree(root).write(urdf, encoding="utf-8", xml_declaration=True)
    return urdf, mutant


def compare(robot: Robot, mutant: Mutant, proposal: Proposal) -> Iterator[tuple[str, str]]:
    """What is not as reviewed: the part of the robot, and how it is off."""
    yield from _chains(robot, mutant, proposal)
    X = _moved(robot, mutant, proposal)
    yield from _hands(robot, mutant, proposal, X)
    tree = proposal.tree
    view, found = robot.view, proposal.view_pose
    if (view is None) != (found is None):
        yield "view", "there is none" if found is None else "there is one"
    elif view is not None and found is not None:
        A = X @ _pose(robot, view.frame) @ view.X_LV
        B = tree.pose(found.frame)
        away = float(np.linalg.norm(A[:3, 3] - B[:3, :3] @ found.origin - B[:3, 3]))
        turned = float(np.degrees(angle_between(A[:3, 0], B[:3, :3] @ found.forward)))
        if away > NEAR or turned > ALIKE:
            yield "view", f"off by {100 * away:.0f} cm, {turned:.0f} degrees"
    wanted = {new for link in robot.floor_links for new in mutant.floor.get(link, [mutant.links.get(link, link)])}
    bodies = {tree.body_of(mutant.links.get(link, link)) for link in wanted}
    if {tree.body_of(link) for link in proposal.floor} != bodies or (
        mutant.floor and not wanted <= set(proposal.floor)
    ):
        yield "floor", f"stands on {', '.join(proposal.floor)}"
    if proposal.bolted:
        yield "base", "does not move"
    ahead = X[:3, :3] @ _ahead(robot)
    off = float(np.degrees(angle_between(ahead, proposal.heading.forward)))
    if off > ALIKE:
        yield "forward", f"off by {off:.0f} degrees"


def _chains(robot: Robot, mutant: Mutant, proposal: Proposal) -> Iterator[tuple[str, str]]:
    used = {chain for hand in robot.hands.values() for chain in (hand.arm, hand.fingers) if chain}
    for chain, indices in robot.chains.items():
        if chain in used or chain in ("torso", "head", "lift") or chain.endswith("leg"):
            wanted = {mutant.joints.get(robot.joints[i], robot.joints[i]) for i in indices}
            if wanted not in [set(joints) for joints in proposal.chains.values()]:
                near = max(proposal.chains.values(), key=lambda joints: len(wanted & set(joints)))
                told = [f"lacks {', '.join(sorted(wanted - set(near)))}"] * bool(wanted - set(near))
                told += [f"has {', '.join(sorted(set(near) - wanted))} too"] * bool(set(near) - wanted)
                yield chain, " and ".join(told)


def _hands(robot: Robot, mutant: Mutant, proposal: Proposal, X: Array) -> Iterator[tuple[str, str]]:
    """Differences of hands; they are told apart by the arms that carry them."""
    tree = proposal.tree
    for name, hand in robot.hands.items():
        joint = robot.joints[robot.chains[hand.arm][0]]
        wanted = mutant.joints.get(joint, joint)
        found = [n for n in proposal.hands if wanted in proposal.chains[proposal.arms[n]]]
        if not found:
            yield name, "there is none"
            continue
        grip = proposal.hands[found[0]]
        if found[0] != name:
            yield name, f"is called {found[0]}"
        A = X @ _pose(robot, hand.frame) @ hand.X_LH
        B = tree.pose(grip.frame) @ grip.X_LH
        R = A[:3, :3].T @ B[:3, :3]
        turned = min(_angle(R), _angle(R @ np.diag([-1.0, -1.0, 1.0])))
        away = float(np.linalg.norm(A[:3, 3] - B[:3, 3]))
        if away > NEAR or turned > ALIKE:
            yield name, f"off by {100 * away:.1f} cm, {turned:.0f} degrees"
        if bool(grip.open) != bool(hand.fingers):
            yield name, "affixes" if hand.fingers else "closes"


def _pose(robot: Robot, link: str) -> Array:
    """(4, 4) Of a link in the URDF's root, at zero."""
    data = robot.model.createData()
    pin.framesForwardKinematics(robot.model, data, robot.c.copy())
    frames = {f.name: i for i, f in enumerate(robot.model.frames) if f.type == pin.FrameType.BODY}
    here: Array = np.asarray(data.oMf[frames[link]].homogeneous)
    return here


def _ahead(robot: Robot) -> Array:
    """(3,) Forward in the frame of :func:`_pose`: the base looks along x."""
    return np.array([1.0, 0.0, 0.0])


def _moved(robot: Robot, mutant: Mutant, proposal: Proposal) -> Array:
    """(4, 4) From the frame of :func:`_pose` to that of the changed root, at zero."""
    anchor = robot.hands[next(iter(robot.hands))].frame
    assert anchor not in mutant.reframed
    there = proposal.tree.pose(mutant.links.get(anchor, anchor))
    moved: Array = there @ np.linalg.inv(_pose(robot, anchor))
    return moved


def _angle(R: Array) -> float:
    return float(np.degrees(np.arccos(np.clip((np.trace(R) - 1.0) / 2.0, -1.0, 1.0))))


def adopt(number: int, folder: Path) -> dict[str, Any]:
    """Make, adopt and compare one."""
    name, mutation = CASES[number - 1]
    robot = load_robot(name)
    here = folder / f"{number:02}_{name}_{mutation}"
    shutil.rmtree(here, ignore_errors=True)
    row: dict[str, Any] = {"number": number, "robot": name, "mutation": mutation, "off": [], "refused": "", "loads": ""}
    try:
        urdf, mutant = make(robot, mutation, here)
        began = process_time()
        proposal = propose(urdf)
        row["seconds"] = process_time() - began
        write(proposal, here)
    except RobotError as error:
        return {**row, "refused": str(error), "seconds": 0.0}
    levels = sureness(proposal)
    doubts = {one.part: one.why for one in levels if one.level != SURE}
    for part, how in compare(robot, mutant, proposal):
        told = told_of(part, robot, doubts, _sharing(robot, mutant, proposal))
        row["off"].append({"part": part, "how": how, "told": told})
    row["parts"], row["doubts"], row["doubted"] = len(levels), len(doubts), sorted(doubts)
    try:
        load_robot(here)
    except RobotError as error:
        row["loads"] = str(error)
    for mesh in here.rglob("*"):
        if mesh.is_file() and mesh.suffix not in {".toml", ".urdf"}:
            mesh.unlink()
    return row


def told_of(part: str, robot: Robot, doubts: dict[str, str], chains: dict[str, set[str]]) -> str:
    """Why the proposal is not sure of a part; empty if it is sure.

    Args:
        part: What is off.
        robot: As reviewed.
        doubts: Why it is not sure, by key of the adapter.
        chains: Proposed chains by reviewed ones that share joints with them.
    """
    keys = {"floor": ["base.floor"], "base": ["base.range"], "forward": ["model.forward"], "view": ["view"]}.get(
        part, [f"hands.{part}"] if part in robot.hands else [f"chains.{chain}" for chain in chains.get(part, ())]
    )
    return "; ".join(doubts[key] for key in keys if key in doubts)


def _sharing(robot: Robot, mutant: Mutant, proposal: Proposal) -> dict[str, set[str]]:
    """Proposed chains by reviewed ones with which they share joints."""
    found: dict[str, set[str]] = {}
    for chain, indices in robot.chains.items():
        wanted = {mutant.joints.get(robot.joints[i], robot.joints[i]) for i in indices}
        found[chain] = {name for name, joints in proposal.chains.items() if wanted & set(joints)}
    return found


def verdict(row: dict[str, Any]) -> str:
    """``right``, ``told``, ``wrong`` or ``refused``."""
    if row["refused"]:
        return "refused"
    if row["loads"] or any(not off["told"] for off in row["off"]):
        return "wrong"
    return "told" if row["off"] else "right"


def report(rows: list[dict[str, Any]]) -> None:
    """Print a table, and the counts."""
    console = Console(width=170)
    table = Table("", "robot", "mutation", "verdict", "off", "adopting [s]")
    for row in rows:
        off = [f"{o['part']}: {o['how']}" + ("" if o["told"] else " (in silence)") for o in row["off"]]
        told = "\n".join([*off, *filter(None, (row["refused"], row["loads"]))])
        table.add_row(
            str(row["number"]), row["robot"], row["mutation"], verdict(row), told, f"{row['seconds']:.1f}"
        )  # fmt: skip
    console.print(table)
    verdicts = [verdict(row) for row in rows]
    counts = {kind: verdicts.count(kind) for kind in ("right", "told", "refused", "wrong")}
    share = 100 * counts["right"] / max(len(rows), 1)
    console.print(
        f"{counts['right']} of {len(rows)} adopted right ({share:.0f} %), {counts['told']} not and told, "
        f"{counts['refused']} refused, {counts['wrong']} wrong in silence."
    )
    parts, doubted = (sum(row.get(key, 0) for row in rows) for key in ("parts", "doubts"))
    missed = sum(len(row["off"]) for row in rows)
    console.print(f"Of {parts} parts it was not sure of {doubted}; {missed} were not as reviewed.")


def main() -> None:
    """Make, adopt, compare and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", type=int, metavar="N", help=f"numbers of cases, from 1 to {len(CASES)}")
    parser.add_argument("--out", type=Path, default=Path("out/wild"), help="where adapters and results are kept")
    parser.add_argument("--redo", action="store_true", help="run again what is there")
    options = parsed(parser)
    rows = []
    for number in options.only or range(1, len(CASES) + 1):
        file = options.out / f"{number:02}.json"
        if options.redo or not file.is_file():
            options.out.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(adopt(number, options.out), indent=1))
        rows.append(json.loads(file.read_text()))
    report(rows)
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
