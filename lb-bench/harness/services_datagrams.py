"""A DNS server: dig over UDP and TCP, and a load of dnsperf."""

import hashlib
import re
import shutil

from harness import conditions, ports
from harness.service_session import SessionResult, run
from harness.workplace import Failure, await_true

_NAMES = 200
_ZONE = "example."


def missing():
    for tool, package in (("knotd", "knot"), ("dig", "bind9-dnsutils"), ("dnsperf", "dnsperf")):
        if not shutil.which(tool):
            return f"apt-get install {package}"
    return None


def version():
    return conditions.tool_version(["knotd", "--version"])


def start(place, port):
    zone = [f"{_ZONE} 300 SOA ns.{_ZONE} admin.{_ZONE} 1 3600 600 86400 60", f"{_ZONE} 300 NS ns.{_ZONE}", f"ns.{_ZONE} 300 A 192.0.2.1"]
    for number in range(_NAMES):
        zone += [f"n{number}.{_ZONE} 300 A 192.0.2.{number % 250 + 1}", f"n{number}.{_ZONE} 300 TXT \"{'t' * (number + 1)}\""]
    place.write("example.zone", "\n".join(zone) + "\n")
    config = f"""server:
  listen: {ports.LOOPBACK}@{port}
  rundir: {place.directory}
database:
  storage: {place.directory}
zone:
  - domain: example
    storage: {place.directory}
    file: example.zone
"""
    started = place.start("knotd", ["knotd", "-c", place.write("knot.conf", config)])
    await_true(lambda: b"192.0.2.1" in _dig(port, "n0.example", "A"), "Knot to answer", 10, started)


def _dig(port, name, kind, *more):
    try:
        return run(["dig", f"@{ports.LOOPBACK}", "-p", port, "+short", "+tries=1", "+time=2", *more, name, kind])
    except Failure:
        return b""


def run_client(place, port, seconds):
    faults, digest = [], hashlib.sha256()
    for number in range(_NAMES):
        for kind, more in (("A", "+notcp"), ("TXT", "+tcp" if number % 2 else "+notcp")):
            output = _dig(port, f"n{number}.example", kind, more)
            digest.update(output)
            if not output.strip():
                faults.append(f"no answer for n{number}.example {kind} {more}")
    questions = place.write("questions", "".join(f"n{number}.example A\n" for number in range(_NAMES)))
    output = run(["dnsperf", "-s", ports.LOOPBACK, "-p", port, "-d", questions, "-l", seconds, "-Q", "5000", "-c", "20"]).decode()
    lost = re.search(r"Queries lost:\s+(\d+)", output)
    rate = re.search(r"Queries per second:\s+([\d.]+)", output)
    if not lost or int(lost[1]) or not rate:
        faults.append(f"dnsperf printed {' '.join(output.split())[-300:]}")
    return SessionResult(
        {
            "answers by dig, UDP and TCP": str(2 * _NAMES - len(faults)),
            "queries per second of 5,000 requested; lost": f"{float(rate[1]):,.0f}; {lost[1]}" if rate and lost else "–",
        },
        digest.hexdigest(),
        faults,
    )
