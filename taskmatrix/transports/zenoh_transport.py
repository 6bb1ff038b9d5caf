"""Processes reach each other by Eclipse Zenoh."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from taskmatrix.core.base.errors import MissingDependencyError, ParameterError, how_to_install

T = TypeVar("T")
HOST, PORT = "127.0.0.1", 7451
PREFIX = "taskmatrix/"
LARGEST = 4 << 20  # [B] of what is let in at all
RETRY = {"period_init_ms": 50, "period_max_ms": 500, "period_increase_factor": 2}  # of what is not there yet


class Zenoh:
    """A transport by Eclipse Zenoh: processes find each other without a server, and talk directly.

    All processes of a machine meet at one port. Who comes first listens there, the others connect to it and learn of
    each other; when it is gone they stay connected, and the next who comes listens there. Nothing is sent to the
    network to find anybody, and nothing is reached from another machine, unless ``host`` and ``peers`` say so.

    Args:
        host: Where to listen: the loopback unless given; ``0.0.0.0`` or an address of this machine for others to
            connect, who can then do with what is served whatever its interfaces allow.
        port: At which processes meet.
        peers: Other machines to connect to, such as ``10.0.0.7:7451``.

    Raises:
        MissingDependencyError: Zenoh is not installed; says how to get it.
        ParameterError: The port or a peer is none, or cannot be listened at.

    Attributes:
        identity: Of this process among all.
    """

    def __init__(self, host: str = HOST, port: int = PORT, peers: Sequence[str] = ()) -> None:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 < port < 65536:
            raise ParameterError(f"a port is a number from 1 to 65535, not {port!r}")
        for peer in peers:
            if not (isinstance(peer, str) and peer.rpartition(":")[0] and peer.rpartition(":")[2].isdigit()):
                raise ParameterError(f"a peer is a host and a port, such as '10.0.0.7:{PORT}', not {peer!r}")
        self._zenoh = _load()
        self._session = self._open(host, port, peers)
        self.identity = str(self._session.zid())
        self._publishers: dict[str, Any] = {}

    def publish(self, address: str, data: bytes) -> None:
        """Send to all who listen, without waiting."""
        publisher = self._publishers.get(address)
        if publisher is None:
            drop, fast = self._zenoh.CongestionControl.DROP, self._zenoh.Reliability.BEST_EFFORT
            publisher = self._session.declare_publisher(
                PREFIX + address, congestion_control=drop, reliability=fast, express=True
            )
            self._publishers[address] = publisher
        publisher.put(data)

    def listen(self, address: str, depth: int = 1) -> ZenohInbox[bytes]:
        """Get what is published, and keep the last ``depth`` of it."""
        kept = self._zenoh.handlers.RingChannel(depth)
        return ZenohInbox(self._session.declare_subscriber(PREFIX + address, kept), _payload)

    def ask(self, address: str, data: bytes, timeout: float) -> bytes | None:
        """Send a question to who answers at an address, and wait at most ``timeout`` [s]; None: nobody is there.

        Raises:
            TimeoutError: Who is there has not answered.
        """
        block = self._zenoh.CongestionControl.BLOCK
        asked = self._session.get(
            PREFIX + address, payload=data, timeout=timeout, congestion_control=block, express=True
        )
        for reply in asked:
            if reply.ok is not None:
                return bytes(reply.ok.payload)
            raise TimeoutError(bytes(reply.err.payload).decode("utf-8", "replace") if reply.err else "")
        return None

    def answer(self, address: str, depth: int) -> ZenohInbox[ZenohRequest]:
        """Get what is asked, and keep the last ``depth`` of it."""
        kept = self._zenoh.handlers.RingChannel(depth)
        return ZenohInbox(self._session.declare_queryable(PREFIX + address, kept), ZenohRequest)

    def close(self) -> None:
        """Close the session with the other processes."""
        self._session.close()

    def _open(self, host: str, port: int, peers: Sequence[str]) -> Any:
        """Listen at the meeting point; where somebody does already, connect to it and listen elsewhere."""
        others = [f"tcp/{peer}" for peer in peers]
        try:
            return self._zenoh.open(self._config([f"tcp/{host}:{port}"], others))
        except self._zenoh.ZError:
            pass
        try:
            return self._zenoh.open(self._config([f"tcp/{host}:0"], [f"tcp/{host}:{port}", *others]))
        except self._zenoh.ZError as error:
            raise ParameterError(f"cannot listen at '{host}': {error}") from None

    def _config(self, listen: list[str], connect: list[str]) -> Any:
        config = self._zenoh.Config()
        settings: dict[str, Any] = {
            "mode": "peer",
            "listen/endpoints": listen,
            "listen/exit_on_failure": True,
            "listen/timeout_ms": 0,
            "connect/endpoints": connect,
            "connect/exit_on_failure": False,
            "connect/timeout_ms": 0,
            "connect/retry": RETRY,
            "scouting/multicast/enabled": False,
            "scouting/gossip/enabled": True,
            "transport/link/rx/max_message_size": LARGEST,
        }
        for key, value in settings.items():
            config.insert_json5(key, json.dumps(value))
        return config


class ZenohRequest:
    """A question that arrived.

    Attributes:
        data: What is asked.
    """

    def __init__(self, query: Any) -> None:
        self._query = query
        self.data = _payload(query)

    def reply(self, data: bytes) -> None:
        """Answer the request."""
        self._query.reply(self._query.key_expr, data)
        self._query.drop()


class ZenohInbox(Generic[T]):
    """What has arrived by Zenoh.

    Args:
        declared: A subscriber or a queryable.
        read: Makes of what arrives what is taken.
    """

    def __init__(self, declared: Any, read: Callable[[Any], T]) -> None:
        self._declared, self._read = declared, read

    def take(self) -> T | None:
        """The next one, or None."""
        arrived = self._declared.try_recv()
        return None if arrived is None else self._read(arrived)

    def close(self) -> None:
        """Let nothing more arrive."""
        self._declared.undeclare()


def _payload(arrived: Any) -> bytes:
    return b"" if arrived.payload is None else bytes(arrived.payload)


def _load() -> Any:
    try:
        import zenoh  # noqa: PLC0415 - only who talks to other processes needs it
    except ImportError:
        message = "remote components need Eclipse Zenoh, which is not installed; install it "
        raise MissingDependencyError(message + how_to_install("remote")) from None
    return zenoh
