"""Demonstrations: shown by a person in physics, kept as files, gone again by other robots; judged."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taskmatrix import simulate
from taskmatrix.behaviors import Demonstrate, Imitate, Move, Pickup, Postural
from taskmatrix.behaviors.along.demonstration import Demonstration
from taskmatrix.core.base.errors import NotFoundError, ParameterError, RecordingError
from taskmatrix.core.base.events import Event
from taskmatrix.core.base.failure import FailureKind
from taskmatrix.core.world.geometry import inverse, pose
from taskmatrix.core.world.objects import Array
from taskmatrix.simulation.judges import judge_of
from taskmatrix.simulation.physics import PhysicsPlant
from taskmatrix.studio.recording import Recording, demonstration

from ..worlds import sparse
from .judged import Run

FILE = """relative_to = "hand"

[[pose]]
time = 0.0
xyz = [0, 0, 0]
rpy = [0, 0, 0]

[[pose]]
time = 1.0
xyz = [0, 0, 0.05]
rpy = [0, 0, 0.1]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


class Person:
    """Leads a hand by a spring round a circle, in three seconds, and lets it go.

    Args:
        run: Of the robot.
        hand: Its name.
        radius: [m] Of the circle, which is upright and across.
        stiffness: [N/m] Of the spring.
    """

    def __init__(self, run: Run, hand: str, radius: float, stiffness: float) -> None:
        self._session, self._hand = run.session, hand
        self._radius, self._stiffness = radius, stiffness
        self._begin = run.session.context.clock.now()
        self._start = self._last = self._at()
        run.session.events.subscribe(self._lead)

    def _lead(self, event: Event) -> None:
        time = event.time - self._begin
        if event.kind != "step" or time > 3.2:
            return
        turned = min(time / 3.0, 1.0) * 2.0 * np.pi
        target = self._start + self._radius * np.array([0.0, -np.sin(turned), 1.0 - np.cos(turned)])
        p, dt = self._at(), self._session.context.dt
        damping = 0.07 * self._stiffness
        force = self._stiffness * (target - p) - damping * (p - self._last) / dt
        self._last = p
        assert isinstance(self._session.plant, PhysicsPlant)
        self._session.plant.push_link(self._session.robot.hands[self._hand].frame, force, dt)

    def _at(self) -> Array:
        p: Array = self._session.skills.forward_kinematics(self._hand)[:3, 3].copy()
        return p


@pytest.fixture(scope="module")
def circle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demonstration of a circle, shown to a robot in physics and judged."""
    folder = tmp_path_factory.mktemp("shown")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        run = Run("nao", sparse("nao", "table"), sim="mujoco")
        run.prepare(Postural(posture="ready"))
        Person(run, "right", 0.02, 60.0)
        facts = run.judged(Demonstrate(hand="right", demonstration="circle", patience=0.5))
        assert int(str(facts["poses"])) >= 10
        run.session.close()
    return folder


def test_what_was_shown_is_kept(circle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A circle of 2 cm, from where the hand was, in about the time that it took."""
    monkeypatch.chdir(circle)
    shown = Demonstration.load("circle")
    assert (shown.relative_to, shown.object) == ("hand", None)
    assert shown.poses[0] == pytest.approx(np.eye(4))
    assert 2.0 < shown.duration < 5.0
    assert 0.08 < shown.length < 0.2
    height = np.ptp(shown.poses[:, 2, 3])
    assert 0.025 < height < 0.06


