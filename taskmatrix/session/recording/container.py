"""Writing MCAP files, with next to nothing to do for each message.

The records are those of the package ``mcap``, whose own writer takes several times as long for a message, and does not
let its users choose how hard to compress. The specification is at https://mcap.dev/spec.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Mapping
from typing import BinaryIO

import zstandard
from mcap.data_stream import RecordBuilder
from mcap.opcode import Opcode
from mcap.records import (
    Attachment,
    AttachmentIndex,
    Channel,
    Chunk,
    ChunkIndex,
    DataEnd,
    Footer,
    Header,
    McapRecord,
    Schema,
    Statistics,
    SummaryOffset,
)
from mcap.writer import LIBRARY_IDENTIFIER, MCAP0_MAGIC

CHUNK = 2**18
"""[bytes] After which what was written goes to the file, if nobody flushes it before."""
LEVEL = 1
"""Of the compression: harder takes twice as long and gains nothing on joint positions."""
_MESSAGE = struct.Struct("<BQHIQQ")
_MESSAGE_HEAD = _MESSAGE.size - 9  # [bytes] of a message before its data, after opcode and length

_INDEX = struct.Struct("<BQHI")
_INDEX_HEAD = _INDEX.size - 9  # [bytes] likewise


class Container:
    """An MCAP file that is being written; a file that is not closed can be read as far as it goes.

    Args:
        stream: Where it is written, from its beginning.
        profile: Says what kind of file it is.
    """

    def __init__(self, stream: BinaryIO, profile: str) -> None:
        self._stream = stream
        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._chunk = bytearray()
        self._index: dict[int, list[int]] = {}  # of the chunk: times and places of the messages in turn, by channel
        self._schemas: list[Schema] = []
        self._channels: list[Channel] = []
        self._counts: dict[int, int] = {}
        self._chunks: list[ChunkIndex] = []
        self._attachments: list[AttachmentIndex] = []
        self._at = stream.write(MCAP0_MAGIC)
        self._write(Header(profile, LIBRARY_IDENTIFIER))

    def attach(self, name: str, media_type: str, data: bytes) -> None:
        """Put a file into it."""
        begin = self._at
        length = self._write(Attachment(0, 0, name, media_type, data))
        self._attachments.append(AttachmentIndex(begin, length, 0, 0, len(data), name, media_type))

    def channel(self, topic: str, schema: bytes, metadata: Mapping[str, str] | None = None) -> int:
        """The number of a new channel for messages in JSON.

        Args:
            topic: Its name, which begins with a slash.
            schema: What the messages look like, as JSON Schema.
            metadata: More about it.
        """
        number = len(self._channels) + 1
        self._schemas.append(Schema(number, schema, "jsonschema", topic.strip("/")))
        self._channels.append(Channel(number, topic, "json", dict(metadata or {}), number))
        self._counts[number] = 0
        self._chunk += _bytes(self._schemas[-1], self._channels[-1])
        return number

    def add(self, channel: int, time: int, data: bytes) -> None:
        """Write a message that was sent at a time [ns]."""
        sequence = self._counts[channel] = self._counts[channel] + 1
        chunk = self._chunk
        self._index.setdefault(channel, []).extend((time, len(chunk)))
        chunk += _MESSAGE.pack(Opcode.MESSAGE, _MESSAGE_HEAD + len(data), channel, sequence, time, time)
        chunk += data
        if len(chunk) >= CHUNK:
            self.flush()

    def flush(self) -> None:
        """Have all that was written so far in the file."""
        if self._index:
            self._write_chunk()
            self._chunk.clear()
            self._index.clear()
        self._stream.flush()

    def close(self) -> None:
        """Write what is left and the summary; the stream stays open."""
        self.flush()
        self._write(DataEnd(0))
        start, groups, offsets = self._at, bytearray(), []
        counts = (len(self._attachments), len(self._channels), self._counts, len(self._chunks))
        first = min((chunk.message_start_time for chunk in self._chunks), default=0)
        last = max((chunk.message_end_time for chunk in self._chunks), default=0)
        statistics = Statistics(*counts, sum(self._counts.values()), last, first, 0, len(self._schemas))
        summary: dict[Opcode, list[McapRecord]] = {
            Opcode.SCHEMA: [*self._schemas],
            Opcode.CHANNEL: [*self._channels],
            Opcode.STATISTICS: [statistics],
            Opcode.CHUNK_INDEX: [*self._chunks],
            Opcode.ATTACHMENT_INDEX: [*self._attachments],
        }
        for opcode, records in summary.items():
            written = _bytes(*records)
            if written:
                offsets.append(SummaryOffset(opcode, start + len(groups), len(written)))
                groups += written
        end = start + len(groups)
        groups += _bytes(*offsets)
        beginning = struct.pack("<BQQQ", Opcode.FOOTER, 20, start, end)  # of the footer, which the checksum is also of
        self._stream.write(groups)
        self._write(Footer(start, end, zlib.crc32(beginning, zlib.crc32(groups))))
        self._stream.write(MCAP0_MAGIC)
        self._stream.flush()

    def _write_chunk(self) -> None:
        times = [index[::2] for index in self._index.values()]
        whole, first, last = bytes(self._chunk), min(map(min, times)), max(map(max, times))
        data = self._compressor.compress(whole)
        begin = self._at
        length = self._write(Chunk("zstd", data, last, first, zlib.crc32(whole), len(whole)))
        offsets = {}
        for channel, index in self._index.items():
            offsets[channel] = self._at
            head = _INDEX.pack(Opcode.MESSAGE_INDEX, _INDEX_HEAD + 8 * len(index), channel, 8 * len(index))
            self._at += self._stream.write(head + struct.pack(f"<{len(index)}Q", *index))
        indices = self._at - begin - length
        self._chunks.append(
            ChunkIndex(length, begin, "zstd", len(data), last, indices, offsets, first, len(whole)),
        )

    def _write(self, record: McapRecord) -> int:
        """Write a record, and return its length."""
        written = _bytes(record)
        self._at += self._stream.write(written)
        return len(written)


def _bytes(*records: McapRecord) -> bytes:
    builder = RecordBuilder()
    for record in records:
        record.write(builder)
    written: bytes = builder.end()  # type: ignore[no-untyped-call]
    return written
