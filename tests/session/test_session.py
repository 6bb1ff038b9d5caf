from __future__ import annotations

import gc
import json
import socket
import sys
import weakref
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from taskmatrix import ParameterError, TaskMatrixError, simulate
from taskmatrix.behaviors import Pickup, Postural, Timer
from taskmatrix.core.base.errors import MissingDependencyError, NotFoundError
from taskmatrix.core.base.events import Event
from taskmatrix.core.world.occupancy import FREE, OCCUPIED
from taskmatrix.robots import load_robot
from taskmatrix.robots.loading.adapter import build_robot
from taskmatrix.session.perception_pipeline import OmniscientPipeline
from taskmatrix.studio.cli.recording_command import as_typed
from taskmatrix.studio.recording import Recording
from taskmatrix.testing.box_camera import BoxCamera, looking

from ..worlds import sparse


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True])
def test_a_seed_is_a_natural_number(seed: Any) -> None:
    """Anything else is refused with a clear word."""
    with pytest.raises(ParameterError, match="seed has to be a whole number from 0"):
        simulate("mannequin", seed=seed)


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ((0.0, 0.0), "start has to be"),
        (("a", 0, 0), "start has to be"),
        ((np.nan, 0, 0), "start has to be"),
        ((1e6, 0.0, 0.0), "outside the base's limits"),
    ],
)
def test_a_start_is_three_numbers_within_the_limits_of_the_base(start: Any, words: str) -> None:
    """Anything else is refused with a clear word."""
    with pytest.raises(ParameterError, match=words):
        simulate("mannequin", start=start)


def test_the_start_is_drawn_from_the_worlds_region_by_the_seed() -> None:
    """The same seed, the same place; another seed, another."""
    places = [tuple(simulate("mannequin", seed=seed).plant.sense().q[:3]) for seed in (3, 3, 4)]
    assert places[0] == places[1] != places[2]
    lower, upper = simulate("mannequin").world.start
    assert all(low <= value <= high for low, value, high in zip(lower, places[0], upper, strict=True))


def test_a_second_robot_walks_in_sight_of_the_robot() -> None:
    """It is an object that is perceived and moves; the session's robot is the other one."""
    with simulate("asimo", world="apartment", second_robot="mannequin") as session:
        assert session.robot.name == "asimo"
        session.run(Postural(posture="ready"))
        second_robot = session.context.perception.object("second_robot")
    assert second_robot.model.is_a("humanoid")
    assert np.linalg.norm(second_robot.velocity[:2]) > 0.2
    assert np.linalg.norm(second_robot.X_WO[:3, 3] - session.world.poses["second_robot"][:3, 3]) > 0.3


def test_what_a_robot_is_not_able_to_is_known_without_trying() -> None:
    """And a run afterwards is as if nobody had asked."""
    runs = []
    for ask in (True, False):
        with simulate("mannequin", seed=1) as session:
            behavior = Postural(posture="ready")
            assert not ask or session.unmet(behavior) is None
            outcome = session.run(behavior)
            runs.append((outcome.duration, tuple(session.plant.sense().q)))
    assert runs[0] == runs[1]


def test_a_map_is_kept_of_what_the_known_objects_do_not_explain() -> None:
    """Until they are forgotten: then they are in it as anything else."""
    box = (0.91, -0.2, 0.5), (1.1, 0.2, 0.9)
    image = BoxCamera([box]).image(looking((0.0, 0.0, 0.7), (1.0, 0.0, 0.7)))
    front = np.array([(0.911, 0.0, 0.7)])
    for known, state in ((True, FREE), (False, OCCUPIED)):
        with simulate("mannequin", start=(-1.0, 0.0, 0.0)) as session:
            shown = replace(image, names=("table",))
            if not known:
                session.forget_objects()
            octree = session.keep_map(partial(copy, shown))
            session.run(Postural(posture="ready"))
            assert octree.states(front).tolist() == [state]
            assert session.skills.occupancy is octree
            assert ("table" in session.context.perception) is known