@pytest.mark.parametrize("robot", ["nao", "mannequin", "bandit"])
def test_other_robots_go_the_same_way(robot: str, circle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From where their own hands are; the judge looks at every pose."""
    monkeypatch.chdir(circle)
    run = Run(robot)
    run.prepare(Postural(posture="ready"))
    facts = run.judged(Imitate(demonstration="circle", hand="right", turned=robot != "bandit"))
    assert facts["hand"] == "right"
    run.session.close()


def test_what_is_held_goes_the_way_relative_to_an_object(folder: Path) -> None:
    """Where that has gone elsewhere, so has the way."""
    run = Run("mannequin")
    session = run.session
    X_TO = inverse(session.context.perception.pose("table")) @ session.context.perception.pose("soda_can")
    angles = np.linspace(0.0, np.pi, 30)
    poses = [
        pose((0.0, 0.0, 0.15 + 0.05 * np.sin(angle))) @ X_TO @ pose(rpy=(0.1 * angle, 0.0, 0.0)) for angle in angles
    ]
    Demonstration.of("table", "soda_can", list(angles), poses).save("over_the_table")
    failure = session.run(Imitate(demonstration="over_the_table")).failure
    assert failure is not None
    assert failure.root.kind is FailureKind.PRECONDITION
    assert failure.root.message.startswith("it moves 'soda_can', and ")
    run.prepare(Pickup(object="soda_can"))
    facts = run.judged(Imitate(demonstration="over_the_table"))
    assert facts["off"] == pytest.approx(0.0, abs=0.003)
    Demonstration.of("table", "soda_can", list(angles), [pose((0.0, 0.0, 0.05)) @ X for X in poses]).save(
        "over_the_table"
    )
    judgement = judge_of("imitate")(run.record, {"demonstration": "over_the_table"})
    assert "it leaves what was shown by" in judgement.reason
    session.close()


def test_what_cannot_be_imitated_is_said_before_anything_moves(folder: Path) -> None:
    """With what there is, and where it is wrong."""
    (folder / "demonstrations").mkdir()
    (folder / "demonstrations" / "nod.toml").write_text(FILE)
    run = Run("mannequin")
    for behavior, why in (
        (Imitate(demonstration="nodd"), "no demonstration 'nodd' in demonstrations; did you mean 'nod'?"),
        (Imitate(demonstration="../nod"), "'../nod' does not"),
        (Imitate(demonstration="nod", relative_to="table"), "'nod' is relative to the hand, not to an object"),
        (Imitate(demonstration="nod", object="soda_can"), "nothing was held when 'nod' was shown"),
    ):
        failure = run.session.run(behavior).failure
        assert failure is not None
        assert failure.root.kind is FailureKind.PARAMETER
        assert why in failure.root.message
    run.session.close()


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("time = 1.0", "time = -1.0", "pose[1].time: it is before the beginning"),
        ("time = 0.0", "time = 2.0", "pose[1].time: it is before that of the pose before it"),
        ("xyz = [0, 0, 0.05]", "xyz = [0, 0]", "pose[1].xyz: expected 3 numbers"),
        ("xyz = [0, 0, 0.05]", "xyz = [0, 0, inf]", "expected a finite number"),
        ("xyz = [0, 0, 0.05]", "xyz = [0, 0, 500]", "500 is beyond 100"),
        ("rpy = [0, 0, 0.1]", "rypy = [0, 0, 0.1]", "no key 'rypy'; did you mean 'rpy'?"),
        ('relative_to = "hand"', "", "relative_to: missing"),
        ("[[pose]]\ntime = 1.0\nxyz = [0, 0, 0.05]\nrpy = [0, 0, 0.1]\n", "", "from 2 to 5000 poses are needed, got 1"),
        ("[[pose]]", "[[pose]", "not a valid TOML file"),
    ],
)
def test_a_file_that_is_wrong_is_refused(folder: Path, before: str, after: str, why: str) -> None:
    """With the file and the place."""
    (folder / "demonstrations").mkdir()
    path = folder / "demonstrations" / "nod.toml"
    path.write_text(FILE)
    assert Demonstration.load("nod").poses.shape == (2, 4, 4)
    path.write_text(FILE.replace(before, after))
    with pytest.raises(ParameterError) as raised:
        Demonstration.load("nod")
    assert str(raised.value).startswith("demonstrations/nod.toml")
    assert why in str(raised.value)


def test_a_demonstration_is_thinned_and_comes_back_from_its_file(folder: Path) -> None:
    """Poses that are 6 mm apart stay, and the time in which it stood still before is left out."""
    still, moving = (
        [pose((0.5, 0.0, 0.0))] * 100,
        [pose((0.5, 0.0, 0.001 * step), (0.0, 0.0, 0.001 * step)) for step in range(61)],
    )
    times = [0.01 * step for step in range(len(still) + len(moving))]
    shown = Demonstration.of("robot", "cup", times, still + moving)
    assert len(shown.times) == 11
    assert shown.duration == pytest.approx(0.55, abs=0.06)
    shown.save("lift")
    again = Demonstration.load("lift")
    assert (again.relative_to, again.object) == ("robot", "cup")
    assert again.poses == pytest.approx(shown.poses, abs=1e-4)
    assert again.times == pytest.approx(shown.times, abs=1e-3)
    with pytest.raises(ParameterError, match="nothing was shown"):
        Demonstration.of("robot", None, times[:100], still)
    with pytest.raises(ParameterError, match="letters, digits"):
        shown.save("a/b")


def test_a_recording_becomes_a_demonstration(folder: Path) -> None:
    """What a hand did in a run, and what it held; other robots go it again."""
    with simulate("mannequin", seed=1) as session:
        session.record(folder / "run.mcap")
        assert session.run(Pickup(object="soda_can")).success
        begin = session.context.clock.now()
        assert session.run(Move(z=0.1)).success
    recording = Recording.open(folder / "run.mcap")
    shown = demonstration(recording, "left", begin=begin)
    assert (shown.relative_to, shown.object) == ("hand", "soda_can")
    assert shown.poses[-1] == pytest.approx(pose((0.0, 0.0, 0.1)), abs=2e-3)
    shown.save("up")
    run = Run("bandit")
    run.prepare(Pickup(object="tennis_ball"))
    run.judged(Imitate(demonstration="up", object="tennis_ball"))
    run.session.close()
    with pytest.raises(NotFoundError, match="no hand 'middle'"):
        demonstration(recording, "middle")
    with pytest.raises(RecordingError, match="no control step from 900 to 901 s"):
        demonstration(recording, "left", begin=900.0, end=901.0)
    with pytest.raises(ParameterError, match="no axes 'tabel'; did you mean 'table'"):
        demonstration(recording, "left", "tabel")
