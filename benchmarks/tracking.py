"""How well motors follow what they are told: figures 5.7 to 5.13 of the thesis, for the arms of five robots.

    python benchmarks/tracking.py --json tracking.json --plot docs/images

Each robot waves (a periodic motion over nine seconds) and takes a posture in physics, in free motion. Told are the
mean and the largest error of all joints over all steps; the plots show the joint of an arm that moves most: desired
and true position, velocity and acceleration, and what its torque is made of.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sheet
from charts import Curves, Line
from console import Console
from options import parsed
from rich.table import Table

from taskmatrix import simulate
from taskmatrix.behaviors import PeriodicCanned, Postural
from taskmatrix.core.robot.arbiter import Command
from taskmatrix.core.world.objects import Array
from taskmatrix.session.session import PHYSICS_STEP
from taskmatrix.simulation.bullet import BulletPlant
from taskmatrix.simulation.physics import PRESETS

ROBOTS = ("bandit", "talos", "g1", "pr2", "icub")
TASKS = ("canned", "postural")
UNITS = ("rad", "rad/s", "rad/s²")
SECONDS = 9.0
SLIDING = ("torso_lift_joint",)  # of PR2
PARTS = ("acceleration", "feedback", "weight")


@dataclass(frozen=True)
class Run:
    """What was desired and what was true, step by step."""

    robot: str
    """Its name."""
    task: str
    """``canned`` or ``postural``."""
    joint: str
    """The joint of the arm that moved furthest."""
    moved: Array
    """(m,) Numbers of the joints that are judged: all that turn, without base and wheels."""
    desired: Mapping[str, Array]
    """(steps, n) ``position``, ``velocity`` and ``acceleration``."""
    true: Mapping[str, Array]
    """Likewise."""
    torques: Mapping[str, Array]
    """(steps, n) [N m] All that was given (``total``), and its parts."""
    names: tuple[str, ...]
    """Of the joints."""

    @property
    def errors(self) -> Array:
        """(steps, m) [degrees] Between desired and true position; joints that slide are left out."""
        off: Array = np.degrees(np.abs(self.desired["position"] - self.true["position"]))[:, self.moved]
        return off


def track(robot: str, task: str, preset: str = "default", seed: int = 1, seconds: float = SECONDS) -> Run:
    """Run a task in physics and keep what was desired and what was true."""
    with simulate(robot, seed=seed, sim="bullet", physics=preset) as session:
        plant, found = session.plant, session.robot
        assert isinstance(plant, BulletPlant)
        rows: list[tuple[Command, Array, Array, Array]] = []
        parts: list[dict[str, Array]] = []
        plain = plant.apply

        def apply(command: Command, dt: float) -> None:
            plain(command, dt)
            state = plant.sense()
            rows.append((command, state.q, state.v, state.a))
            parts.append({"total": plant.torques, **plant.torque_parts})

        plant.apply = apply  # type: ignore[method-assign]
        behavior = PeriodicCanned(motion="wave", duration=seconds) if task == "canned" else Postural(posture="ready")
        outcome = session.run(behavior, timeout=60.0)
        if not outcome.success:
            raise RuntimeError(f"{robot} {task}: {outcome}")
        arms = [joint for hand in found.hands.values() for joint in found.chains[hand.arm]]
        turning = [k for k in range(3, found.n) if found.joints[k] not in SLIDING and "wheel" not in found.joints[k]]
    desired = {
        "position": np.array([command.q for command, *_ in rows]),
        "velocity": np.array([command.v for command, *_ in rows]),
        "acceleration": np.array([command.a for command, *_ in rows]),
    }
    true = {key: np.array([row[k] for row in rows]) for k, key in enumerate(desired, 1)}
    furthest = arms[int(np.argmax(np.abs(np.diff(desired["position"][:, arms], axis=0)).sum(axis=0)))]
    torques = {key: np.array([part[key] for part in parts]) for key in ("total", *PARTS)}
    return Run(robot, task, found.joints[furthest], np.array(turning), desired, true, torques, found.joints)


def plot(run: Run, file: Path) -> None:
    """Draw the joint that moved furthest as in figures 5.7 to 5.13."""
    import matplotlib as mpl  # noqa: PLC0415 - only for plots

    mpl.use("Agg")
    import matplotlib.pyplot as plt  # noqa: PLC0415

    joint = run.names.index(run.joint)
    time = PHYSICS_STEP * np.arange(1, len(run.desired["position"]) + 1)
    figure, axes = plt.subplots(4, 1, figsize=(7.0, 8.4), sharex=True, layout="constrained")
    for axis, (key, wanted), unit in zip(axes, run.desired.items(), UNITS, strict=False):
        axis.plot(time, wanted[:, joint], color="0.6", linewidth=3.0, label="desired")
        axis.plot(time, run.true[key][:, joint], color="tab:blue", linewidth=0.9, label="true")
        axis.set_ylabel(f"{key} [{unit}]")
    axes[0].legend(loc="best", frameon=False)
    for key, color in zip(PARTS, ("tab:green", "tab:red", "tab:orange"), strict=True):
        axes[3].plot(time, run.torques[key][:, joint], color=color, linewidth=0.9, label=key)
    axes[3].plot(time, run.torques["total"][:, joint], color="black", linewidth=0.9, linestyle=":", label="total")
    axes[3].set_ylabel("torque [N m]")
    axes[3].legend(loc="best", frameon=False, ncols=2)
    axes[3].set_xlabel("time [s]")
    axes[0].set_title(f"{run.robot}, {run.task}: {run.joint}")
    figure.savefig(file, dpi=80)
    plt.close(figure)


def curves(run: Run) -> list[Curves]:
    """The same as in the plot, for the page."""
    joint, title = run.names.index(run.joint), f"{run.robot}, {run.task}: {run.joint}"
    time: Array = PHYSICS_STEP * np.arange(1.0, len(run.desired["position"]) + 1)
    drawn = []
    for (key, wanted), unit in zip(run.desired.items(), UNITS, strict=True):
        lines: list[Line] = [("desired", time, wanted[:, joint]), ("true", time, run.true[key][:, joint])]
        drawn.append(Curves(title, "time [s]", f"{key} [{unit}]", lines, behind="desired"))
    lines = [(key, time, run.torques[key][:, joint]) for key in ("total", *PARTS)]
    return [*drawn, Curves(title, "time [s]", "torque [N m]", lines)]


def report(runs: list[Run]) -> None:
    """Print a row for each run."""
    table = Table("robot", "task", "mean degrees", "largest", "joint that is off most", "mean of torque by feedback %")
    for run in runs:
        worst = run.names[run.moved[int(np.argmax(run.errors.max(axis=0)))]]
        table.add_row(run.robot, run.task, f"{run.errors.mean():.4f}", f"{run.errors.max():.3f}", worst, _feedback(run))
    console = Console(width=140)
    console.print(table)
    console.bars(table, "mean degrees", "largest", "mean of torque by feedback %", by=2)
    for run in runs:
        console.draw(*curves(run))


def _feedback(run: Run) -> str:
    """How much of the torques makes up for what the model does not know."""
    given, back = (np.abs(run.torques[key][:, run.moved]).mean() for key in ("total", "feedback"))
    return f"{100 * back / given:.2f}"


def main() -> None:
    """Track all that is asked for and report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robots", nargs="+", default=ROBOTS)
    parser.add_argument("--tasks", nargs="+", default=TASKS, choices=TASKS)
    parser.add_argument("--preset", default="default", choices=list(PRESETS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path, help="where to write the figures")
    parser.add_argument("--plot", type=Path, metavar="FOLDER", help="where to draw tracking-ROBOT-TASK.png")
    options = parsed(parser)
    runs = []
    for robot in options.robots:
        for task in options.tasks:
            runs.append(track(robot, task, options.preset, options.seed))
            if options.plot:
                plot(runs[-1], options.plot / f"tracking-{robot}-{task}.png")
    report(runs)
    if options.json:
        figures = {f"{r.robot} {r.task}": {"mean": r.errors.mean(), "largest": r.errors.max()} for r in runs}
        options.json.write_text(json.dumps(figures, indent=1))
    sheet.write(options.page, __doc__)


if __name__ == "__main__":
    main()
