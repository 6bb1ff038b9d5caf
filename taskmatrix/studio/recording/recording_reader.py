"""Reading a recording: what it says of the run, what there was to see, and every event."""

from __future__ import annotations

import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import orjson
import zstandard
from mcap.data_stream import ReadDataStream
from mcap.exceptions import McapError
from mcap.opcode import Opcode
from mcap.records import Attachment, Channel, Chunk
from mcap.writer import MCAP0_MAGIC

from taskmatrix.core.base.errors import NotFoundError, RecordingError
from taskmatrix.core.world.objects import Array
from taskmatrix.session.recording.encode import dumps
from taskmatrix.session.recording.event_recorder import HEADER, POSES, SCENE
from taskmatrix.session.recording.header import FORMAT
from taskmatrix.session.recording.scene import packed

LARGEST = 2**28  # [bytes] of what is decompressed: what claims to be larger is damaged
KEPT = 16  # chunks that are kept as they were before they were compressed
_RECORD = struct.Struct("<BQ")
_MESSAGE = struct.Struct("<HIQQ")
_OPCODES = {opcode.value for opcode in Opcode}
_GZIP = 31  # what zlib calls the format
_BROKEN = (McapError, struct.error, ValueError, KeyError, EOFError, OSError, zlib.error, zstandard.ZstdError)


class Steps(NamedTuple):
    """The control steps of a recording as arrays."""

    times: Array
    """(k,) [s]"""
    q: Array
    """(k, n) [m, rad] True positions of the robot's joints; as they were sensed, where nobody knew the truth."""
    v: Array
    """(k, n) [m/s, rad/s] True velocities."""
    commanded: Array
    """(k, n) [m, rad] Positions that were commanded."""


