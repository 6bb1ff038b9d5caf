"""A connection to the page of a run, without a browser."""

from __future__ import annotations

import asyncio
import json
import threading
from collections import deque
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

import aiohttp

from taskmatrix.core.base.errors import TaskMatrixError

PATIENCE = 20.0  # [s] until the page has answered
LARGEST = 1 << 26  # [bytes] of a message
MOST_ROWS = 2000  # of the log


class Connection:
    """What a page knows of a run, kept up to date in the background, and what it may ask for.

    Args:
        address: Where the page is, as ``taskmatrix run --view`` prints it.

    Attributes:
        hello: What is said once: ``header``, ``behaviors``, ``objects``, ``joints``, ``live`` and ``controls``.
        sections: What is to be seen now, by name, as in :class:`~taskmatrix.studio.viewer.view_state.ViewState`.
        time: [s] On the clock of the run.
        told: How often it was told how the run stands.
        rows: The last lines of the log.
        refusals: Why something was not done, until somebody takes them out.

    Raises:
        TaskMatrixError: There is no page, or it lets nobody in.
    """

    def __init__(self, address: str) -> None:
        self.hello: Mapping[str, Any] = {}
        self.sections: dict[str, Any] = {}
        self.time, self.told = 0.0, 0
        self.rows: deque[list[Any]] = deque(maxlen=MOST_ROWS)
        self.refusals: deque[str] = deque()
        self._address = address
        self._changed = threading.Condition()
        self._socket: aiohttp.ClientWebSocketResponse | None = None
        self._why = ""  # there is no connection, or none any more
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        if not self.wait(lambda: self.hello and self.sections.get("run"), PATIENCE) and not self._why:
            self._why = f"{address} does not answer"
        self.check()

    def check(self) -> None:
        """Raise TaskMatrixError where there is no connection any more."""
        if self._why:
            raise TaskMatrixError(self._why)

    def wait(self, until: Callable[[], object], seconds: float) -> bool:
        """Wait until something is true of what is known, something is refused or the connection ends.

        Returns:
            Whether it is true; False after so many seconds, too.
        """
        with self._changed:
            self._changed.wait_for(lambda: until() or self._why or self.refusals, seconds)
            return bool(until())

    def say(self, kind: str, **fields: object) -> None:
        """Ask for something, by one of the messages of :mod:`taskmatrix.session.live.messages`."""
        self.check()
        assert self._socket is not None
        sent = asyncio.run_coroutine_threadsafe(self._socket.send_str(json.dumps({"type": kind, **fields})), self._loop)
        try:
            sent.result(PATIENCE)
        except (OSError, aiohttp.ClientError, TimeoutError) as error:
            raise TaskMatrixError(f"the run is not there any more: {error}") from error

    def close(self) -> None:
        """Leave the run alone."""
        socket = self._socket
        if socket is not None and self._thread.is_alive():
            asyncio.run_coroutine_threadsafe(socket.close(), self._loop)
        self._thread.join(PATIENCE)

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _serve(self) -> None:
        why = "the run has ended"
        try:
            self._loop.run_until_complete(self._listen())
        except aiohttp.WSServerHandshakeError as error:
            hint = ": its address has a token, '...?token=...'" if error.status == 403 else ""
            why = f"{self._address} refuses the connection ({error.status}){hint}"
        except (OSError, aiohttp.ClientError, ValueError) as error:
            why = f"nothing at {self._address}: {error}"
        finally:
            self._loop.close()
            with self._changed:
                self._why = why
                self._changed.notify_all()

    async def _listen(self) -> None:
        parts = urlsplit(self._address if "//" in self._address else f"http://{self._address}")
        host = parts.netloc
        query = f"?{parts.query}" if parts.query else ""
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(sock_connect=PATIENCE)) as client,
            client.ws_connect(
                f"http://{host}/stream{query}", headers={"Origin": f"http://{host}"}, max_msg_size=LARGEST
            ) as socket,
        ):
            self._socket = socket
            async for message in socket:
                if message.type is aiohttp.WSMsgType.TEXT:
                    with self._changed:
                        self._take(json.loads(message.data))
                        self._changed.notify_all()

    def _take(self, message: Mapping[str, Any]) -> None:
        kind = message["type"]
        if kind == "hello":
            self.hello = message
        elif kind == "state":
            self.time = message["time"]
            self.sections |= message["sections"]
            self.told += "run" in message["sections"]
        elif kind == "log":
            self.rows += message["rows"]
        elif kind == "refused":
            self.refusals.append(message["why"])
