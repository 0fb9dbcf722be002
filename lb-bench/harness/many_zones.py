"""Many small zones: start-up cost, and the cost of a change of one zone."""

import getpass
import grp
import os
import shutil
import subprocess
import time
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import dns_client, dns_wire, launches, loopback, ports, procfs, report
from harness.template import fill_peer
from harness.workplace import Failure, await_true, say

SECRET = "c2VjcmV0IG9mIGEgYmVuY2htYXJr"  # of a benchmark on loopback
_START_SECONDS = 300
_CHANGE_SECONDS = 60
_REST_SECONDS = 12
_WARM_PART = 2  # one warm-up change per two measured ones
_MIN_STARTED = 1_000

_ZONE = """\
$TTL 300
@ 3600 SOA ns1 hostmaster {serial} 3600 600 86400 300
@ NS ns1
ns1 A 192.0.2.1
www A 192.0.2.{last}
*.any A 192.0.2.3
alias CNAME www
sub NS ns.sub.example.net.
old DNAME new
"""

RECORDS = 8


@dataclass(frozen=True)
class ZoneCount:
    """A number of zones; bars are CPU seconds (None: no bar): `most_start` until ready, `most_change` for a change of one zone, which has
    `names` more names than the others."""

    zones: int
    most_start: float
    most_change: float = None
    names: int = 0

    @property
    def title(self):
        return f"{self.zones:,} zones" + (f", of {self.names:,} more names" if self.names else "")


SIZES = (ZoneCount(13, None, 0.002), ZoneCount(13, None, 0.02, names=10_000), ZoneCount(1_000, None), ZoneCount(10_000, 3, 0.2), ZoneCount(100_000, 30))


@dataclass(frozen=True)
class Start:
    """Seconds until the last zone was answered, CPU seconds until then, resident bytes then and at rest."""

    seconds: float
    cpu: float
    ready: int
    rest: int


@dataclass(frozen=True)
class Change:
    """The change of one zone among others: CPU seconds, and seconds until it is served; means of consecutive changes.
    """

    cpu: float
    seconds: float


@dataclass(frozen=True)
class ZoneServer:
    """A server to measure: `start` takes (place, Zones, role) and returns a Running."""

    name: str
    start: object


@dataclass(frozen=True)
class RunningZoneServer:
    """A running server; `reload` makes it read its configuration, or the given zone, again."""

    started: object
    port: int
    reload: object


class Zones:
    """The files of this many zones; the middle one may have more names."""

    def __init__(self, directory, count, names=0):
        self.directory = Path(directory)
        self.count = count
        self._more = "".join(f"n{number} A 192.0.2.{number & 255}\n" for number in range(names))
        self.directory.mkdir(parents=True, exist_ok=True)
        for number in range(count):
            self.write(number)

    @staticmethod
    def name(number):
        return f"z{number}.bench"

    def names(self):
        return (self.name(number) for number in range(self.count))

    def write(self, number, serial=1, last=2):
        more = self._more if number == self.count // 2 else ""
        (self.directory / self.name(number)).write_text(_ZONE.format(serial=serial, last=last) + more, encoding="ascii")


def ballast(java):
    launch = launches.Launch(java, uses_lb=True, uses_archive=True)

    def start(place, zones, role, primary=1):
        port, dashboard = ports.free(ports.DNS), ports.free()
        more = {
            "files": "file: {file}",
            "updates": "file: {file}, update: {{keys: bench.key}}",
            "secondary": f'secondary: {{{{from: "127.0.0.1:{primary}"}}}}',
        }[role]
        lines = "\n".join(
            f"    - {{name: {name}, {more.format(file=f'{zones.directory.name}/{name}')}}}" for name in zones.names()
        )
        values = {
            "port": port,
            "dashboard": dashboard,
            "data_dir": _empty(place, "ballast-many"),
            "secret": SECRET,
            "zones": lines,
        }
        config = place.write("ballast-many.yaml", fill_peer("dns/many/ballast.yaml", values))
        started = place.start("ballast", [*launch.command(), "run", config], launch.environment())
        return RunningZoneServer(started, port, lambda zone: _reload(f"http://{ports.LOOPBACK}:{dashboard}", started))

    return ZoneServer(f"ballast, Java {java.major}", start)


def _reload(dashboard, started):
    await_true(lambda: loopback.is_ok(dashboard + "/readyz"), "Ballast to be ready", _START_SECONDS, started)
    request = urllib.request.Request(dashboard + "/api/v1/reload", method="POST")
    with urllib.request.urlopen(request, timeout=_CHANGE_SECONDS) as answer:
        answer.read()