class Recording:
    """A recording, read from its file when it is asked for; made by :meth:`open`.

    Attributes:
        path: The file.
        header: What there is to know of the run; see :func:`~taskmatrix.session.recording.header.header`.
        truncated: Whether the file ends before its end, because the process that wrote it did, or is damaged: it has
            the events up to there.
        times: (len(self),) [s] Of the events.
        kinds: Of the events.
    """

    def __init__(self, path: Path, header: Mapping[str, Any], scene_gz: bytes, found: _Found, truncated: bool) -> None:
        self.path, self.header, self._scene_gz, self.truncated = path, header, scene_gz, truncated
        self.times = np.array(found.times, dtype=float) * 1e-9
        self.kinds = found.kinds
        self._chunks, self._places = found.chunks, found.places
        self._decompress = lru_cache(KEPT)(self._decompressed)
        self._steps = [number for number, kind in enumerate(self.kinds) if kind == "step"]
        self._every = found.every
        self._known: tuple[int, dict[str, Any]] = (-1, {})  # a control step, and the poses in it

    @classmethod
    def open(cls, path: str | Path) -> Recording:
        """Read a file.

        Raises:
            RecordingError: There is no such file, it is no recording, or one that this version cannot read.
        """
        path = Path(path)
        try:
            data = path.open("rb")
        except OSError as error:
            raise RecordingError(f"cannot read {path}: {error.strerror or error}") from error
        found, truncated = _Found(), True
        with data:
            try:
                for opcode, body in _records(data):
                    truncated = opcode != Opcode.DATA_END
                    found.take(opcode, body)
            except _BROKEN:
                truncated = True
        header = found.header()
        if header is None:
            raise RecordingError(f"{path} is no recording of taskmatrix: it has no '{HEADER}'")
        if header.get("format") != FORMAT:
            raise RecordingError(
                f"{path} is a recording of format {header.get('format')}, made by taskmatrix "
                f"{header.get('taskmatrix')}; this version reads format {FORMAT}"
            )
        return cls(path, header, found.attachments.get(SCENE, b""), found, truncated)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, number: int) -> dict[str, Any]:
        """An event as a dictionary: ``time`` [s], ``step``, ``kind``, ``source``, ``data``."""
        event: dict[str, Any] = orjson.loads(self._written(number))
        if event["kind"] == "step":
            event["data"]["poses"] = self._poses(number)
        return event

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self.events()

    def raw(self, number: int) -> bytes:
        """An event as JSON."""
        return dumps(self[number]) if self.kinds[number] == "step" else self._written(number)

    def events(self, *kinds: str, begin: float = 0.0, end: float = float("inf")) -> Iterator[dict[str, Any]]:
        """Events in order.

        Args:
            kinds: Only these; all unless given.
            begin: [s] Not before that.
            end: [s] Not after that.
        """
        for number in range(int(np.searchsorted(self.times, begin - 1e-9)), self.at(end)):
            if not kinds or self.kinds[number] in kinds:
                yield self[number]

    def at(self, time: float) -> int:
        """How many events there were until a time [s], those of that time included."""
        return bisect_right(self.times, time + 1e-9)

    @property
    def duration(self) -> float:
        """[s] When the last event was."""
        return float(self.times[-1]) if len(self) else 0.0

    @cached_property
    def scene(self) -> dict[str, Any]:
        """What there was to see; see :func:`~taskmatrix.session.recording.scene.scene`.

        Raises:
            RecordingError: The file ends before it, or it is damaged.
        """
        try:
            scene: dict[str, Any] = orjson.loads(zlib.decompressobj(_GZIP).decompress(self._scene_gz, LARGEST))
        except _BROKEN as error:
            raise RecordingError(f"{self.path} has no scene, or one that is damaged: {error}") from error
        for number, kind in enumerate(self.kinds):
            if kind == "object":
                _add(scene, self[number]["data"])
        return scene

    @cached_property
    def scene_gz(self) -> bytes:
        """The scene as JSON, compressed by gzip; empty, or damaged, where the file has none."""
        return packed(self.scene) if "object" in self.kinds else self._scene_gz

    @cached_property
    def joints(self) -> tuple[str, ...]:
        """Names of the joints whose positions are in ``q``."""
        return tuple(self.scene["robot"]["names"])

    @cached_property
    def steps(self) -> Steps:
        """The control steps as arrays."""
        size = len(self[self._steps[0]]["data"]["q"]) if self._steps else 0
        times, columns = np.empty(len(self._steps)), np.empty((3, len(self._steps), size))
        for row, event in enumerate(orjson.loads(self._written(number)) for number in self._steps):
            times[row] = event["time"]
            for column, key in zip(columns, Steps._fields[1:], strict=True):
                column[row] = event["data"][key]
        return Steps(times, *columns)

    def joint(self, name: str) -> int:
        """The column of a joint in the arrays of :attr:`steps`.

        Raises:
            NotFoundError: There is no such joint.
        """
        if name not in self.joints:
            raise NotFoundError("joint", name, self.joints, f"robot '{self.header.get('robot')}'")
        return self.joints.index(name)

    def _written(self, number: int) -> bytes:
        """An event as it was written."""
        chunk, begin, end = self._places[number]
        return self._decompress(chunk)[begin:end]

    def _poses(self, number: int) -> dict[str, Any]:
        """The poses of all objects in the control step that is an event."""
        step = bisect_right(self._steps, number) - 1
        known, poses = self._known
        first = step - step % self._every
        if not first <= known <= step:
            known, poses = first - 1, {}
        for at in range(known + 1, step + 1):
            told = orjson.loads(self._written(self._steps[at]))["data"].get("poses", {})
            poses = told if at == first else {id: X_WO for id, X_WO in {**poses, **told}.items() if X_WO is not None}
        self._known = step, poses
        return dict(poses)

    def _decompressed(self, number: int) -> bytes:
        return _whole(self._chunks[number])


def _add(scene: dict[str, Any], told: Mapping[str, Any]) -> None:
    """Add an object to a scene, with its meshes; one that is there already stays as it was."""
    if any(each["id"] == told["object"]["id"] for each in scene["objects"]):
        return
    first = len(scene["meshes"])
    shapes = [{**shape, "mesh": shape["mesh"] + first} for shape in told["object"]["shapes"]]
    scene["objects"].append({**told["object"], "shapes": shapes})
    scene["meshes"].extend(told["meshes"])


