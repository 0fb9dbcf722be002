"""The program behind lb-bench/reload: losses while the configuration or the process is replaced, and the duration."""

import argparse
import json
import subprocess
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from harness import backends, ballast, conditions, dnsperf, openloop, ports, report
from harness.peers import ballast_version
from harness.workplace import Failure, Workplace, run_program, say

# Maximum milliseconds until a reload is active, by number of backends.
SMALL_BAR_MS = 5.0
LARGE_BAR_MS = 200.0

_SMALL = 100
_LARGE = 10_000
_TIMES = 10
_TIMEOUT_SECONDS = 120
_NAME = "www.example.org"
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def main(arguments=None):
    options = _parser().parse_args(arguments)
    return run_program("reload", lambda: _run(options), options.out)


def _parser():
    parser = argparse.ArgumentParser(
        prog="reload",
        description="Replaces the configuration, and the process, under HTTP and DNS load at fixed rates: no request may be lost.",
    )
    parser.add_argument("--rate", type=int, default=20_000, help="requests/s, and queries/s (%(default)s)")
    parser.add_argument("--reloads", type=int, default=50, help="number of consecutive reloads (%(default)s)")
    parser.add_argument("--restarts", type=int, default=5, help="number of restarts, in a separate run (%(default)s)")
    parser.add_argument("--seconds", type=int, default=30, help="length of a run in seconds (%(default)s)")
    parser.add_argument("--out", type=Path, help="write the report to this file")
    return parser


@dataclass
class ReloadRun:
    """The results of both clients."""

    name: str
    http: object
    dns: object
    dns_times: list
    reloads: list = field(default_factory=list)
    refused: int = 0
    # Seconds of each restart.
    restarts: list = field(default_factory=list)

    @property
    def dns_p99(self):
        return self.dns_times[int(len(self.dns_times) * 0.99)] if self.dns_times else float("nan")

    @property
    def lost(self):
        return self.http.failed + self.dns.lost + self.dns.not_answered_well + self.refused


@dataclass(frozen=True)
class Publication:
    """Durations of reloads with this many backends and routes in milliseconds: to publish, and from the call to its
    response."""

    backends: int
    routes: int
    published: list
    whole: list
    bar: float

    @property
    def is_met(self):
        return max(self.published) <= self.bar


def _run(options):
    with Workplace() as place:
        facts = conditions.gather()
        servers = backends.start(place)
        runs, version = _runs(place, servers, options)
        publications = [_publication(place, _SMALL, SMALL_BAR_MS), _publication(place, _LARGE, LARGE_BAR_MS)]
    facts.append(("ballast", version))
    return _report(facts, options, runs, publications), is_good(runs, publications, options.reloads, options.restarts)


def is_good(runs, publications, reloads, restarts=0):
    """Returns whether nothing was lost, all reloads and restarts succeeded, and each reload was published in time."""
    made = [(len(run.reloads), len(run.restarts)) for run in runs]
    complete = (sum(each[0] for each in made), sum(each[1] for each in made)) == (reloads, restarts)
    return complete and all(run.lost == 0 for run in runs) and all(each.is_met for each in publications)


# ---- under load


def _runs(place, servers, options):
    generator = openloop.Generator(place)  # first, because its build also builds Ballast, which must not be running
    listen, dashboard = ports.free(), ports.free()
    dns_port = ports.free()
    own = f"data_dir: {place.subdirectory('data')}\n"
    texts = [under_load(servers, listen, dashboard, dns_port, number) + own for number in range(4)]
    running = ballast.Ballast(place, texts[0], listen, dashboard)
    file = Path(place.write("ballast.yaml", texts[0]))
    queries = place.write("queries", f"{_NAME} A\n")
    say("warming up")
    _load(generator, listen, dns_port, queries, options, "warm-up", 10)
    quiet = _load(generator, listen, dns_port, queries, options, "without reloads", options.seconds)
    reloads = Reloads(running, file, texts, options.reloads, options.seconds)
    reloads.start()
    busy = _load(generator, listen, dns_port, queries, options, "with reloads", options.seconds)
    reloads.join()
    running.started.require_running()
    busy.reloads, busy.refused = reloads.published, reloads.refused
    version = ballast_version(running)
    restarts = Restarts(file, options.restarts, options.seconds)
    restarts.start()
    replaced = _load(generator, listen, dns_port, queries, options, "with restarts", options.seconds)
    restarts.join()
    replaced.restarts, replaced.refused = restarts.took, restarts.refused
    running.started.stop()
    return [quiet, busy, replaced], version


