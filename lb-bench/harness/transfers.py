"""The program behind lb-bench/transfers: cost of transfers of large zones, out and in, and their effect on other
clients."""

import argparse
import getpass
import grp
import os
import shutil
import socket
import struct
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from harness import ballast, conditions, dns_client, dns_wire, dnsperf, javas, launches, many_names, ports, procfs, report
from harness.template import fill_peer
from harness.workplace import Failure, Workplace, await_true, run_program, say

_AXFR = "TYPE252"
_START_SECONDS = 180
_FEW_NAMES = 10
_RATE = 1000  # ordinary queries per second
_OUTSTANDING = 200
_QUERY = f"n0.{many_names.ORIGIN} A\n"


@dataclass(frozen=True)
class Out:
    """Transfers out of one start: seconds of the first and of the others, CPU seconds of one of the others, maximum
    resident bytes, and p99 in ms of ordinary queries, alone and during transfers."""

    first: float
    seconds: float
    cpu: float
    peak: int
    quiet_p99: float
    busy_p99: float
    busy_max: float


@dataclass(frozen=True)
class In:
    """A transfer in: seconds from when the primary serves it until it is served, CPU seconds, maximum resident bytes,
    and p99 in ms of ordinary queries meanwhile."""

    seconds: float
    cpu: float
    peak: int
    busy_p99: float
    busy_max: float


