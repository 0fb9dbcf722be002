"""Stops one thread of a running Ballast permanently, like a hang, while its process continues."""

import ctypes
import os
from pathlib import Path

from harness.workplace import Failure

_ATTACH = 16
# waitpid() waits for a thread of another process only with this flag.
_WALL = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


def threads(pid, name):
    """Returns the ids of the threads of a process whose name begins with `name`."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        if (task / "comm").read_text().startswith(name):
            found.append(int(task.name))
    return sorted(found)


def stop(pid, name):
    """Stops the first thread whose name begins with `name`; the others continue. It resumes when this program exits."""
    for thread in threads(pid, name)[:1]:
        if _libc.ptrace(_ATTACH, ctypes.c_long(thread), None, None) != 0:
            raise Failure(f"cannot stop thread {thread}: {os.strerror(ctypes.get_errno())}")
        os.waitpid(thread, _WALL)
        return thread
    raise Failure(f"process {pid} has no thread {name}")


def release_if_dead(thread):
    """Detaches from a stopped thread whose process was killed; otherwise the process would never appear as exited."""
    try:
        os.waitpid(thread, os.WNOHANG | _WALL)
    except ChildProcessError:
        pass
