"""What Linux tells about a process and its children in /proc."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def parse_stat(text):
    """Returns (session, seconds of CPU) of one /proc/PID/stat; the command in it may hold spaces and parentheses."""
    fields = text[text.rindex(")") + 2 :].split()
    return int(fields[3]), (int(fields[11]) + int(fields[12])) / _TICKS


def session_members(session):
    """Returns {pid: seconds of CPU} of the living processes of a session, which has its leader's pid as its name."""
    members = {}
    for directory in Path("/proc").iterdir():
        if not directory.name.isdigit():
            continue
        try:
            owner, seconds = parse_stat((directory / "stat").read_text())
        except OSError:
            continue
        if owner == session:
            members[int(directory.name)] = seconds
    return members


def cpu_seconds(session):
    """User and system time of all threads of all processes of the session."""
    return sum(session_members(session).values())


def parse_status(text, key):
    """Returns the bytes of a line such as `VmRSS:  1234 kB` of /proc/PID/status, 0 if there is none."""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == key:
            return int(value.split()[0]) * 1024
    return 0


def open_files(pid):
    """How many file descriptors a process has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def memory_bytes(session, key="VmRSS"):
    """Resident memory of the session (VmRSS now, VmHWM at most). Shared pages of several processes count repeatedly."""
    total = 0
    for pid in session_members(session):
        try:
            total += parse_status(Path(f"/proc/{pid}/status").read_text(), key)
        except OSError:
            pass
    return total