def knot():
    def start(place, zones, role, primary=1):
        files = _empty(place, "knot-many-files") if role == "secondary" else zones.directory
        return _start_knot(place, "knot-many", zones, files, role, ports.free(ports.DNS), primary=primary)

    return ZoneServer("knot", start)


_KNOT_ROLES = {
    "files": "",
    "updates": "    acl: update",
    "secondary": "    master: primary\n    acl: local",
    "primary": "    notify: secondary\n    acl: local",
}


def _start_knot(place, name, zones, files, role, port, primary=1, secondary=1):
    directory = _empty(place, name)
    values = {
        "port": port,
        "directory": directory,
        "files": files,
        "user": f"{getpass.getuser()}:{grp.getgrgid(os.getgid()).gr_name}",
        "secret": SECRET,
        "primary": primary,
        "secondary": secondary,
        "role": _KNOT_ROLES[role],
        "zones": "\n".join(f"  - domain: {zone}" for zone in zones.names()),
    }
    config = place.write(f"{name}.conf", fill_peer("dns/many/knot.conf", values))
    socket = directory / "knot.sock"
    started = place.start(name, ["knotd", "-c", config, "-s", socket])
    return RunningZoneServer(started, port, lambda zone: _knotc(socket, "zone-reload", zone))


def _knotc(socket, *words):
    done = subprocess.run(["knotc", "-s", str(socket), *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"knotc exited with {done.returncode}: {done.stdout}{done.stderr}")


def _empty(place, name):
    shutil.rmtree(place.directory / name, ignore_errors=True)
    return place.subdirectory(name)


def measure_start(place, server, zones):
    begin = time.monotonic()
    running = server.start(place, zones, "files")
    try:
        _await(running, zones.name(zones.count - 1), "192.0.2.2", _START_SECONDS)
        seconds, cpu = time.monotonic() - begin, procfs.cpu_seconds(running.started.pid)
        ready = procfs.memory_bytes(running.started.pid)
        time.sleep(_REST_SECONDS)
        return Start(seconds, cpu, ready, procfs.memory_bytes(running.started.pid))
    finally:
        running.started.stop()


def measure_reloads(place, server, zones, changes):
    """Changes one zone file and triggers a reload."""
    running = server.start(place, zones, "files")

    def change(serial):
        zones.write(zones.count // 2, serial, last=serial)
        running.reload(zones.name(zones.count // 2))

    try:
        return _changes(running, zones, change, changes)
    finally:
        running.started.stop()
        zones.write(zones.count // 2)


def measure_updates(place, server, zones, changes):
    """Changes one zone by a signed UPDATE."""
    running = server.start(place, zones, "updates")
    zone = zones.name(zones.count // 2)

    def change(serial):
        update = f"server {ports.LOOPBACK} {running.port}\nzone {zone}\nupdate delete www.{zone} A\n"
        update += f"update add www.{zone} 300 A 192.0.2.{serial}\nsend\n"
        command = ["nsupdate", "-y", f"hmac-sha256:bench.key:{SECRET}", "-t", str(_CHANGE_SECONDS)]
        done = subprocess.run(command, input=update, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failure(f"nsupdate exited with {done.returncode}: {done.stderr}")

    try:
        return _changes(running, zones, change, changes)
    finally:
        running.started.stop()
        zones.write(zones.count // 2)  # Knot writes to this file


def measure_transfers(place, server, zones, changes):
    """Changes one zone at its primary, which sends a NOTIFY."""
    port = ports.free(ports.DNS)
    secondary = server.start(place, zones, "secondary", primary=port)
    primary = _start_knot(place, "knot-primary", zones, zones.directory, "primary", port, secondary=secondary.port)
    try:
        _await(primary, zones.name(zones.count - 1), "192.0.2.2", _START_SECONDS)
        for number in range(zones.count):
            _await(secondary, zones.name(number), "192.0.2.2", _START_SECONDS)

        def change(serial):
            zones.write(zones.count // 2, serial, last=serial)
            primary.reload(zones.name(zones.count // 2))

        return _changes(secondary, zones, change, changes)
    finally:
        secondary.started.stop()
        primary.started.stop()
        zones.write(zones.count // 2)


def _changes(running, zones, change, count):
    """Makes consecutive changes; the first ones are not measured, because they run code for the first time."""
    zone = zones.name(zones.count // 2)
    _await(running, zones.name(zones.count - 1), "192.0.2.2", _START_SECONDS)
    before = begin = None
    spent = 0
    warm = count // _WARM_PART
    for number in range(warm + count):
        if number == warm:
            before = procfs.cpu_seconds(running.started.pid)
        begin = time.monotonic()
        change(number + 3)
        _await(running, zone, f"192.0.2.{number + 3}", _CHANGE_SECONDS)
        spent += time.monotonic() - begin if number >= warm else 0
    return Change((procfs.cpu_seconds(running.started.pid) - before) / count, spent / count)


def _await(running, zone, address, seconds):
    name = f"www.{zone}"
    query = dns_wire.question(name, "A")

    def is_served():
        try:
            answer = dns_wire.parse(dns_client.exchange(running.port, query, seconds=0.5)).answer
        except (OSError, dns_wire.Malformed):
            return False
        return any(record.data == address for record in answer)

    await_true(is_served, f"{name} from {running.started.name}", seconds, running.started)


KINDS = {"reload": measure_reloads, "update": measure_updates, "transfer": measure_transfers}


def measure(place, servers, sizes, options):
    """Returns the starts by (size, server), and the changes by (size, server, kind)."""
    starts, changes = {}, {}
    for size in sizes:
        zones = Zones(place.directory / f"zones-{size.zones}-{size.names}", size.zones, size.names)
        for number in range(options.starts if size.zones >= _MIN_STARTED else 0):
            for server in servers:
                say(f"{size.title}: {server.name}, start {number + 1} of {options.starts}")
                starts.setdefault((size, server.name), []).append(measure_start(place, server, zones))
        if size.zones > options.most_changed:
            continue
        for kind in KINDS if size.zones >= _MIN_STARTED else ("update",):
            measured = KINDS[kind]
            for server in servers:
                say(f"{size.title}: {server.name}, {kind}")
                changes[size, server.name, kind] = measured(place, server, zones, options.changes)
    return starts, changes


def is_start_met(size, runs):
    return size.most_start is None or median(run.cpu for run in runs) <= size.most_start


def is_change_met(size, change):
    return size.most_change is None or change.cpu <= size.most_change


def all_met(starts, changes):
    return all(is_start_met(size, of) for (size, name), of in starts.items() if name.startswith("ballast")) and all(
        is_change_met(size, of) for (size, name, _), of in changes.items() if name.startswith("ballast")
    )


def tables(starts, changes, options):
    text = (
        f"Zones of {RECORDS} records each, among them a wildcard, an alias, a delegation and a DNAME record. Ready means the answer from"
        f" the last zone. Changes are means of {options.changes} changes of one zone, one after the other, each served before the"
        f" next one, after {options.changes // _WARM_PART} others: a changed file and a reload (of the configuration in Ballast, of the zone in"
        " Knot), a signed UPDATE, and a new version on a primary that sends a NOTIFY."
    )
    return "\n\n".join(["## many zones", text, start_table(starts), change_table(changes)])


def start_table(starts):
    rows = []
    for (size, name), of in starts.items():
        has_bar = name.startswith("ballast") and size.most_start is not None
        rows.append(
            [
                size.title,
                name,
                f"{median(run.seconds for run in of):.2f}",
                f"{median(run.cpu for run in of):.2f}",
                f"{median(run.ready for run in of) / 1e6:.0f}",
                f"{median(run.rest for run in of) / 1e6:.0f}",
                f"≤ {size.most_start:g} s of CPU" if has_bar else "–",
                ("met" if is_start_met(size, of) else "**not met**") if has_bar else "",
            ]
        )
    header = ["start", "server", "seconds to ready", "CPU seconds", "RSS MB at ready", "at rest", "bars", ""]
    return report.table(header, rows)


def change_table(changes):
    rows = []
    for (size, name, kind), of in changes.items():
        has_bar = name.startswith("ballast") and size.most_change is not None
        rows.append(
            [
                f"{kind} among {size.title}",
                name,
                f"{of.cpu * 1e3:.0f}",
                f"{of.seconds * 1e3:.0f}",
                f"≤ {size.most_change * 1e3:.0f} ms of CPU" if has_bar else "–",
                ("met" if is_change_met(size, of) else "**not met**") if has_bar else "",
            ]
        )
    return report.table(["one change", "server", "CPU ms", "ms until served", "bars", ""], rows)
