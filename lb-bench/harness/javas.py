"""The Java installations of this machine, as bin/lb finds them."""

import subprocess
from dataclasses import dataclass
from pathlib import Path

from harness.workplace import ROOT, Failure


@dataclass(frozen=True)
class Java:
    major: int
    home: Path

    @property
    def executable(self):
        return self.home / "bin" / "java"

    @property
    def jcmd(self):
        return self.home / "bin" / "jcmd"


def majors(text):
    """Reads an option such as 17,25."""
    return tuple(int(word) for word in text.split(","))


def find(wanted=()):
    """Returns one Java per version, or per wanted version, the oldest first."""
    script = f'. "{ROOT}/bin/jdk.sh"; find_javas'
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    found = parse(done.stdout)
    missing = [major for major in wanted if major not in found]
    if missing or not found:
        raise Failure(f"no Java {', '.join(map(str, missing)) or 'from 17 on'} found")
    return [found[major] for major in sorted(wanted or found)]


def parse(lines):
    """Parses lines of "major home"; the first one of a version counts."""
    found = {}
    for line in lines.splitlines():
        major, home = line.split(" ", 1)
        found.setdefault(int(major), Java(int(major), Path(home)))
    return found
