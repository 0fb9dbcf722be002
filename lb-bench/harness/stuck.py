"""Stops one thread of a running Ballast for good, as a hang would, while its process goes on."""

import ctypes
import os
from pathlib import Path

from harness.workplace import Failure

_ATTACH = 16
# A thread of another process is no child, and is waited for only if that is said.
_WALL = 0x40000000
_libc = ctypes.CDLL(None, use_errno=True)


def threads(pid, name):
    """The numbers of the threads of a process whose name begins with `name`."""
    found = []
    for task in Path(f"/proc/{pid}/task").iterdir():
        if (task / "comm").read_text().startswith(name):
            found.append(int(task.name))
    return sorted(found)


def stop(pid, name):
    """Stops the first thread whose name begins with `name`; the others run on. It is let go when we end."""
    for thread in threads(pid, name)[:1]:
        if _libc.ptrace(_ATTACH, ctypes.c_long(thread), None, None) != 0:
            raise Failure(f"cannot stop thread {thread}: {os.strerror(ctypes.get_errno())}")
        os.waitpid(thread, _WALL)
        return thread
    raise Failure(f"process {pid} has no thread {name}")


def release_if_dead(thread):
    """Lets a stopped thread go whose process was ended: until then the process is not seen to end."""
    try:
        os.waitpid(thread, os.WNOHANG | _WALL)
    except ChildProcessError:
        pass