@pytest.mark.parametrize(
    ("given", "error", "words"),
    [
        ({"sim": "bulet"}, NotFoundError, "no simulation 'bulet'.*did you mean 'bullet'"),
        ({"perceptoin": "camera"}, ParameterError, "no argument 'perceptoin' in simulate.*did you mean 'perception'"),
        ({"physics": "fast"}, ParameterError, "physics='fast' is for sim='bullet' or 'mujoco', not 'kinematic'"),
        ({"sim": "bullet", "drift": lambda _: np.zeros(3)}, ParameterError, "a drift is for sim='kinematic'"),
    ],
)
def test_what_does_not_fit_the_simulation_is_refused(given: dict[str, Any], error: type[Exception], words: str) -> None:
    """Before anything is loaded, with the nearest name that exists."""
    with pytest.raises(error, match=words):
        simulate("mannequin", **given)


@pytest.mark.pictures
def test_a_preset_that_does_not_exist_is_told_with_the_nearest() -> None:
    """As any other name."""
    with pytest.raises(NotFoundError, match="did you mean 'robust'"):
        simulate("mannequin", sim="bullet", physics="robus")


def test_physics_without_pybullet_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It has no wheels for every Python; what needs none goes on working."""
    monkeypatch.setitem(sys.modules, "pybullet", None)
    with pytest.raises(MissingDependencyError, match=r"physics needs pybullet.*pip install pybullet"):
        simulate("mannequin", sim="bullet")
    simulate("mannequin").close()


@pytest.mark.pictures
def test_with_physics_the_same_program_runs() -> None:
    """The joints end where the posture has them, to a tenth of a degree."""
    with simulate("mannequin", seed=1, sim="bullet") as session:
        outcome = session.run(Postural(posture="ready"))
        assert outcome.success, outcome
        wanted = session.robot.posture("ready", tuple(session.plant.sense().q[:3]))
        arms = list(session.robot.indices("left_arm", "right_arm"))
        assert np.degrees(np.abs(session.plant.sense().q - wanted)[arms].max()) < 0.1


def test_a_recording_changes_nothing_and_has_everything(tmp_path: Path) -> None:
    """The same seed with and without: the same events, word for word; and those are what the recording has."""
    told: list[list[Event]] = []
    for path in (None, tmp_path / "run.mcap"):
        events: list[Event] = []
        with simulate("mannequin", seed=1) as session:
            session.events.subscribe(events.append)
            if path is not None:
                session.record(path, "taskmatrix run pickup")
            session.run(Pickup(object="vacuum"))
        told.append(events)
    without, recorded = told
    assert [event.to_json() for event in recorded] == [event.to_json() for event in without]
    recording = Recording.open(tmp_path / "run.mcap")
    assert not recording.truncated
    assert recording.kinds == [event.kind for event in recorded]
    for kept, event in zip(recording, recorded, strict=True):
        assert kept == json.loads(event.to_json())
    q = [event.data["q"] for event in recorded if event.kind == "step"]
    np.testing.assert_array_equal(recording.steps.q, q)
    for number in (700, 40, 41, len(recording) - 2, 300):
        assert recording[number] == json.loads(recording.raw(number)) == json.loads(recorded[number].to_json())


def test_a_recording_says_how_to_have_the_run_again(tmp_path: Path) -> None:
    """Robot, world, seed and settings, versions and command; nobody's name, and no folder."""
    with simulate("mannequin", seed=7, start=(0.0, 0.0, 1.0), policy="sum") as session:
        session.record(
            tmp_path / "run.mcap", as_typed(["run", "pickup", "--out", str(tmp_path), f"--world={tmp_path}"])
        )
        furniture = session.world.furniture_scale
    header = Recording.open(tmp_path / "run.mcap").header
    expected = {
        "robot": "mannequin",
        "world": "sparse",
        "seed": 7,
        "start": [0.0, 0.0, 1.0],
        "policy": "sum",
        "sim": "kinematic",
        "physics": None,
        "perception": "omniscient",
        "planner": "trees",
        "dt": 0.01,
        "real_time": False,
        "second_robot": None,
        "furniture_scale": furniture,
        "command": f"taskmatrix run pickup --out {tmp_path.name} --world={tmp_path.name}",
    }
    assert {key: header[key] for key in expected} == expected
    assert header["packages"]["numpy"] == np.__version__
    text = json.dumps(header)
    assert str(tmp_path.parent) not in text
    assert socket.gethostname() not in text.replace(header["platform"], "")


