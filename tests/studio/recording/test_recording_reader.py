"""What a recorder writes, a recording has; and what is no recording is said to be none."""

from __future__ import annotations

import gzip
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

from taskmatrix.core.base.errors import NotFoundError, RecordingError
from taskmatrix.core.base.events import Event
from taskmatrix.session.recording import Recorder, container
from taskmatrix.session.recording.event_recorder import AT_MOST
from taskmatrix.studio.recording import Recording

HEADER = {"format": 2, "taskmatrix": "0.1.0", "robot": "gantry", "world": "nowhere"}
SCENE = gzip.compress(json.dumps({"robot": {"names": ["x", "y"]}}).encode())
STEPS = 300


def events() -> list[Event]:
    """Control steps, with a message in some of them."""
    told = [Event(0.0, 0, "run", "probe", {"seed": 0, "dt": 0.01})]
    for k in range(STEPS):
        if k % 50 == 0:
            told.append(Event(0.01 * k, k, "message", "probe", {"message": "goal-achieved"}))
        q = np.array([k, -k / 3])
        facts = {"q": q, "v": q / 2, "commanded": q + 1, "poses": {"ball": np.eye(4)}, "held": {}}
        told.append(Event(0.01 * k, k, "step", "plant", facts))
    return told


def recorded(path: Path, header: dict[str, Any] = HEADER, scene: bytes = SCENE) -> Path:
    recorder = Recorder(path, header, scene)
    for event in events():
        recorder(event)
    recorder.close()
    return path


def test_all_is_there(tmp_path: Path) -> None:
    """Header, scene and every event in its order."""
    recording = Recording.open(recorded(tmp_path / "run.mcap"))
    assert recording.header == HEADER
    assert recording.joints == ("x", "y")
    assert not recording.truncated
    assert recording.kinds == [event.kind for event in events()]
    assert [event["step"] for event in recording] == [event.step for event in events()]
    assert json.loads(recording.raw(1)) == recording[1]
    assert recording[1] == {
        "time": 0.0,
        "step": 0,
        "kind": "message",
        "source": "probe",
        "data": {"message": "goal-achieved"},
    }
    assert len(recording) == len(events())
    assert recording.duration == pytest.approx(0.01 * (STEPS - 1))


def test_the_steps_are_arrays(tmp_path: Path) -> None:
    """For plots: exactly the numbers that were told."""
    recording = Recording.open(recorded(tmp_path / "run.mcap"))
    truth = [event for event in events() if event.kind == "step"]
    np.testing.assert_allclose(recording.steps.times, [event.time for event in truth], atol=1e-9)
    for key in ("q", "v", "commanded"):
        np.testing.assert_array_equal(getattr(recording.steps, key), [event.data[key] for event in truth])
    assert recording.joint("y") == 1
    with pytest.raises(NotFoundError, match="There are: x, y"):
        recording.joint("z")


def test_a_recording_is_read_by_kind_and_time(tmp_path: Path) -> None:
    """Both ends included."""
    recording = Recording.open(recorded(tmp_path / "run.mcap"))
    assert len(list(recording.events("message"))) == STEPS // 50
    assert [event["step"] for event in recording.events("message", begin=0.5, end=1.5)] == [50, 100, 150]
    assert recording.at(-1.0) == 0
    assert recording[recording.at(1.0) - 1]["step"] == 100
    assert recording[recording.at(1.0)]["step"] == 101
    assert recording.at(99.0) == len(recording)


def test_what_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever a file is cut off after its scene: what was in the file before is read, and nothing else."""
    monkeypatch.setattr(container, "CHUNK", 2000)
    path = recorded(tmp_path / "run.mcap")
    whole, all_ = path.read_bytes(), [json.loads(json.dumps(event)) for event in Recording.open(path)]
    lengths = set()
    for cut in np.linspace(len(whole) // 4, len(whole) - 1, 40).astype(int).tolist():
        path.write_bytes(whole[:cut])
        recording = Recording.open(path)
        assert recording.truncated
        assert list(recording) == all_[: len(recording)]
        lengths.add(len(recording))
    assert len(lengths) > 5
    assert max(lengths) == len(all_)


def test_a_process_that_dies_leaves_what_it_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A recorder that nobody closes has left what was in complete chunks."""
    monkeypatch.setattr(container, "CHUNK", 2000)
    recorder = Recorder(tmp_path / "run.mcap", HEADER, SCENE)
    for event in events():
        recorder(event)
    recording = Recording.open(tmp_path / "run.mcap")
    assert recording.truncated
    assert len(recording) > STEPS / 2
    recorder.close()
    assert not Recording.open(tmp_path / "run.mcap").truncated


