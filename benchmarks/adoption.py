"""What `taskmatrix adopt` makes of the bare URDFs of the robots that ship: what is as reviewed, and what is left to do.

    python benchmarks/adoption.py --json adoption.json
    python benchmarks/adoption.py --robots pr2 g1 --no-check

Each URDF is adopted without its SRDF into a temporary folder. Chains, hands and view are compared with the adapter that
a person wrote: joints by chain; grasp frames and the view within 3 cm and 20 degrees, at zero, where a frame that is
turned half round z grasps alike. Then `taskmatrix check` is run.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

import numpy as np
import sheet
from console import Console
from options import parsed
from rich.table import Table

from taskmatrix.core.base.errors import RobotError
from taskmatrix.core.base.tables import read_table
from taskmatrix.core.world.geometry import angle_between
from taskmatrix.robots import Robot, load_robot
from taskmatrix.robots.adoption import Proposal, propose, write
from taskmatrix.robots.loading.loader import find_adapter
from taskmatrix.robots.loading.urdf import find_urdf

ROBOTS = ("asimo", "mannequin", "bandit", "nao", "talos", "icub", "romeo", "g1", "pr2")
NEAR, ALIKE = 0.03, 20.0  # [m], [deg]


def chains(robot: Robot, proposal: Proposal) -> Iterator[str]:
    """Differences of torso, head, arms, fingers and legs; the name of a chain with the same joints is said."""
    used = {chain for hand in robot.hands.values() for chain in (hand.arm, hand.fingers) if chain}
    for chain, indices in robot.chains.items():
        if chain not in used and chain not in ("torso", "head", "lift") and not chain.endswith("leg"):
            continue
        wanted = {robot.joints[i] for i in indices}
        same = [name for name, joints in proposal.chains.items() if set(joints) == wanted]
        if not same:
            yield f"{chain} is another"
        elif same[0] != chain:
            yield f"{chain} is called {same[0]}"


def frames(robot: Robot, proposal: Proposal) -> dict[str, tuple[float, float]]:
    """How far [m] and by how much [deg] each grasp frame and the view are off the reviewed ones."""
    found = {}
    tree = proposal.tree
    for name, hand in robot.hands.items():
        if name not in proposal.hands:
            found[f"{name} hand"] = (np.inf, np.inf)
            continue
        grip = proposal.hands[name]
        A, B = tree.pose(hand.frame) @ hand.X_LH, tree.pose(grip.frame) @ grip.X_LH
        R = A[:3, :3].T @ B[:3, :3]
        turn = min(_angle(R), _angle(R @ np.diag([-1.0, -1.0, 1.0])))
        found[f"{name} hand"] = (float(np.linalg.norm(A[:3, 3] - B[:3, 3])), turn)
    if robot.view is not None and proposal.view_pose is not None:
        A, B, view_pose = (
            tree.pose(robot.view.frame) @ robot.view.X_LV,
            tree.pose(proposal.view_pose.frame),
            proposal.view_pose,
        )
        away = float(np.linalg.norm(A[:3, 3] - B[:3, :3] @ view_pose.origin - B[:3, 3]))
        found["view"] = (away, float(np.degrees(angle_between(A[:3, 0], B[:3, :3] @ view_pose.forward))))
    elif (robot.view is None) != (proposal.view_pose is None):
        found["view"] = (np.inf, np.inf)
    return found


def _angle(R: Any) -> float:
    return float(np.degrees(np.arccos(np.clip((np.trace(R) - 1.0) / 2.0, -1.0, 1.0))))


def check(folder: Path, behaviors: bool) -> list[str]:
    """What fails in `taskmatrix check`."""
    command = [sys.executable, "-m", "taskmatrix", "check", str(folder), "--json", "--out", str(folder / "check")]
    command += ["--no-behaviors"] * (not behaviors)
    run = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # our own program
    if not run.stdout.strip():
        return [run.stderr.strip().splitlines()[-1] if run.stderr.strip() else "it ended without a word"]
    findings = json.loads(run.stdout.strip().splitlines()[-1])
    return [f"{row['name']}: {row['text']}" for row in findings if row["verdict"] == "fails"]


def adopt(name: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """Adopt a robot, and compare."""
    robot = load_robot(name)
    urdf = find_urdf(read_table(find_adapter(name), RobotError).table("model"))
    began = process_time()
    proposal = propose(urdf)
    seconds = process_time() - began
    write(proposal, folder)
    off = frames(robot, proposal)
    row: dict[str, Any] = {
        "robot": name,
        "seconds": seconds,
        "chains": list(chains(robot, proposal)),
        "frames": off,
        "hands": all(_near(*off[key]) for key in off if key != "view"),
        "view": _near(*off.get("view", (0.0, 0.0))),
        "unsure": len(proposal.of("unsure")),
        "lines": sum(len((folder / f).read_text().splitlines()) for f in ("robot.toml", "postures.toml")),
    }
    row["right"] = not [c for c in row["chains"] if "is another" in c] and row["hands"] and row["view"]
    if options.check:
        row["failures"] = check(folder, options.behaviors)
    return row


def _near(distance: float, angle: float) -> bool:
    return distance < NEAR and angle < ALIKE


def report(rows: list[dict[str, Any]]) -> None:
    """Print a table, and what fails."""
    console = Console(width=150)
    table = Table("robot", "chains", "hands", "view", "unsure", "lines", "check", "adopting [s]")
    for row in rows:
        hands = [f"{100 * d:.1f} cm {a:.0f}°" for key, (d, a) in row["frames"].items() if key != "view"]
        view = "{:.1f} cm {:.0f}°".format(
            *[f * v for f, v in zip((100, 1), row["frames"].get("view", (0, 0)), strict=True)]
        )
        failures = row.get("failures")
        verdict = "not run" if failures is None else "green" if not failures else f"{len(failures)} fail"
        table.add_row(
            row["robot"],
            "; ".join(row["chains"]) or "as reviewed",
            ", ".join(dict.fromkeys(hands)) + ("" if row["hands"] else " (off)"),
            view + ("" if row["view"] else " (off)"),
            *(str(row[key]) for key in ("unsure", "lines")),
            verdict,
            f"{row['seconds']:.0f}",
        )
    console.print(table)
    console.bars(table, "unsure", "lines", "adopting [s]")
    for row in rows:
        for line in row.get("failures") or []:
            console.print(f"{row['robot']}: {line}")
    right = sum(row["right"] for row in rows)
    green = sum(row.get("failures") == [] for row in rows)
    console.print(f"{right} of {len(rows)} found right without a touch; check is green on {green}.")


def main() -> None:
    """Adopt, compare, check and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--check", action=argparse.BooleanOptionalAction, default=True, help="run `taskmatrix check`")
    parser.add_argument(
        "--behaviors", action=argparse.BooleanOptionalAction, default=True, help="every behavior in the check, too"
    )
    parser.add_argument("--out", type=Path, help="where to keep the adapters; a temporary folder unless given")
    parser.add_argument("--json", type=Path, help="where to write every figure")
    options = parsed(parser)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.robots:
            rows.append(adopt(name, (options.out or Path(folder)) / name, options))
            if options.json:
                options.json.write_text(json.dumps(rows, indent=1))
    report(rows)
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