def _load(generator, listen, dns_port, queries, options, name, seconds):
    found = {}

    def request():
        found["dns"] = dnsperf.run_timed(dns_port, queries, 100, seconds, options.rate)

    requests = threading.Thread(target=request)
    requests.start()
    http = generator.run(listen, "/", options.rate, seconds)
    requests.join()
    if "dns" not in found:
        raise Failure("dnsperf failed")
    return ReloadRun(name, http, *found["dns"])


class Reloads(threading.Thread):
    """Activates one configuration after another, evenly spread over the run."""

    def __init__(self, running, file, texts, times, seconds):
        super().__init__()
        self.running = running
        self.file = file
        self.texts = texts
        self.times = times
        self.pause = seconds / (times + 1)
        self.published = []
        self.refused = 0

    def run(self):
        begin = time.monotonic()
        for number in range(1, self.times + 1):
            time.sleep(max(0.0, begin + number * self.pause - time.monotonic()))
            self.file.write_text(self.texts[number % len(self.texts)])
            answer = reload(self.running)
            if answer["outcome"] == "applied":
                self.published.append(answer["published_ms"])
            else:
                self.refused += 1
                say(f"not applied: {answer}")


class Restarts(threading.Thread):
    """Replaces the process repeatedly, at even intervals of the run."""

    def __init__(self, file, times, seconds):
        super().__init__()
        self.file = file
        self.times = times
        self.pause = seconds / (times + 1)
        self.took = []
        self.refused = 0

    def run(self):
        begin = time.monotonic()
        for number in range(1, self.times + 1):
            time.sleep(max(0.0, begin + number * self.pause - time.monotonic()))
            sent = time.monotonic()
            command = ballast.lb("restart", self.file)
            done = subprocess.run(command, capture_output=True, text=True, timeout=_TIMEOUT_SECONDS, check=False)
            if done.returncode == 0:
                self.took.append(time.monotonic() - sent)
            else:
                self.refused += 1
                say(f"not restarted: {done.stdout}{done.stderr}")


def reload(running):
    """Reloads the configuration file; returns the response."""
    request = urllib.request.Request(running.dashboard + "/api/v1/reload", method="POST")
    try:
        with _opener.open(request, timeout=_TIMEOUT_SECONDS) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as e:
        return json.load(e)


def under_load(servers, listen, dashboard, dns_port, number):
    """Returns one of four configurations: members, weights, routes, an additional pool and an additional listener vary.
    """
    used = servers if number % 2 == 0 else servers[1:]
    members = "".join(
        f'      - {{address: "{server.address}", weight: {1 + (number + at) % 3}}}\n' for at, server in enumerate(used)
    )
    other = f'  other: {{backends: ["{servers[0].address}"]}}\n' if number >= 2 else ""
    route = "      - {match: {path: /other}, pool: other}\n" if number >= 2 else ""
    return (
        f"listeners:\n  - name: front\n    bind: {ports.LOOPBACK}:{listen}\n    routes:\n{route}      - {{pool: web}}\n"
        f"pools:\n  web:\n    strategy: weighted-round-robin\n    backends:\n{members}{other}"
        f"dns:\n  listeners: [{{bind: '{ports.LOOPBACK}:{dns_port}'}}]\n  zones:\n    - name: example.org\n"
        f"      services: [{{name: www, pool: web, ttl: {20 + number}s}}]\n"
        f"dashboard: {{bind: {ports.LOOPBACK}:{dashboard}}}\n"
    )