def test_half_a_second_is_lost_at_most(tmp_path: Path) -> None:
    """When the process is killed: at any moment the file has all that is older."""
    path = tmp_path / "run.mcap"
    recorder = Recorder(path, HEADER, SCENE)
    for event in events():
        recorder(event)
        if event.kind == "step" and event.step % 20 == 0:
            assert Recording.open(path).duration >= event.time - AT_MOST - 0.01
    recorder.close()


@pytest.mark.parametrize("damage", [0x01, 0x80, 0xFF])
def test_damage_is_an_error_or_the_end(tmp_path: Path, damage: int) -> None:
    """Wherever a byte is wrong: all that is read is as it was written, in its order, and nothing else is raised."""
    path = recorded(tmp_path / "run.mcap")
    whole, all_ = path.read_bytes(), list(Recording.open(path))
    complete = refused = 0
    places = [*range(0, 300, 2), *range(300, len(whole), len(whole) // 100), *range(len(whole) - 300, len(whole), 4)]
    for place in places:
        path.write_bytes(whole[:place] + bytes([whole[place] ^ damage]) + whole[place + 1 :])
        try:
            recording = Recording.open(path)
            assert recording.joints == ("x", "y")
        except RecordingError:
            refused += 1
            continue
        assert list(recording) == all_[: len(recording)]
        assert recording.truncated or len(recording) == len(all_)
        complete += not recording.truncated
    assert complete > 0  # damage in the index, which is not needed
    assert refused > 50  # in the header and the scene


def test_what_claims_to_be_huge_is_not_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attachment and a scene that would fill the memory, if there were as little of it."""
    monkeypatch.setattr("taskmatrix.studio.recording.recording_reader.LARGEST", 2**20)
    path = recorded(tmp_path / "run.mcap", scene=gzip.compress(bytes(2**20 + 1)))
    with pytest.raises(RecordingError, match="has no scene, or one that is damaged"):
        _ = Recording.open(path).scene
    whole = bytearray(path.read_bytes())
    name = whole.index(b"application/json") + len(b"application/json")
    whole[name : name + 8] = struct.pack("<Q", 2**33)
    path.write_bytes(whole)
    with pytest.raises(RecordingError, match="is no recording"):
        Recording.open(path)


def test_after_its_end_nothing_is_recorded(tmp_path: Path) -> None:
    """A recorder may be closed twice, and told more by a stream that it is still on."""
    path = tmp_path / "run.mcap"
    recorder = Recorder(path, HEADER, SCENE)
    recorder.close()
    size = path.stat().st_size
    for event in events():
        recorder(event)
    recorder.close()
    assert path.stat().st_size == size
    recording = Recording.open(path)
    assert (len(recording), recording.duration, recording.steps.q.shape) == (0, 0.0, (0, 0))


def test_every_topic_has_a_schema(tmp_path: Path) -> None:
    """So that programs that know nothing of events can plot joints; q[1] of /step, say."""
    with recorded(tmp_path / "run.mcap").open("rb") as data:
        summary = make_reader(data).get_summary()
    assert summary is not None
    assert {channel.topic for channel in summary.channels.values()} == {"/run", "/message", "/step"}
    schemas = {schema.name: json.loads(schema.data) for schema in summary.schemas.values()}
    step = schemas["step"]["properties"]["data"]["properties"]
    assert step["q"] == {"type": "array", "items": {"type": "number"}}


@pytest.mark.parametrize("text", [b"", b"{}", b"\x89MCAP0\r\n", b"\x89MCAP0\r\n" + bytes(range(256)) * 10])
def test_what_is_no_recording_is_said_to_be_none(tmp_path: Path, text: bytes) -> None:
    """Whatever it is."""
    path = tmp_path / "run.mcap"
    path.write_bytes(text)
    with pytest.raises(RecordingError, match=r"run.mcap is no recording of taskmatrix"):
        Recording.open(path)


def test_a_file_that_is_not_there_cannot_be_read(tmp_path: Path) -> None:
    """Nor a folder."""
    with pytest.raises(RecordingError, match=r"cannot read .*nothing.mcap: No such file"):
        Recording.open(tmp_path / "nothing.mcap")
    with pytest.raises(RecordingError, match="cannot read"):
        Recording.open(tmp_path)


def test_a_recording_of_another_format_says_which_version_made_it(tmp_path: Path) -> None:
    """One of the future, say."""
    path = recorded(tmp_path / "run.mcap", {**HEADER, "format": 9, "taskmatrix": "7.0"})
    with pytest.raises(RecordingError, match=r"of format 9, made by taskmatrix 7.0; this version reads format 2"):
        Recording.open(path)


def test_a_scene_that_is_damaged_is_an_error_when_it_is_asked_for(tmp_path: Path) -> None:
    """The events can be read without it."""
    recording = Recording.open(recorded(tmp_path / "run.mcap", scene=b"no gzip"))
    assert len(recording) == len(events())
    with pytest.raises(RecordingError, match=r"run.mcap has no scene"):
        assert recording.scene
