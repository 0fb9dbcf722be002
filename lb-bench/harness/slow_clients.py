"""The program behind lb-bench/slow-clients: slow clients of several kinds, while a normal client goes on."""

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
# Of slowhttptest's own, which asks whether the service is still there; and ours.
_PROBES = 2
_PATIENCE_SECONDS = 15
# The normal client may wait this many times as long as without an attack, and always this long.
_MOST_TIMES = 10
_ALWAYS_MS = 50.0


@dataclass(frozen=True)
class Attack:
    """`pause` is how many deadlines it lets pass between two pieces; 0 for a piece each second.

    At most `most` connections attack at once.
    """

    name: str
    mode: str
    path: str
    pause: int
    arguments: tuple
    # Whether Ballast tells them why (408), or can only close.
    is_answered: bool
    deadline: str
    most: int = 1 << 20


ATTACKS = (
    Attack("slow headers", "-H", "/", 0, ("-x", "12"), True, "request_head"),
    Attack("slow body", "-B", "/upload", 3, ("-x", "12", "-s", "8192"), True, "request_body_idle"),
    # More than the kernel takes off Ballast's hands (4 MiB for one connection): what is there, Ballast has sent. That
    # room is also why there are not more of them.
    Attack("slow read", "-X", "/16m", 3, ("-w", "512", "-y", "1024", "-z", "32"), False, "response_idle", most=100),
)


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("slow-clients", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="slow-clients",
        description="Attacks Ballast with clients that send or read slowly; they must be cut at their deadline, and a"
        " normal client must not notice.",
    )
    parser.add_argument("--connections", type=int, default=400, help="slow ones at once (%(default)s)")
    parser.add_argument("--deadline", type=int, default=2, help="seconds until they must be cut (%(default)s)")
    parser.add_argument("--seconds", type=int, default=10, help="length of each attack (%(default)s)")
    parser.add_argument("--warmup", type=int, default=8, help="seconds of normal load before (%(default)s)")
    parser.add_argument("--crowds", action="store_true", help="thousands of slow readers, uploads, streams and handshakes instead, on each transport")
    parser.add_argument("--transports", default=",".join(crowds.TRANSPORTS), help="for --crowds (%(default)s)")
    parser.add_argument("--readers", type=int, default=crowds.READERS.count, help="for --crowds (%(default)s)")
    parser.add_argument("--uploaders", type=int, default=crowds.UPLOADERS.count, help="for --crowds (%(default)s)")
    parser.add_argument("--streams", type=int, default=crowds.STREAMS.count, help="connections of 100 streams, for --crowds (%(default)s)")
    parser.add_argument("--handshakes", type=int, default=crowds.HANDSHAKES.count, help="for --crowds; 0 leaves any of them out (%(default)s)")
    parser.add_argument("--scarce", action="store_true", help="thousands of stalled uploads and slow readers while CPU is short, beside HAProxy")
    parser.add_argument("--peers", default=",".join(scarce.PEERS), help="for --scarce (%(default)s)")
    parser.add_argument("--limits", default=",".join(scarce.LIMITS), help="for --scarce (%(default)s)")
    parser.add_argument("--kinds", default=",".join(each.kind for each in scarce.SCENARIOS), help="for --scarce (%(default)s)")
    parser.add_argument("--rounds", type=int, default=3, help="for --scarce (%(default)s)")
    parser.add_argument("--no-hang", dest="hang", action="store_false", help="for --scarce: do not stop a thread for good at the end")
    parser.add_argument("--count", type=int, default=scarce.COUNT, help="slow clients, for --scarce and --starved (%(default)s)")
    parser.add_argument("--starved", action="store_true", help="the same again and again with 25 and 10 percent of a CPU: does a process end by itself?")
    parser.add_argument("--runs", type=int, default=200, help="for --starved (%(default)s)")
    parser.add_argument("--out", type=Path, help="a file to write the report to")
    return parser


def _run(options):
    """Returns (report, whether every attack was repelled). A missing tool is no failure of Ballast, but is said."""
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
            f" wrk with {_NORMAL_CONNECTIONS} connections is the normal client. Its p99 may be {_MOST_TIMES} times that"
            f" without an attack, and {_ALWAYS_MS:g} ms at any rate.",
            report.conditions(facts),
            report.table(["attack", "open at once", "answered 408", "all cut after s", "normal requests/s", "p99 ms", "errors", ""], rows),
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
            "Slow clients by the thousand. wrk, with"
            f" {_NORMAL_CONNECTIONS} connections, is the normal client: for 10 s while they all come at once (all that Ballast and"
            " nginx do is then for them; no bar), and for"
            f" {options.seconds} s when they are there. Ballast as it comes. As many slow"
            " clients as a process may have descriptors for: readers and uploads take two of Ballast's, connections of HTTP/2 101.",
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
    command += ["-l", options.seconds + _PATIENCE_SECONDS, *attack.arguments, "-u", url + attack.path]
    command += ["-n" if attack.mode == "-X" else "-i", attack.pause * options.deadline or 1]
    refused = _listener(running)["responses"]["4xx"]
    door = Door(running, enough=count)
    door.start()
    attacker = place.start(f"slowhttptest{attack.mode}", command)
    try:
        normal = wrk.run(url + "/", _NORMAL_CONNECTIONS, options.seconds)
        cut_after = door.await_cut(_PATIENCE_SECONDS)
    finally:
        door.stop()
        attacker.stop()
    answered = _listener(running)["responses"]["4xx"] - refused
    return [attack.name, str(door.most), str(answered), "never" if cut_after is None else f"{cut_after:.1f}", *_seen(normal)], (
        problems(attack, count, door.most, answered, cut_after) + normal_problems(normal, alone)
    )


def problems(attack, connections, most, answered, cut_after):
    """What shows that slow clients were not cut as they should be; `cut_after` is None if some never were."""
    found = []
    if most < connections:
        found.append(f"only {most} of {connections} slow connections were open at once: no attack")
    if cut_after is None:
        found.append(f"not all were cut by {attack.deadline}")
    if attack.is_answered and answered < connections:
        found.append(f"{answered} of {connections} were told 408")
    return found


def normal_problems(normal, alone):
    """What shows that a normal client noticed the attack."""
    found = [f"{count} {kind} errors of the normal client" for kind, count in normal.errors.items() if count]
    most = max(_MOST_TIMES * alone.p99, _ALWAYS_MS)
    if normal.p99 > most:
        found.append(f"p99 of the normal client {normal.p99:.1f} ms (expected: <= {most:.1f} ms)")
    return found


def _seen(load):
    return [f"{load.rate:,.0f}", f"{load.p99:.1f}", str(load.failed)]


def _listener(running):
    return running.stats()["listeners"][0]


class Door(threading.Thread):
    """Watches how many slow connections Ballast holds. Its own count: a slow reader sees its end only much later."""

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
        """Returns the seconds from the beginning until all slow connections were gone, None if they stay."""
        self._cut.wait(seconds)
        return self._cut_after

    def stop(self):
        self._stopped.set()
        self.join()
