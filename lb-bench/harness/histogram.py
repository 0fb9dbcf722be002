"""The live objects of a running Java by class."""

import re
import subprocess

_ROW = re.compile(r"^\s*\d+:\s+(\d+)\s+(\d+)\s+(\S+)", re.MULTILINE)


def live(java, pid):
    """Returns {class: (instances, bytes)} after a full collection; None if this Java has no jcmd."""
    if not java.jcmd.exists():
        return None
    done = subprocess.run([java.jcmd, str(pid), "GC.class_histogram"], capture_output=True, text=True, check=False)
    return parse(done.stdout) or None


def parse(text):
    return {name: (int(count), int(size)) for count, size, name in _ROW.findall(text)}


def growth(before, after, per):
    """Returns [(class, instances, bytes)] of the growth, divided by `per`, the largest first."""
    rows = []
    for name, (count, size) in after.items():
        old_count, old_size = before.get(name, (0, 0))
        if size > old_size:
            rows.append((name, (count - old_count) / per, (size - old_size) / per))
    return sorted(rows, key=lambda row: -row[2])
