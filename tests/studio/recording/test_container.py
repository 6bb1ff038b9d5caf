"""The files are MCAP as the format's own reader knows it."""

from __future__ import annotations

from io import BytesIO

import pytest
from mcap.reader import make_reader

from taskmatrix.session.recording import container
from taskmatrix.session.recording.container import Container


def written(close: bool = True) -> BytesIO:
    """Some messages on two channels, with a time between them that goes back, and two attachments."""
    stream = BytesIO()
    file = Container(stream, "probe")
    file.attach("one.txt", "text/plain", b"first")
    a = file.channel("/a", b'{"type":"object"}', {"about": "a"})
    for k in range(40):
        file.add(a, 10 * k, b'{"k":%d}' % k)
    b = file.channel("/b", b"{}")
    file.add(b, 5, b'{"late":true}')
    file.attach("two.txt", "text/plain", b"second")
    if close:
        file.close()
    return BytesIO(stream.getvalue())


def test_the_formats_own_reader_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Header, attachments, schemas, channels, messages in the order of time, statistics, checksums and indices."""
    monkeypatch.setattr(container, "CHUNK", 400)  # so that there are several
    reader = make_reader(written(), validate_crcs=True)
    assert reader.get_header().profile == "probe"
    assert [(each.name, each.data) for each in reader.iter_attachments()] == [
        ("one.txt", b"first"),
        ("two.txt", b"second"),
    ]
    messages = list(reader.iter_messages())
    assert [message.log_time for _, _, message in messages] == sorted([5, *range(0, 400, 10)])
    assert [message.data for _, channel, message in messages if channel.topic == "/b"] == [b'{"late":true}']
    schema, channel, _ = messages[0]
    assert schema is not None
    assert (schema.name, schema.encoding, schema.data) == ("a", "jsonschema", b'{"type":"object"}')
    assert (channel.topic, channel.message_encoding, channel.metadata) == ("/a", "json", {"about": "a"})
    summary = reader.get_summary()
    assert summary is not None
    assert summary.statistics is not None
    assert summary.statistics.message_count == 41
    assert summary.statistics.channel_message_counts == {1: 40, 2: 1}
    assert summary.statistics.chunk_count == len(summary.chunk_indexes) > 2
    assert (summary.statistics.message_start_time, summary.statistics.message_end_time) == (0, 390)


def test_a_part_is_found_by_the_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that jumps to a time and a topic gets what is there."""
    monkeypatch.setattr(container, "CHUNK", 400)
    reader = make_reader(written())
    found = list(reader.iter_messages(topics=["/a"], starting_at=200, ending_before=230))
    assert [message.log_time for _, _, message in found] == [200, 210, 220]


def test_the_checksum_of_the_summary_is_right() -> None:
    """As the format says: of the summary and the beginning of the footer."""
    import struct  # noqa: PLC0415
    import zlib  # noqa: PLC0415

    data = written().getvalue()
    footer = data[-8 - 29 : -8]
    start, _, crc = struct.unpack("<QQI", footer[9:])
    assert crc == zlib.crc32(data[start : -8 - 4])


def test_nothing_in_it_is_a_file_as_well() -> None:
    """A run that told nothing."""
    stream = BytesIO()
    Container(stream, "probe").close()
    reader = make_reader(BytesIO(stream.getvalue()))
    assert list(reader.iter_messages()) == []
