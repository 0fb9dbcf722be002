"""The program behind lb-bench/zone-sizes: start-up time and memory with large zones and many zones, and the cost of a
change of one zone among many."""

import argparse
import getpass
import grp
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import ballast, conditions, dns_client, dns_wire, javas, launches, many_names, many_zones, ports, procfs, report
from harness.template import fill_peer
from harness.workplace import Failure, Workplace, run_program, say

_MAX_SECONDS = 180
_POLL_SECONDS = 0.01
_REST_SECONDS = 12  # longer than the JVM's first check of the soft heap limit
_PAYLOAD = 1232


@dataclass(frozen=True)
class ZoneSize:
    """A zone to serve; bars are seconds to the first answer, and bytes at rest (None: no bar)."""

    names: int
    is_signed: bool
    most_seconds: float
    most_bytes: float = None

    @property
    def title(self):
        return f"{self.names:,} names" + (", signed" if self.is_signed else "")


SIZES = (
    ZoneSize(100_000, False, 2, 200e6),
    ZoneSize(100_000, True, 6),
    ZoneSize(1_000_000, False, 12, 700e6),
)


@dataclass(frozen=True)
class ZoneRun:
    """One start: seconds until the last name of the file was answered, CPU seconds until then, resident bytes."""

    seconds: float
    cpu: float
    ready: int
    rest: int


