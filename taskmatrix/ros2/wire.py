"""How ``rmw_zenoh`` names what ROS 2 processes exchange: keys of topics, tokens of who is there, attachments.

Source: ``docs/design.md`` of the repository ``ros2/rmw_zenoh``. Nothing here needs Zenoh or ROS.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal

from ..core.base.errors import TaskMatrixError

EVERYBODY = "@ros2_lv/**"
"""Key of the tokens of all nodes, publishers and subscribers, in all domains."""
UNHASHED = "TypeHashNotSupported"
"""What stands for the hash of a type where the distribution has none."""
QOS, LATCHED = "::,10:,:,:,,", ":1:,1:,:,:,,"
"""Qualities of service: reliable, volatile, the last 10 kept; and transient local, the last one kept."""
GID = 16  # bytes that identify a publisher
TOKEN = 13  # parts of the token of a publisher or subscriber
_HEAD = struct.Struct("<qqB")


class Ros2Error(TaskMatrixError):
    """What comes over the wire from a ROS 2 robot, or does not come, is not what can be worked with."""


@dataclass(frozen=True)
class Endpoint:
    """Who publishes or subscribes to a topic, as its token tells."""

    kind: Literal["publisher", "subscriber"]
    """Which of both."""
    domain: int
    """ROS domain."""
    node: str
    """Name of the node, with its namespace."""
    topic: str
    """Name of the topic, with a leading slash."""
    type: str
    """Type of the messages, as in ``std_msgs/msg/Bool``."""
    hash: str
    """Hash of the type's definition."""


@dataclass(frozen=True)
class Attachment:
    """What goes along with each message."""

    sequence: int
    """Number of the message; one more than that of the message before from the same publisher."""
    time: int
    """[ns] Since 1970, on the sender's clock."""
    gid: bytes
    """Who published it."""

    def pack(self) -> bytes:
        """As bytes."""
        return _HEAD.pack(self.sequence, self.time, len(self.gid)) + self.gid

    @classmethod
    def unpack(cls, data: bytes) -> Attachment | None:
        """Read the bytes; None if they are no such attachment."""
        if len(data) != _HEAD.size + GID or data[_HEAD.size - 1] != GID:
            return None
        sequence, time, _ = _HEAD.unpack_from(data)
        return cls(sequence, time, data[_HEAD.size :])


def topic_key(domain: int, topic: str, type: str, hash: str) -> str:
    """Key on which the messages of a topic are put.

    Example:
        >>> topic_key(0, "/chatter", "std_msgs/msg/String", "RIHS01_00")
        '0/chatter/std_msgs::msg::dds_::String_/RIHS01_00'
    """
    return f"{domain}/{topic.strip('/')}/{dds_type(type)}/{hash}"


def node_token(domain: int, session: str, node: str) -> str:
    """Key of the token that tells that a node is there: the first of its session, without a namespace."""
    return f"@ros2_lv/{domain}/{session}/0/0/NN/%/%/{node}"


def token(domain: int, session: str, node: str, number: int, publishes: bool, key: str, latched: bool) -> str:
    """Key of the token that tells that a node publishes, or subscribes to, a topic.

    Args:
        domain: ROS domain.
        session: Identity of the Zenoh session.
        node: Name of the node.
        number: Of the publisher or subscriber within the node.
        publishes: Whether it publishes.
        key: Of the topic, see :func:`topic_key`.
        latched: Whether who comes late gets the last message, too.
    """
    topic, type, hash = key.partition("/")[2].rsplit("/", 2)
    mangled, kind, qos = "%" + topic.replace("/", "%"), "MP" if publishes else "MS", LATCHED if latched else QOS
    return f"@ros2_lv/{domain}/{session}/0/{number}/{kind}/%/%/{node}/{mangled}/{type}/{hash}/{qos}"


def endpoint(token: str) -> Endpoint | None:
    """Read a token; None if it is not of a publisher or subscriber."""
    parts = token.split("/")
    kinds: dict[str, Literal["publisher", "subscriber"]] = {"MP": "publisher", "MS": "subscriber"}
    if len(parts) != TOKEN or parts[5] not in kinds or not parts[1].isdigit():
        return None
    namespace, node, topic, type, hash = parts[7:12]
    name = "/".join(part for part in (*namespace.split("%"), node) if part)
    return Endpoint(kinds[parts[5]], int(parts[1]), f"/{name}", topic.replace("%", "/"), _ros_type(type), hash)


def gid(token: str) -> bytes:
    """(16,) Identity of a publisher, made from its token."""
    return blake2b(token.encode(), digest_size=GID).digest()


def dds_type(type: str) -> str:
    """Name of a type as DDS has it: ``std_msgs::msg::dds_::Bool_`` for ``std_msgs/msg/Bool``."""
    package, kind, name = type.split("/")
    return f"{package}::{kind}::dds_::{name}_"


def _ros_type(dds: str) -> str:
    parts = [part for part in dds.split("::") if part != "dds_"]
    return "/".join([*parts[:-1], parts[-1].removesuffix("_")])
