"""A node of ROS 2 without ROS: what it publishes and hears, over Zenoh, and who else is there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from ..core.base.clock import Clock
from ..core.base.errors import MissingDependencyError, ParameterError, how_to_install
from .messages import Messages
from .wire import EVERYBODY, Attachment, Endpoint, endpoint, gid, node_token, token, topic_key

BACKLOG = 512  # messages of a topic that are kept until they are taken
RETRY = {"period_init_ms": 50, "period_max_ms": 500, "period_increase_factor": 2}  # while no router is there
WAIT = 5000  # [us] for room on a busy link, before what is sent is dropped
LARGEST = 16 << 20  # [B] of what is let in at all
CHANGES = 4096  # of who is there, likewise
NANO = 1e-9


@dataclass(frozen=True, eq=False)
class Received:
    """A message that came."""

    topic: str
    """On which."""
    message: Any
    """What it says."""
    attachment: Attachment | None
    """Its number, time and publisher; None where its sender attaches none."""


class Node:
    """A node, with a Zenoh session of its own.

    Args:
        router: Where the Zenoh router listens, as in ``tcp/127.0.0.1:7447``.
        domain: ROS domain.
        distro: Distribution of ROS 2.
        name: Of the node.
        clock: What is sent is stamped by it.
        mode: Of Zenoh: ``peer``, or ``client`` of the router, who is nobody's peer.

    Raises:
        MissingDependencyError: Zenoh or rosbags is not installed; says how to get it.
        NotFoundError: No distribution has this name.
        ParameterError: The address of the router is none.
    """

    def __init__(self, router: str, domain: int, distro: str, name: str, clock: Clock, mode: str = "peer") -> None:
        self.messages, self.name, self.domain, self.router = Messages(distro), name, domain, router
        self.zenoh = _load()
        try:
            self.session = self.zenoh.open(self._config(router, mode))
        except self.zenoh.ZError as error:
            raise ParameterError(f"no Zenoh router can be at '{router}', as in 'tcp/127.0.0.1:7447': {error}") from None
        self._clock, self._id = clock, str(self.session.zid())
        self._epoch = int(self.session.new_timestamp().get_time_as_ntp64().as_nanos()) - round(clock.now() / NANO)
        self._there: dict[str, Endpoint] = {}
        everybody = self.session.liveliness().declare_subscriber(
            EVERYBODY, self.zenoh.handlers.RingChannel(CHANGES), history=True
        )
        self._everybody = everybody
        self._tokens = [self.session.liveliness().declare_token(node_token(domain, self._id, name))]

    def epoch(self) -> int:
        """[ns] Since 1970, on this machine's clock."""
        return self._epoch + round(self._clock.now() / NANO)

    def publisher(self, topic: str, type: str, latched: bool = False) -> Publisher:
        """Publish on a topic.

        Args:
            topic: Its name.
            type: Of the messages.
            latched: Who comes late gets the last one as well (``transient local``).
        """
        return Publisher(self, topic, type, self._declare(topic, type, True, latched), latched)

    def subscriber(self, topic: str, type: str, latched: bool = False, kept: int = BACKLOG) -> Subscriber:
        """Listen to a topic.

        Args:
            topic: Its name.
            type: Of the messages.
            latched: Get the last one that was published before, too.
            kept: How many are kept until they are taken, the last ones.
        """
        self._declare(topic, type, False, latched)
        return Subscriber(self, topic, type, latched, kept)

    def endpoints(self) -> list[Endpoint]:
        """Who else publishes and subscribes, in all domains, as far as it is known by now."""
        while (change := self._everybody.try_recv()) is not None:
            key = str(change.key_expr)
            if change.kind == self.zenoh.SampleKind.DELETE:
                self._there.pop(key, None)
            elif (there := endpoint(key)) is not None and f"/{self._id}/" not in key:
                self._there[key] = there
        return list(self._there.values())

    def connected(self) -> bool:
        """Whether the router, or anybody else, is reached."""
        return bool(self.session.info.routers_zid() or self.session.info.peers_zid())

    def close(self) -> None:
        """Be gone."""
        self.session.close()

    def key(self, topic: str, type: str) -> str:
        """On which the messages of a topic are put."""
        return topic_key(self.domain, topic, type, self.messages.hash(type))

    def _declare(self, topic: str, type: str, publishes: bool, latched: bool) -> str:
        """Tell that a topic is published, or listened to; returns the token."""
        key = token(self.domain, self._id, self.name, len(self._tokens), publishes, self.key(topic, type), latched)
        self._tokens.append(self.session.liveliness().declare_token(key))
        return key

    def _config(self, router: str, mode: str) -> Any:
        config = self.zenoh.Config()
        settings: dict[str, object] = {
            "mode": mode,
            "connect/endpoints": [router],
            "connect/exit_on_failure": False,
            "connect/timeout_ms": 0,
            "connect/retry": RETRY,
            "listen/endpoints": ["tcp/127.0.0.1:0"] if mode == "peer" else [],
            "scouting/multicast/enabled": False,
            "scouting/gossip/enabled": True,
            "scouting/delay": 0,
            "timestamping/enabled": True,
            "transport/link/tx/queue/congestion_control/drop/wait_before_drop": WAIT,
            "transport/link/rx/max_message_size": LARGEST,
        }
        for key, value in settings.items():
            config.insert_json5(key, json.dumps(value))
        return config


