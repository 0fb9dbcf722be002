"""The program behind lb-bench/slow-clients: several kinds of slow clients, while a normal client runs."""

import argparse
import shutil
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from harness import backends, ballast, conditions, crowds, ports, report, scarce, starved, wrk
from harness.peers import ballast_version
from harness.workplace import Failure, Workplace, run_program, say

_NORMAL_CONNECTIONS = 16
# Two probes: slowhttptest's own availability probe, and ours.
_PROBES = 2
_TIMEOUT_SECONDS = 15
# The normal client's p99 may be this multiple of its p99 without an attack, or the absolute value below.
_MAX_RATIO = 10
_ALWAYS_MS = 50.0


@dataclass(frozen=True)
class Attack:
    """`pause` is the time between two pieces in deadlines; 0 for a piece each second.

    At most `most` connections attack at once.
    """

    name: str
    mode: str
    path: str
    pause: int
    arguments: tuple
    # Whether Ballast responds with 408, or can only close.
    is_answered: bool
    deadline: str
    most: int = 1 << 20


ATTACKS = (
    Attack("slow headers", "-H", "/", 0, ("-x", "12"), True, "request_head"),
    Attack("slow body", "-B", "/upload", 3, ("-x", "12", "-s", "8192"), True, "request_body_idle"),
    # Larger than the kernel's buffers (4 MiB per connection): data in them counts as sent. Their memory also limits the
    # number of connections.
    Attack("slow read", "-X", "/16m", 3, ("-w", "512", "-y", "1024", "-z", "32"), False, "response_idle", most=100),
)


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("slow-clients", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="slow-clients",
        description="Attacks Ballast with clients that send or read slowly; they must be disconnected at their deadline, and a"
        " normal client must not be affected.",
    )
    parser.add_argument("--connections", type=int, default=400, help="concurrent slow connections (%(default)s)")
    parser.add_argument("--deadline", type=int, default=2, help="seconds until they must be disconnected (%(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="seconds of each attack (%(default)s)")
    parser.add_argument("--warmup", type=int, default=8, help="seconds of normal warm-up load (%(default)s)")
    parser.add_argument("--crowds", action="store_true", help="thousands of slow readers, uploads, streams and handshakes instead, on each transport")
    parser.add_argument("--transports", default=",".join(crowds.TRANSPORTS), help="for --crowds (%(default)s)")
    parser.add_argument("--readers", type=int, default=crowds.READERS.count, help="for --crowds (%(default)s)")
    parser.add_argument("--uploaders", type=int, default=crowds.UPLOADERS.count, help="for --crowds (%(default)s)")
    parser.add_argument("--streams", type=int, default=crowds.STREAMS.count, help="connections of 100 streams, for --crowds (%(default)s)")
    parser.add_argument("--handshakes", type=int, default=crowds.HANDSHAKES.count, help="for --crowds; 0 skips any of these kinds (%(default)s)")
    parser.add_argument("--scarce", action="store_true", help="thousands of stalled uploads and slow readers while CPU is short, beside HAProxy")
    parser.add_argument("--peers", default=",".join(scarce.PEERS), help="for --scarce (%(default)s)")
    parser.add_argument("--limits", default=",".join(scarce.LIMITS), help="for --scarce (%(default)s)")
    parser.add_argument("--kinds", default=",".join(each.kind for each in scarce.SCENARIOS), help="for --scarce (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="for --scarce (%(default)s)")
    parser.add_argument("--no-hang", dest="hang", action="store_false", help="for --scarce: do not stop a thread permanently at the end")
    parser.add_argument("--count", type=int, default=scarce.COUNT, help="slow clients, for --scarce and --starved (%(default)s)")
    parser.add_argument("--starved", action="store_true", help="repeated short runs with 25 and 10 percent of a CPU: does a process exit?")
    parser.add_argument("--runs", type=int, default=200, help="for --starved (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


def _run(options):
    """Returns (report, whether every attack was repelled). A missing tool is not a failure of Ballast, but is reported.
    """
    if options.scarce:
        return scarce.run(options)
    if options.starved:
        return starved.run(options)
    if options.crowds:
        return _run_crowds(options)
    if shutil.which("slowhttptest") is None:
        message = "slow-clients: SKIPPED, slowhttptest is missing (apt-get install slowhttptest)"
        say(message)
        return message, True
    if options.seconds <= options.deadline + 1:
        raise Failure(f"--seconds: {options.seconds} (expected: > {options.deadline + 1}, a second after --deadline)")
    with Workplace() as place:
        facts = conditions.gather()
        facts.append(("slowhttptest", conditions.tool_version(["slowhttptest", "-h"])))
        running = _start(place, options.deadline)
        facts.append(("ballast", ballast_version(running)))
        url = f"http://{ports.LOOPBACK}:{running.port}"
        say(f"warming up, {options.warmup} s")
        wrk.run(url + "/", _NORMAL_CONNECTIONS, options.warmup)
        alone = wrk.run(url + "/", _NORMAL_CONNECTIONS, options.seconds)
        rows, good = [["none", "–", "–", "–", *_seen(alone), "–"]], True
        for attack in ATTACKS:
            say(attack.name)
            row, problems = _attack(place, running, url, attack, alone, options)
            rows.append([*row, f"**{'; '.join(problems)}**" if problems else "repelled"])
            good &= not problems
        running.started.require_running()
    return "\n\n".join(
        [
            "# slow-clients",
            f"Slow connections, opened within a second, against deadlines of {options.deadline} s;"
            f" wrk with {_NORMAL_CONNECTIONS} connections is the normal client. Its p99 may be {_MAX_RATIO} times that"
            f" without an attack, or {_ALWAYS_MS:g} ms if that is more.",
            report.conditions(facts),
            report.table(["attack", "open at once", "answered 408", "all closed after s", "normal requests/s", "p99 ms", "errors", ""], rows),
        ]
    ), good


def _run_crowds(options):
    with Workplace() as place:
        facts = conditions.gather()
        rows, good = [], True
        for transport in options.transports.split(","):
            for scenario, wanted in _crowds(options):
                row, wrong = crowds.run(place, transport, scenario, crowds.possible(scenario, wanted), options.seconds)
                rows.append(row)
                good &= not wrong
    return "\n\n".join(
        [
            "# slow-clients --crowds",
            "Thousands of slow clients. wrk, with"
            f" {_NORMAL_CONNECTIONS} connections, is the normal client: for 10 s while they all connect at once (Ballast and"
            " nginx are then busy with them; no bar), and for"
            f" {options.seconds} s while they are connected. Ballast with default settings. As many slow"
            " clients as the descriptor limit allows: readers and uploads take two of Ballast's, HTTP/2 connections 101.",
            report.conditions(facts),
            crowds.table(rows),
        ]
    ), good


def _crowds(options):
    wanted = (
        (crowds.READERS, options.readers),
        (crowds.UPLOADERS, options.uploaders),
        (crowds.STREAMS, options.streams),
        (crowds.HANDSHAKES, options.handshakes),
    )
    return [(scenario, count) for scenario, count in wanted if count]


def _start(place, deadline):
    servers = backends.start(place, count=2)
    waiting = backends.JavaBackend(place, len(servers) + 1)
    waiting.await_ready()
    values = {"deadline": f"{deadline}s", "waiting": waiting.address}
    config, port, dashboard_port = ballast.config("slow/ballast.yaml", values, servers)
    return ballast.Ballast(place, config, port, dashboard_port)


def _attack(place, running, url, attack, alone, options):
    """Returns (cells of a row, problems)."""
    count = min(attack.most, options.connections)
    command = ["slowhttptest", attack.mode, "-c", count, "-r", count, "-p", "3"]
    command += ["-l", options.seconds + _TIMEOUT_SECONDS, *attack.arguments, "-u", url + attack.path]
    command += ["-n" if attack.mode == "-X" else "-i", attack.pause * options.deadline or 1]
    refused = _listener(running)["responses"]["4xx"]
    gauge = ConnectionGauge(running, enough=count)
    gauge.start()
    attacker = place.start(f"slowhttptest{attack.mode}", command)
    try:
        normal = wrk.run(url + "/", _NORMAL_CONNECTIONS, options.seconds)
        cut_after = gauge.await_cut(_TIMEOUT_SECONDS)
    finally:
        gauge.stop()
        attacker.stop()
    answered = _listener(running)["responses"]["4xx"] - refused
    return [attack.name, str(gauge.most), str(answered), "never" if cut_after is None else f"{cut_after:.1f}", *_seen(normal)], (
        problems(attack, count, gauge.most, answered, cut_after) + normal_problems(normal, alone)
    )


def problems(attack, connections, most, answered, cut_after):
    """Returns the slow clients that were not disconnected as required; `cut_after` is None if some never were."""
    found = []
    if most < connections:
        found.append(f"only {most} of {connections} slow connections were open at once, too few for an attack")
    if cut_after is None:
        found.append(f"not all were closed by {attack.deadline}")
    if attack.is_answered and answered < connections:
        found.append(f"{answered} of {connections} were told 408")
    return found


def normal_problems(normal, alone):
    """Returns the effects of the attack on the normal client."""
    found = [f"{count} {kind} errors of the normal client" for kind, count in normal.errors.items() if count]
    most = max(_MAX_RATIO * alone.p99, _ALWAYS_MS)
    if normal.p99 > most:
        found.append(f"p99 of the normal client {normal.p99:.1f} ms (expected: <= {most:.1f} ms)")
    return found


def _seen(load):
    return [f"{load.rate:,.0f}", f"{load.p99:.1f}", str(load.failed)]


def _listener(running):
    return running.stats()["listeners"][0]


class ConnectionGauge(threading.Thread):
    """Samples how many slow connections Ballast holds, by its own count: a slow reader detects its close much later."""

    def __init__(self, running, enough):
        super().__init__(daemon=True)
        self.most = 0
        self._running = running
        self._enough = enough
        self._begin = time.monotonic()
        self._cut = threading.Event()
        self._cut_after = None
        self._stopped = threading.Event()

    def run(self):
        while not self._stopped.wait(0.1):
            stats = self._running.stats()
            if stats is None:
                continue
            now = stats["listeners"][0]["connections_open"] - _NORMAL_CONNECTIONS
            self.most = max(self.most, now)
            if self.most >= self._enough and now <= _PROBES and not self._cut.is_set():
                self._cut_after = time.monotonic() - self._begin
                self._cut.set()

    def await_cut(self, seconds):
        """Returns the seconds from the start until all slow connections were closed, None if they are still open."""
        self._cut.wait(seconds)
        return self._cut_after

    def stop(self):
        self._stopped.set()
        self.join()
