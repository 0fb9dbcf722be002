"""Figures of a process and its children from /proc."""

import os
from pathlib import Path

_TICKS = os.sysconf("SC_CLK_TCK")


def parse_stat(text):
    """Returns (session, CPU seconds) of one /proc/PID/stat; the command in it may contain spaces and parentheses."""
    fields = text[text.rindex(")") + 2 :].split()
    return int(fields[3]), (int(fields[11]) + int(fields[12])) / _TICKS


def session_members(session):
    """Returns {pid: CPU seconds} of the running processes of a session, whose id is its leader's pid."""
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
    """Returns the user and system time of all processes of the session."""
    return sum(session_members(session).values())


def parse_status(text, key):
    """Returns the bytes of a line such as `VmRSS:  1234 kB` of /proc/PID/status; 0 if it is missing."""
    for line in text.splitlines():
        name, _, value = line.partition(":")
        if name == key:
            return int(value.split()[0]) * 1024
    return 0


def open_files(pid):
    """Returns the number of open file descriptors of a process."""
    return len(os.listdir(f"/proc/{pid}/fd"))


def memory_bytes(session, key="VmRSS"):
    """Returns the resident memory of the session (VmRSS current, VmHWM peak). Shared pages count once per process."""
    total = 0
    for pid in session_members(session):
        try:
            total += parse_status(Path(f"/proc/{pid}/status").read_text(), key)
        except OSError:
            pass
    return total
