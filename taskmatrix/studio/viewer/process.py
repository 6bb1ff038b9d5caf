"""The viewer's own process: frames come in on standard input, what people ask for goes out on standard output."""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
import os
import signal
import sys
from contextlib import suppress

import orjson

from taskmatrix.core.base.clock import RealClock
from taskmatrix.core.base.errors import ParameterError, TaskMatrixError
from taskmatrix.session.live.frames import HEAD, Frame, unpacked_head
from taskmatrix.session.live.messages import Message

from .server import Server
from .timeline import Timeline
from .viewer import PERIOD, Run

WHOLE = 4096  # [bytes] that a pipe takes whole or not at all
TURN = 0.01  # [s] for which frames are taken in before viewers have their turn
_log = logging.getLogger(__name__)


async def serve(host: str, port: int) -> None:
    """Serve the run that standard input tells of, until it ends."""
    frames = asyncio.StreamReader(limit=1 << 24)
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(frames), sys.stdin)
    try:
        hello, scene = await _next(frames), await _next(frames)
    except asyncio.IncompleteReadError:
        return
    told = orjson.loads(hello.body)
    os.set_blocking(sys.stdout.fileno(), False)
    run = Run(Timeline(), told, live=True, command=_command if told.pop("controls", False) else None)
    try:
        server = Server(run, scene.body or gzip.compress(b"{}"), RealClock().now, host, port)
        address = await server.start()
    except TaskMatrixError as error:
        _say({"error": str(error)})
        return
    _say({"address": address})
    turn = loop.time()
    try:
        while True:
            frame = await _next(frames)
            if loop.time() - turn > TURN:  # a run that tells much does not keep viewers waiting
                await asyncio.sleep(0)
                turn = loop.time()
            try:
                server.take(frame)
            except (ValueError, KeyError, TypeError) as error:
                _log.warning("an event was left out: %s: %s", type(error).__name__, ascii(str(error))[:200])
    except asyncio.IncompleteReadError:
        await asyncio.sleep(2.0 * PERIOD)  # viewers are told of the end first
        await server.close()


async def _next(frames: asyncio.StreamReader) -> Frame:
    kind, source, body, time = unpacked_head(await frames.readexactly(HEAD.size))
    name = (await frames.readexactly(source)).decode() if source else ""
    return Frame(kind, time, name, await frames.readexactly(body))


def _command(message: Message) -> None:
    """Hand on what a viewer asks for; raises ParameterError where the run does not listen at the moment."""
    try:
        _say(message)
    except BlockingIOError:
        raise ParameterError("the run is busy and does not listen; try again") from None


def _say(what: Message) -> None:
    line = json.dumps(what).encode() + b"\n"
    if len(line) > WHOLE:
        raise ParameterError(f"more than {WHOLE} bytes in one message to the run")
    os.write(sys.stdout.fileno(), line)


def main(arguments: list[str]) -> None:
    """Run the process: ``--host HOST --port PORT``."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the run; this ends with it
    logging.basicConfig(format="viewer: %(message)s", level=logging.WARNING)
    given = dict(zip(arguments[::2], arguments[1::2], strict=True))
    with suppress(BrokenPipeError):
        asyncio.run(serve(given["--host"], int(given["--port"])))