@dataclass(frozen=True)
class SizedZoneServer:
    """A server to measure: `start` takes (place, size, zone file) and returns (started process, port)."""

    name: str
    start: object


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("zone-sizes", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="zone-sizes", description="Measures the time to the first answer, and resident memory, with large zones."
    )
    parser.add_argument("--java", type=javas.majors, default=(), help="versions such as 17,25 (all that are found)")
    parser.add_argument("--starts", type=int, default=3, help="starts of each, interleaved (%(default)s)")
    parser.add_argument("--most", type=int, default=1_000_000, help="skip larger zones (%(default)s)")
    parser.add_argument("--most-zones", type=int, default=100_000, help="skip larger numbers of zones (%(default)s)")
    parser.add_argument("--most-changed", type=int, default=10_000, help="maximum number of zones besides the changed one (%(default)s)")
    parser.add_argument("--changes", type=int, default=40, help="changes of one zone among many, at most 160 (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    found = javas.find(options.java)
    servers = [_ballast(java) for java in reversed(found)]
    if shutil.which("knotd"):
        servers.append(SizedZoneServer("knot", start_knot))
    facts = conditions.gather()
    for java in found:
        ballast.make_archive(java)
    sizes = [size for size in SIZES if size.names <= options.most]
    runs = {}
    with Workplace() as place:
        for size in sizes:
            zone = place.directory / f"{size.names}.zone"
            if not zone.exists():
                many_names.write(zone, size.names)
            for number in range(options.starts):
                for server in servers:
                    say(f"{size.title}: {server.name}, start {number + 1} of {options.starts}")
                    runs.setdefault((size, server.name), []).append(measure(place, server, size, zone))
        many = [many_zones.ballast(java) for java in reversed(found)] + ([many_zones.knot()] if shutil.which("knotd") else [])
        counts = [size for size in many_zones.SIZES if size.zones <= options.most_zones]
        starts, changes = many_zones.measure(place, many, counts, options)
    parts = ["# zone-sizes", report.conditions(facts)]
    parts += [_report(sizes, [server.name for server in servers], runs, options)] if sizes else []
    parts += [many_zones.tables(starts, changes, options)] if counts else []
    return "\n\n".join(parts), all_met(runs) and many_zones.all_met(starts, changes)


def _ballast(java):
    launch = launches.Launch(java, uses_lb=True, uses_archive=True)
    return SizedZoneServer(f"ballast, Java {java.major}", lambda *arguments: start_ballast(launch, *arguments))


def start_ballast(launch, place, size, zone):
    port = ports.free(ports.DNS)
    values = {
        "port": port,
        "data_dir": _empty(place, "ballast-data"),
        "zone": zone,
        "signed": "true" if size.is_signed else "false",
    }
    config = place.write("ballast.yaml", fill_peer("dns/sizes/ballast.yaml", values))
    return place.start("ballast", [*launch.command(), "run", config], launch.environment()), port


def start_knot(place, size, zone):
    port, directory = ports.free(ports.DNS), _empty(place, "knot-sizes")
    values = {
        "port": port,
        "directory": directory,
        "user": f"{getpass.getuser()}:{grp.getgrgid(os.getgid()).gr_name}",
        "zone": zone,
        "signed": "on" if size.is_signed else "off",
    }
    config = place.write("knot-sizes.conf", fill_peer("dns/sizes/knot.conf", values))
    return place.start("knot", ["knotd", "-c", config, "-s", directory / "knot.sock"]), port


def _empty(place, name):
    """Returns an empty directory, because keys and journals of an earlier start would save work."""
    shutil.rmtree(place.directory / name, ignore_errors=True)
    return place.subdirectory(name)


def measure(place, server, size, zone):
    begin = time.monotonic()
    started, port = server.start(place, size, zone)
    try:
        while not is_answered(port, size):
            started.require_running()
            if time.monotonic() - begin > _MAX_SECONDS:
                raise Failure(f"{server.name}: no answer after {_MAX_SECONDS} s:\n{started.log_tail()}")
            time.sleep(_POLL_SECONDS)
        seconds, cpu = time.monotonic() - begin, procfs.cpu_seconds(started.pid)
        ready = procfs.memory_bytes(started.pid)
        time.sleep(_REST_SECONDS)
        return ZoneRun(seconds, cpu, ready, procfs.memory_bytes(started.pid))
    finally:
        started.stop()


def is_answered(port, size):
    """Returns whether the last name with an address is answered, with a signature if the zone is signed."""
    name = f"n{size.names - 4}.{many_names.ORIGIN}"
    query = dns_wire.question(name, "A", edns_size=_PAYLOAD, dnssec=size.is_signed)
    try:
        answer = dns_wire.parse(dns_client.exchange(port, query, seconds=0.5)).answer
    except (OSError, dns_wire.Malformed):
        return False
    types = {record.type for record in answer}
    return "A" in types and (not size.is_signed or "RRSIG" in types)


def is_met(size, runs):
    """Returns whether the medians meet the bars of a size."""
    return median(run.seconds for run in runs) <= size.most_seconds and (
        size.most_bytes is None or median(run.rest for run in runs) <= size.most_bytes
    )


def all_met(runs):
    return all(is_met(size, of) for (size, name), of in runs.items() if name.startswith("ballast"))


def _report(sizes, names, runs, options):
    return "\n\n".join(
        [
            "## Large zones",
            f"Medians of {options.starts} starts of each, one after the other; with the lowest and the highest. Of ten names six"
            " have an address, one two, one a text, one a mail server and an address, one is an alias. Ready means the answer to"
            f" the last of them, signed where the zone is; at rest is {_REST_SECONDS} s later. MB are 10⁶ bytes.",
            table(sizes, names, runs),
        ]
    )


def table(sizes, names, runs):
    rows = []
    for size in sizes:
        for name in names:
            of = runs[size, name]
            seconds = [run.seconds for run in of]
            has_bar = name.startswith("ballast")
            rows.append(
                [
                    size.title,
                    name,
                    f"{median(seconds):.2f} ({min(seconds):.2f}–{max(seconds):.2f})",
                    f"{median(run.cpu for run in of):.2f}",
                    f"{median(run.ready for run in of) / 1e6:.0f}",
                    f"{median(run.rest for run in of) / 1e6:.0f}",
                    bars(size) if has_bar else "–",
                    ("met" if is_met(size, of) else "**not met**") if has_bar else "",
                ]
            )
    header = ["zone", "server", "seconds to ready", "CPU seconds", "RSS MB at ready", "at rest", "bars", ""]
    return report.table(header, rows)


def bars(size):
    memory = "" if size.most_bytes is None else f", ≤ {size.most_bytes / 1e6:.0f} MB"
    return f"≤ {size.most_seconds:g} s{memory}"
