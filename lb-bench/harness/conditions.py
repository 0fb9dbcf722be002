"""The conditions of a run, reported next to its figures."""

import os
import platform
import re
import subprocess
from datetime import datetime, timezone
from pathlib import Path

from harness.workplace import ROOT


def gather():
    """Returns (name, value) pairs. Call it before the load begins, because the load average must be that of other
    processes."""
    return [
        ("Date", datetime.now(timezone.utc).strftime("%Y-%m-%d %H:%M UTC")),
        ("Commit", commit()),
        ("Kernel", f"{platform.system()} {platform.release()}"),
        ("CPU", f"{len(os.sched_getaffinity(0))} of {os.cpu_count()} × {cpu_model(Path('/proc/cpuinfo').read_text())}"),
        ("Load average before", " ".join(f"{load:.2f}" for load in os.getloadavg())),
    ]


def commit():
    def git(*arguments):
        return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()

    revision = git("rev-parse", "--short=12", "HEAD")
    if not revision:
        return "unknown"
    return revision + (" with changes" if git("status", "--porcelain", "--untracked-files=no") else "")


def cpu_model(cpuinfo):
    match = re.search(r"^model name\s*:\s*(.*)$", cpuinfo, re.MULTILINE)
    return match[1] if match else platform.machine()


def tool_version(command):
    """Returns the first version number in a program's output."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return "missing"
    match = re.search(r"\d+\.\d\S*", done.stdout + done.stderr)
    return match[0] if match else "unknown"