class _Found:
    """What was read of a file."""

    def __init__(self) -> None:
        self.attachments: dict[str, bytes] = {}
        self.chunks: list[Chunk] = []
        self.places: list[tuple[int, int, int]] = []  # of the events: the chunk, and where in it
        self.times: list[int] = []  # [ns]
        self.kinds: list[str] = []
        self.every = 1  # of so many control steps one has the poses of all objects
        self._topics: dict[int, str] = {}
        self._counts: dict[int, int] = {}  # of the messages of each channel

    def take(self, opcode: int, body: bytes) -> None:
        """Take note of a record; raises what it may where that is damaged."""
        if opcode == Opcode.ATTACHMENT:
            if zlib.crc32(body[:-4]) != int.from_bytes(body[-4:], "little"):
                raise ValueError("an attachment is damaged")
            attachment = Attachment.read(_stream(body))
            self.attachments[attachment.name] = attachment.data
        elif opcode == Opcode.CHUNK:
            self._read(Chunk.read(_stream(body)))

    def header(self) -> dict[str, Any] | None:
        """The header, if it is there."""
        try:
            header = orjson.loads(self.attachments.get(HEADER, b""))
        except ValueError:
            return None
        return header if isinstance(header, dict) else None

    def _read(self, chunk: Chunk) -> None:
        whole, at = _whole(chunk), 0
        events, counts = [], dict(self._counts)
        while at < len(whole):
            opcode, length = _RECORD.unpack_from(whole, at)
            at += _RECORD.size
            if opcode == Opcode.CHANNEL:
                channel = Channel.read(_stream(whole[at : at + length]))
                self._topics[channel.id] = channel.topic
                self.every = max(int(channel.metadata.get(POSES, self.every)), 1)
            elif opcode == Opcode.MESSAGE:
                number, sequence, time, _ = _MESSAGE.unpack_from(whole, at)
                if sequence != counts.get(number, 0) + 1:
                    raise ValueError("a chunk is missing")
                counts[number] = sequence
                events.append((time, self._topics[number][1:], at + _MESSAGE.size, at + length))
            at += length
        for time, kind, begin, end in events:
            self.places.append((len(self.chunks), begin, end))
            self.times.append(time)
            self.kinds.append(kind)
        self.chunks.append(chunk)
        self._counts = counts


def _records(data: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """Opcodes and bodies of the records of a file until the summary, which begins after the end of the data.

    Raises:
        ValueError: The file is none of the format, ends before that, or is damaged. A record that claims to be longer
            than what is left is not read.
    """
    left = data.seek(0, SEEK_END)
    data.seek(0)
    if data.read(len(MCAP0_MAGIC)) != MCAP0_MAGIC:
        raise ValueError("it does not begin as recordings do")
    left -= len(MCAP0_MAGIC) + _RECORD.size
    while left >= 0:
        opcode, length = _RECORD.unpack(data.read(_RECORD.size))
        if length > left or opcode not in _OPCODES:
            raise ValueError("it is cut off or damaged")
        yield opcode, data.read(length)
        if opcode == Opcode.DATA_END:
            break
        left -= length + _RECORD.size
    data.seek(-min(len(MCAP0_MAGIC), data.tell()), SEEK_END)
    if data.read() != MCAP0_MAGIC:
        raise ValueError("it is cut off")


def _whole(chunk: Chunk) -> bytes:
    """What a chunk was before it was compressed."""
    size = chunk.uncompressed_size
    if chunk.compression != "zstd" or size > LARGEST or zstandard.frame_content_size(chunk.data) != size:
        raise ValueError("a chunk is not compressed as it should be")
    whole: bytes = zstandard.decompress(chunk.data, size)
    if zlib.crc32(whole) != chunk.uncompressed_crc:
        raise ValueError("a chunk is damaged")
    return whole


def _stream(data: bytes) -> ReadDataStream:
    return ReadDataStream(BytesIO(data))
