"""Compiling the whole kernel ahead: by one process, while others wait for it."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from .compiled import cache_folder, why_not_kept

LOG = logging.getLogger("taskmatrix")
SAID = "compiling the kernel of collision checks and planning"
DONE = "complete"  # file in the folder when all is there
_LOCK = threading.RLock()
_begun = False


def compile_ahead() -> bool:
    """Have all compiled functions ready; at once where that was done before on this machine.

    Of several processes one compiles, and says so. The others wait, and load what it has compiled: machine code of the
    same function may differ in the last bit when it is compiled another time. If the one dies, another goes on.

    Returns:
        Whether it was this process that compiled.
    """
    global _begun  # noqa: PLW0603 - what is compiled is so for the whole process
    with _LOCK:
        if _begun:  # or this is called by what is called to compile it
            return False
        _begun = True
        try:
            return _compile_in(cache_folder())
        except BaseException:
            _begun = False
            raise


def _compile_in(folder: Path) -> bool:
    reason = why_not_kept()
    if reason:
        LOG.warning(
            "%s: this takes half a minute, and every process has to, because %s cannot be written (%s); "
            "the variable NUMBA_CACHE_DIR names another folder",
            SAID,
            folder.parent,
            reason,
        )
        _compile()
        return True
    if (folder / DONE).exists():
        return False
    from filelock import FileLock  # noqa: PLC0415 - half of asyncio comes with it, which no other start needs

    lock = FileLock(folder / "lock")
    try:
        lock.acquire(blocking=True)
    except (OSError, NotImplementedError) as error:  # a file system without locks
        LOG.debug("no lock on %s: %s", folder, error)
    try:
        if (folder / DONE).exists():
            return False
        LOG.warning("%s, once: this takes half a minute", SAID)
        _compile()
        (folder / DONE).touch()
    finally:
        lock.release()
    return True


def _compile() -> None:
    from .example import solve_all  # noqa: PLC0415 - what it uses uses this

    solve_all()