@dataclass(frozen=True)
class TransferServer:
    """A server to measure: `primary` takes (place, zone file, port), `secondary` (place, port of the primary, port)."""

    name: str
    primary: object
    secondary: object


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("transfers", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="transfers", description="Measures time, CPU and memory of transfers of large zones, and their effect on other clients."
    )
    parser.add_argument("--java", type=int, help="Java version such as 25 (the newest)")
    parser.add_argument("--names", type=_numbers, default=(100_000, 1_000_000), help="sizes of zones (100000,1000000)")
    parser.add_argument("--starts", type=int, default=3, help="starts of each, interleaved (%(default)s)")
    parser.add_argument("--transfers", type=int, default=5, help="transfers out of each start (%(default)s)")
    parser.add_argument("--seconds", type=int, default=8, help="seconds of ordinary queries during transfers out (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _numbers(text):
    return tuple(int(word) for word in text.split(","))


def _run(options):
    java = javas.find((options.java,) if options.java else ())[-1]
    servers = [_ballast(java)]
    if shutil.which("knotd"):
        servers.append(TransferServer("knot", start_knot_primary, start_knot_secondary))
    else:
        say("no knotd (apt-get install knot): transfers in and the comparison are skipped")
    if not dnsperf.is_installed():
        raise Failure("no dnsperf (apt-get install dnsperf)")
    facts = conditions.gather()
    ballast.build()
    ballast.make_archive(java)
    outs, ins = {}, {}
    with Workplace() as place:
        for names in options.names:
            zone = place.directory / f"{names}.zone"
            records = many_names.write(zone, names, serial=2)
            for number in range(options.starts):
                for server in servers:
                    say(f"{names:,} names: {server.name}, start {number + 1} of {options.starts}")
                    outs.setdefault((names, server.name), []).append(measure_out(place, server, zone, records, options))
                    if shutil.which("knotd"):  # Knot is the primary
                        ins.setdefault((names, server.name), []).append(measure_in(place, server, zone, names))
    return _report(facts, outs, ins, options), True  # the figures have no bars


def _ballast(java):
    launch = launches.Launch(java, uses_lb=True, uses_archive=True)

    def start(place, role, port, **values):
        values = {**values, "port": port, "data_dir": _empty(place, f"ballast-{role}")}
        config = place.write(f"ballast-{role}.yaml", fill_peer(f"dns/transfers/ballast-{role}.yaml", values))
        return place.start("ballast", [*launch.command(), "run", config], launch.environment())

    return TransferServer(
        f"ballast, Java {java.major}",
        lambda place, zone, port: start(place, "primary", port, zone=zone),
        lambda place, primary, port: start(place, "secondary", port, primary=primary),
    )


def start_knot_primary(place, zone, port, secondary=1):
    return _start_knot(place, "primary", port, zone=zone, secondary=secondary)


def start_knot_secondary(place, primary, port):
    return _start_knot(place, "secondary", port, primary=primary)


def _start_knot(place, role, port, **values):
    directory = _empty(place, f"knot-{role}")
    user = f"{getpass.getuser()}:{grp.getgrgid(os.getgid()).gr_name}"
    values = {**values, "port": port, "directory": directory, "user": user}
    config = place.write(f"knot-{role}.conf", fill_peer(f"dns/transfers/knot-{role}.conf", values))
    return place.start(f"knot-{role}", ["knotd", "-c", config, "-s", directory / "knot.sock"])


def _empty(place, name):
    """Returns an empty directory, because files of an earlier start would save work."""
    shutil.rmtree(place.directory / name, ignore_errors=True)
    return place.subdirectory(name)


def measure_out(place, server, zone, records, options):
    port = ports.free(ports.DNS)
    started = server.primary(place, zone, port)
    try:
        await_true(lambda: dns_client.answer_count(port, f"n0.{many_names.ORIGIN}"), "an answer", _START_SECONDS, started)
        first = transfer(port, records)
        before = procfs.cpu_seconds(started.pid)
        others = [transfer(port, records) for _ in range(options.transfers)]
        cpu = (procfs.cpu_seconds(started.pid) - before) / options.transfers
        queries = place.write("queries", _QUERY)
        _, quiet = dnsperf.run_timed(port, queries, _OUTSTANDING, options.seconds, _RATE)
        with BackgroundQueries(port, queries, options.seconds) as asking:
            while asking.is_alive():
                transfer(port, records)
        return Out(
            first,
            median(others),
            cpu,
            procfs.memory_bytes(started.pid, "VmHWM"),
            dnsperf.percentile(quiet, 0.99),
            dnsperf.percentile(asking.times, 0.99),
            asking.times[-1],
        )
    finally:
        started.stop()


class BackgroundQueries(threading.Thread):
    """Ordinary queries during other work; `times` are the sorted response times in ms after it has ended."""

    def __init__(self, port, queries, seconds):
        super().__init__(daemon=True)
        self._arguments = (port, queries, _OUTSTANDING, seconds, _RATE)
        self.times = []
        self._failure = None

    def run(self):
        try:
            seen, self.times = dnsperf.run_timed(*self._arguments)
            if seen.lost or seen.not_answered_well or not self.times:
                self._failure = Failure(f"of {seen.sent} queries, {seen.lost} were lost, {seen.not_answered_well} had an error")
        except Exception as failure:  # raised later, in the waiting thread
            self._failure = failure

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, kind, *_):
        self.join()
        if kind is None and self._failure:
            raise self._failure


def transfer(port, records):
    """Receives a zone of this many records, whose SOA record comes twice; returns the seconds."""
    begin = time.monotonic()
    query = dns_wire.question(many_names.ORIGIN, _AXFR, recursion=False)
    with socket.create_connection((ports.LOOPBACK, port), timeout=_START_SECONDS) as client:
        client.sendall(struct.pack(">H", len(query)) + query)
        with client.makefile("rb", buffering=1 << 18) as stream:
            received = 0
            while received < records + 1:
                received += _answers(stream)
    if received != records + 1:
        raise Failure(f"{received} records received (expected: {records + 1})")
    return time.monotonic() - begin


def _answers(stream):
    """Returns the number of records of the next message."""
    head = stream.read(2)
    message = stream.read(struct.unpack(">H", head)[0]) if len(head) == 2 else b""
    if len(message) < 12:
        raise Failure("the connection was closed during a transfer")
    _, flags, _, answers = struct.unpack(">HHHH", message[:8])
    if flags & 15:
        raise Failure(f"the transfer failed with {dns_wire.RCODES.get(flags & 15, flags & 15)}")
    return answers


