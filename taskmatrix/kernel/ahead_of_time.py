"""Having the whole kernel ready: compiled once, by one process while others wait, and loaded by all in one order."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

from taskmatrix.core.base.compilation import LOG, CompileProgress, Report, counted, log_progress

from .example import solve_all
from .jit.compiled import CODE, loads_all

WHAT = "the kernel of collision checks and planning"
DONE = "complete"  # file in the folder when all is there
COUNT = "count"  # file with the number of functions that are compiled so far
POLL = 0.5  # [s] between two looks at it
COMPILE = "import sys; sys.path[:] = {path!r}; from {package}.ahead_of_time import compile_all; compile_all({count!r})"
_LOCK = threading.RLock()
_begun = False


@loads_all
def compile_ahead(report: Report | None = None) -> bool:
    """Have all compiled functions ready; at once where they were compiled before on this machine.

    Of several processes one has them compiled; the others wait. All load them in the same order: machine code of a
    function that several others call is there several times, and may differ in the last bit; what was loaded first is
    what is called.

    Args:
        report: Is told a few times a second how far it is, if there is something to compile; the log unless given.

    Returns:
        Whether they were compiled now.

    Raises:
        OSError: The process that compiles did not come to its end.
    """
    global _begun  # noqa: PLW0603 - what is loaded is so for the whole process
    with _LOCK:
        if _begun:  # or this is called by what is called to load it
            return False
        _begun = True
        try:
            compiled = _compile_in(CODE.folder, report or log_progress())
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


def compile_all(count: str) -> None:
    """Compile all functions, and write to the file ``count`` how many are."""
    file, new = Path(count), Path(f"{count}.new")

    def write(done: int) -> None:
        new.write_text(str(done), encoding="ascii")
        new.replace(file)

    with counted(CODE.functions, write):
        load_all()


def _compile_in(folder: Path, report: Report) -> bool:
    if (folder / DONE).exists():
        return False
    from filelock import FileLock, Timeout  # noqa: PLC0415 - half of asyncio comes with it, which no other start needs

    lock = FileLock(folder / "lock")
    while not lock.is_locked:
        try:
            lock.acquire(timeout=POLL)
        except Timeout:
            report(_progress(folder, waiting=True))
        except (OSError, NotImplementedError) as error:  # a file system without locks
            LOG.debug("no lock on %s: %s", folder, error)
            break
    try:
        if (folder / DONE).exists():
            return False
        (folder / COUNT).unlink(missing_ok=True)
        _compile(folder, report)
        (folder / DONE).touch()
    finally:
        lock.release()
    return True


def _progress(folder: Path, waiting: bool = False) -> CompileProgress:
    try:
        done = int((folder / COUNT).read_text(encoding="ascii"))
    except FileNotFoundError:
        done = 0
    return CompileProgress(f"{WHAT}, once for this version", done, len(CODE.functions), waiting)


def _compile(folder: Path, report: Report) -> None:
    """Compile in a process of its own: one that compiled what it runs would not run what others load.

    Raises:
        OSError: It did not come to its end.
    """
    program = COMPILE.format(path=sys.path, package=__package__, count=str(folder / COUNT))
    process = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.PIPE, text=True)  # noqa: S603 - ours
    report(_progress(folder))
    while True:
        try:
            _, told = process.communicate(timeout=POLL)
            break
        except subprocess.TimeoutExpired:
            report(_progress(folder))
        except BaseException:
            process.kill()
            process.wait()
            raise
    if process.returncode:
        raise OSError(f"the kernel could not be compiled in a process of its own:\n{told}")
