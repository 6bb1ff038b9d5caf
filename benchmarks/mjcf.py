"""What `taskmatrix adopt` makes of robots in MJCF, each a file that is given.

    python benchmarks/mjcf.py mujoco_menagerie/*/scene.xml --json mjcf.json

Each file is converted to a URDF; positions of all bodies are compared with MuJoCo's in random configurations, the mass
with its. Then the robot is adopted, and its stance, hands, reach and view are tried in a world, judged.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import mujoco
import numpy as np
import pinocchio as pin
import sheet
from console import Console
from options import parsed
from rich.table import Table

from taskmatrix.core.base.errors import TaskMatrixError
from taskmatrix.robots import load_robot
from taskmatrix.robots.adoption import propose, write
from taskmatrix.robots.loading.urdf import read_xml
from taskmatrix.robots.loading.urdf_checks import with_cylinders
from taskmatrix.robots.mjcf.to_urdf import write_urdf
from taskmatrix.studio.conformance.finding import FAILS, PASSES
from taskmatrix.studio.conformance.trial import try_out

CONFIGURATIONS = 100


@dataclass
class Result:
    """Of one file."""

    file: str
    joints: int = 0
    error: float = 0.0
    """[m] Largest distance between where a body is in both."""
    mass: float = 0.0
    """[kg] Difference."""
    passed: int = 0
    failed: str = ""
    seconds: float = 0.0
    problem: str = ""


def compared(file: Path, urdf: Path) -> tuple[int, float, float]:
    """Joints of the URDF, largest difference of a body's position [m] and difference of mass [kg] from MuJoCo's."""
    ours = pin.buildModelFromXML(ET.tostring(with_cylinders(read_xml(urdf, "a URDF")), encoding="unicode"))
    theirs = mujoco.MjModel.from_xml_path(str(file))
    data, state, rng = ours.createData(), mujoco.MjData(theirs), np.random.default_rng(0)
    names = [name for name in ours.names[1:] if mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_JOINT, name) >= 0]
    frames = {frame.name: k for k, frame in enumerate(ours.frames) if frame.type == pin.BODY}
    bodies = [b for b in range(1, theirs.nbody) if theirs.body(b).name in frames]
    worst = 0.0
    for _ in range(CONFIGURATIONS):
        q = pin.neutral(ours)
        for name in names:
            joint, value = ours.joints[ours.getJointId(name)], rng.uniform(-1.0, 1.0)
            state.joint(name).qpos[0] = value
            q[joint.idx_q : joint.idx_q + joint.nq] = value if joint.nq == 1 else (np.cos(value), np.sin(value))
        mujoco.mj_kinematics(theirs, state)
        pin.framesForwardKinematics(ours, data, q)
        root = state.body(bodies[0])
        for b in bodies[1:]:
            body, first, count = state.body(b), theirs.body_jntadr[b], theirs.body_jntnum[b]
            anchor = body.xmat.reshape(3, 3) @ theirs.jnt_pos[first + count - 1] if count else np.zeros(3)
            at = root.xmat.reshape(3, 3).T @ (body.xpos + anchor - root.xpos)
            X = data.oMf[frames[root.name]].actInv(data.oMf[frames[body.name]])
            worst = max(worst, float(np.abs(X.translation - at).max()))
    mass = sum(inertia.mass for inertia in ours.inertias) - float(theirs.body_subtreemass[bodies[0]])
    return len(names), worst, mass


def run(file: Path) -> Result:
    """Convert, compare, adopt and try one file."""
    result, began = Result(f"{file.parent.name}/{file.name}"), perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        try:
            converted = write_urdf(file, Path(folder) / "urdf")
            result.joints, result.error, result.mass = compared(file, converted.urdf)
            write(propose(converted.urdf, converted.srdf), Path(folder) / "robot")
            findings = list(try_out(load_robot(Path(folder) / "robot"), str(Path(folder) / "robot")))
        except TaskMatrixError as error:
            result.problem = str(error)
        else:
            result.passed = sum(finding.verdict == PASSES for finding in findings)
            result.failed = ", ".join(finding.name for finding in findings if finding.verdict == FAILS)
    result.seconds = perf_counter() - began
    return result


def main() -> None:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, help="MJCF files of robots")
    parser.add_argument("--json", type=Path, help="write the results into a file")
    options = parsed(parser)
    table = Table("file", "joints", "positions differ [m]", "mass differs [kg]", "trials passed", "failed", "[s]")
    results = [run(file) for file in options.files]
    for one in results:
        figures = (f"{one.error:.1e}", f"{one.mass:.1e}", str(one.passed), one.problem or one.failed)
        table.add_row(one.file, str(one.joints), *figures, f"{one.seconds:.0f}")
    Console(width=140).print(table)
    if options.json:
        options.json.write_text(json.dumps([vars(one) for one in results], indent=1))
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