def test_what_it_was_made_with_is_told_by_name(tmp_path: Path) -> None:
    """Files without their folders, objects as their classes."""
    robot = load_robot("mannequin")
    with simulate(
        Path(robot.source), second_robot=robot, perception=OmniscientPipeline(), world="apartment"
    ) as session:
        session.record(tmp_path / "run.mcap")
    header = Recording.open(tmp_path / "run.mcap").header
    assert (header["robot"], header["second_robot"], header["perception"]) == (
        "mannequin",
        "mannequin",
        "OmniscientPipeline",
    )


def test_who_cannot_write_a_recording_says_so_at_once(tmp_path: Path) -> None:
    """Before anything runs."""
    with simulate("mannequin") as session, pytest.raises(FileNotFoundError):
        session.record(tmp_path / "nowhere" / "run.mcap")


def test_a_recorder_may_end_before_its_session(tmp_path: Path) -> None:
    """What comes after is not in the file."""
    with simulate("mannequin") as session:
        recorder = session.record(tmp_path / "run.mcap")
        session.run(Postural(posture="ready"))
        recorder.close()
        session.run(Postural(posture="ready"))
    recording = Recording.open(tmp_path / "run.mcap")
    assert recording.kinds.count("outcome") == 1
    assert not recording.truncated


def test_whatever_does_not_close_the_rest_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recording is complete, and the error is not lost."""
    session = simulate(seed=0)
    recorder = session.record(tmp_path / "run.mcap")

    def fail() -> None:
        raise OSError("the camera does not answer")

    monkeypatch.setattr(session.perception_process, "close", fail)
    with pytest.raises(OSError, match="camera"):
        session.close()
    assert recorder._file.closed


def test_a_session_that_is_over_leaves_no_robot() -> None:
    """Whatever was derived from one goes with it: a loop over seeds would keep sixteen of them, else."""
    with simulate(build_robot(Path(load_robot("mannequin").source))) as session:
        robot, world = weakref.ref(session.robot), weakref.ref(session.world.objects["table"])
        assert session.run(Postural(posture="ready")).success
    del session
    gc.collect()
    assert robot() is None
    assert world() is None


def test_a_session_goes_back_to_a_moment() -> None:
    """Robot and objects are where they were, and what was held is not; the clock goes on."""
    with simulate("mannequin", seed=1) as session:
        moment, before = session.save(), session.context.perception.pose("soda_can").copy()
        q = session.skills.position().copy()
        first = session.run(Pickup(object="soda_can"))
        assert first.success
        now = session.context.clock.now()
        session.restore(moment)
        assert session.plant.truth()["held"] == {}
        np.testing.assert_array_equal(session.context.perception.pose("soda_can"), before)
        np.testing.assert_array_equal(session.skills.position(), q)
        assert session.context.clock.now() == now
        assert session.run(Pickup(object="soda_can")).success
        with simulate("mannequin", seed=1) as other:
            for wrong in (None, {}, other.save(), session.plant.save()):
                with pytest.raises(ParameterError, match=r"what its own save\(\) gave"):
                    session.restore(wrong)
    for closed in (session.save, lambda: session.restore(moment)):
        with pytest.raises(TaskMatrixError, match="the session is closed"):
            closed()


@pytest.mark.pictures
def test_fingers_that_press_hold_on_at_a_moment_that_is_gone_back_to() -> None:
    """They are not where they are told to be, and are told the same again: asimo's would open."""
    with simulate("asimo", sparse("asimo", "table", "soda_can"), seed=3, sim="bullet") as session:
        assert session.run(Pickup(object="soda_can")).success
        moment = session.save()
        assert session.run(Timer(duration=0.5)).success
        session.restore(moment)
        before = session.context.perception.pose("soda_can").copy()
        assert session.run(Timer(duration=1.0)).success
        after = session.context.perception.pose("soda_can")
        assert np.linalg.norm(after[:3, 3] - before[:3, 3]) < 0.001


def test_who_computes_with_a_robot_shares_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """36 MB of TIAGo, which each of six checkers, two solvers and the plant had of its own, and 6 ms to make."""
    robot = load_robot("tiago")
    with simulate(robot, seed=1):
        pass
    made = list[pin.Model]()
    monkeypatch.setattr(pin.Model, "createData", made.append)
    with simulate(robot, seed=1):
        pass
    assert made == []
