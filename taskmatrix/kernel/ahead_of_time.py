"""Having the whole kernel ready: compiled once, by one process while others wait, and loaded by all in one order."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from pathlib import Path

from .example import solve_all
from .jit.compiled import cache_folder, loads_all, why_not_kept

LOG = logging.getLogger("taskmatrix")
SAID = "compiling the kernel of collision checks and planning"
DONE = "complete"  # file in the folder when all is there
COMPILE = "import sys; sys.path[:] = {path!r}; from {package} import ahead_of_time; ahead_of_time.load_all()"
_LOCK = threading.RLock()
_begun = False


@loads_all
def compile_ahead() -> bool:
    """Have all compiled functions ready; at once where they were compiled before on this machine.

    Of several processes one has them compiled, and says so; the others wait. All load them in the same order: machine
    code of a function that several others call is there several times, and may differ in the last bit; what was loaded
    first is what is called.

    Returns:
        Whether they were compiled now.
    """
    global _begun  # noqa: PLW0603 - what is loaded is so for the whole process
    with _LOCK:
        if _begun:  # or this is called by what is called to load it
            return False
        _begun = True
        try:
            compiled = _compile_in(cache_folder())
            load_all()
        except BaseException:
            _begun = False
            raise
        return compiled


def load_all() -> None:
    """Load all compiled functions, and compile those that were not."""
    global _begun  # noqa: PLW0603
    _begun = True
    solve_all()


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
    """Compile in a process of its own: one that compiled what it runs would not run what others load.

    Raises:
        OSError: It did not come to its end.
    """
    program = COMPILE.format(path=sys.path, package=__package__)
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - a program of our own
    if done.returncode:
        raise OSError(f"the kernel could not be compiled in a process of its own:\n{done.stderr}")