# ---- duration of a reload


def _publication(place, count, bar):
    say(f"reloads of {count} backends")
    listen, dashboard = ports.free(), ports.free()
    texts = [many(count, listen, dashboard, weight) for weight in (1, 2)]
    running = ballast.Ballast(place, texts[0], listen, dashboard, name=f"many-{count}")
    file = Path(place.write(f"many-{count}.yaml", texts[0]))
    published, whole = [], []
    for number in range(1, _TIMES + 1):
        file.write_text(texts[number % 2])
        begin = time.monotonic()
        answer = reload(running)
        if answer["outcome"] != "applied":
            raise Failure(f"not applied: {answer}")
        whole.append((time.monotonic() - begin) * 1e3)
        published.append(answer["published_ms"])
    running.started.stop()
    return Publication(count, min(count, _SMALL), published, whole, bar)


def many(count, listen, dashboard, weight):
    """Returns a configuration with this many backends in ten pools, and as many routes, at most 100; `weight` changes
    all weights and paths."""
    lines = ["listeners:", f"  - name: front\n    bind: {ports.LOOPBACK}:{listen}\n    routes:"]
    for number in range(min(count, _SMALL)):
        lines.append(f"      - {{match: {{path: /{weight}/{number}}}, pool: p{number % 10}}}")
    lines.append("      - {pool: p0}\npools:")
    for pool in range(10):
        lines.append(f"  p{pool}:\n    health: {{type: none}}\n    backends:")
        for number in range(pool, count, 10):
            address = f"127.{1 + number // 62_500}.{number // 250 % 250}.{1 + number % 250}:80"
            lines.append(f"      - {{address: {address}, weight: {weight}}}")
    lines.append(f"dashboard: {{bind: {ports.LOOPBACK}:{dashboard}}}\n")
    return "\n".join(lines)


# ---- the report


def _median_restart(runs):
    took = [seconds for run in runs for seconds in run.restarts]
    return f"{median(took):.1f}" if took else "-"


def _report(facts, options, runs, publications):
    rows = [
        [
            run.name,
            str(len(run.reloads)),
            str(len(run.restarts)),
            f"{run.http.requests:,}",
            str(run.http.failed),
            f"{run.http.p50:.2f}",
            f"{run.http.p99:.2f}",
            f"{run.http.max:.0f}",
            f"{run.dns.completed:,}",
            str(run.dns.lost + run.dns.not_answered_well),
            f"{run.dns_p99:.2f}",
            f"{run.dns.max_ms:.0f}",
        ]
        for run in runs
    ]
    header = ["run", "reloads", "restarts", "requests", "failed", "p50 ms", "p99 ms", "max ms"]
    header += ["queries", "lost", "p99 ms", "max ms"]
    times = [
        [
            f"{each.backends:,}",
            f"{each.routes:,}",
            f"{median(each.published):.2f}",
            f"{max(each.published):.2f}",
            f"{each.bar:g} {'met' if each.is_met else '**not met**'}",
            f"{median(each.whole):.0f}",
        ]
        for each in publications
    ]
    return "\n\n".join(
        [
            "# reload",
            f"{options.rate:,} requests/s and {options.rate:,} queries/s from open loops; each reload changes members,"
            " weights, routes, a pool and a service's TTL. At a restart a new process takes over the sockets; it shares the"
            f" cores with the load while it starts, {_median_restart(runs)} s from the command to its exit (median).",
            report.conditions(facts),
            report.table(header, rows),
            "Times of one reload, all weights and routes changed (ms): from the first published change to the last, and from"
            " the API call to its response, including reading, validation and compilation.",
            report.table(["backends", "routes", "published, median", "at most", "bar", "whole"], times),
        ]
    )