class Publisher:
    """What a node publishes on a topic; made by :meth:`Node.publisher`.

    Attributes:
        sent: Messages until now.
    """

    def __init__(self, node: Node, topic: str, type: str, token: str, latched: bool) -> None:
        self._node, self._gid, self.sent = node, gid(token), 0
        zenoh, key = node.zenoh, node.key(topic, type)
        qualities = {"congestion_control": zenoh.CongestionControl.DROP, "express": True}
        if latched:
            cache = zenoh.ext.CacheConfig(1)
            self._publisher = zenoh.ext.declare_advanced_publisher(
                node.session, key, cache=cache, publisher_detection=True, **qualities
            )
        else:
            self._publisher = node.session.declare_publisher(key, **qualities)

    def put(self, message: Any) -> None:
        """Publish, without waiting."""
        self.sent += 1
        attachment = Attachment(self.sent, self._node.epoch(), self._gid)
        self._publisher.put(self._node.messages.encode(message), attachment=attachment.pack())


class Subscriber:
    """What a node hears on a topic; made by :meth:`Node.subscriber`."""

    def __init__(self, node: Node, topic: str, type: str, latched: bool, depth: int) -> None:
        self._node, self.topic, self.type = node, topic, type
        zenoh, kept = node.zenoh, node.zenoh.handlers.RingChannel(depth)
        if latched:
            history = zenoh.ext.HistoryConfig(detect_late_publishers=True, max_samples=1)
            self._subscriber = zenoh.ext.declare_advanced_subscriber(
                node.session, node.key(topic, type), kept, history=history
            )
        else:
            self._subscriber = node.session.declare_subscriber(node.key(topic, type), kept)

    def take(self) -> Received | None:
        """The next message, or None.

        Raises:
            Ros2Error: What came is no such message.
        """
        sample = self._subscriber.try_recv()
        if sample is None:
            return None
        message = self._node.messages.decode(bytes(sample.payload), self.type, self.topic)
        attached = sample.attachment
        return Received(self.topic, message, None if attached is None else Attachment.unpack(bytes(attached)))


def _load() -> Any:
    try:
        import zenoh  # noqa: PLC0415 - only who talks to ROS 2 needs it
        import zenoh.ext  # noqa: PLC0415
    except ImportError:
        message = "ROS 2 robots need Eclipse Zenoh, which is not installed; install it "
        raise MissingDependencyError(message + how_to_install("ros2")) from None
    return zenoh
