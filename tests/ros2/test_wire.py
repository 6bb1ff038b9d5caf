"""Keys, tokens and attachments, as ``rmw_zenoh``'s documentation has them."""

from __future__ import annotations

import pytest

from taskmatrix.ros2.wire import Attachment, Endpoint, endpoint, gid, node_token, token, topic_key

HASH = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
SESSION = "8b20917502ee955ac4476e0266340d5c"


@pytest.mark.parametrize(
    ("domain", "topic", "key"),
    [
        (0, "/chatter", f"0/chatter/std_msgs::msg::dds_::String_/{HASH}"),
        (2, "/robot1/chatter", f"2/robot1/chatter/std_msgs::msg::dds_::String_/{HASH}"),
    ],
)
def test_a_topic_has_the_key_of_the_documentation(domain: int, topic: str, key: str) -> None:
    assert topic_key(domain, topic, "std_msgs/msg/String", HASH) == key


def test_tokens_are_those_of_the_documentation() -> None:
    """But for the depth of the queue, which is ours."""
    key = topic_key(2, "/chatter", "std_msgs/msg/String", HASH)
    head = f"@ros2_lv/2/{SESSION}/0"
    tail = f"%/%/talker/%chatter/std_msgs::msg::dds_::String_/{HASH}"
    assert node_token(2, SESSION, "talker") == f"{head}/0/NN/%/%/talker"
    assert token(2, SESSION, "talker", 10, True, key, False) == f"{head}/10/MP/{tail}/::,10:,:,:,,"
    assert token(2, SESSION, "talker", 10, False, key, True) == f"{head}/10/MS/{tail}/:1:,1:,:,:,,"


def test_a_token_is_read_as_it_is_written() -> None:
    key = topic_key(3, "/left/arm", "std_msgs/msg/Bool", "RIHS01_00")
    told = endpoint(token(3, SESSION, "robot", 4, True, key, False))
    assert told == Endpoint("publisher", 3, "/robot", "/left/arm", "std_msgs/msg/Bool", "RIHS01_00")


def test_a_namespace_is_part_of_the_name() -> None:
    topic = "%cmd/std_msgs::msg::dds_::Bool_/RIHS01_0/::,:,:,:,,"
    there = endpoint(f"@ros2_lv/0/{SESSION}/0/7/MS/%/%factory%g1/driver/{topic}")
    assert there is not None
    assert (there.kind, there.node, there.topic) == ("subscriber", "/factory/g1/driver", "/cmd")


@pytest.mark.parametrize("key", ["@ros2_lv/0/a/0/0/NN/%/%/listener", "@ros2_lv/x", "@ros2_lv/0/a/0/1/SS/%/%/n/s/t/h/q"])
def test_what_is_neither_publisher_nor_subscriber_is_none(key: str) -> None:
    assert endpoint(key) is None


def test_an_attachment_is_the_bytes_of_the_documentation() -> None:
    """Two numbers of eight bytes, little-endian, and sixteen bytes with their count before them."""
    recorded = bytes.fromhex("050000000000000000e40b540200000010000102030405060708090a0b0c0d0e0f")
    attachment = Attachment(5, 10_000_000_000, bytes(range(16)))
    assert attachment.pack() == recorded
    assert Attachment.unpack(recorded) == attachment


@pytest.mark.parametrize("data", [b"", b"\0" * 33, b"\1" * 32, b"\x10" * 34])
def test_other_bytes_are_no_attachment(data: bytes) -> None:
    assert Attachment.unpack(data) is None


def test_each_publisher_has_an_identity_of_sixteen_bytes() -> None:
    assert len(gid("a")) == 16
    assert gid("a") != gid("b")