def measure_in(place, server, zone, names):
    primary_port, port = ports.free(ports.DNS), ports.free(ports.DNS)
    file = place.directory / "primary.zone"
    many_names.write(file, _FEW_NAMES)
    primary = start_knot_primary(place, file, primary_port, secondary=port)
    started = None
    try:
        _await_name(primary_port, 0, primary)
        started = server.secondary(place, primary_port, port)
        _await_name(port, 0, started)
        last = names - 4  # this name has an address
        before = procfs.cpu_seconds(started.pid)
        with BackgroundQueries(port, place.write("queries", _QUERY), 5 + names // 20_000) as asking:
            shutil.copyfile(zone, file)
            _reload(place)
            _await_name(primary_port, last, primary)
            begin = time.monotonic()
            _await_name(port, last, started)
            seconds, cpu = time.monotonic() - begin, procfs.cpu_seconds(started.pid) - before
        peak = procfs.memory_bytes(started.pid, "VmHWM")
        return In(seconds, cpu, peak, dnsperf.percentile(asking.times, 0.99), asking.times[-1])
    finally:
        for each in (started, primary):
            if each is not None:
                each.stop()


def _await_name(port, number, started):
    name = f"n{number}.{many_names.ORIGIN}"
    await_true(lambda: dns_client.answer_count(port, name), f"{name} from {started.name}", _START_SECONDS, started)


def _reload(place):
    command = ["knotc", "-s", place.directory / "knot-primary" / "knot.sock", "zone-reload", many_names.ORIGIN]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failure(f"knotc exited with {done.returncode}: {done.stdout}{done.stderr}")


def _report(facts, outs, ins, options):
    return "\n\n".join(
        [
            "# transfers",
            f"Medians of {options.starts} starts of each, one after the other. Out: the whole zone (AXFR) over TCP to a client"
            f" that reads at maximum speed: once, and then {options.transfers} times consecutively; queries"
            f" ({_RATE} per second over UDP) are sent for {options.seconds} s alone, and during transfers. In: a zone"
            " from Knot, measured from when Knot serves the new version until the secondary does, which"
            f" had one of {_FEW_NAMES} names and stores the new one in a file. MB are 10⁶ bytes.",
            report.conditions(facts),
            out_table(outs),
            in_table(ins),
        ]
    )


def _medians(runs, *names):
    return [median(getattr(run, name) for run in runs) for name in names]


def out_table(outs):
    rows = []
    for (names, server), runs in outs.items():
        first, seconds, cpu, quiet, busy, most = _medians(
            runs, "first", "seconds", "cpu", "quiet_p99", "busy_p99", "busy_max"
        )
        peak = max(run.peak for run in runs)
        cells = [f"{first:.2f}", f"{seconds:.2f}", f"{cpu:.2f}", f"{peak / 1e6:.0f}", f"{quiet:.2f}", f"{busy:.2f}", f"{most:.1f}"]
        rows.append([f"{names:,} names", server, *cells])
    header = ["out", "server", "first, s", "others, s", "CPU s", "peak RSS MB", "p99 ms alone", "p99 ms meanwhile", "max ms"]
    return report.table(header, rows)


def in_table(ins):
    rows = []
    for (names, server), runs in ins.items():
        seconds, cpu, busy, most = _medians(runs, "seconds", "cpu", "busy_p99", "busy_max")
        peak = max(run.peak for run in runs)
        cells = [f"{seconds:.2f}", f"{cpu:.2f}", f"{peak / 1e6:.0f}", f"{busy:.2f}", f"{most:.1f}"]
        rows.append([f"{names:,} names", server, *cells])
    return report.table(["in", "server", "seconds", "CPU s", "most RSS MB", "p99 ms meanwhile", "max ms"], rows)
